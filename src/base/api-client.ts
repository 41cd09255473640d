/**
 * The API as operations within the node use it: reindex and by-query operations read scroll pages and write bulk requests like any client.
 * The local client passes requests to the node's own dispatcher, so that searches run on the usual threads; the remote
 * client sends them to another server.
 */
import { AnsweredError } from './api-error.ts'

export interface ApiClient {
  /** Rejects only if no response was received. Aborting `signal` cancels a search, as a client does that disconnects. */
  send(method: string, path: string, body?: Uint8Array, signal?: AbortSignal): Promise<ApiReply>
}

export interface ApiReply {
  readonly status: number
  readonly body: Buffer
}

/** The body of a response that must be successful. */
export async function succeed(reply: Promise<ApiReply>): Promise<Buffer> {
  const received = await reply
  if (received.status >= 300) throw new AnsweredError(received.status, received.body)
  return received.body
}
