/** One HTTP request over a kept-alive connection, with the whole answer as text. */
import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as sendHttp } from 'node:http'
import { Agent as HttpsAgent, request as sendHttps } from 'node:https'
import type { ConnectionOptions } from 'node:tls'

export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | number>>
  readonly body?: string | Uint8Array | undefined
  readonly timeoutMs: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export class HttpSender {
  readonly #plain: HttpAgent
  readonly #secure: HttpsAgent

  constructor(settings: { connectionsMax: number; tls?: ConnectionOptions }) {
    this.#plain = new HttpAgent({ keepAlive: true, maxSockets: settings.connectionsMax })
    this.#secure = new HttpsAgent({ keepAlive: true, maxSockets: settings.connectionsMax, ...settings.tls })
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    try {
      return await this.#once(request)
    } catch (error) {
      // The other side may close an idle connection just when it is used again: that says nothing about the request.
      if (!(error instanceof StaleConnectionError)) throw error
      return this.#once(request)
    }
  }

  close(): void {
    this.#plain.destroy()
    this.#secure.destroy()
  }

  #once({ method, url, headers, body, timeoutMs }: HttpRequest): Promise<HttpAnswer> {
    const isSecure = url.protocol === 'https:'
    const options: RequestOptions = {
      method,
      agent: isSecure ? this.#secure : this.#plain,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
    }
    return new Promise((resolve, reject) => {
      const outgoing = (isSecure ? sendHttps : sendHttp)(url, options, (incoming) => {
        const pieces: Buffer[] = []
        incoming.on('data', (piece: Buffer) => pieces.push(piece))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const { statusCode, headers: answered } = incoming
          resolve({ status: statusCode ?? 0, headers: answered, text: Buffer.concat(pieces).toString('utf8') })
        })
      })
      const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
      outgoing.on('close', () => clearTimeout(timer))
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        reject(isStale ? new StaleConnectionError(error.message) : error)
      })
      outgoing.end(body)
    })
  }
}

class StaleConnectionError extends Error {}
