import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { IndexSortField } from '../../segment/index-sort.ts'
import { openTestShard, runSearch, type TestDocument } from '../search-fixture.ts'
import { isIndexOrder } from './index-order-ranking.ts'

const PROPERTIES = {
  k: { type: 'keyword' },
  n: { type: 'integer' },
  t: { type: 'keyword' },
  items: { type: 'nested', properties: { n: { type: 'integer' } } },
}

const document = fc.record(
  {
    k: fc.constantFrom('a', 'b', 'c'),
    n: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 2 }),
    t: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: ['t'] },
)

const sortField = (field: string): fc.Arbitrary<IndexSortField> =>
  fc
    .record({ descending: fc.boolean(), missingFirst: fc.boolean() })
    .map(({ descending, missingFirst }) => ({ field, descending, missingFirst, mode: descending ? 'max' : 'min' }))

const shardCase = fc.record({
  batches: fc.array(fc.array(fc.record({ source: document, deleted: fc.boolean() }), { maxLength: 30 }), {
    minLength: 1,
    maxLength: 3,
  }),
  indexSort: fc.tuple(sortField('k'), sortField('n')),
  fields: fc.integer({ min: 1, max: 2 }),
  byDoc: fc.boolean(),
  nested: fc.boolean(),
  size: fc.integer({ min: 1, max: 7 }),
  upTo: fc.constantFrom(-1, 3, Number.POSITIVE_INFINITY),
})

// Goal: early termination by the index sort gives the same hits and totals, page after page. Method: the same searches
// over random shards with and without the index sort, continued with search_after.
test('a search that uses the index sort gives the same hits as one that does not', () => {
  fc.assert(
    fc.property(shardCase, ({ batches, indexSort, fields, byDoc, nested, size, upTo }) => {
      let id = 0
      const documents = batches.map((batch) =>
        batch.map(({ source, deleted }): TestDocument => {
          const items = nested && id % 3 === 0 ? { items: [{ n: 1 }] } : {}
          return { id: String(id++), source: { ...source, ...items }, deleted }
        }),
      )
      const shard = openTestShard(PROPERTIES, documents, { indexSort })
      const sort: unknown[] = indexSort.slice(0, fields).map(({ field, descending, missingFirst }) => ({
        [field]: { order: descending ? 'desc' : 'asc', missing: missingFirst ? '_first' : '_last' },
      }))
      if (byDoc) sort.push('_doc')
      for (const query of [{ match_all: {} }, { term: { t: 'x' } }]) {
        let behind: ReturnType<typeof runSearch>['hits'][number]['sort'] | undefined
        for (let page = 0; page < 3; page++) {
          const options = { behind, totalUpTo: upTo, wantsTotal: upTo >= 0 }
          const plain = runSearch(shard, { query, sort, size }, options)
          const early = runSearch(shard, { query, sort, size }, { ...options, indexSort })
          assert.deepEqual(early.hits, plain.hits)
          assert.equal(Math.min(early.total, upTo), Math.min(plain.total, upTo))
          behind = plain.hits.at(-1)?.sort
          if (behind === undefined) break
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('a sort with another order, mode or place of missing values does not use the index sort', () => {
  const shard = openTestShard(PROPERTIES, [])
  const indexSort: IndexSortField[] = [
    { field: 'k', descending: false, missingFirst: false, mode: 'min' },
    { field: 'n', descending: true, missingFirst: true, mode: 'max' },
  ]
  const spec = { kind: 'field', descending: false, missing: undefined, mode: undefined } as const
  const rest = { unmappedType: undefined, numericType: undefined, format: undefined, nested: undefined } as const
  const byK = { ...spec, ...rest, field: 'k' }
  const byN = { ...spec, ...rest, field: 'n', descending: true, missing: '_first' }
  assert.ok(isIndexOrder(shard, [byK], indexSort))
  assert.ok(isIndexOrder(shard, [byK, byN, { kind: 'shard_doc', descending: false }], indexSort))
  assert.ok(!isIndexOrder(shard, [byN], indexSort))
  assert.ok(!isIndexOrder(shard, [{ ...byK, descending: true }], indexSort))
  assert.ok(!isIndexOrder(shard, [{ ...byK, missing: '_first' }], indexSort))
  assert.ok(!isIndexOrder(shard, [byK, { ...byN, mode: 'min' }], indexSort))
  assert.ok(!isIndexOrder(shard, [byK, { kind: 'doc', descending: true }], indexSort))
  assert.ok(!isIndexOrder(shard, undefined, indexSort))
})
