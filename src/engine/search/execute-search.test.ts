import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hitIds, openTestShard, runSearch, type TestDocument } from './search-fixture.ts'

const PROPERTIES = {
  k: { type: 'keyword' },
  n: { type: 'integer' },
  t: { type: 'text' },
  items: { type: 'nested', properties: { k: { type: 'keyword' }, n: { type: 'integer' } } },
}

interface Model {
  k: string[]
  n: number[]
  t: string[]
  items: { k: string; n: number }[]
}

const letter = fc.constantFrom('a', 'b', 'c', 'd')
const document = fc.record({
  k: fc.array(letter, { maxLength: 3 }),
  n: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
  t: fc.array(letter, { maxLength: 6 }),
  items: fc.array(fc.record({ k: letter, n: fc.integer({ min: 0, max: 3 }) }), { maxLength: 2 }),
  deleted: fc.boolean(),
})

type Case = { query: unknown; matches: (doc: Model) => boolean }

const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc.constant<Case>({ query: { match_all: {} }, matches: () => true }),
  letter.map((k): Case => ({ query: { term: { k } }, matches: (doc) => doc.k.includes(k) })),
  fc
    .tuple(letter, letter)
    .map((ks): Case => ({ query: { terms: { k: ks } }, matches: (doc) => ks.some((k) => doc.k.includes(k)) })),
  fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })).map(
    ([low, high]): Case => ({
      query: { range: { n: { gte: low, lt: high } } },
      matches: (doc) => doc.n.some((n) => n >= low && n < high),
    }),
  ),
  fc.constantFrom('k', 'n', 't').map(
    (field): Case => ({
      query: { exists: { field } },
      // Every document has a text, even if it contains no word.
      matches: (doc) => field === 't' || doc[field as 'k' | 'n'].length > 0,
    }),
  ),
  fc.tuple(letter, letter).map(
    ([a, b]): Case => ({
      query: { match_phrase: { t: `${a} ${b}` } },
      matches: (doc) => doc.t.some((word, i) => word === a && doc.t[i + 1] === b),
    }),
  ),
  fc.tuple(letter, letter).map(
    (words): Case => ({
      query: { match: { t: { query: words.join(' '), operator: 'and' } } },
      matches: (doc) => words.every((word) => doc.t.includes(word)),
    }),
  ),
  fc.tuple(letter, fc.integer({ min: 0, max: 3 })).map(
    ([k, n]): Case => ({
      query: {
        nested: { path: 'items', query: { bool: { must: [{ term: { 'items.k': k } }, { term: { 'items.n': n } }] } } },
      },
      matches: (doc) => doc.items.some((item) => item.k === k && item.n === n),
    }),
  ),
)

const { query } = fc.letrec<{ query: Case }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .record({
        must: fc.array(tie('query'), { maxLength: 2 }),
        filter: fc.array(tie('query'), { maxLength: 2 }),
        should: fc.array(tie('query'), { maxLength: 3 }),
        must_not: fc.array(tie('query'), { maxLength: 1 }),
        needed: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      })
      .map(boolCase),
  ),
}))

function boolCase(
  clauses: Record<'must' | 'filter' | 'should' | 'must_not', Case[]> & { needed: number | undefined },
): Case {
  const { must, filter, should, must_not: mustNot, needed } = clauses
  const list = (cases: Case[]) => cases.map((part) => part.query)
  const empty = must.length + filter.length + should.length + mustNot.length === 0
  const least = must.length + filter.length === 0 && should.length > 0 ? 1 : 0
  // A query of only must_not clauses matches all other documents, whatever its minimum_should_match.
  const onlyExcludes = must.length + filter.length + should.length === 0
  return {
    query: {
      bool: {
        must: list(must),
        filter: list(filter),
        should: list(should),
        must_not: list(mustNot),
        ...(needed === undefined ? {} : { minimum_should_match: needed }),
      },
    },
    matches: (doc) =>
      empty ||
      ([...must, ...filter].every((part) => part.matches(doc)) &&
        !mustNot.some((part) => part.matches(doc)) &&
        should.filter((part) => part.matches(doc)).length >= (onlyExcludes ? 0 : Math.max(needed ?? 0, least))),
  }
}

// Goal: a query matches exactly the live documents it describes, however they are distributed over segments. Method:
// random documents and queries, each compared with a plain predicate.
test('a query matches exactly the documents it describes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(document, { maxLength: 8 }), { minLength: 1, maxLength: 3 }),
      query,
      (batches, wanted) => {
        let id = 0
        const models = new Map<string, Model>()
        const written = batches.map((batch) =>
          batch.map(({ deleted, t, ...rest }): TestDocument => {
            const name = String(id++)
            if (!deleted) models.set(name, { t, ...rest })
            return { id: name, source: { ...rest, t: t.join(' ') }, deleted }
          }),
        )
        const shard = openTestShard(PROPERTIES, written)
        const expected = [...models].filter(([, model]) => wanted.matches(model)).map(([name]) => name)
        assert.deepEqual(hitIds(shard, { query: wanted.query, sort: '_doc' }), expected)
        const { total, hits } = runSearch(shard, { query: wanted.query })
        assert.equal(total, expected.length)
        for (let i = 1; i < hits.length; i++) assert.ok(hits[i - 1]!.score >= hits[i]!.score)
      },
    ),
    { numRuns: 150 },
  )
})

// Goal: filters that match everything restrict nothing, but still make alternatives optional.
test('a query whose filters all match everything keeps one of them', () => {
  const shard = openTestShard(PROPERTIES, [
    [
      { id: 'a', source: { k: 'x' } },
      { id: 'b', source: { k: 'y' } },
    ],
  ])
  const all = { match_all: {} }
  const found = (bool: unknown) => hitIds(shard, { query: { bool }, sort: '_doc' })
  assert.deepEqual(found({ filter: [all, all] }), ['a', 'b'])
  assert.deepEqual(found({ filter: [all, all], should: [{ term: { k: 'x' } }] }), ['a', 'b'])
  assert.deepEqual(found({ filter: [all, { bool: { filter: [all, all] } }], must_not: [{ term: { k: 'x' } }] }), ['b'])
  assert.deepEqual(found({ filter: [all, all, { term: { k: 'x' } }] }), ['a'])
})

// Goal: windows are combined correctly: a segment larger than one window gives the same results as a small one.
test('matches beyond the first window are found', () => {
  const docs = Array.from({ length: 9_000 }, (_, i) => ({
    id: String(i),
    source: { n: i, k: i % 3000 === 0 ? 'a' : 'b' },
  }))
  const shard = openTestShard(PROPERTIES, [docs])
  assert.deepEqual(hitIds(shard, { query: { term: { k: 'a' } } }), ['0', '3000', '6000'])
  const query = { bool: { filter: [{ range: { n: { gte: 4_000 } } }], must_not: [{ term: { k: 'b' } }] } }
  assert.deepEqual(hitIds(shard, { query }), ['6000'])
  assert.equal(runSearch(shard, { query: { range: { n: { lt: 8_999 } } }, size: 0 }).total, 8_999)
  assert.deepEqual(hitIds(shard, { sort: [{ n: 'desc' }], size: 2 }), ['8999', '8998'])
})

test('sorts handle missing values, several values and several segments', () => {
  const shard = openTestShard(PROPERTIES, [
    [
      { id: '1', source: { n: [5, 1], k: 'b' } },
      { id: '2', source: {} },
    ],
    [
      { id: '3', source: { n: 3, k: ['c', 'a'] } },
      { id: '4', source: { n: 4 } },
    ],
  ])
  const order = (sort: unknown) => hitIds(shard, { sort }).join('')
  assert.equal(order('n'), '1342')
  assert.equal(order([{ n: 'desc' }]), '1432')
  assert.equal(order([{ n: { order: 'asc', missing: '_first' } }]), '2134')
  assert.equal(order([{ n: { order: 'asc', missing: 3 } }]), '1234')
  assert.equal(order([{ n: { order: 'asc', mode: 'sum' } }]), '3412')
  assert.equal(order([{ k: 'asc' }, { n: 'asc' }]), '3142')
  assert.equal(order([{ k: { order: 'desc', missing: '_first' } }, '_doc']), '2431')
  assert.equal(order([{ _doc: 'desc' }]), '4321')
})

// Elasticsearch compares the bounds with the shard's dates before it creates a query, and there are none.
test('a range on a date field that stores nothing matches nothing, and on other types is rejected', () => {
  const unkept = { index: false, doc_values: false }
  const properties = { d: { type: 'date', ...unkept }, n: { type: 'integer', ...unkept } }
  const context = openTestShard(properties, [[{ id: '1', source: { d: '2024-01-01', n: 1 } }]])
  assert.deepEqual(hitIds(context, { query: { range: { d: { gte: 'no date' } } } }), [])
  const refused = /Cannot search on field \[.\] since it is not indexed nor has doc values\./
  assert.throws(() => runSearch(context, { query: { range: { n: { gte: 0 } } } }), refused)
  assert.throws(() => runSearch(context, { query: { term: { d: '2024-01-01' } } }), refused)
})

test('terminate_after ends the count of all documents only where nested fields are mapped', () => {
  const documents = Array.from({ length: 4 }, (_, i) => ({ id: String(i), source: { n: i } }))
  const counted = (properties: Record<string, unknown>) =>
    runSearch(openTestShard(properties, [documents]), {}, { terminateAfter: 1 }).total
  assert.equal(counted({ n: { type: 'integer' } }), 4)
  assert.equal(counted({ n: { type: 'integer' }, items: { type: 'nested' } }), 1)
})
