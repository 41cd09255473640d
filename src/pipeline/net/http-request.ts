/** One HTTP request over a kept-alive connection, with the whole answer as text. */
import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as sendHttp } from 'node:http'
import { Agent as HttpsAgent, request as sendHttps } from 'node:https'
import type { ConnectionOptions } from 'node:tls'
import { PlainProxyAgent, proxyHeaders, TunnelAgent } from './proxy-agents.ts'

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

  readonly #proxy: URL | undefined

  constructor(settings: { connectionsMax: number; tls?: ConnectionOptions | undefined; proxy?: URL | undefined }) {
    const { connectionsMax, tls, proxy } = settings
    this.#proxy = proxy
    if (proxy === undefined) {
      this.#plain = new HttpAgent({ keepAlive: true, maxSockets: connectionsMax })
      this.#secure = new HttpsAgent({ keepAlive: true, maxSockets: connectionsMax, ...tls })
    } else {
      this.#plain = new PlainProxyAgent(proxy, { connectionsMax, tls })
      this.#secure = new TunnelAgent(proxy, { connectionsMax, tls })
    }
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
    // A proxy passes on what is meant for others when the whole address stands where the path does.
    const passedOn = isSecure ? undefined : this.#proxy
    const options: RequestOptions = {
      method,
      agent: isSecure ? this.#secure : this.#plain,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        ...(passedOn === undefined ? {} : proxyHeaders(passedOn)),
      },
      ...(passedOn === undefined ? {} : { path: url.href }),
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
