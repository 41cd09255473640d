/** `http`: receives events over HTTP. The response states whether they were accepted. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { gunzipSync } from 'node:zlib'
import type { Event } from '../event/event.ts'
import { Fields } from '../event/fields.ts'
import { listen } from '../net/listen.ts'
import { OLD_HTTP_SERVER_TLS_OPTIONS, SERVER_TLS_OPTIONS, STORE_OPTIONS, serverTls } from '../net/tls-options.ts'
import type { Codec } from '../plugin/codec-plugin.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type ConfigValue, type OptionValues, option } from '../plugin/options.ts'
import { type PluginContext, PluginOptionError } from '../plugin/plugin-context.ts'
import { plainAddress } from './network-decoration.ts'

const OPTIONS = {
  port: option.number({ default: 8080 }),
  host: option.string({ default: '0.0.0.0' }),
  codec: option.codec({ default: 'plain' }),
  user: option.string(),
  password: option.password(),
  threads: option.ignored('One thread does the work of all inputs.'),
  max_pending_requests: option.number({ default: 200 }),
  max_content_length: option.number({ default: 104_857_600 }),
  response_code: option.number({ default: 200 }),
  response_headers: option.hash({ default: new Map<string, ConfigValue>([['Content-Type', 'text/plain']]) }),
  additional_codecs: option.hash({ default: new Map<string, ConfigValue>([['application/json', 'json']]) }),
  remote_host_target_field: option.field(),
  request_headers_target_field: option.field(),
  ssl_handshake_timeout: option.number({ default: 10_000 }),
  ...SERVER_TLS_OPTIONS,
  ...STORE_OPTIONS,
  ...OLD_HTTP_SERVER_TLS_OPTIONS,
  ssl_client_authentication: option.words(['none', 'optional', 'required'], { default: 'none' }),
} as const

type Options = OptionValues<typeof OPTIONS>

export const http = inputPlugin({
  name: 'http',
  touches: 'network',
  options: OPTIONS,
  create(options, context) {
    if (![200, 201, 202, 204].includes(options.response_code)) {
      throw new PluginOptionError('response_code must be one of 200, 201, 202 and 204')
    }
    for (const [type, name] of options.additional_codecs) {
      if (context.codecNamed(String(name)) === undefined) {
        throw new PluginOptionError(
          `Couldn't find any codec plugin named '${String(name)}' (additional_codecs, ${type})`,
        )
      }
    }
    return new HttpInput(options, context)
  },
})

class HttpInput implements Input {
  readonly #options: Options
  readonly #context: PluginContext
  /** Codecs by content type. */
  readonly #codecs = new Map<string, Codec>()
  readonly #server: Server
  /** A digest of the expected header. Digests have equal length and are compared in constant time. */
  readonly #authorization: Buffer | undefined
  #sink: InputSink | undefined
  #pending = 0
  #isStopping = false

  constructor(options: Options, context: PluginContext) {
    this.#options = options
    this.#context = context
    if (options.user !== undefined) {
      const words = `${options.user}:${options.password ?? ''}`
      this.#authorization = digest(`Basic ${Buffer.from(words).toString('base64')}`)
    }
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response).catch((error: Error) => {
        context.log.warn(`A request could not be read: ${error.message}`)
        response.destroy()
      })
    }
    this.#server = options.ssl_enabled
      ? createTlsServer(serverTls(options, options.ssl_client_authentication), answer)
      : createServer(answer)
  }

  async start(): Promise<void> {
    for (const [type, name] of this.#options.additional_codecs) {
      const plugin = await this.#context.codecNamed(String(name))!()
      this.#codecs.set(type.toLowerCase(), plugin.create(withDefaults(plugin.options, {}), this.#context))
    }
    await listen(this.#server, this.#options.port, this.#options.host)
    this.#context.log.info(`Listening for http on ${this.#options.host}:${this.#options.port}`)
  }

  async run(sink: InputSink): Promise<void> {
    this.#sink = sink
    await new Promise((resolve) => this.#server.once('close', resolve))
  }

  stop(): void {
    this.#isStopping = true
    this.#server.close()
    this.#server.closeIdleConnections()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization = '' } = request.headers
    if (this.#authorization !== undefined && !timingSafeEqual(digest(authorization), this.#authorization)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Logstash HTTP Input"' }).end()
      return
    }
    // The sender can wait better than we can, so a full queue is reported to it.
    if (this.#sink === undefined || this.#isStopping || this.#pending >= this.#options.max_pending_requests) {
      response.writeHead(429).end('busy')
      return
    }
    this.#pending++
    try {
      const body = await this.#readBody(request)
      if (body === undefined) {
        response.writeHead(413, { connection: 'close' }).end()
        return
      }
      let events: Event[]
      try {
        events = this.#eventsOf(request, body)
      } catch (error) {
        // For example, a text in `host` where `[host][ip]` belongs.
        this.#context.log.error(`A request was refused, its events cannot be made: ${(error as Error).message}`)
        response.writeHead(500).end()
        return
      }
      await this.#sink.push(events)
    } finally {
      this.#pending--
    }
    const { response_code: code, response_headers: headers } = this.#options
    response.writeHead(code, Object.fromEntries([...headers].map(([name, value]) => [name, String(value)])))
    response.end(code === 204 ? undefined : 'ok')
  }

  /** Undefined if the body is too long. */
  async #readBody(request: IncomingMessage): Promise<Buffer | undefined> {
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of request) {
      bytes += (piece as Buffer).length
      if (bytes > this.#options.max_content_length) return undefined
      pieces.push(piece as Buffer)
    }
    const body = Buffer.concat(pieces)
    if (request.headers['content-encoding'] !== 'gzip') return body
    return gunzipSync(body, { maxOutputLength: this.#options.max_content_length })
  }

  #eventsOf(request: IncomingMessage, body: Buffer): Event[] {
    const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
    const decoder = (this.#codecs.get(type) ?? this.#options.codec).createDecoder()
    const events: Event[] = []
    decoder.decode(body, events)
    decoder.flush(events)
    const headers = headersOf(request)
    const address = plainAddress(request.socket.remoteAddress)
    const isEcs = this.#context.ecs !== 'disabled'
    const hostField = this.#options.remote_host_target_field ?? (isEcs ? '[host][ip]' : 'host')
    const headersField =
      this.#options.request_headers_target_field ?? (isEcs ? '[@metadata][input][http][request][headers]' : 'headers')
    for (const event of events) {
      if (isEcs) describe(event, request)
      event.set(headersField, headers)
      event.set(hostField, address)
    }
    return events
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Adds the request details that ECS has fields for. */
function describe(event: Event, { url, method, httpVersion, headers }: IncomingMessage): void {
  const { host = '', 'user-agent': agent, 'content-type': type, 'content-length': length } = headers
  const [, domain, port] = /^(.*?)(?::(\d+))?$/.exec(host)!
  event.set('[url][path]', url!)
  if (domain) event.set('[url][domain]', domain)
  if (port !== undefined) event.set('[url][port]', Number(port))
  event.set('[http][method]', method!)
  event.set('[http][version]', `HTTP/${httpVersion}`)
  if (type !== undefined) event.set('[http][request][mime_type]', type)
  if (length !== undefined) event.set('[http][request][body][bytes]', length)
  if (agent !== undefined) event.set('[user_agent][original]', agent)
}

const PREFIXED: ReadonlySet<string> = new Set(['accept', 'host', 'user_agent'])

/**
 * Header names as in Logstash, lower case with underscores, and the parts of the request line. Passwords are not
 * included.
 */
function headersOf(request: IncomingMessage): Fields {
  const headers = new Fields()
  headers['request_method'] = request.method!
  headers['request_path'] = request.url!
  headers['http_version'] = `HTTP/${request.httpVersion}`
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name === 'authorization') continue
    const plain = name.replaceAll('-', '_')
    headers[PREFIXED.has(plain) ? `http_${plain}` : plain] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}
