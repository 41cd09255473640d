/**
 * The monitoring API: pipelines and their statistics as JSON over HTTP, on the first free port of a range. By default
 * it listens on this machine only.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { HostNames } from '../../base/host-names.ts'
import { objectText } from '../event/json-text.ts'
import { PIPELINE_LOG_LEVELS, type PipelineLog, type PipelineLogLevel } from '../runner/pipeline-log.ts'
import { type MonitoredPipeline, NodeReport } from './node-report.ts'
import { type NodeStats, prometheusText } from './prometheus.ts'

export interface MonitoringSettings {
  readonly host: string
  /** `9600-9700`, or one port. */
  readonly ports: string
  readonly nodeName: string
  readonly hostName: string
  /** The version of Logstash that tools expect. */
  readonly version: string
  readonly ownVersion: string
  readonly dataFolder: string
  /** Required of every client; undefined admits all. */
  readonly credentials?: { readonly user: string; readonly password: string } | undefined
  /** The id of the cluster whose monitoring shows this node (`monitoring.cluster_uuid`). */
  readonly clusterId?: string | undefined
  /** The log whose level can be read and changed. */
  readonly log: PipelineLog
  readonly pipelines: () => readonly MonitoredPipeline[]
}

interface Answer {
  readonly status: number
  /** A string is sent as text; an object is sent as JSON with the common head. */
  readonly body: string | Record<string, unknown>
}

/** Maximum body size. Bodies only name log levels. */
const BODY_BYTES_MAX = 10_000
/** How often counters are captured, as in Logstash. */
const CAPTURE_MS = 5000
const LOGGER_NAME = 'logstash.runner'
/** The default number of events that a tap shows. */
const TAP_LIMIT = 100
const TAP_BYTES_MAX = 1024 * 1024

const isThisMachine = (host: string) => /^(localhost|127(\.\d+){3}|::1)$/.test(host)

export class MonitoringServer {
  readonly #settings: MonitoringSettings
  readonly #id: string
  readonly #report: NodeReport
  readonly #startLevel: PipelineLogLevel
  readonly #server: Server
  readonly #capturing: NodeJS.Timeout
  #address = ''

  private constructor(settings: MonitoringSettings) {
    this.#settings = settings
    this.#id = nodeId(settings.dataFolder)
    this.#report = new NodeReport(settings.pipelines, settings.ownVersion)
    this.#startLevel = settings.log.level
    this.#server = createServer((request, response) => void this.#serve(request, response))
    // The monitoring server must not keep a finished process alive.
    this.#server.unref()
    this.#capturing = setInterval(() => this.#report.capture(), CAPTURE_MS).unref()
  }

  /** Throws if no port of the range is free, or if other machines could read events without a password. */
  static async start(settings: MonitoringSettings): Promise<MonitoringServer> {
    if (!isThisMachine(settings.host) && settings.credentials === undefined) {
      throw new Error(
        `on ${settings.host} it needs a password, because it shows events. Set api.auth.type: basic, ` +
          'api.auth.basic.username and api.auth.basic.password, or api.http.host: 127.0.0.1',
      )
    }
    const monitoring = new MonitoringServer(settings)
    const [first = 9600, last = first] = settings.ports.split('-').map(Number)
    for (let port = first; port <= last; port++) {
      if (await monitoring.#listen(port)) return monitoring
    }
    monitoring.close()
    throw new Error(`no free port in ${settings.ports} for the monitoring API`)
  }

  get address(): string {
    return this.#address
  }

  close(): void {
    clearInterval(this.#capturing)
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #listen(port: number): Promise<boolean> {
    try {
      this.#server.listen(port, this.#settings.host)
      await once(this.#server, 'listening')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
      throw error
    }
    this.#address = `${this.#settings.host}:${(this.#server.address() as AddressInfo).port}`
    return true
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const isAllowed = this.#isAllowed(request.headers.authorization)
    const tapped = /^\/_node\/pipelines\/([^/]+)\/tap\/([^/]+)$/.exec(pathname)
    if (tapped !== null && isAllowed && this.#isOwnName(request.headers.host) && request.method === 'GET') {
      const [pipeline, filter] = [decodeURIComponent(tapped[1]!), decodeURIComponent(tapped[2]!)]
      if (this.#tap(pipeline, filter, Number(searchParams.get('limit') ?? TAP_LIMIT), response)) return
    }
    const { status, body } = !this.#isOwnName(request.headers.host)
      ? refusal(pathname, 403, 'Use localhost or an address to call the monitoring API')
      : !isAllowed
        ? refusal(pathname, 401, 'Unauthorized')
        : tapped !== null
          ? refusal(pathname, 404, 'No such filter')
          : await this.#answer(request, pathname.replace(/(.)\/$/, '$1'), searchParams)
    const isText = typeof body === 'string'
    const space = searchParams.has('pretty') ? 2 : undefined
    response.writeHead(status, {
      'content-type': isText
        ? pathname === '/metrics'
          ? 'text/plain; version=0.0.4'
          : 'text/plain'
        : 'application/json',
      ...(isAllowed ? {} : { 'www-authenticate': 'Basic realm="logstash-api"' }),
    })
    response.end(isText ? body : `${JSON.stringify(body, undefined, space)}\n`)
  }

  /** Sends a JSON line for each event before and after a filter. Returns false if there is no such filter. */
  #tap(pipeline: string, filter: string, limit: number, response: ServerResponse): boolean {
    let left = limit
    const one = this.#settings.pipelines().find(({ id }) => id === pipeline)
    const end = one?.tap?.(filter, (stage, event) => {
      if (left === 0) return
      // A slow reader misses events; the pipeline does not wait.
      if (response.writableLength < TAP_BYTES_MAX) {
        response.write(`{"stage":"${stage}","event":${objectText(event.fields)}}\n`)
      }
      if (stage === 'after' && --left === 0) response.end()
    })
    if (end === undefined) return false
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.flushHeaders()
    response.on('close', end)
    return true
  }

  /** Rejects foreign host names when listening on this machine only, as protection against DNS rebinding. */
  #isOwnName(host: string | undefined): boolean {
    return !isThisMachine(this.#settings.host) || new HostNames().has(host)
  }

  #isAllowed(authorization: string | undefined): boolean {
    const { credentials } = this.#settings
    if (credentials === undefined) return true
    const wanted = Buffer.from(`Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`)
    const given = Buffer.from(authorization ?? '')
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  async #answer(request: IncomingMessage, path: string, query: URLSearchParams): Promise<Answer> {
    const { method = 'GET' } = request
    if (method === 'PUT' && path === '/_node/logging') return this.#setLevel(path, await readBody(request))
    if (method === 'PUT' && path === '/_node/logging/reset') return this.#resetLevel()
    if (method !== 'GET' && method !== 'HEAD') return refusal(path, 404, 'Not Found')
    if (path === '/_node/logging')
      return this.#ok({ loggers: { [LOGGER_NAME]: this.#settings.log.level.toUpperCase() } })
    if (path === '/_node/hot_threads') {
      const { report, text } = this.#report.hotThreads()
      return query.has('human') && query.get('human') !== 'false' ? { status: 200, body: text } : this.#ok(report)
    }
    if (path === '/metrics') {
      return { status: 200, body: prometheusText(this.#report.at('/_node/stats') as unknown as NodeStats) }
    }
    const content = this.#report.at(path)
    return content === undefined ? refusal(path, 404, 'Not Found') : this.#ok(content)
  }

  #ok(content: Record<string, unknown>): Answer {
    const { hostName: host, version, nodeName: name } = this.#settings
    const who = { host, version, http_address: this.#address, id: this.#id, name }
    const { clusterId } = this.#settings
    const monitoring = clusterId === undefined ? {} : { monitoring: { cluster_uuid: clusterId } }
    return { status: 200, body: { ...who, ...this.#report.head(), ...monitoring, ...content } }
  }

  /** There is one log, so changing the level of any logger changes all. */
  #setLevel(path: string, text: string): Answer {
    let wanted: [string, unknown][]
    try {
      wanted = Object.entries(JSON.parse(text) as Record<string, unknown>)
    } catch {
      return refusal(path, 400, 'the body must be a JSON object')
    }
    for (const [name, level] of wanted) {
      const known = PIPELINE_LOG_LEVELS.find((one) => one === String(level).toLowerCase())
      if (!name.startsWith('logger.')) return refusal(path, 400, `unrecognized option [${name}]`)
      if (known === undefined) return refusal(path, 400, `invalid level[${String(level)}] for logger[${name.slice(7)}]`)
      this.#settings.log.level = known
    }
    return this.#ok({ acknowledged: true })
  }

  #resetLevel(): Answer {
    this.#settings.log.level = this.#startLevel
    return this.#ok({ acknowledged: true })
  }
}

function refusal(path: string, status: number, message: string): Answer {
  return { status, body: { path, status, error: { message } } }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) {
    text += piece as string
    if (text.length > BODY_BYTES_MAX) return ''
  }
  return text
}

/** Created once per data folder and kept there. */
function nodeId(dataFolder: string): string {
  const path = join(dataFolder, 'uuid')
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  const id = randomUUID()
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  writeFileSync(path, id, { mode: 0o600 })
  return id
}
