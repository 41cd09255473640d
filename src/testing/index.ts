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
 *
 * Between tests `await search.reset()` empties it, or `await search.restore(snapshot)` goes back to prepared data.
 */

import type { IncomingHttpHeaders } from 'node:http'
import { silentLog } from '../base/log.ts'
import { readLent } from '../base/memory/lent-bytes.ts'
import { breakers } from '../base/memory/process-memory.ts'
import { HttpServer } from '../http/server.ts'
import { checkOptions } from './check-options.ts'
import { parseSeed, readSeed } from './seed-lines.ts'
import { MAX_CONTENT_BYTES, TestNode } from './test-node.ts'
import type { StartSearchOptions, TestAnswer, TestSearch } from './types.ts'

export type {
  RecordedRequest,
  SearchSnapshot,
  StartSearchOptions,
  TestAnswer,
  TestClock,
  TestSearch,
} from './types.ts'

/**
 * Starts a search service inside this process: in memory unless `dataFolder` is given, on a free port of 127.0.0.1 unless
 * `port` is given, without a socket with `listen: false`. `stop()` ends it; several may run at once.
 */
export async function startSearch(options: StartSearchOptions = {}): Promise<TestSearch> {
  checkOptions(options)
  const node = await TestNode.open(options)
  const http = options.listen === false ? undefined : createHttp(node, options.port ?? 0)
  let url = ''
  try {
    if (http !== undefined) {
      url = (await http.listen()).url
      node.publishedAddress = new URL(url).host
    }
  } catch (error) {
    await node.stop()
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Error(`port ${options.port} on 127.0.0.1 is in use; without \`port\` a free one is taken`, {
      cause: error,
    })
  }
  const request: TestSearch['request'] = (method, path, body, headers = {}) => send(node, method, path, body, headers)
  return {
    url,
    clock: node.clock,
    requests: node.recorded,
    request,
    reset: () => node.reset(),
    snapshot: () => node.snapshot(),
    restore: (snapshot) => node.restore(snapshot),
    seed: (source) => seed(request, source),
    stop: async () => {
      await http?.stop()
      await node.stop()
    },
  }
}

function createHttp(node: TestNode, port: number): HttpServer {
  return new HttpServer(node, {
    host: '127.0.0.1',
    port,
    maxContentBytes: MAX_CONTENT_BYTES,
    inFlight: breakers().inFlightRequests,
    log: silentLog,
  })
}

async function seed(request: TestSearch['request'], source: string | URL): Promise<number> {
  const { definitions, bulkBody } = parseSeed(await readSeed(source))
  for (const { path, body } of definitions) {
    const { status, text } = await request('PUT', path, body)
    if (status >= 300) throw new Error(`${path} cannot be created: ${text}`)
  }
  if (bulkBody === '') return 0
  const { body: answer } = await request('POST', '/_bulk?refresh=true', bulkBody, {
    'content-type': 'application/x-ndjson',
  })
  if (answer.error !== undefined) throw new Error(`the documents cannot be loaded: ${JSON.stringify(answer.error)}`)
  for (const item of answer.items) {
    const { error, _index, _id } = Object.values(item)[0] as { error?: unknown; _index: string; _id: string }
    if (error !== undefined) throw new Error(`document ${_id} of ${_index} cannot be loaded: ${JSON.stringify(error)}`)
  }
  return answer.items.length
}

async function send(
  node: TestNode,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<TestAnswer> {
  const { bytes, type } = encode(body)
  const sent: IncomingHttpHeaders = type === undefined ? {} : { 'content-type': type }
  Object.assign(sent, lowerCase(headers))
  const answer = await node.dispatch({
    method,
    uri: path,
    headers: sent,
    body: bytes,
    signal: () => new AbortController().signal,
  })
  const text = method === 'HEAD' ? '' : readLent(answer.body, (bytes) => bytes.toString('utf8'))
  // Afterwards the memory of the body belongs to another response.
  answer.onSent?.()
  const isJson = String(answer.headers['content-type']).includes('json')
  const value = text === '' ? undefined : isJson ? JSON.parse(text) : text
  return { status: answer.status, headers: lowerCase(answer.headers), body: value, text }
}

function lowerCase<T>(headers: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function encode(body: unknown): { bytes: Buffer; type?: string } {
  if (body === undefined) return { bytes: Buffer.alloc(0) }
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: 'application/json' }
  // Copied, because parsing may unescape the body in place.
  if (body instanceof Uint8Array) return { bytes: Buffer.from(body), type: 'application/json' }
  if (Array.isArray(body)) {
    const lines = body.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    return { bytes: Buffer.from(lines.join('')), type: 'application/x-ndjson' }
  }
  return { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' }
}
