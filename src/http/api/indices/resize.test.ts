import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { silentLog } from '../../../base/log.ts'
import { copyOfLent } from '../../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../../server/search-server.ts'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, refresh: 'immediate' })
  await fill((method, path, body) => search.request(method, path, body), 'src', 4)
})
after(() => search.stop())

type Send = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: any }>

const DOCS = 60

/** Documents with nested objects and routings, some of them replaced or deleted, then a write block. */
async function fill(send: Send, index: string, shards: number): Promise<void> {
  await send('PUT', `/${index}`, {
    settings: { number_of_shards: shards, number_of_replicas: 0, 'analysis.analyzer.a.type': 'keyword' },
    mappings: {
      properties: { o: { type: 'nested', properties: { n: { type: 'long' } } }, t: { type: 'text', analyzer: 'a' } },
    },
    aliases: { [`${index}-alias`]: {} },
  })
  const lines = Array.from({ length: DOCS }, (_, i) => [
    { index: { _id: String(i), ...(i % 3 === 0 ? { routing: `r${i % 5}` } : {}) } },
    { n: i, t: `text ${i}`, o: [{ n: i }, { n: i + 1 }] },
  ])
  await send('POST', `/${index}/_bulk?refresh=true`, lines.flat())
  await send('PUT', `/${index}/_doc/1?refresh=true`, { n: 1000, o: [{ n: 7 }] })
  await send('DELETE', `/${index}/_doc/2?refresh=true`)
  await send('PUT', `/${index}/_settings`, { 'index.blocks.write': true })
}

/** Everything that can be seen of the documents of an index. */
async function contents(send: Send, index: string): Promise<unknown> {
  const { body } = await send('POST', `/${index}/_search?size=100&version=true`, {
    sort: ['n'],
    query: { match_all: {} },
  })
  const nested = await send('POST', `/${index}/_count`, {
    query: { nested: { path: 'o', query: { exists: { field: 'o.n' } } } },
  })
  const hits = body.hits.hits.map(({ _id, _routing, _source, _version }: any) => ({ _id, _routing, _source, _version }))
  const gets = []
  for (const { _id, _routing } of hits) {
    const routing = _routing === undefined ? '' : `?routing=${_routing}`
    gets.push((await send('GET', `/${index}/_doc/${_id}${routing}`)).body.found)
  }
  return { total: body.hits.total, hits, nested: nested.body.count, found: gets.every((one) => one === true) }
}

const send: Send = (method, path, body) => search.request(method, path, body)

for (const [kind, shards] of [
  ['clone', 4],
  ['shrink', 2],
  ['shrink', 1],
  ['split', 8],
  ['split', 16],
] as const) {
  test(`_${kind} to ${shards} shards keeps documents, routings, nested objects and versions`, async () => {
    const target = `${kind}-${shards}`
    const settings = { 'index.number_of_shards': shards, 'index.blocks.write': null }
    const { status, body } = await send('POST', `/src/_${kind}/${target}`, {
      settings,
      aliases: { [`a-${target}`]: {} },
    })
    assert.deepEqual([status, body], [200, { acknowledged: true, shards_acknowledged: true, index: target }])
    assert.deepEqual(await contents(send, target), await contents(send, 'src'))
    const shown = (await send('GET', `/${target}?flat_settings=true`)).body[target]
    assert.deepEqual(Object.keys(shown.aliases), [`a-${target}`])
    assert.equal(shown.settings['index.number_of_shards'], String(shards))
    assert.equal(shown.settings['index.number_of_replicas'], '1')
    assert.equal(shown.settings['index.analysis.analyzer.a.type'], 'keyword')
    assert.equal(shown.settings['index.blocks.write'], null)
    // New documents go to the shard that a search with their routing reads.
    await send('PUT', `/${target}/_doc/new?routing=r1&refresh=true`, { n: 2000 })
    const routed = await send('GET', `/${target}/_search?routing=r1&q=n:2000`)
    assert.equal(routed.body.hits.total.value, 1)
    const recovery = await send('GET', `/${target}/_recovery`)
    assert.equal(recovery.body[target].shards[0].type, 'LOCAL_SHARDS')
  })
}

test('a closed index can be cloned', async () => {
  await send('POST', '/src/_close')
  assert.equal((await send('POST', '/src/_clone/of-closed')).status, 200)
  assert.equal((await send('POST', '/src/_split/split-of-closed', { settings: { number_of_shards: 8 } })).status, 200)
  await send('POST', '/src/_open')
  assert.deepEqual(await contents(send, 'of-closed'), await contents(send, 'src'))
  assert.deepEqual(await contents(send, 'split-of-closed'), await contents(send, 'src'))
})

test('_shrink with max_primary_shard_size uses as few shards as the size allows', async () => {
  await send('POST', '/src/_shrink/sized', { max_primary_shard_size: '1gb' })
  const { body } = await send('GET', '/sized/_settings?flat_settings=true')
  assert.equal(body.sized.settings['index.number_of_shards'], '1')
})

// The reasons are those of Elasticsearch 8.19.
for (const [kind, source, request, reason] of [
  [
    'clone',
    'src',
    { settings: { number_of_shards: 2 } },
    'the number of target shards (2) must be the same as the number of  source shards ( 4)',
  ],
  ['shrink', 'src', { settings: { number_of_shards: 3 } }, 'the number of source shards [4] must be a multiple of [3]'],
  [
    'shrink',
    'src',
    { settings: { number_of_shards: 8 } },
    'the number of target shards [8] must be less that the number of source shards [4]',
  ],
  ['split', 'src', { settings: { number_of_shards: 6 } }, 'the number of source shards [4] must be a factor of [6]'],
  [
    'split',
    'src',
    { settings: { number_of_shards: 2 } },
    'the number of source shards [4] must be less that the number of target shards [2]',
  ],
  ['split', 'src', {}, 'Validation Failed: 1: index.number_of_shards is required for split operations;'],
  [
    'clone',
    'src',
    { settings: { 'index.sort.field': 'n' } },
    "Validation Failed: 1: can't override index sort when resizing an index;",
  ],
  [
    'clone',
    'src',
    { settings: { number_of_routing_shards: 8 } },
    'cannot provide index.number_of_routing_shards on resize',
  ],
  ['clone', 'src', { mappings: {} }, '[1:2] [resize_request] unknown field [mappings]'],
  [
    'shrink',
    'src',
    { max_primary_shard_size: '1gb', settings: { number_of_shards: 2 } },
    'Cannot set both index.number_of_shards and max_primary_shard_size for the target index',
  ],
  [
    'shrink',
    'src',
    { max_primary_shard_size: '0b' },
    'Validation Failed: 1: max_primary_shard_size must be greater than 0;',
  ],
  ['clone', 'src-alias', {}, 'no such index [src-alias]'],
  ['clone', 'written', {}, 'index written must be read-only to resize index. use "index.blocks.write=true"'],
  ['shrink', 'single', {}, "can't shrink an index with only one shard"],
] as const) {
  test(`_${kind} of ${source} with ${JSON.stringify(request)} is refused`, async () => {
    if (source === 'written' || source === 'single') {
      await send('PUT', `/${source}`, { settings: { number_of_replicas: 0, 'blocks.write': source === 'single' } })
    }
    const { status, body } = await send('POST', `/${source}/_${kind}/refused`, request)
    assert.equal(body.error.reason, reason)
    assert.ok(status === 400 || status === 404)
    assert.equal((await send('HEAD', '/refused')).status, 404)
  })
}

test('a resized index on disk survives a restart', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'sandpiper-resize-'))
  const options = { dataFolder, threads: 0, maxContentBytes: 1e8, strictMediaTypes: false, log: silentLog }
  const connect =
    (server: SearchServer): Send =>
    async (method, path, body) => {
      const text =
        body === undefined
          ? ''
          : Array.isArray(body)
            ? `${body.map((line) => JSON.stringify(line)).join('\n')}\n`
            : JSON.stringify(body)
      const answer = await server.dispatcher.dispatch({
        method,
        uri: path,
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
        body: Buffer.from(text),
        signal: () => new AbortController().signal,
      })
      const copy = copyOfLent(answer.body)
      answer.onSent?.()
      return { status: answer.status, body: copy.length === 0 ? undefined : JSON.parse(copy.toString()) }
    }
  try {
    let server = await SearchServer.open(options)
    let ask = connect(server)
    await fill(ask, 'disk', 2)
    await ask('POST', '/disk/_split/more', { settings: { number_of_shards: 6 } })
    await ask('POST', '/disk/_close')
    await ask('POST', '/disk/_shrink/one')
    await ask('POST', '/disk/_open')
    const before = await contents(ask, 'disk')
    await server.stop()
    server = await SearchServer.open(options)
    ask = connect(server)
    for (const index of ['disk', 'more', 'one']) assert.deepEqual(await contents(ask, index), before)
    await server.stop()
  } finally {
    rmSync(dataFolder, { recursive: true })
  }
})
