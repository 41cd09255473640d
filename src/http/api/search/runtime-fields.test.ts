import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

// Goal: runtime fields as a client sees them, on an in-memory node. Their values are checked against recordings
// elsewhere.
let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
  await search.request('PUT', '/logs', { mappings: { dynamic: false, properties: { n: { type: 'long' } } } })
  const docs = [{ size: '10', tag: ['b', 'a', 'b'] }, { size: 30.7 }, { size: 'large', tag: {} }, { tag: 'a' }]
  for (const [i, doc] of docs.entries()) {
    await search.request('PUT', `/logs/_doc/${i}?refresh=true`, { n: i, ...doc })
  }
})
after(() => search.stop())

// biome-ignore lint/suspicious/noExplicitAny: answers are read by their members
const ask = async (body: unknown): Promise<any> => (await search.request('POST', '/logs/_search', body)).body

const runtime = { size: { type: 'long' }, tag: { type: 'keyword' } }

test('a runtime field without a script reads the parseable values of the source', async () => {
  const { hits } = await ask({ runtime_mappings: runtime, fields: ['size', 'tag'], _source: false, sort: 'n' })
  assert.deepEqual(
    hits.hits.map(({ fields }: { fields?: unknown }) => fields),
    [{ size: [10], tag: ['a', 'b', 'b'] }, { size: [30] }, undefined, { tag: ['a'] }],
  )
})

test('a runtime field is sorted, searched and aggregated like a mapped field', async () => {
  const sorted = await ask({
    runtime_mappings: runtime,
    sort: [{ size: 'desc' }],
    query: { exists: { field: 'size' } },
  })
  assert.deepEqual(
    sorted.hits.hits.map(({ _id, sort }: { _id: string; sort: unknown }) => [_id, sort]),
    [
      ['1', [30]],
      ['0', [10]],
    ],
  )
  const counted = await ask({ runtime_mappings: runtime, size: 0, aggs: { tags: { terms: { field: 'tag' } } } })
  assert.deepEqual(counted.aggregations.tags.buckets, [
    { key: 'a', doc_count: 2 },
    { key: 'b', doc_count: 1 },
  ])
})

test('a runtime field of a request hides the mapped field with its name', async () => {
  const { hits } = await ask({ runtime_mappings: { n: { type: 'keyword' } }, query: { prefix: { n: '3' } } })
  assert.equal(hits.total.value, 1)
  assert.equal((await ask({ query: { range: { n: { gte: 2 } } } })).hits.total.value, 2)
})

test('an invalid runtime field definition fails the shard, whether it is used or not', async () => {
  const { error } = await ask({ runtime_mappings: { x: { type: 'strng' } } })
  assert.equal(error.failed_shards[0].reason.type, 'mapper_parsing_exception')
})
