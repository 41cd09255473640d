/** An HTTP client for any service with Elasticsearch's API, used by export, import and move. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import { SettingsError } from '../arguments/settings-error.ts'

export interface TransferAnswer {
  readonly status: number
  readonly body: Buffer
}

export interface TransferAccess {
  readonly url: string
  /** The flag that the URL comes from. */
  readonly flag?: string
  /** `NAME:PASSWORD` for HTTP Basic authentication. It wins over credentials in the URL. */
  readonly user?: string | undefined
  /** An API key, encoded as Elasticsearch returns it or as `ID:KEY`. */
  readonly apiKey?: string | undefined
  /** A PEM file with the certificates to trust instead of the public ones. */
  readonly caFile?: string | undefined
  /** PEM files with a client certificate and its private key. */
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
}

/** A request failed with an error that a retry cannot fix. */
export class TransferError extends SettingsError {
  readonly status: number

  constructor(what: string, { status, body }: TransferAnswer) {
    super(`${what}: HTTP ${status} ${reasonOf(body)}`)
    this.name = 'TransferError'
    this.status = status
  }
}

/** An unavailable or busy service is retried for about a minute. */
const RETRY_DELAYS_MS = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 20_000]
const BUSY: ReadonlySet<number> = new Set([429, 502, 503])
/** A service that accepts a request and then sends nothing for this long counts as unavailable. */
const SILENCE_MS = 120_000

export class TransferClient {
  readonly #base: string
  readonly #headers: Record<string, string>
  readonly #agent: HttpAgent | HttpsAgent
  readonly #send: typeof httpRequest
  readonly #report: (text: string) => void
  /** Whether the service has answered before: one that never did is not there, and waiting would not help. */
  #hasAnswered = false

  /** `report` is called for every retry with its reason. */
  constructor(access: TransferAccess, report: (text: string) => void) {
    const parsed = parseUrl(access.url, access.flag ?? '--url')
    this.#headers = authorization(access, parsed)
    parsed.username = ''
    parsed.password = ''
    this.#base = parsed.href.replace(/\/$/, '')
    const isTls = parsed.protocol === 'https:'
    const files = readTlsFiles(access)
    if (!isTls && Object.keys(files).length > 0) throw new SettingsError('--ca, --cert and --key need an https:// URL')
    this.#agent = isTls ? new HttpsAgent({ keepAlive: true, ...files }) : new HttpAgent({ keepAlive: true })
    this.#send = isTls ? httpsRequest : httpRequest
    this.#report = report
  }

  /** Returns the response whatever its status. Throws if the service stays unavailable or TLS fails. */
  async send(method: string, path: string, body?: string | Buffer, type = 'application/json'): Promise<TransferAnswer> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#try(method, path, body, type)
      if (answer instanceof SettingsError) throw answer
      if (answer instanceof Error && !this.#hasAnswered)
        throw new SettingsError(`${answer.message}${this.#hint(answer)}`)
      this.#hasAnswered = true
      const waitMs = RETRY_DELAYS_MS[attempt]
      if (!(answer instanceof Error) && (!BUSY.has(answer.status) || waitMs === undefined)) return answer
      const reason = answer instanceof Error ? answer.message : `HTTP ${answer.status} ${reasonOf(answer.body)}`
      if (waitMs === undefined) throw new SettingsError(`${reason}; gave up after ${attempt + 1} attempts`)
      this.#report(`retry ${attempt + 1} of ${RETRY_DELAYS_MS.length} in ${waitMs / 1000} s: ${reason}`)
      await delay(waitMs)
    }
  }

  /** Returns the body of a response, which must be successful. */
  async need(what: string, method: string, path: string, body?: string | Buffer, type?: string): Promise<Buffer> {
    const answer = await this.send(method, path, body, type)
    if (answer.status >= 300) throw new TransferError(what, answer)
    return answer.body
  }

  /** Returns the parsed body of a response, or undefined if the service responds with 404. */
  async find<T>(what: string, path: string): Promise<T | undefined> {
    const answer = await this.send('GET', path)
    if (answer.status === 404) return undefined
    if (answer.status >= 300) throw new TransferError(what, answer)
    return parseAnswer<T>(what, answer.body)
  }

  close(): void {
    this.#agent.destroy()
  }

  /** What to look at when the very first request finds no service. */
  #hint({ cause }: Error): string {
    const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? ''
    if (code === 'ECONNREFUSED') return '; is the service started, and is this its address?'
    if (code === 'ECONNRESET' && this.#base.startsWith('http:')) return '; it may be an https:// service'
    return ''
  }

  #try(method: string, path: string, body: string | Buffer | undefined, type: string): Promise<TransferAnswer | Error> {
    const headers: Record<string, string | number> = { ...this.#headers }
    if (body !== undefined) {
      headers['content-type'] = type
      headers['content-length'] = Buffer.byteLength(body)
    }
    const options: RequestOptions = { method, headers, agent: this.#agent, timeout: SILENCE_MS }
    return new Promise((resolve) => {
      const fail = (error: Error) =>
        resolve(
          tlsProblem(this.#base, error) ??
            new Error(`${this.#base} does not answer: ${causeOf(error)}`, { cause: error }),
        )
      const request = this.#send(this.#base + path, options, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(pieces) }))
        response.on('error', fail)
        response.on('aborted', () => fail(new Error('the connection broke in the middle of the response')))
      })
      request.on('error', fail)
      request.on('timeout', () => request.destroy(new Error(`nothing received for ${SILENCE_MS / 1000} s`)))
      request.end(body)
    })
  }
}

export function parseAnswer<T>(what: string, body: Buffer): T {
  try {
    return JSON.parse(body.toString()) as T
  } catch {
    throw new SettingsError(`${what}: the response is not JSON: ${body.toString('utf8', 0, 200)}`)
  }
}

function parseUrl(url: string, flag: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed
  throw new SettingsError(`${flag} is not an http:// or https:// URL: ${url}`)
}

function authorization({ user, apiKey }: TransferAccess, url: URL): Record<string, string> {
  if (user !== undefined && apiKey !== undefined) throw new SettingsError('--user and --api-key exclude each other')
  if (apiKey !== undefined) {
    const encoded = apiKey.includes(':') ? Buffer.from(apiKey).toString('base64') : apiKey
    return { authorization: `ApiKey ${encoded}` }
  }
  const inUrl =
    url.username === '' ? undefined : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const credentials = user ?? inUrl
  return credentials === undefined ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** The contents of the files, under the names of Node's TLS options. */
function readTlsFiles({ caFile, certFile, keyFile }: TransferAccess): { ca?: Buffer; cert?: Buffer; key?: Buffer } {
  if ((certFile === undefined) !== (keyFile === undefined)) throw new SettingsError('--cert and --key belong together')
  const read = (name: string, file: string | undefined) => {
    if (file === undefined) return {}
    try {
      return { [name]: readFileSync(file) }
    } catch (error) {
      throw new SettingsError(`--${name}: ${(error as Error).message}`)
    }
  }
  const files: { ca?: Buffer; cert?: Buffer; key?: Buffer } = {
    ...read('ca', caFile),
    ...read('cert', certFile),
    ...read('key', keyFile),
  }
  if (files.ca !== undefined) valid('--ca', () => new X509Certificate(files.ca!))
  if (files.cert !== undefined) valid('--cert', () => new X509Certificate(files.cert!))
  if (files.key !== undefined) valid('--cert and --key', () => createSecureContext(files))
  return files
}

function valid(flags: string, check: () => unknown): void {
  try {
    check()
  } catch (error) {
    throw new SettingsError(`${flags}: no valid PEM file: ${openSslReason(error as Error)}`)
  }
}

/** Codes of certificates that are not trusted: OpenSSL's results of a verification. */
const UNTRUSTED = /CERT|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH/
const TLS_ALERT = /^ERR_SSL_/
/** What OpenSSL says of an answer in plain text; the words depend on its version. */
const NOT_TLS = /wrong version number|packet length too long/

/** The error for a handshake that fails in the same way each time; undefined for an error that a retry may fix. */
function tlsProblem(base: string, error: Error & { code?: string }): SettingsError | undefined {
  const { code = '' } = error
  if (code === 'EPROTO' || TLS_ALERT.test(code)) {
    const reason = openSslReason(error)
    const hint = NOT_TLS.test(reason) ? '; it may be an http:// service' : ''
    return new SettingsError(`TLS with ${base} fails: ${reason}${hint}`)
  }
  if (!UNTRUSTED.test(code)) return undefined
  return new SettingsError(
    `the certificate of ${base} is not trusted: ${error.message}; --ca names the file of its certificate authority`,
  )
}

/** OpenSSL's messages have the reason between colons, after the name of the routine. */
function openSslReason({ message }: Error): string {
  return /:[^:]* routines:[^:]*:([^:\n]+)/.exec(message)?.[1] ?? message.trim()
}

/** A failed connection to a name with several addresses has its reasons in `errors`. */
function causeOf(error: Error & { errors?: Error[] }): string {
  return error.message !== '' ? error.message : (error.errors?.map(({ message }) => message).join('; ') ?? error.name)
}

/** The type and reason of an Elasticsearch error, or the start of any other body. */
function reasonOf(body: Buffer): string {
  try {
    const { error } = JSON.parse(body.toString()) as { error?: { type?: string; reason?: string } }
    if (error?.type !== undefined) return `${error.type}: ${error.reason}`
  } catch {
    // The body is shown as it is.
  }
  return body.toString('utf8', 0, 500)
}
