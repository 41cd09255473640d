/**
 * Ends threads of a running service at many moments: every request gets an answer, nothing acknowledged is lost, readiness
 * fails until the thread is replaced, and then everything works.
 */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { silentLog } from '../base/log.ts'
import { copyOfLent } from '../base/memory/lent-bytes.ts'
import { startSearcher } from '../threads/searchers/searcher.ts'
import { RestartPolicy } from '../threads/writer/restart-policy.ts'
import type { WriterStart } from '../threads/writer/thread-messages.ts'
import { EarlyWriter } from '../threads/writer/writer-start.ts'
import { SearchServer } from './search-server.ts'

/** Remembers the newest writer thread, so that a test can end it. */
class EndedWriter extends EarlyWriter {
  newest: Worker | undefined
  started = 0

  override start(start: WriterStart): Worker {
    this.started++
    this.newest = super.start(start)
    return this.newest
  }
}

interface Service {
  readonly writer: EndedWriter
  /** All searcher threads, and the thread for texts and trials, that were started. */
  readonly searchers: Worker[]
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
  reopen(): Promise<void>
}

async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-death-'))
  const writer = new EndedWriter()
  const searchers: Worker[] = []
  let nowMs = 0
  const open = () =>
    SearchServer.open({
      dataFolder: folder,
      threads: 3,
      earlyWriter: writer,
      startSearcher: (start) => {
        const worker = startSearcher(start)
        searchers.push(worker)
        return worker
      },
      writerRestarts: new RestartPolicy({ pausesMs: [0], nowMs: () => (nowMs += 100_000) }),
      maxContentBytes: 1e8,
      strictMediaTypes: false,
      forwardFromDocs: 50,
      log: silentLog,
    })
  let server = await open()
  const service: Service = {
    writer,
    searchers,
    async send(method, path, body) {
      const isText = typeof body === 'string'
      const answer = await server.dispatch({
        method,
        uri: path,
        signal: () => new AbortController().signal,
        headers: { 'content-type': isText ? 'application/x-ndjson' : 'application/json' },
        body: Buffer.from(body === undefined ? '' : isText ? body : JSON.stringify(body)),
      })
      const text = copyOfLent(answer.body).toString()
      return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
    },
    async reopen() {
      await server.stop()
      server = await open()
    },
  }
  try {
    await work(service)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function untilReady({ send }: Service): Promise<void> {
  while ((await send('GET', '/_sandpiper/ready')).status !== 200) await pause(10)
}

async function untilNotReady({ send }: Service): Promise<void> {
  while ((await send('GET', '/_sandpiper/ready')).status === 200) await nextTurn()
}

/** Documents with ids from `from`, and the ids whose items were acknowledged. */
async function bulk({ send }: Service, from: number, count: number): Promise<string[]> {
  const lines = Array.from({ length: count }, (_, i) => {
    const document = { n: from + i, text: `word${i % 50} `.repeat(40) }
    return `{"index":{"_index":"i","_id":"${from + i}"}}\n${JSON.stringify(document)}\n`
  })
  const { status, body } = await send('POST', '/_bulk', lines.join(''))
  if (status !== 200) {
    assert.equal(status, 503, JSON.stringify(body))
    assert.match(body.error.reason, /the writer thread has stopped|shard has failed/)
    return []
  }
  const ids: string[] = []
  for (const { index } of body.items) {
    if (index.status < 300) ids.push(index._id)
    else assert.equal(index.status, 503, JSON.stringify(index))
  }
  return ids
}

/** What runs when the writer thread is ended. */
const MOMENTS: Readonly<Record<string, (service: Service, from: number) => Promise<unknown>[]>> = {
  'during bulk requests': (service, from) => [bulk(service, from, 400), bulk(service, from + 400, 400)],
  'during a flush': (service, from) => [bulk(service, from, 900), service.send('POST', '/i/_flush?force=true')],
  'during a merge': (service) => [service.send('POST', '/i/_forcemerge?max_num_segments=1')],
  'while an index is created': (service, from) => [service.send('PUT', `/new-${from}`)],
  'while an index is deleted': (service, from) => [service.send('DELETE', `/gone-${from}`)],
  'while an index is closed and opened': (service) => [
    service.send('POST', '/side/_close').then(() => service.send('POST', '/side/_open')),
  ],
  'while a view is kept': (service) => [service.send('POST', '/i/_pit?keep_alive=1m')],
  'during a search': (service) => [
    service.send('POST', '/i/_search', { aggs: { t: { terms: { field: 'text.keyword' } } } }),
  ],
  'during a reindex': (service, from) => [
    service.send('POST', '/_reindex', { source: { index: 'i' }, dest: { index: `copy-${from}` } }),
  ],
  'during an update by query': (service) => [service.send('POST', '/i/_update_by_query?conflicts=proceed')],
}

/** Every start of a thread takes seconds here, so the short form has the moments that differ most. */
const IS_LONG = process.env['SANDPIPER_SLOW_TESTS'] !== undefined
const SHORT = ['during bulk requests', 'during a merge', 'while an index is closed and opened', 'during a reindex']
const moments = Object.entries(MOMENTS).filter(([moment]) => IS_LONG || SHORT.includes(moment))

test('a writer thread that dies at any moment is replaced, and nothing acknowledged is lost', async () => {
  await withService(async (service) => {
    const { send, writer } = service
    const settings = { number_of_shards: 2, refresh_interval: '1s' }
    await send('PUT', '/i', { settings })
    await send('PUT', '/side/_doc/1?refresh=true', { n: 1 })
    const acknowledged = new Set(await bulk(service, 0, 600))
    await send('POST', '/i/_refresh')
    const pit = (await send('POST', '/i/_pit?keep_alive=10m')).body.id
    let from = 1000
    for (const [moment, start] of moments) {
      // Some requests have reached the thread then, others have not.
      const turns = from % 4000 === 1000 ? 3 : 0
      await send('PUT', `/gone-${from}`)
      const running = start(service, from)
      for (let i = 0; i < turns; i++) await nextTurn()
      const ending = writer.newest!.terminate()
      for (const ids of await Promise.all(running)) {
        if (Array.isArray(ids)) for (const id of ids) acknowledged.add(id)
        else
          assert.ok([200, 404, 503].includes((ids as { status: number }).status), `${moment}: ${JSON.stringify(ids)}`)
      }
      await ending
      await untilReady(service)
      await send('POST', '/side/_open')
      assert.equal((await send('GET', '/side/_count')).body.count, 1, moment)
      const health = await send('GET', '/_cluster/health/i,side')
      assert.notEqual(health.body.status, 'red', moment)
      const after = await bulk(service, from + 1000, 20)
      assert.equal(after.length, 20, moment)
      for (const id of after) acknowledged.add(id)
      await send('POST', '/i/_refresh')
      const { body } = await send('GET', '/i/_count')
      assert.ok(body.count >= acknowledged.size, `${moment}: ${JSON.stringify(body)} of ${acknowledged.size}`)
      const seen = await send('POST', '/_search', {
        pit: { id: pit, keep_alive: '10m' },
        track_total_hits: true,
        size: 0,
      })
      assert.equal(seen.body.hits?.total.value, 600, `${moment}: ${JSON.stringify(seen.body)}`)
      from += 2000
    }
    await service.reopen()
    for (let i = 0; i < 2; i++) {
      const docs = [...acknowledged].map((_id) => ({ _id }))
      const { body } = await send('POST', '/i/_mget?_source=false', { docs })
      assert.deepEqual(
        body.docs.filter((doc: { found: boolean }) => !doc.found),
        [],
      )
      if (i === 0) {
        void writer.newest!.terminate()
        await untilNotReady(service)
        await untilReady(service)
      }
    }
  })
})

test('a writer thread that dies while it recovers is replaced again', async () => {
  await withService(async (service) => {
    const { send, writer } = service
    await send('PUT', '/i')
    const ids = await bulk(service, 0, 500)
    for (let deaths = 1; deaths <= 2; deaths++) {
      const before = writer.started
      void writer.newest!.terminate()
      while (writer.started === before) await nextTurn()
      const { status, body } = await send('GET', `/i/_doc/${ids[0]}`)
      assert.equal(status, 503, JSON.stringify(body))
      assert.match(body.error.reason, /the writer thread has stopped|shard has failed/)
    }
    await untilReady(service)
    assert.equal((await send('GET', `/i/_doc/${ids.at(-1)}`)).status, 200)
  })
})

test('a searcher thread that dies fails its requests only, and the next ones get another thread', async () => {
  await withService(async (service) => {
    const { send, searchers } = service
    await send('PUT', '/i', { settings: { number_of_shards: 2 } })
    await bulk(service, 0, 600)
    await send('POST', '/i/_refresh')
    const pit = (await send('POST', '/i/_pit?keep_alive=10m')).body.id
    const scroll = (await send('POST', '/i/_search?scroll=10m', { size: 100, sort: ['n'] })).body
    const aggs = { t: { terms: { field: 'text.keyword' }, aggs: { m: { max: { field: 'n' } } } } }
    const pipeline = { processors: [{ uppercase: { field: 'a' } }] }
    const requests: (() => ReturnType<Service['send']>)[] = [
      () => send('POST', '/i/_search', { size: 0, aggs }),
      () => send('POST', '/_search', { pit: { id: pit }, size: 10, sort: ['n'] }),
      () => send('POST', '/_ingest/pipeline/_simulate', { pipeline, docs: [{ _source: { a: 'x' } }] }),
      () => send('POST', '/i/_count', { query: { match: { text: 'word1' } } }),
    ]
    for (const [i, request] of requests.entries()) {
      for (const turns of IS_LONG ? [0, 20] : [i === 0 ? 20 : 2]) {
        const before = await request()
        assert.equal(before.status, 200, JSON.stringify(before.body))
        const running = request()
        for (let turn = 0; turn < turns; turn++) await nextTurn()
        const ending = Promise.all(searchers.splice(0).map((worker) => worker.terminate()))
        const { status, body } = await running
        assert.ok([200, 429, 503].includes(status), JSON.stringify(body))
        await ending
        const after = await request()
        assert.equal(after.status, 200, JSON.stringify(after.body))
        assert.deepEqual({ ...after.body, took: 0, docs: 0 }, { ...before.body, took: 0, docs: 0 })
      }
    }
    const next = await send('POST', '/_search/scroll', { scroll: '10m', scroll_id: scroll._scroll_id })
    assert.equal(next.body.hits.hits[0]._source.n, 100)
    assert.equal((await send('GET', '/_sandpiper/ready')).status, 200)
  })
})
