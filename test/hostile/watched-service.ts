/** A service in a separate process, from the built bundle and with its threads, whose main thread is watched. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WATCH = new URL('./watch-main-thread.mjs', import.meta.url).href

const MEMORY = '/dev/shm'

export interface Watched {
  /** The longest event loop turn of the main thread since the last report. */
  readonly pauseMs: number
  /** The processor time of all threads since the last report. */
  readonly cpuMs: number
  readonly memory: NodeJS.MemoryUsage
}

export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly body?: string | Buffer | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface ReceivedAnswer {
  readonly status: number
  readonly body: string
}

export class WatchedService {
  readonly port: number
  readonly folder: string
  /** The end of the log of the service. */
  log = ''
  exit: { code: number | null; signal: string | null } | undefined
  readonly #child: ChildProcess
  readonly #agent: Agent
  readonly #asked = new Map<number, (watched: Watched) => void>()
  #lastId = 0

  private constructor(child: ChildProcess, port: number, folder: string, connections: number) {
    this.#child = child
    this.port = port
    this.folder = folder
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
    child.on('message', (message: { kind: string; id: number } & Watched) => {
      if (message.kind !== 'watched') return
      this.#asked.get(message.id)?.(message)
      this.#asked.delete(message.id)
    })
  }

  static async start({
    threads = 2,
    connections = 16,
    nodeOptions = [] as readonly string[],
    /** Whether the data folder is on a file system in memory, if the system has one: syncs cost nothing then. */
    inMemory = false,
    /** Such as `512mb`; by default that of the machine. */
    memory = undefined as string | undefined,
  } = {}): Promise<WatchedService> {
    const folder = mkdtempSync(join(inMemory && existsSync(MEMORY) ? MEMORY : tmpdir(), 'sandpiper-watched-'))
    const child = spawn(
      process.execPath,
      [
        ...nodeOptions,
        '--import',
        WATCH,
        join(ROOT, 'bin/sandpiper.js'),
        ...['serve', '--port', '0', '--data', join(folder, 'data'), '--threads', String(threads)],
        ...(memory === undefined ? [] : ['--memory', memory]),
      ],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    )
    let service: WatchedService | undefined
    let log = ''
    const port = await new Promise<number>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        log = (log + chunk).slice(-100_000)
        if (service !== undefined) service.log = log
        const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(log)
        if (found !== null) resolve(Number(found[1]))
      }
      child.stdout!.on('data', read)
      child.stderr!.on('data', read)
      child.on('exit', (code, signal) => {
        if (service !== undefined) service.exit = { code, signal }
        reject(new Error(`the service did not start: ${log}`))
      })
    })
    service = new WatchedService(child, port, folder, connections)
    service.log = log
    return service
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Requests a report. With `collect`, garbage is collected first, if the service was started with `--expose-gc`. */
  async watch(collect = false): Promise<Watched> {
    const id = ++this.#lastId
    return await new Promise((resolve, reject) => {
      if (this.exit !== undefined) return reject(new Error(`the service has ended: ${JSON.stringify(this.exit)}`))
      this.#asked.set(id, resolve)
      this.#child.send({ kind: 'watch', id, collect })
    })
  }

  /** Sends a request. Rejects if the connection breaks or `signal` is aborted. */
  send({ method, path, body, headers }: SentRequest, signal?: AbortSignal): Promise<ReceivedAnswer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: this.port,
          agent: this.#agent,
          method,
          path,
          headers: {
            ...(body === undefined
              ? {}
              : { 'content-type': contentTypeOf(path), 'content-length': Buffer.byteLength(body) }),
            ...headers,
          },
          ...(signal === undefined ? {} : { signal }),
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() }))
          response.on('error', reject)
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    if (this.exit === undefined) {
      const ended = new Promise((resolve) => this.#child.once('exit', resolve))
      this.#child.kill('SIGKILL')
      await ended
    }
    rmSync(this.folder, { recursive: true, force: true })
  }
}

function contentTypeOf(path: string): string {
  return /_(?:bulk|msearch)/.test(path) ? 'application/x-ndjson' : 'application/json'
}
