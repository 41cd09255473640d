import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestShard, runSearch } from './search-fixture.ts'

const properties = { n: { type: 'integer' }, part: { type: 'nested', properties: { k: { type: 'keyword' } } } }
const shard = openTestShard(properties, [
  [
    { id: '1', source: { n: 1, part: [{ k: 'a' }, { k: 'b' }] } },
    { id: '2', source: { n: 2 } },
    { id: '3', source: {} },
  ],
  [{ id: '4', source: { part: { k: 'a' } } }],
])

const slice = (id: number, query: object, byRange = true) => {
  const { hits } = runSearch(shard, { query }, { slice: { id, max: 2, field: undefined, byRange } })
  return hits.map(({ segment, doc }) => shard.view.segments[segment]!.reader.id(doc)).join('')
}

// Goal: a slice fails only because of its own documents. Method: a function that fails for documents without a value,
// all of which are in the second half.
test('score functions are not evaluated for documents of other slices', () => {
  const query = { function_score: { field_value_factor: { field: 'n' }, boost_mode: 'replace' } }
  assert.equal(slice(0, query), '21')
  assert.throws(() => slice(1, query), /Missing value for field \[n\]/)
})

test('nested objects count in the slice of their document', () => {
  const query = { nested: { path: 'part', query: { term: { 'part.k': 'a' } } } }
  assert.equal(slice(0, query) + slice(1, query), '14')
  const byId = slice(0, query, false) + slice(1, query, false)
  assert.equal([...byId].sort().join(''), '14')
})
