/** An HTTP request over a keep-alive connection; the whole response is returned as text. */
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as sendHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as sendHttps } from 'node:https'
import type { ConnectionOptions } from 'node:tls'
import { FingerprintAgent, PlainProxyAgent, proxyHeaders, TunnelAgent } from './proxy-agents.ts'

export interface HttpRequest {
  readonly method: string
  readonly url: URL
  /** The path with the query if it must be sent as it is: an URL resolves `..`. */
  readonly path?: string | undefined
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
  readonly trustedFingerprints?: readonly string[] | undefined
  readonly proxy?: URL | undefined
  /** True by default. */
  readonly keepsConnections?: boolean
  /** Maximum redirects that are followed; none by default. */
  readonly redirectsMax?: number
  /** How long opening a connection may take; by default as long as the request. */
  readonly connectTimeoutMs?: number
  /** How long a connection may be silent within a request; by default as long as the request takes. */
  readonly silenceMs?: number
  /** How often a request is repeated that got no answer; never by default. */
  readonly retriesMax?: number
  /** Whether requests are repeated that may have an effect each time, such as POST. */
  readonly retriesEveryMethod?: boolean
}

/** Methods whose requests may be repeated without another effect. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])

export class HttpSender {
  readonly #plain: HttpAgent
  readonly #secure: HttpsAgent

  readonly #proxy: URL | undefined

  readonly #redirectsMax: number

  readonly #settings: HttpSenderSettings

  constructor(settings: HttpSenderSettings) {
    const { connectionsMax, tls, proxy, keepsConnections: keepAlive = true, trustedFingerprints = [] } = settings
    this.#proxy = proxy
    this.#redirectsMax = settings.redirectsMax ?? 0
    this.#settings = settings
    if (proxy === undefined) {
      this.#plain = new HttpAgent({ keepAlive, maxSockets: connectionsMax })
      this.#secure =
        trustedFingerprints.length === 0
          ? new HttpsAgent({ keepAlive, maxSockets: connectionsMax, ...tls })
          : new FingerprintAgent({ connectionsMax, tls, trustedFingerprints }, keepAlive)
    } else {
      this.#plain = new PlainProxyAgent(proxy, { connectionsMax, tls })
      this.#secure = new TunnelAgent(proxy, { connectionsMax, tls, trustedFingerprints })
    }
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    let asked = request
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#sendWithRetries(asked)
      const next = redirects < this.#redirectsMax ? redirected(asked, answer) : undefined
      if (next === undefined) return answer
      asked = next
    }
  }

  async #sendWithRetries(request: HttpRequest): Promise<HttpAnswer> {
    const { retriesMax = 0, retriesEveryMethod = false } = this.#settings
    const isRepeatable = retriesEveryMethod || REPEATABLE.has(request.method.toUpperCase())
    for (let tries = 0; ; tries++) {
      try {
        return await this.#sendOne(request)
      } catch (error) {
        // A request that ran out of time would most likely do so again.
        if (!isRepeatable || tries >= retriesMax || error instanceof NoAnswerError) throw error
      }
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

  /** Sends a request once and lets `read` consume the response, for responses too large to keep in memory. */
  receive<T>(request: HttpRequest, read: (incoming: IncomingMessage) => Promise<T>): Promise<T> {
    return this.#exchange(request, read)
  }

  close(): void {
    this.#plain.destroy()
    this.#secure.destroy()
  }

  #once(request: HttpRequest): Promise<HttpAnswer> {
    return this.#exchange(request, async (incoming) => {
      const pieces: Buffer[] = []
      for await (const piece of incoming) pieces.push(piece as Buffer)
      const { statusCode, headers } = incoming
      return { status: statusCode ?? 0, headers, text: Buffer.concat(pieces).toString('utf8') }
    })
  }

  #exchange<T>(
    { method, url, path, headers, body, timeoutMs }: HttpRequest,
    read: (incoming: IncomingMessage) => Promise<T>,
  ): Promise<T> {
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
      ...(path === undefined ? {} : { path }),
      ...(passedOn === undefined ? {} : { path: path === undefined ? url.href : url.origin + path }),
    }
    return new Promise((resolve, reject) => {
      const outgoing = (isSecure ? sendHttps : sendHttp)(url, options, (incoming) => {
        read(incoming).then(resolve, reject)
      })
      const timer = setTimeout(() => outgoing.destroy(new NoAnswerError(`no answer within ${timeoutMs} ms`)), timeoutMs)
      this.#limitWaiting(outgoing)
      outgoing.on('close', () => clearTimeout(timer))
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
        reject(isStale ? new StaleConnectionError(error.message) : error)
      })
      outgoing.end(body)
    })
  }

  #limitWaiting(outgoing: ClientRequest): void {
    const { connectTimeoutMs, silenceMs } = this.#settings
    if (silenceMs !== undefined && silenceMs > 0) {
      outgoing.setTimeout(silenceMs, () => outgoing.destroy(new NoAnswerError(`nothing received for ${silenceMs} ms`)))
    }
    if (connectTimeoutMs === undefined || connectTimeoutMs <= 0) return
    outgoing.once('socket', (socket) => {
      if (!socket.connecting) return
      const problem = new NoAnswerError(`no connection within ${connectTimeoutMs} ms`)
      const timer = setTimeout(() => outgoing.destroy(problem), connectTimeoutMs)
      socket.once('connect', () => clearTimeout(timer))
      socket.once('close', () => clearTimeout(timer))
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

class NoAnswerError extends Error {}
