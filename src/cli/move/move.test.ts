import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { startSearch, type TestSearch } from '../../testing/index.ts'
import { move } from './move.ts'

const DOCUMENTS = 120
let folder: string
let source: TestSearch
let target: TestSearch
let runs = 0
let proxies: Server[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-move-'))
  source = await startSearch({ dataFolder: join(folder, 'source') })
  target = await startSearch()
})

afterEach(async () => {
  for (const server of proxies) server.close()
  proxies = []
  await source.stop()
  await target.stop()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) => runFromTo(source.url, target.url, ...args)

function runFromTo(from: string, to: string, ...args: string[]): Promise<void> {
  const files = ['--state', join(folder, 'move'), '--report', join(folder, 'report.json')]
  return move(['--from', from, '--to', to, '--size', '25', '--quiet', ...files, ...args])
}

const report = () =>
  JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
    equal: boolean
    documents: number
    indices: { index: string; documents: number; digest: string; differences: { id: string; difference: string }[] }[]
  }

async function fill(name = 'books', count = DOCUMENTS): Promise<void> {
  const lines = Array.from({ length: count }, (_, n) => [
    JSON.stringify({ index: { _id: `"${n}`, ...(n % 3 === 0 ? { routing: `r${n}` } : {}) } }),
    `{"n":${n},  "big":9223372036854775807,"t":"ä }{ \\"${n}\\""}`,
  ]).flat()
  await source.request('POST', `/${name}/_bulk?refresh=true`, lines)
}

const settled = async (path: string) => JSON.parse((await target.request('GET', path)).text)

test('a move carries documents, versions, routing, settings, mappings, templates and aliases, and proves them equal', async () => {
  await source.request('PUT', '/books', {
    settings: { number_of_shards: 2, refresh_interval: '7s', number_of_replicas: 0 },
    mappings: { properties: { n: { type: 'short' } } },
    aliases: { shelf: { filter: { term: { n: 5 } } } },
  })
  await source.request('PUT', '/_component_template/part', { template: { settings: { number_of_shards: 3 } } })
  await source.request('PUT', '/_index_template/pattern', {
    index_patterns: ['b*'],
    composed_of: ['part'],
    priority: 7,
  })
  await source.request('PUT', '/_ingest/pipeline/p', { processors: [{ set: { field: 'x', value: 1 } }] })
  await source.request('PUT', '/piped', { settings: { 'index.final_pipeline': 'p' } })
  await source.request('PUT', '/piped/_doc/1', { y: 1 })
  await fill()
  await source.request('PUT', '/books/_doc/pretty', '{\n  "n": 1\n}')
  for (let n = 0; n < 3; n++) await source.request('PUT', '/books/_doc/often', { n })
  await run('--cut-over')
  assert.deepEqual(
    report().indices.map(({ index, documents }) => [index, documents]),
    [
      ['books', DOCUMENTS + 2],
      ['piped', 1],
    ],
  )
  assert.equal(report().equal, true)
  const { books, piped } = await settled('/books,piped?flat_settings=true')
  assert.equal(books.settings['index.refresh_interval'], '7s')
  assert.equal(books.settings['index.number_of_shards'], '2')
  assert.equal(piped.settings['index.final_pipeline'], 'p')
  assert.equal(books.mappings.properties.n.type, 'short')
  assert.deepEqual(books.aliases.shelf, { filter: { term: { n: 5 } } })
  assert.equal((await settled('/books/_doc/often'))._version, 3)
  assert.equal((await settled('/_index_template/pattern')).index_templates[0].index_template.priority, 7)
  const blocked = await source.request('PUT', '/books/_doc/late', { n: 1 })
  assert.equal(blocked.status, 403)
})

test('changes during a move are followed, deletes included, and new fields and indices too', async () => {
  await fill()
  await run()
  await source.request('PUT', '/books/_doc/new?refresh=true', { fresh: '2020-01-01' })
  await source.request('DELETE', '/books/_doc/%2250')
  await source.request('POST', '/books/_update/%2251', { doc: { n: -1 } })
  await source.request('PUT', '/later/_doc/1', { n: 1 })
  await source.request('POST', '/_flush?force=true')
  await run()
  assert.equal((await settled('/books/_doc/%2251'))._source.n, -1)
  assert.equal((await target.request('GET', '/books/_doc/%2250')).status, 404)
  await source.request('DELETE', '/books/_doc/new')
  await run('--cut-over')
  assert.equal(report().documents, DOCUMENTS)
  assert.equal((await settled('/books/_mapping')).books.mappings.properties.fresh.type, 'date')
})

test('a document that starts again with version 1, while the target remembers its delete, is moved', async () => {
  await source.request('PUT', '/books', { settings: { 'index.gc_deletes': '0s' } })
  await fill()
  for (let n = 0; n < 3; n++) await source.request('PUT', '/books/_doc/again', { n })
  await run()
  // The target must not get all changes in one page, of which only the last one counts.
  await source.request('DELETE', '/books/_doc/again?refresh=true')
  await run()
  await source.request('PUT', '/books/_doc/again', { n: 7 })
  await target.request('PUT', '/books/_settings', { 'index.gc_deletes': '1h' })
  await run('--cut-over')
  assert.equal(report().equal, true)
  const { _version, _source } = await settled('/books/_doc/again')
  assert.deepEqual([_version, _source.n], [1, 7])
})

test('a document that was altered, added or removed at the target is found by id', async () => {
  await fill()
  await run('--cut-over')
  const { digest } = report().indices[0]!
  await target.request('PUT', '/books/_doc/%227', { n: -7 })
  await target.request('DELETE', '/books/_doc/%228')
  await target.request('PUT', '/books/_doc/added', { n: 1 })
  await assert.rejects(run('--verify'), /3 documents differ/)
  const found = report().indices[0]!.differences.map(({ id, difference }) => `${id}: ${difference}`)
  assert.deepEqual(found.sort(), [
    '"7: version 1, at the target 2',
    '"8: missing at the target',
    'added: only at the target',
  ])
  assert.equal(report().indices[0]!.digest, digest)
})

test('documents are compared while the source takes writes, and those that change meanwhile are compared again', async () => {
  await fill()
  const statuses: number[] = []
  let comparisons = 0
  const url = await proxy(async (path) => {
    if (path !== '/_mget' || comparisons++ > 0) return false
    statuses.push((await source.request('PUT', '/books/_doc/%221', { n: -1 })).status)
    statuses.push((await source.request('DELETE', '/books/_doc/%222')).status)
    statuses.push((await source.request('PUT', '/books/_doc/new', { n: 1 })).status)
    statuses.push((await source.request('PUT', '/books/_doc/%223?routing=r3', { n: -3 })).status)
    return false
  })
  await runFromTo(source.url, url, '--cut-over')
  assert.deepEqual(statuses, [200, 200, 201, 200])
  const { documents, digest } = report().indices[0]!
  assert.deepEqual([report().equal, documents], [true, DOCUMENTS])
  await run('--verify')
  assert.deepEqual(
    [report().equal, report().indices[0]!.documents, report().indices[0]!.digest],
    [true, DOCUMENTS, digest],
  )
})

test('a document that somebody deletes from the target after its comparison is noticed by the count', async () => {
  await fill()
  const url = await proxy(async (path) => {
    // Settings are completed behind the write block.
    if (path === '/books/_settings') await target.request('DELETE', '/books/_doc/%224')
    return false
  })
  await assert.rejects(runFromTo(source.url, url, '--cut-over'), /the target has 1 documents fewer/)
})

/** A proxy before the target. `refuse` may answer in its place, `after` may change its answer. */
async function proxy(
  refuse: (path: string) => boolean | Promise<boolean>,
  after: (path: string, text: string) => string = (_, text) => text,
): Promise<string> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', async () => {
      if (await refuse(request.url!)) return void response.writeHead(400).end('{}')
      const body = Buffer.concat(pieces).toString()
      const answer = await target.request(request.method!, request.url!, body === '' ? undefined : body)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(after(request.url!, answer.text))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxies.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a move that fails at any request continues with the next run and ends equal', async () => {
  await fill()
  let requests = 0
  const url = await proxy(() => requests++ === runs)
  // Every run costs half a second of waiting for late writes.
  const step = process.env['SANDPIPER_SLOW_TESTS'] === '1' ? 1 : 5
  for (runs = 2; runs < 60; runs += step, requests = 0) {
    if (runs === 12) rmSync(join(folder, 'move.checkpoint'))
    try {
      await runFromTo(source.url, url, '--cut-over')
      break
    } catch (error) {
      assert.match((error as Error).message, /HTTP 400|target/)
    }
  }
  assert.ok(runs > 12 && runs < 60)
  assert.equal(report().equal, true)
  assert.equal(report().documents, DOCUMENTS)
})

test('items that the target refuses for lack of room are sent again', async () => {
  await fill()
  const busy = { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'full' } }
  let refused = 0
  const url = await proxy(
    () => false,
    (path, text) => {
      if (!path.startsWith('/_bulk')) return text
      const answer = JSON.parse(text) as { errors: boolean; items: object[] }
      answer.items = answer.items.map((item, i) => ((i + refused++) % 10 === 0 ? { index: busy } : item))
      return JSON.stringify({ ...answer, errors: true })
    },
  )
  await runFromTo(source.url, url, '--cut-over')
  assert.equal(report().equal, true)
})

test('an index of the target that the move did not create stops it before anything is written', async () => {
  await fill()
  await target.request('PUT', '/books')
  await assert.rejects(run(), /already has books, which this move did not create/)
  assert.equal((await target.request('HEAD', '/.sandpiper-move')).status, 404)
  assert.ok(!existsSync(join(folder, 'move.checkpoint')))
})

test('an aborted cut-over lifts the write block, and a discarded move leaves nothing at the target', async () => {
  await fill()
  // The documents of the target are counted behind the write block.
  const url = await proxy((path) => path.startsWith('/books/_count'))
  await assert.rejects(runFromTo(source.url, url, '--cut-over'))
  assert.equal((await source.request('PUT', '/books/_doc/x', { n: 1 })).status, 403)
  await run('--abort')
  assert.equal((await source.request('PUT', '/books/_doc/x', { n: 1 })).status, 201)
  await run('--discard')
  assert.equal((await target.request('HEAD', '/books')).status, 404)
  await run('--cut-over')
  assert.equal(report().documents, DOCUMENTS + 1)
})

test('a data stream is moved generation by generation, with changes to old documents', async () => {
  await source.request('PUT', '/_index_template/logs', { index_patterns: ['app-*'], data_stream: {}, priority: 500 })
  const add = (id: string, n: number) =>
    source.request('PUT', `/app-logs/_create/${id}`, { '@timestamp': '2026-01-01T00:00:00Z', n })
  await add('1', 1)
  await add('2', 2)
  await source.request('POST', '/app-logs/_rollover')
  await add('3', 3)
  await run()
  await add('4', 4)
  await source.request('POST', '/app-logs/_refresh')
  await source.request('POST', '/app-logs/_delete_by_query?refresh=true', { query: { term: { n: 1 } } })
  await source.request('POST', '/app-logs/_update_by_query?refresh=true', {
    query: { term: { n: 2 } },
    script: { source: 'ctx._source.n = 20' },
  })
  await source.request('POST', '/app-logs/_rollover')
  await add('5', 5)
  await run('--cut-over')
  assert.deepEqual(
    report().indices.map(({ documents }) => documents),
    [1, 2, 1],
  )
  const { hits } = await settled('/app-logs/_search?sort=n&size=10')
  assert.deepEqual(
    hits.hits.map((hit: { _source: { n: number } }) => hit._source.n),
    [3, 4, 5, 20],
  )
})

test('a move of some names takes only the templates and pipelines that belong to them', async () => {
  for (const name of ['books', 'other']) {
    await source.request('PUT', `/_ingest/pipeline/${name}-pipe`, { processors: [] })
    const settings = { 'index.default_pipeline': `${name}-pipe` }
    await source.request('PUT', `/_index_template/${name}`, { index_patterns: [`${name}*`], template: { settings } })
    await source.request('PUT', `/${name}/_doc/1`, { n: 1 })
  }
  await run('--index', 'books', '--cut-over')
  assert.equal((await target.request('GET', '/_index_template/books')).status, 200)
  assert.equal((await target.request('GET', '/_ingest/pipeline/books-pipe')).status, 200)
  for (const path of ['/_index_template/other', '/_ingest/pipeline/other-pipe', '/other']) {
    assert.equal((await target.request('GET', path)).status, 404, path)
  }
})

test('a source in memory is copied as of one moment', async () => {
  await target.request('PUT', '/a/_doc/1?refresh=true', { n: 1 })
  await runFromTo(target.url, source.url)
  assert.equal(report().equal, true)
  assert.equal((await source.request('GET', '/a/_doc/1')).status, 200)
})

test('a lease that has expired makes the index be copied again, without documents deleted meanwhile', async () => {
  await fill()
  await run()
  const lease = `move-${JSON.parse(readFileSync(join(folder, 'move.checkpoint'), 'utf8')).id}`
  await source.request('DELETE', '/books/_doc/%2250')
  await source.request('DELETE', `/books/_sandpiper/changes?lease=${lease}`)
  await source.request('POST', '/books/_flush?force=true')
  await run('--cut-over')
  assert.equal(report().documents, DOCUMENTS - 1)
})
