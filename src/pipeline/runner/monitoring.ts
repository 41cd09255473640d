/**
 * The monitoring API: what runs and how it goes, as JSON over HTTP on the first free port of a range. For this machine
 * only, unless told otherwise.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { PipelineMetrics } from './metrics.ts'

export interface MonitoredPipeline {
  readonly id: string
  readonly workers: number
  readonly batchSize: number
  readonly batchDelayMs: number
  readonly reloads: { readonly successes: number; readonly failures: number }
  /** Undefined while none runs, for example because its configuration is wrong. */
  readonly metrics: PipelineMetrics | undefined
}

export interface MonitoringSettings {
  readonly host: string
  /** `9600-9700`, or one port. */
  readonly ports: string
  readonly nodeName: string
  readonly hostName: string
  readonly version: string
  readonly dataFolder: string
  readonly pipelines: () => readonly MonitoredPipeline[]
}

export class MonitoringServer {
  readonly #settings: MonitoringSettings
  readonly #id: string
  readonly #ephemeralId = randomUUID()
  readonly #startMs = Date.now()
  readonly #server: Server
  #address = ''

  private constructor(settings: MonitoringSettings) {
    this.#settings = settings
    this.#id = nodeId(settings.dataFolder)
    this.#server = createServer((request, response) =>
      this.#answer(request.method ?? 'GET', request.url ?? '/', response),
    )
    // Nobody waits for the end of a pipeline because somebody watches it.
    this.#server.unref()
  }

  /** Throws when no port of the range is free. */
  static async start(settings: MonitoringSettings): Promise<MonitoringServer> {
    const monitoring = new MonitoringServer(settings)
    const [first = 9600, last = first] = settings.ports.split('-').map(Number)
    for (let port = first; port <= last; port++) {
      if (await monitoring.#listen(port)) return monitoring
    }
    throw new Error(`no free port in ${settings.ports} for the monitoring API`)
  }

  get address(): string {
    return this.#address
  }

  close(): void {
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

  #answer(method: string, url: string, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const content = method === 'GET' || method === 'HEAD' ? this.#content(pathname.replace(/(.)\/$/, '$1')) : undefined
    const body =
      content === undefined
        ? { path: pathname, status: 404, error: { message: 'Not Found' } }
        : { ...this.#head(), ...content }
    const text = JSON.stringify(body, undefined, searchParams.has('pretty') ? 2 : undefined)
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(`${text}\n`)
  }

  #head() {
    const { hostName, version, nodeName, pipelines } = this.#settings
    const [first] = pipelines()
    return {
      host: hostName,
      version,
      http_address: this.#address,
      id: this.#id,
      name: nodeName,
      ephemeral_id: this.#ephemeralId,
      snapshot: false,
      status: pipelines().every(({ metrics }) => metrics !== undefined) ? 'green' : 'red',
      pipeline: { workers: first?.workers, batch_size: first?.batchSize, batch_delay: first?.batchDelayMs },
    }
  }

  /** Undefined for a path there is nothing at. */
  #content(path: string): Record<string, unknown> | undefined {
    const [, root = '', area = '', part = '', name] = path.split('/')
    if (path === '/') return {}
    if (path === '/_health_report')
      return { symptom: this.#head().status === 'green' ? 'healthy' : 'a pipeline is down' }
    if (root !== '_node') return undefined
    if (area === '') return { pipelines: this.#descriptions() }
    if (area === 'pipelines') return oneOf('pipelines', this.#descriptions(), part)
    if (area !== 'stats') return undefined
    const stats = this.#stats()
    if (part === '') return stats
    if (part === 'pipelines') return oneOf('pipelines', stats.pipelines, name ?? '')
    return Object.hasOwn(stats, part) ? { [part]: stats[part as keyof typeof stats] } : undefined
  }

  #descriptions() {
    return Object.fromEntries(
      this.#settings
        .pipelines()
        .map(({ id, workers, batchSize, batchDelayMs }) => [
          id,
          { workers, batch_size: batchSize, batch_delay: batchDelayMs, ephemeral_id: this.#ephemeralId },
        ]),
    )
  }

  #stats() {
    const pipelines = this.#settings.pipelines()
    const sum = (pick: (metrics: PipelineMetrics) => number) =>
      pipelines.reduce((total, { metrics }) => total + (metrics === undefined ? 0 : pick(metrics)), 0)
    const memory = process.memoryUsage()
    const cpu = process.cpuUsage()
    return {
      jvm: {
        uptime_in_millis: Date.now() - this.#startMs,
        mem: { heap_used_in_bytes: memory.heapUsed, heap_max_in_bytes: memory.heapTotal },
        threads: { count: sum(() => 1) },
      },
      process: {
        mem: { total_virtual_in_bytes: memory.rss },
        cpu: { total_in_millis: Math.round((cpu.user + cpu.system) / 1000) },
      },
      events: {
        in: sum((metrics) => metrics.in),
        filtered: sum((metrics) => metrics.filtered),
        out: sum((metrics) => metrics.out),
        duration_in_millis: Math.round(sum((metrics) => metrics.durationMs)),
        queue_push_duration_in_millis: 0,
      },
      pipelines: Object.fromEntries(
        pipelines.map(({ id, metrics, reloads }) => [
          id,
          { events: metrics?.events(), plugins: metrics?.plugins(), reloads, ephemeral_id: this.#ephemeralId },
        ]),
      ),
      reloads: {
        successes: pipelines.reduce((total, { reloads }) => total + reloads.successes, 0),
        failures: pipelines.reduce((total, { reloads }) => total + reloads.failures, 0),
      },
    }
  }
}

function oneOf(key: string, all: Record<string, unknown>, name: string): Record<string, unknown> | undefined {
  if (name === '') return { [key]: all }
  return Object.hasOwn(all, name) ? { [key]: { [name]: all[name] } } : undefined
}

/** Made once for a data folder, and kept there. */
function nodeId(dataFolder: string): string {
  const path = join(dataFolder, 'uuid')
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  const id = randomUUID()
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(path, id)
  return id
}
