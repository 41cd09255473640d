/**
 * The API as reindex and by-query use it: they read pages of a scroll and write bulk requests like any client would. The local
 * client hands requests to the node's own dispatcher, which runs searches where searches run; the remote one sends them to
 * another server.
 */
import { AnsweredError } from '../../base/api-error.ts'

export interface ApiClient {
  /** Rejects only when no answer was received. */
  send(method: string, path: string, body?: Uint8Array): Promise<ApiReply>
}

export interface ApiReply {
  readonly status: number
  readonly body: Buffer
}

/** A reply that must be a success. */
export async function succeed(reply: Promise<ApiReply>): Promise<Buffer> {
  const received = await reply
  if (received.status >= 300) throw new AnsweredError(received.status, received.body)
  return received.body
}
