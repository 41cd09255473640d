import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTestShard, runSearch, type TestDocument } from '../../search/search-fixture.ts'

interface Item {
  readonly who: string
  readonly n: number
  readonly parts: readonly { readonly n: number }[]
}

const item: fc.Arbitrary<Item> = fc.record({
  who: fc.constantFrom('a', 'b', 'c'),
  n: fc.nat(9),
  parts: fc.array(fc.record({ n: fc.nat(4) }), { maxLength: 3 }),
})

const PROPERTIES = {
  items: {
    type: 'nested',
    properties: {
      who: { type: 'keyword' },
      n: { type: 'integer' },
      parts: { type: 'nested', properties: { n: { type: 'integer' } } },
    },
  },
}

function open(documents: readonly { items: Item[]; deleted: boolean }[]) {
  const batch = documents.map(({ items, deleted }, i): TestDocument => ({ id: String(i), source: { items }, deleted }))
  const half = batch.length >> 1
  return openTestShard(PROPERTIES, [batch.slice(0, half), batch.slice(half)])
}

const document = fc.record({ items: fc.array(item, { maxLength: 4 }), deleted: fc.boolean() })

// Goal: however the objects are iterated, a document matches if and only if one object meets all conditions. Method:
// random documents, some deleted; listed (filters alone) and in windows (with scores), compared with plain code.
test('a nested query matches documents with an object that meets all conditions', () => {
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 2, maxLength: 40 }),
      fc.nat(9),
      fc.constantFrom('none', 'avg', 'max'),
      fc.nat(4),
      (documents, gte, score_mode, size) => {
        const shard = open(documents)
        const expected = documents.flatMap(({ items, deleted }, i) =>
          !deleted && items.some(({ who, n }) => who === 'a' && n >= gte) ? [String(i)] : [],
        )
        const conditions = [{ term: { 'items.who': 'a' } }, { range: { 'items.n': { gte } } }]
        for (const bool of [{ filter: conditions }, { must: conditions }, { filter: conditions, must_not: [] }]) {
          const query = { nested: { path: 'items', score_mode, query: { bool } } }
          const { total, hits } = runSearch(shard, { query, size }, { totalUpTo: 10_000 })
          assert.equal(total, expected.length)
          assert.equal(hits.length, Math.min(size, expected.length))
          const ids = hits.map(({ segment, doc }) => shard.view.segments[segment]!.reader.id(doc))
          if (bool.must === undefined) assert.deepEqual(ids, expected.slice(0, size))
          else for (const id of ids) assert.ok(expected.includes(id))
        }
      },
    ),
    { numRuns: 60 },
  )
})

// Goal: an object inside another counts for that one, and both for the document.
test('a nested query inside another matches within one outer object', () => {
  fc.assert(
    fc.property(fc.array(document, { minLength: 2, maxLength: 30 }), fc.nat(4), (documents, n) => {
      const shard = open(documents)
      const expected = documents.filter(
        ({ items, deleted }) =>
          !deleted && items.some(({ who, parts }) => who === 'b' && parts.some((part) => part.n === n)),
      )
      const inner = { nested: { path: 'items.parts', query: { term: { 'items.parts.n': n } } } }
      const query = { nested: { path: 'items', query: { bool: { filter: [{ term: { 'items.who': 'b' } }, inner] } } } }
      assert.equal(runSearch(shard, { query }).total, expected.length)
    }),
    { numRuns: 60 },
  )
})

// Elasticsearch computes scores only for documents that match all clauses, and some scores are errors.
test('nested objects are not scored if another clause matches nothing', () => {
  const shard = open([{ items: [{ who: 'a', n: -4, parts: [] }], deleted: false }])
  const root = { field_value_factor: { field: 'items.n', modifier: 'sqrt' } }
  const nested = { nested: { path: 'items', query: { function_score: root } } }
  assert.throws(() => runSearch(shard, { query: nested }))
  const both = { bool: { must: [nested, { term: { 'items.who': 'nobody' } }] } }
  assert.equal(runSearch(shard, { query: both }).hits.length, 0)
})
