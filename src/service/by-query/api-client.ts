/**
 * The API as reindex and by-query use it: they read pages of a scroll and write bulk requests like any client would. The local
 * client hands requests to the node's own dispatcher, which runs searches where searches run; the remote one sends them to
 * another server.
 */
export interface ApiClient {
  /** Rejects only when no answer was received. */
  send(method: string, path: string, body?: Uint8Array): Promise<ApiReply>
}

export interface ApiReply {
  readonly status: number
  readonly body: Buffer
}

/** An error answer that ends the operation: it is passed on to the caller as it is. */
export class ApiFailure extends Error {
  readonly status: number
  readonly body: Buffer

  constructor({ status, body }: ApiReply) {
    super(`the API answered ${status}`)
    this.status = status
    this.body = body
  }
}

/** A reply that must be a success. */
export async function succeed(reply: Promise<ApiReply>): Promise<Buffer> {
  const received = await reply
  if (received.status >= 300) throw new ApiFailure(received)
  return received.body
}
