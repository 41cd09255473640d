/** Starts the pipeline tool as a program, and provides a fake search service as its target. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const PROGRAM = fileURLToPath(new URL('../../bin/sandpiper.js', import.meta.url))
const PATIENCE_MS = 40_000

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'sandpiper-pipeline-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Waits until the condition is true, and fails with `what` after a time limit. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: () => string,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`this never came: ${what()}`)
    await sleep(20)
  }
}

/** The tools that have not ended. */
const running = new Set<Tool>()

export class Tool {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  readonly #ended: Promise<number | null>

  constructor(args: readonly string[], environment: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [PROGRAM, 'pipeline', ...args], {
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
    })
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    this.#ended = new Promise((resolve) => this.child.once('close', resolve))
    // A failing test must not leave processes behind.
    const end = () => this.child.kill('SIGKILL')
    process.once('exit', end)
    running.add(this)
    this.child.once('close', () => {
      process.off('exit', end)
      running.delete(this)
    })
  }

  /** Waits until the log contains the text. */
  logged(text: string): Promise<void> {
    return until(
      () => {
        if (this.child.exitCode !== null) throw new Error(`the tool ended early: ${this.stderr}`)
        return this.stderr.includes(text)
      },
      () => `${text} in ${this.stderr}`,
    )
  }

  ended(): Promise<number | null> {
    return this.#ended
  }

  stop(): Promise<number | null> {
    this.child.kill('SIGTERM')
    return this.#ended
  }

  kill(): Promise<number | null> {
    this.child.kill('SIGKILL')
    return this.#ended
  }
}

interface SearchBody {
  readonly size: number
  readonly slice?: { id: number; max: number }
  readonly search_after?: number[]
  readonly pit?: object
}

/** A temporary folder and a fake search service for one test. */
export async function startFake(t: TestContext) {
  const folder = temporaryFolder()
  const search = new FakeElasticsearch()
  const hosts = await search.start()
  t.after(async () => {
    // The tool of a failed test would keep the process of the tests from ending.
    await Promise.all([...running].map((tool) => tool.kill()))
    await search.stop()
    folder.remove()
  })
  return { folder, search, hosts }
}

/** A fake of the Elasticsearch APIs that plugins need, with documents in memory. */
export class FakeElasticsearch {
  /** Documents by index, then by id. */
  readonly indices = new Map<string, Map<string, Record<string, unknown>>>()
  readonly templates = new Map<string, unknown>()
  /** The number of bulk requests. */
  bulkCount = 0
  /** The status of a bulk request as a whole. With 200 its items are processed. */
  bulkStatus: () => number = () => 200
  /** The status of an item. It also decides whether the item is stored. */
  itemStatus: (document: Record<string, unknown>) => number = () => 201
  /** The paths of indices, aliases and policies that were created. */
  readonly made = new Set<string>()
  /** The number of open points in time and scrolls. */
  openContexts = 0
  readonly #contexts = new Map<string, { hits: unknown[]; size: number }>()
  #ids = 0
  readonly #server = createHttpServer((request, response) => void this.#answer(request, response))

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get documents(): Record<string, unknown>[] {
    return [...this.indices.values()].flatMap((documents) => [...documents.values()])
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const raw = Buffer.concat(pieces)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw
    const { pathname } = new URL(request.url!, 'http://fake')
    const [status, answer] = this.#handle(request.method!, pathname, body.toString('utf8'))
    response.writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
    response.end(JSON.stringify(answer))
  }

  #handle(method: string, path: string, body: string): [number, unknown] {
    if (path === '/') return [200, { version: { number: '8.19.0' }, tagline: 'You Know, for Search' }]
    if (path.startsWith('/_index_template/')) {
      if (method === 'HEAD') return [this.templates.has(path) ? 200 : 404, {}]
      this.templates.set(path, JSON.parse(body))
      return [200, { acknowledged: true }]
    }
    if (path.startsWith('/_ilm/policy/')) return method === 'PUT' ? this.#make(path) : this.#has(path)
    if (method === 'HEAD') return this.#has(path)
    if (method === 'PUT') {
      const { aliases = {} } = JSON.parse(body) as { aliases?: Record<string, object> }
      for (const alias of Object.keys(aliases)) this.#make(`/${alias}`)
      return this.#make(decodeURIComponent(path))
    }
    if (path !== '/_bulk') return this.#search(method, path, body)
    this.bulkCount++
    const status = this.bulkStatus()
    if (status !== 200) return [status, { error: 'not now', status }]
    const lines = body.trimEnd().split('\n')
    const items: unknown[] = []
    for (let i = 0; i < lines.length; ) {
      const [action, meta] = Object.entries(
        JSON.parse(lines[i++]!) as Record<string, { _index: string; _id?: string }>,
      )[0]!
      const document = action === 'delete' ? {} : (JSON.parse(lines[i++]!) as Record<string, unknown>)
      items.push({ [action]: this.#store(meta, document) })
    }
    return [200, { errors: items.some((item) => JSON.stringify(item).includes('"error"')), items }]
  }

  #make(path: string): [number, unknown] {
    this.made.add(path)
    return [200, { acknowledged: true }]
  }

  #has(path: string): [number, unknown] {
    return [this.made.has(path) ? 200 : 404, {}]
  }

  /** Points in time and scrolls over all documents in their order. */
  #search(method: string, path: string, body: string): [number, unknown] {
    if (method === 'DELETE') return [200, { succeeded: this.#contexts.delete(path) || this.openContexts-- > 0 }]
    if (path.endsWith('/_pit')) {
      this.openContexts++
      return [200, { id: 'pit' }]
    }
    if (path === '/_search/scroll') return this.#scrollOn(JSON.parse(body) as { scroll_id: string })
    if (!path.endsWith('/_search')) return [404, { error: 'unknown' }]
    const request = JSON.parse(body) as SearchBody
    const { id, max } = request.slice ?? { id: 0, max: 1 }
    const hits = [...this.indices].flatMap(([index, documents]) =>
      [...documents].map(([_id, _source], n) => ({ _index: index, _id, _source, sort: [n] })),
    )
    const wanted = hits.filter((_, n) => n % max === id && n > (request.search_after?.[0] ?? -1))
    if (request.pit !== undefined) return [200, { pit_id: 'pit', hits: { hits: wanted.slice(0, request.size) } }]
    this.openContexts++
    const scroll = `scroll-${++this.#ids}`
    this.#contexts.set(scroll, { hits: wanted, size: request.size })
    return this.#scrollOn({ scroll_id: scroll })
  }

  #scrollOn({ scroll_id: id }: { scroll_id: string }): [number, unknown] {
    const context = this.#contexts.get(id)!
    return [200, { _scroll_id: id, hits: { hits: context.hits.splice(0, context.size) } }]
  }

  #store({ _index: index, _id: id }: { _index: string; _id?: string }, document: Record<string, unknown>): object {
    const status = this.itemStatus(document)
    if (status >= 300) return { status, error: { type: 'some_exception', reason: 'as the test wants it' } }
    const documents = this.indices.get(index) ?? new Map<string, Record<string, unknown>>()
    this.indices.set(index, documents)
    documents.set(id ?? `auto-${++this.#ids}`, document)
    return { status }
  }
}
