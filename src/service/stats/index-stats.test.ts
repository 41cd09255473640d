import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../testing/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of answers are read by their names
type Answer = Record<string, any>

// Goal: the counters of _stats follow the actions of clients. Method: an in-memory node, accessed through its
// endpoints.
let search: TestSearch
const ask = async (method: string, path: string, body?: unknown) =>
  (await search.request(method, path, body)).body as Answer

before(async () => {
  search = await startSearch({ listen: false })
  await ask('PUT', '/a', { settings: { number_of_shards: 2, number_of_replicas: 1 } })
  await ask('PUT', '/b', { settings: { number_of_replicas: 0 } })
  for (const id of ['1', '2', '3']) await ask('PUT', `/a/_doc/${id}`, { n: 1 })
  await ask('DELETE', '/a/_doc/3')
  await ask('GET', '/a/_doc/1')
  await ask('GET', '/a/_doc/none')
  await ask('POST', '/a,b/_refresh')
  await ask('POST', '/a/_search', { stats: ['mine'] })
})
after(() => search.stop())

test('documents, writes, gets and searches are counted per index and in total', async () => {
  const { _all, indices, _shards } = await ask('GET', '/a,b/_stats/docs,indexing,get,search?groups=mine')
  assert.equal(indices.a.total.docs.count, 2)
  assert.equal(indices.a.total.indexing.index_total, 3)
  assert.equal(indices.a.total.indexing.delete_total, 1)
  assert.equal(indices.a.total.get.exists_total, 1)
  assert.equal(indices.a.total.get.missing_total, 1)
  assert.equal(indices.a.total.search.query_total, 2)
  assert.equal(indices.a.total.search.groups.mine.query_total, 2)
  assert.equal(_all.total.docs.count, 2)
  assert.equal(indices.b.total.docs.count, 0)
  assert.deepEqual(_shards, { total: 5, successful: 3, failed: 0 })
})

test('the level parameter selects the sum, indices, or shards', async () => {
  assert.equal((await ask('GET', '/a/_stats?level=cluster')).indices, undefined)
  assert.equal((await ask('GET', '/a/_stats')).indices.a.shards, undefined)
  assert.deepEqual(Object.keys((await ask('GET', '/a/_stats?level=shards')).indices.a.shards), ['0', '1'])
})

test('an index with unassigned replicas is yellow', async () => {
  const { indices } = await ask('GET', '/a,b/_stats/docs')
  assert.deepEqual([indices.a.health, indices.b.health], ['yellow', 'green'])
})

test('an unknown metric is rejected with a suggestion', async () => {
  const { error } = await ask('GET', '/a/_stats/indxing')
  assert.match(error.reason, /contains unrecognized metric: \[indxing\] -> did you mean/)
})

test('an index recreated under the same name starts with new counters', async () => {
  await ask('PUT', '/gone')
  await ask('POST', '/gone/_search')
  await ask('DELETE', '/gone')
  await ask('PUT', '/gone')
  assert.equal((await ask('GET', '/gone/_stats/search')).indices.gone.total.search.query_total, 0)
  await ask('DELETE', '/gone')
})

test('doc values built from a text field are listed as its fielddata', async () => {
  await ask('PUT', '/words', { mappings: { properties: { t: { type: 'text', fielddata: true } } } })
  await ask('PUT', '/words/_doc/1?refresh=true', { t: 'some words' })
  await ask('POST', '/words/_search', { aggs: { w: { terms: { field: 't' } } } })
  const { fielddata } = (await ask('GET', '/words/_stats/fielddata?fields=*')).indices.words.total
  assert.ok(fielddata.fields.t.memory_size_in_bytes > 0)
  await ask('DELETE', '/words')
})
