import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readDiskStats } from '../../../service/cluster/disk-counters.ts'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

// Goal: members of node statistics that monitoring programs read, and endpoints next to them. Method: a node in memory.
let search: TestSearch
// biome-ignore lint/suspicious/noExplicitAny: members of answers are read by their names
type Body = any
const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> =>
  await search.request(method as 'GET', path, body as never)
const ownStats = async (path: string) => Object.values<Body>((await ask('GET', path)).body.nodes)[0]

before(async () => {
  search = await startSearch({ listen: false })
  await ask('PUT', '/a/_doc/1?refresh=true', { n: 1 })
  await ask('PUT', '/b', { settings: { number_of_shards: 2 } })
})
after(() => search.stop())

test('index statistics of a node are listed by index or by shard besides their sum', async () => {
  const whole = (await ownStats('/_nodes/stats/indices/docs')).indices
  assert.deepEqual(Object.keys(whole), ['docs'])
  const { indices } = await ownStats('/_nodes/stats/indices/docs?level=indices')
  assert.deepEqual([indices.docs.count, indices.indices.a.docs.count, indices.indices.b.docs.count], [1, 1, 0])
  const { shards } = (await ownStats('/_nodes/stats/indices/docs?level=shards')).indices
  assert.deepEqual(
    shards.b.map((shard: Body) => Object.keys(shard)),
    [['0'], ['1']],
  )
  assert.equal(shards.a[0]['0'].docs.count, 1)
  assert.equal((await ask('GET', '/_nodes/stats?level=oops')).status, 400)
})

test('node statistics have buffer pools and discovery', async () => {
  const { jvm, discovery, fs } = await ownStats('/_nodes/stats/jvm,discovery,fs')
  assert.ok(jvm.buffer_pools.direct.used_in_bytes > 0)
  assert.equal(discovery.cluster_state_queue.total, 0)
  assert.deepEqual(fs.io_stats, {}, 'a node in memory has no device')
})

test('the counters of a device are those of its line', () => {
  const text = '   7       0 loop0 1 0 2 0 0 0 0 0 0 0 0 0\n 254 1 vda1 10 1 40 7 20 3 60 9 0 55 16 0 0 0 0\n'
  assert.deepEqual(readDiskStats(text, 254, 1), {
    device: 'vda1',
    counters: {
      operations: 30,
      read_operations: 10,
      write_operations: 20,
      read_kilobytes: 20,
      write_kilobytes: 30,
      io_time_in_millis: 55,
    },
  })
  assert.equal(readDiskStats(text, 254, 2), undefined)
})

test('there are no dangling indices', async () => {
  assert.deepEqual((await ask('GET', '/_dangling')).body.dangling_indices, [])
  for (const method of ['POST', 'DELETE']) {
    const { status, body } = await ask(method, '/_dangling/abc?accept_data_loss=true')
    assert.deepEqual([status, body.error.reason], [400, 'No dangling index found for UUID [abc]'])
  }
})

test('aliases are removed by a pattern that also matches data streams', async () => {
  await ask('PUT', '/_index_template/t', { index_patterns: ['ds*'], data_stream: {} })
  await ask('PUT', '/_data_stream/ds')
  await ask('PUT', '/a/_alias/named')
  const { status } = await ask('POST', '/_aliases', { actions: [{ remove: { index: '*', alias: 'named' } }] })
  assert.deepEqual([status, (await ask('HEAD', '/_alias/named')).status], [200, 404])
  const added = await ask('POST', '/_aliases', { actions: [{ add: { index: '*', alias: 'named' } }] })
  assert.match(added.body.error.reason, /both data streams and regular indices are disallowed/)
})

test('cluster statistics count the analyzers, tokenizers and filters that indices define and use', async () => {
  const analysis = {
    filter: { short: { type: 'length', max: 3 }, same: { type: 'synonym', synonyms: ['a, b'] } },
    analyzer: { mine: { tokenizer: 'standard', filter: ['lowercase', 'short'] } },
  }
  const field = { type: 'text', analyzer: 'mine', search_analyzer: 'whitespace' }
  const properties = { f: field, g: { type: 'text', analyzer: 'whitespace' } }
  await ask('PUT', '/analyzed', { settings: { analysis }, mappings: { properties } })
  const found = (await ask('GET', '/_cluster/stats')).body.indices.analysis
  const one = (name: string) => ({ name, count: 1, index_count: 1 })
  assert.deepEqual(found.analyzer_types, [one('custom')])
  assert.deepEqual(found.filter_types, [one('length'), one('synonym')])
  assert.deepEqual(found.built_in_filters, [one('lowercase')])
  assert.deepEqual(found.built_in_tokenizers, [one('standard')])
  assert.deepEqual(found.built_in_analyzers, [{ name: 'whitespace', count: 2, index_count: 1 }])
  assert.deepEqual(found.synonyms, { inline: { count: 1, index_count: 1 } })
})
