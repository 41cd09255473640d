/** An HTTP request over a keep-alive connection; the whole response is returned as text. */
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

export interface HttpSenderSettings {
  readonly connectionsMax: number
  readonly tls?: ConnectionOptions | undefined
  readonly proxy?: URL | undefined
  /** True by default. */
  readonly keepsConnections?: boolean
  /** Maximum redirects that are followed; none by default. */
  readonly redirectsMax?: number
}

export class HttpSender {
  readonly #plain: HttpAgent
  readonly #secure: HttpsAgent

  readonly #proxy: URL | undefined

  readonly #redirectsMax: number

  constructor(settings: HttpSenderSettings) {
    const { connectionsMax, tls, proxy, keepsConnections: keepAlive = true } = settings
    this.#proxy = proxy
    this.#redirectsMax = settings.redirectsMax ?? 0
    if (proxy === undefined) {
      this.#plain = new HttpAgent({ keepAlive, maxSockets: connectionsMax })
      this.#secure = new HttpsAgent({ keepAlive, maxSockets: connectionsMax, ...tls })
    } else {
      this.#plain = new PlainProxyAgent(proxy, { connectionsMax, tls })
      this.#secure = new TunnelAgent(proxy, { connectionsMax, tls })
    }
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    let asked = request
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#sendOne(asked)
      const next = redirects < this.#redirectsMax ? redirected(asked, answer) : undefined
      if (next === undefined) return answer
      asked = next
    }
  }

  async #sendOne(request: HttpRequest): Promise<HttpAnswer> {
    try {
      return await this.#once(request)
    } catch (error) {
      // The peer may close an idle connection just as it is reused, which says nothing about the request.
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
    // A proxy forwards a request that has the absolute URL in place of the path.
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

/** The redirected request, or undefined if the response is not a redirect. */
function redirected(request: HttpRequest, { status, headers }: HttpAnswer): HttpRequest | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return undefined
  const url = new URL(headers.location, request.url)
  // Credentials are not sent to another host.
  const { authorization: _secret, ...others } = request.headers
  const kept = url.origin === request.url.origin ? request.headers : others
  if (status >= 307 || request.method === 'GET' || request.method === 'HEAD') return { ...request, url, headers: kept }
  return { ...request, url, headers: kept, method: 'GET', body: undefined }
}

class StaleConnectionError extends Error {}
