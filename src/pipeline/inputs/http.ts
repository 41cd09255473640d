/** `http`: takes events that others send with HTTP; the answer says whether they were taken. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { gunzipSync } from 'node:zlib'
import { json } from '../codecs/json.ts'
import type { Event } from '../event/event.ts'
import { Fields } from '../event/fields.ts'
import { listen } from '../net/listen.ts'
import { SERVER_TLS_OPTIONS, serverTls } from '../net/tls-options.ts'
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
  threads: option.number({ default: 4 }),
  max_pending_requests: option.number({ default: 200 }),
  max_content_length: option.number({ default: 104_857_600 }),
  response_code: option.number({ default: 200 }),
  response_headers: option.hash({ default: new Map<string, ConfigValue>([['Content-Type', 'text/plain']]) }),
  additional_codecs: option.hash({ default: new Map<string, ConfigValue>([['application/json', 'json']]) }),
  remote_host_target_field: option.field(),
  request_headers_target_field: option.field(),
  ssl_handshake_timeout: option.number({ default: 10_000 }),
  ...SERVER_TLS_OPTIONS,
  ssl_client_authentication: option.words(['none', 'optional', 'required'], { default: 'none' }),
} as const

type Options = OptionValues<typeof OPTIONS>

export const http = inputPlugin({
  name: 'http',
  options: OPTIONS,
  create(options, context) {
    if (![200, 201, 202, 204].includes(options.response_code)) {
      throw new PluginOptionError('response_code must be one of 200, 201, 202 and 204')
    }
    for (const [type, name] of options.additional_codecs) {
      if (name !== 'json' && name !== 'plain') {
        throw new PluginOptionError(`additional_codecs knows json and plain, not "${String(name)}" (for ${type})`)
      }
    }
    return new HttpInput(options, context)
  },
})

class HttpInput implements Input {
  readonly #options: Options
  readonly #context: PluginContext
  readonly #json: Codec
  readonly #server: Server
  readonly #authorization: string | undefined
  #sink: InputSink | undefined
  #pending = 0
  #isStopping = false

  constructor(options: Options, context: PluginContext) {
    this.#options = options
    this.#context = context
    this.#json = json.create(withDefaults(json.options, {}), context)
    if (options.user !== undefined) {
      const words = `${options.user}:${options.password ?? ''}`
      this.#authorization = `Basic ${Buffer.from(words).toString('base64')}`
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
    if (this.#authorization !== undefined && request.headers.authorization !== this.#authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Logstash HTTP Input"' }).end()
      return
    }
    // Whoever sends can wait better than we can: a queue that is full is said, not hidden.
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
      await this.#sink.push(this.#eventsOf(request, body))
    } finally {
      this.#pending--
    }
    const { response_code: code, response_headers: headers } = this.#options
    response.writeHead(code, Object.fromEntries([...headers].map(([name, value]) => [name, String(value)])))
    response.end(code === 204 ? undefined : 'ok')
  }

  /** Undefined when it is too long. */
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
    const codec = this.#options.additional_codecs.get(type) === 'json' ? this.#json : this.#options.codec
    const decoder = codec.createDecoder()
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
      event.setDefault(hostField, address)
      event.setDefault(headersField, headers)
      if (!isEcs) continue
      event.setDefault('[url][path]', request.url!.split('?')[0]!)
      event.setDefault('[http][method]', request.method!)
      event.setDefault('[http][version]', `HTTP/${request.httpVersion}`)
      const agent = request.headers['user-agent']
      if (agent !== undefined) event.setDefault('[user_agent][original]', agent)
    }
    return events
  }
}

/** Names as Logstash has them: lower case with underscores, and what the first line says. */
function headersOf(request: IncomingMessage): Fields {
  const headers = new Fields()
  headers['request_method'] = request.method!
  headers['request_path'] = request.url!.split('?')[0]!
  headers['http_version'] = `HTTP/${request.httpVersion}`
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined) continue
    const plain = name.replaceAll('-', '_')
    const known = /^content_(?:type|length)$/.test(plain) ? plain : `http_${plain}`
    headers[known] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}
