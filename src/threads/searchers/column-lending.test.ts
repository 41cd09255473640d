import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { copyOfLent } from '../../base/memory/lent-bytes.ts'
import { keptDocValuesBytes } from '../../engine/runtime-fields/doc-values-cache.ts'
import { SearchServer } from '../../server/search-server.ts'

const { signal } = new AbortController()

type Send = (method: string, uri: string, body: unknown) => Promise<Record<string, unknown>>

async function withServer(work: (send: Send) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-columns-'))
  const server = await SearchServer.open({
    dataFolder: folder,
    threads: 2,
    maxContentBytes: 10_000_000,
    strictMediaTypes: false,
    log: silentLog,
  })
  try {
    await work(async (method, uri, body) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const headers = { 'content-type': 'application/json' }
      const answer = await server.dispatch({ method, uri, headers, body: Buffer.from(text), signal: () => signal })
      return { ...JSON.parse(copyOfLent(answer.body).toString()), took: 0 }
    })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

const documents = (from: number, count: number) => {
  const lines: string[] = []
  for (let i = from; i < from + count; i++) lines.push(`{"index":{"_id":"${i}"}}`, `{"n":${i},"word":"w${i % 7}"}`)
  return `${lines.join('\n')}\n`
}

const script = (source: string) => ({ script: { source } })

/** Over computed fields; the aggregations and sorts read other kinds of doc values each. */
const SEARCHES = {
  'terms aggregation': {
    runtime_mappings: { r: { type: 'keyword', ...script("emit(doc['word.keyword'].value + '!')") } },
    size: 0,
    aggs: { a: { terms: { field: 'r' } } },
  },
  'range query and sort': {
    runtime_mappings: { r: { type: 'double', ...script("emit(doc['n'].value * -0.5)") } },
    query: { range: { r: { lt: -100 } } },
    sort: [{ r: 'asc' }, 'n'],
    size: 3,
    track_total_hits: true,
  },
  'range query that reads values of hits': {
    runtime_mappings: { r: { type: 'long', ...script("emit(doc['n'].value + 1)") } },
    query: { range: { r: { gte: 9 } } },
    sort: ['n'],
    fields: ['r'],
    size: 3,
  },
  'script query': { query: { script: script("doc['n'].value > 5") }, sort: [{ n: 'desc' }], size: 3 },
}

for (const [name, body] of Object.entries(SEARCHES)) {
  test(`a repeated search has the same response, and sees new documents: ${name}`, async () => {
    await withServer(async (send) => {
      const search = () => send('POST', '/books/_search?request_cache=false', body)
      await send('POST', '/books/_bulk?refresh=true', documents(0, 2_000))
      const answers: unknown[] = []
      for (let i = 0; i < 5; i++) answers.push(await search())
      for (const answer of answers) assert.deepEqual(answer, answers[0])
      await send('POST', '/books/_bulk?refresh=true', documents(2_000, 700))
      const after: Record<string, unknown>[] = []
      for (let i = 0; i < 5; i++) after.push(await search())
      assert.notDeepEqual(after[0]!, answers[0])
      for (const answer of after) assert.deepEqual(answer, after[0])
    })
  })
}

test('the main thread gets the doc values of a repeated search over a runtime field', async () => {
  await withServer(async (send) => {
    await send('POST', '/books/_bulk?refresh=true', documents(0, 2_000))
    const before = keptDocValuesBytes()
    for (let i = 0; i < 2; i++) await send('POST', '/books/_search', { ...SEARCHES['range query and sort'], from: 1 })
    assert.ok(keptDocValuesBytes() > before)
  })
})
