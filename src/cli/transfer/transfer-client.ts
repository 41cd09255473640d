/** An HTTP client for any service with Elasticsearch's API, used by export and import. */
import { setTimeout as delay } from 'node:timers/promises'

export interface TransferAnswer {
  readonly status: number
  readonly body: Buffer
}

/** A request failed with an error that a retry cannot fix. */
export class TransferError extends Error {
  readonly status: number

  constructor(what: string, { status, body }: TransferAnswer) {
    super(`${what}: HTTP ${status} ${body.toString('utf8', 0, 500)}`)
    this.name = 'TransferError'
    this.status = status
  }
}

/** An unavailable or busy service is retried for about a minute. */
const RETRY_DELAYS_MS = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 20_000]
const BUSY: ReadonlySet<number> = new Set([429, 502, 503])

export class TransferClient {
  readonly #base: string
  readonly #headers: Record<string, string>

  constructor(url: string, user: string | undefined) {
    const parsed = new URL(url)
    const inUrl =
      parsed.username === ''
        ? undefined
        : `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`
    const credentials = user ?? inUrl
    parsed.username = ''
    parsed.password = ''
    this.#base = parsed.href.replace(/\/$/, '')
    this.#headers =
      credentials === undefined ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  }

  /** Returns the response whatever its status. Throws if the service stays unavailable. */
  async send(method: string, path: string, body?: string | Buffer, type = 'application/json'): Promise<TransferAnswer> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#try(method, path, body, type)
      const waitMs = RETRY_DELAYS_MS[attempt]
      if (!(answer instanceof Error) && (!BUSY.has(answer.status) || waitMs === undefined)) return answer
      if (waitMs === undefined) throw answer
      await delay(waitMs)
    }
  }

  /** Returns the body of a response, which must be successful. */
  async need(what: string, method: string, path: string, body?: string | Buffer, type?: string): Promise<Buffer> {
    const answer = await this.send(method, path, body, type)
    if (answer.status >= 300) throw new TransferError(what, answer)
    return answer.body
  }

  async #try(
    method: string,
    path: string,
    body: string | Buffer | undefined,
    type: string,
  ): Promise<TransferAnswer | Error> {
    try {
      const headers = body === undefined ? this.#headers : { ...this.#headers, 'content-type': type }
      const answer = await fetch(this.#base + path, { method, headers, ...(body === undefined ? {} : { body }) })
      return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error }
      return new Error(`${this.#base} does not answer: ${cause?.message ?? message}`)
    }
  }
}
