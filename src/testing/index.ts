/**
 * A search service inside a test process: in memory, started in milliseconds, gone when stopped.
 *
 *   import { startSearch } from 'sandpiper-search/testing'
 *
 *   const search = await startSearch()
 *   const client = new Client({ node: search.url })          // any Elasticsearch client
 *   …
 *   await search.stop()
 *
 * Without a socket, for tests that need no client:
 *
 *   const search = await startSearch({ listen: false })
 *   await search.request('PUT', '/books/_doc/1?refresh=true', { title: 'Sandpipers of the world' })
 *   const { body } = await search.request('GET', '/books/_search?q=title:sandpipers')
 */
import type { IncomingHttpHeaders } from 'node:http'
import { silentLog } from '../base/log.ts'
import { SearchServer } from '../server/search-server.ts'

export interface StartSearchOptions {
  /** False: no socket, only `request`. Default: a free port of this machine. */
  readonly listen?: boolean
  /** A port of your choice instead of a free one. */
  readonly port?: number
  /** Keep the data in this folder instead of in memory. */
  readonly dataFolder?: string
}

export interface TestSearch {
  /** `http://127.0.0.1:40123`; empty without a socket. */
  readonly url: string
  /** Sends a request without a socket. A body that is no string or buffer is sent as JSON, an array of lines as NDJSON. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  stop(): Promise<void>
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Parsed when it is JSON, text otherwise; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers whose shape they know
  readonly body: any
  readonly text: string
}

const MAX_CONTENT_BYTES = 100 * 1024 * 1024

export async function startSearch(options: StartSearchOptions = {}): Promise<TestSearch> {
  const server = await SearchServer.open({
    dataFolder: options.dataFolder,
    threads: 0,
    listen: options.listen === false ? undefined : { host: '127.0.0.1', port: options.port ?? 0 },
    maxContentBytes: MAX_CONTENT_BYTES,
    strictMediaTypes: false,
    log: silentLog,
  })
  return {
    url: server.url ?? '',
    request: (method, path, body, headers = {}) => send(server, method, path, body, headers),
    stop: () => server.stop(),
  }
}

async function send(
  server: SearchServer,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<TestAnswer> {
  const { bytes, type } = encode(body)
  const sent: IncomingHttpHeaders = type === undefined ? {} : { 'content-type': type }
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value
  const answer = await server.dispatch({
    method,
    uri: path,
    headers: sent,
    body: bytes,
    signal: () => new AbortController().signal,
  })
  const text = method === 'HEAD' ? '' : answer.body.toString('utf8')
  const isJson = String(answer.headers['content-type']).includes('json')
  const value = text === '' ? undefined : isJson ? JSON.parse(text) : text
  return { status: answer.status, headers: answer.headers, body: value, text }
}

function encode(body: unknown): { bytes: Buffer; type?: string } {
  if (body === undefined) return { bytes: Buffer.alloc(0) }
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: 'application/json' }
  // Copied, because whoever reads a body may unescape it in place.
  if (body instanceof Uint8Array) return { bytes: Buffer.from(body), type: 'application/json' }
  if (Array.isArray(body)) {
    const lines = body.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    return { bytes: Buffer.from(lines.join('')), type: 'application/x-ndjson' }
  }
  return { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' }
}
