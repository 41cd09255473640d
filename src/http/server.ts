/**
 * Sockets to requests: limits, compression, keep-alive, shutdown.
 *
 * Without authentication only loopback addresses are served, because anyone who reaches the port could delete
 * everything. On other addresses connections are encrypted, unless the operator declares that a proxy does that.
 */

import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { promisify } from 'node:util'
import { gunzip, gzip, inflate } from 'node:zlib'
import { type ApiError, errorBody as bodyOfError } from '../base/api-error.ts'
import { HostNames } from '../base/host-names.ts'
import type { Log } from '../base/log.ts'
import { giveBackAnswerMemory, isLentMemory } from '../base/memory/answer-memory.ts'
import type { Breaker, MemoryClaim } from '../base/memory/circuit-breakers.ts'
import { CollectedBody } from '../base/memory/collected-body.ts'
import { borrowed } from '../base/memory/lent-bytes.ts'
import { noteGarbage } from '../base/memory/process-memory.ts'
import type { ClientCertificates } from '../security/tls/client-certificates.ts'
import { AllowedOrigins } from './allowed-origins.ts'
import { corsHeaders, preflight, refusal } from './browser-access.ts'
import { TrustedProxies } from './client/client-address.ts'
import { ClientPresence } from './client/client-presence.ts'
import type { ConsoleFiles } from './console-files.ts'
import type { Answer, RequestDispatcher } from './dispatcher.ts'

export interface HttpServerOptions {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** Maximum body size, compressed and decompressed. */
  readonly maxContentBytes: number
  /** Counts the bytes of all bodies held at the same time. Requests beyond its limit get 429. */
  readonly inFlight: Breaker
  /** Host names accepted in addition to those of this machine. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins of pages that may read and write, in addition to those of this machine. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Whether requests need a login. */
  readonly isSecured?: boolean | undefined
  /** Certificate chain and key in PEM; absent: connections are not encrypted. */
  readonly tls?: TlsContent | undefined
  /** Asks clients for certificates; absent: they are not asked. */
  readonly clientCertificates?: ClientCertificates | undefined
  /** Allows unencrypted connections from other machines. */
  readonly insecureHttp?: boolean | undefined
  /** The pages for browsers; without them every request goes to the API. */
  readonly console?: ConsoleFiles | undefined
  readonly log: Log
}

/** Compressing smaller responses costs more than sending them. */
const COMPRESS_MIN_BYTES = 1024
const HEADER_BYTES_MAX = 16 * 1024
/** Headers and a body up to this length go to the system as one text, which costs less than a list of buffers. */
const JOINED_BYTES_MAX = 14 * 1024
/** A client counts as alone if no other connection has sent a request for this long. */
const ALONE_MS = 100
/** Smaller bodies are not counted as garbage. */
const NOTED_FROM_BYTES = 64 * 1024
/** A rejected body is drained as long as the client keeps sending. */
const DRAIN_STALLED_MS = 30_000
/** How long running requests may take to finish when the server stops. */
const STOP_MS = 10_000

const unzip = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: promisify(inflate) } as const

export interface TlsContent {
  readonly cert: string
  readonly key: string
}

const TLS_VERSION_MIN = 'TLSv1.2'

export class HttpServer {
  readonly #dispatcher: RequestDispatcher
  readonly #options: HttpServerOptions
  readonly #server: Server | SecureServer
  readonly #names: HostNames
  readonly #origins: AllowedOrigins
  readonly #proxies: TrustedProxies
  #stopping = false
  /** The connection of the last request, and when the connection last changed. */
  #lastSocket: Socket | undefined
  #changedAtMs = 0

  constructor(dispatcher: RequestDispatcher, options: HttpServerOptions) {
    this.#dispatcher = dispatcher
    this.#options = options
    this.#names = new HostNames(options.allowedHosts)
    this.#origins = new AllowedOrigins(options.allowedOrigins ?? [], isLoopback(options.host))
    this.#proxies = new TrustedProxies(options.trustedProxies ?? [])
    const limits = {
      maxHeaderSize: HEADER_BYTES_MAX,
      // Client pools expect connections to stay open. An early close would be a failed request on their side.
      keepAliveTimeout: 0,
      requestTimeout: 300_000,
    }
    this.#server = this.#createServer(limits)
    this.#server.on('request', (request, response) => this.#serve(request, response))
    this.#server.on('checkContinue', (request, response) => {
      if (refusal(request, this.#names, this.#origins) === undefined && this.#isTooLarge(request))
        this.#refuse(request, response, 413)
      else {
        response.writeContinue()
        this.#serve(request, response)
      }
    })
    this.#server.on('clientError', answerBadRequest)
  }

  #createServer(limits: ServerOptions): Server | SecureServer {
    const { tls, clientCertificates } = this.#options
    if (tls === undefined) return createServer(limits)
    const context = this.#secureContext(tls)
    const server = createSecureServer({ ...limits, ...context, ...clientCertificates?.serverOptions })
    clientCertificates?.attachTo(server)
    return server
  }

  #secureContext({ cert, key }: TlsContent): SecureContextOptions {
    const authorities = this.#options.clientCertificates?.authorities
    return { cert, key, minVersion: TLS_VERSION_MIN, ...(authorities === undefined ? {} : { ca: authorities }) }
  }

  /** Binds and returns the address with the actual port. */
  async listen(): Promise<{ host: string; port: number; url: string }> {
    const { host, port, isSecured, tls, insecureHttp } = this.#options
    const isEncrypted = tls !== undefined
    if (!isLoopback(host) && isSecured !== true) throw new NotLoopbackError(host, 'authentication', '--security true')
    if (!isLoopback(host) && !isEncrypted && insecureHttp !== true) {
      throw new NotLoopbackError(host, 'TLS', '--tls auto, or --insecure-http behind a proxy that has TLS')
    }
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host, port, backlog: 1024 }, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    this.#server.on('error', (error) => this.#options.log.error('server failed', { error }))
    const address = this.#server.address() as AddressInfo
    const shown = host.includes(':') ? `[${host}]` : host
    return { host, port: address.port, url: `${isEncrypted ? 'https' : 'http'}://${shown}:${address.port}` }
  }

  /** Uses another certificate, and the current authorities of client certificates, for new connections. */
  renewTls(tls: TlsContent): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(this.#secureContext(tls))
  }

  /** Stops accepting requests, waits for running ones, then closes all connections. */
  async stop(): Promise<void> {
    this.#stopping = true
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeIdleConnections()
    const giveUp = setTimeout(() => this.#server.closeAllConnections(), STOP_MS)
    await closed
    clearTimeout(giveUp)
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    response.sendDate = false
    // A client that disconnects during a response is not our failure.
    response.on('error', ignore)
    const refused = refusal(request, this.#names, this.#origins)
    if (refused !== undefined) {
      this.#refuse(request, response, 403, errorBody(403, 'security_exception', refused))
      return
    }
    const { headers } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      this.#answer(request, response, EMPTY)
      return
    }
    if (this.#isTooLarge(request)) {
      this.#refuse(request, response, 413)
      return
    }
    this.#readBody(request, response)
  }

  /** Collects the body and dispatches the request when it is complete. */
  #readBody(request: IncomingMessage, response: ServerResponse): void {
    const { maxContentBytes, inFlight } = this.#options
    const claim = inFlight.claim('<http_request>')
    const body = new BodyCollector(Number(request.headers['content-length'] ?? -1))
    let refused = false
    const refuse = (status: 413 | 429, error?: ApiError) => {
      refused = true
      claim.release()
      request.removeAllListeners('data')
      this.#refuse(request, response, status, error === undefined ? '' : JSON.stringify(bodyOfError(error)))
    }
    /** Whether there is room. A body with a known length is rejected before it arrives. */
    const hold = (bytes: number): boolean => {
      try {
        claim.resize(bytes)
        return true
      } catch (error) {
        refuse(429, error as ApiError)
        return false
      }
    }
    response.on('close', () => {
      claim.release()
      if (body.length > NOTED_FROM_BYTES) noteGarbage(body.garbageBytes)
    })
    request.on('data', (chunk: Buffer) => {
      body.add(chunk)
      if (body.length > maxContentBytes) refuse(413)
      else if (!body.isAnnounced) hold(body.length)
    })
    request.on('end', () => {
      if (refused) return
      const raw = body.whole()
      const encoding = request.headers['content-encoding']?.trim().toLowerCase()
      if (encoding === undefined || raw.length === 0 || !Object.hasOwn(unzip, encoding))
        this.#answer(request, response, raw)
      else
        void this.#answerZipped(
          request,
          response,
          claim,
          raw.length,
          unzip[encoding as keyof typeof unzip](raw, { maxOutputLength: maxContentBytes }),
        )
    })
    request.on('error', () => response.destroy())
    request.on('close', () => {
      // `close` follows every request. An incomplete request means that the client disconnected.
      if (!request.complete && !refused) response.destroy()
    })
    if (body.isAnnounced) hold(body.announced)
  }

  async #answerZipped(
    request: IncomingMessage,
    response: ServerResponse,
    claim: MemoryClaim,
    rawBytes: number,
    unzipping: Promise<Buffer>,
  ): Promise<void> {
    let body: Buffer
    try {
      body = await unzipping
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ERR_BUFFER_TOO_LARGE') this.#refuse(request, response, 413)
      else if (response.destroyed || code?.startsWith('Z_') !== true) response.destroy()
      else {
        response.writeHead(400, { 'content-type': 'application/json', 'X-elastic-product': 'Elasticsearch' })
        response.end(badRequestBody('illegal_argument_exception', `failed to decompress the body: ${message}`))
      }
      return
    }
    if (response.destroyed) return
    try {
      claim.resize(rawBytes + body.length)
    } catch (error) {
      this.#refuse(request, response, 429, JSON.stringify(bodyOfError(error as ApiError)))
      return
    }
    this.#answer(request, response, body)
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const fail = (error: unknown) => {
      this.#options.log.error('request failed', { method: request.method, uri: request.url, error })
      response.destroy()
    }
    let presence: ClientPresence | undefined
    try {
      const answer =
        preflight(request, this.#origins) ??
        this.#options.console?.answer(request.method ?? 'GET', request.url ?? '/', request.headers) ??
        this.#dispatcher.dispatch({
          method: request.method ?? 'GET',
          uri: request.url ?? '/',
          headers: request.headers,
          body,
          rawHeaders: request.rawHeaders,
          address: this.#proxies.clientOf(request.socket.remoteAddress, request.headers['x-forwarded-for']),
          connection: request.socket,
          // Declared here, so that setting it does not change the shape of the object.
          access: undefined,
          isAlone: this.#isAlone(request.socket),
          signal: () => goneSignal(response),
          presence: () => (presence ??= presenceOf(response)),
        })
      if (answer instanceof Promise) answer.then((later) => this.#send(request, response, later)).catch(fail)
      else this.#send(request, response, answer)
    } catch (error) {
      fail(error)
    }
  }

  /** Whether all recent requests came through this connection. */
  #isAlone(socket: Socket): boolean {
    const nowMs = performance.now()
    if (socket !== this.#lastSocket) {
      this.#lastSocket = socket
      this.#changedAtMs = nowMs
    }
    return nowMs - this.#changedAtMs > ALONE_MS
  }

  #isTooLarge(request: IncomingMessage): boolean {
    return Number(request.headers['content-length'] ?? 0) > this.#options.maxContentBytes
  }

  /**
   * Rejects a request immediately, without its body. The rest of the body is read and dropped, and the connection
   * continues: closing it while the client sends would reset it and lose the response. Only a body that is too long
   * closes it.
   */
  #refuse(request: IncomingMessage, response: ServerResponse, status: 403 | 413 | 429, reason = ''): void {
    const body = Buffer.from(reason)
    const ends = status === 413 || this.#isTooLarge(request)
    response.sendDate = false
    response.writeHead(status, {
      'X-elastic-product': 'Elasticsearch',
      ...(body.length === 0 ? {} : { 'content-type': 'application/json' }),
      'content-length': body.length,
      ...(ends ? { connection: 'close' } : {}),
    })
    response.end(body)
    if (request.readableEnded || request.destroyed) return
    request.on('error', ignore)
    const stalled = setTimeout(() => request.destroy(), DRAIN_STALLED_MS)
    let dropped = 0
    request.on('data', (chunk: Buffer) => {
      stalled.refresh()
      dropped += chunk.length
      if (dropped > this.#options.maxContentBytes) request.destroy()
    })
    // Once the response is finished, the request does not report that the connection was closed.
    const { socket } = request
    const ended = () => {
      clearTimeout(stalled)
      socket.off('close', ended)
    }
    request.on('end', ended)
    request.on('close', ended)
    socket.on('close', ended)
    request.resume()
  }

  #send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
    // Its memory is given back when all of it was sent.
    const body = borrowed(answer.body)
    const accepted = request.headers['accept-encoding']
    const isEncoded = answer.headers['content-encoding'] !== undefined
    if (isEncoded || accepted === undefined || body.length < COMPRESS_MIN_BYTES || !/\bgzip\b/.test(String(accepted))) {
      this.#write(request, response, answer, body)
      return
    }
    gzip(body, { level: 3 }, (error, zipped) => {
      giveBackAnswerMemory(body)
      if (error !== null) response.destroy()
      else {
        answer.headers['content-encoding'] = 'gzip'
        this.#write(request, response, answer, zipped)
      }
    })
  }

  #write(request: IncomingMessage, response: ServerResponse, answer: Answer, body: Buffer): void {
    const { status, headers, onSent } = answer
    const cors = corsHeaders(request, this.#origins)
    if (cors !== undefined) Object.assign(headers, cors)
    const isLast = this.#stopping || this.#options.clientCertificates?.isOutdated(request.socket) === true
    if (isLast) headers['connection'] = 'close'
    headers['content-length'] = String(body.length)
    try {
      response.writeHead(status, headers)
    } catch {
      // A header that cannot be sent, such as an invalid opaque id.
      response.destroy()
      return
    }
    if (request.method === 'HEAD') response.end()
    else if (body.length <= JOINED_BYTES_MAX && !isLentMemory(body))
      response.end(body.toString('latin1'), 'latin1', onSent)
    else if (isLentMemory(body)) {
      response.end(body, () => {
        giveBackAnswerMemory(body)
        onSent?.()
      })
    } else response.end(body, onSent)
  }
}

/** The service was configured to listen on an address that other machines can reach. */
export class NotLoopbackError extends Error {
  constructor(host: string, missing: string, remedy: string) {
    super(
      `refusing to listen on ${host}: without ${missing} only this machine may connect ` +
        `(use 127.0.0.1, ::1 or localhost, or start it with ${remedy})`,
    )
    this.name = 'NotLoopbackError'
  }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

const EMPTY = Buffer.alloc(0)

/** The body of a request. A body with an announced length is written into one buffer of that size as it arrives. */
class BodyCollector {
  readonly announced: number
  readonly #chunks: Buffer[] = []
  #collected: CollectedBody | undefined
  length = 0

  constructor(announced: number) {
    this.announced = announced
  }

  get isAnnounced(): boolean {
    return this.announced >= 0
  }

  add(chunk: Buffer): void {
    const { length } = chunk
    // Most bodies arrive in one chunk.
    if (!this.isAnnounced || length === this.announced) this.#chunks.push(chunk)
    else {
      this.#collected ??= new CollectedBody(this.announced)
      this.#collected.add(chunk)
    }
    this.length += length
  }

  /** The garbage that the body leaves: one buffer, and its chunks unless they were freed. */
  get garbageBytes(): number {
    return this.#collected === undefined ? this.length * 2 : this.length
  }

  whole(): Buffer {
    if (this.#collected !== undefined) return this.#collected.bytes
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
  }
}

function ignore(): void {}

function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

function presenceOf(response: ServerResponse): ClientPresence {
  const presence = new ClientPresence()
  response.on('close', () => {
    if (!response.writableFinished) presence.leave()
  })
  return presence
}

/** Answers bytes that are not HTTP and headers beyond the limit. There is no request object, only the socket. */
function answerBadRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const body = tooLong
    ? badRequestBody('too_long_http_header_exception', `HTTP header is larger than ${HEADER_BYTES_MAX} bytes.`)
    : badRequestBody('illegal_argument_exception', `invalid HTTP request: ${error.message}`)
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nX-elastic-product: Elasticsearch\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

const badRequestBody = (type: string, reason: string) => errorBody(400, type, reason)

function errorBody(status: number, type: string, reason: string): string {
  return JSON.stringify({ error: { root_cause: [{ type, reason }], type, reason }, status })
}
