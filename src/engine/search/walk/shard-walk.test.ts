import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ShardSearchRequest } from '../execute-search.ts'
import { openTestShard, runSearch, type TestDocument } from '../search-fixture.ts'

/** A seeded stream of numbers from 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const WORDS = ['common', 'often', 'some', 'seldom', 'rare']
const DOCS = 9_000

/** Words of decreasing frequency and texts of many lengths, so that postings blocks have different bounds. */
function documents(): TestDocument[] {
  const random = randomNumbers(7)
  return Array.from({ length: DOCS }, (_, i) => {
    const words: string[] = []
    for (const [rank, word] of WORDS.entries()) {
      if (random() < 0.7 / (rank * rank + 1)) words.push(...Array(1 + Math.floor(random() ** 3 * 8)).fill(word))
    }
    for (let fill = Math.floor(random() ** 2 * 60); fill > 0; fill--) words.push(`w${Math.floor(random() * 500)}`)
    const n = Math.floor(random() * 2_000)
    const source = { t: words.join(' '), n, rising: i, k: `k${i % 7}`, ...(i % 3 === 0 ? { some: n % 50 } : {}) }
    return { id: String(i), source, deleted: random() < 0.02 && i < 6_000 }
  })
}

const all = documents()
const shard = openTestShard(
  {
    t: { type: 'text' },
    n: { type: 'integer' },
    rising: { type: 'integer' },
    some: { type: 'integer' },
    k: { type: 'keyword' },
  },
  [all.slice(0, 1_500), all.slice(1_500, 6_000), all.slice(6_000)],
)

const word = fc.constantFrom(...WORDS)
const clause = fc.oneof(
  word.map((w) => ({ match: { t: w } })),
  fc.tuple(word, word).map(([a, b]) => ({ match: { t: `${a} ${b}` } })),
  fc.tuple(word, word).map(([a, b]) => ({ match: { t: { query: `${a} ${b}`, operator: 'and' } } })),
  fc.tuple(word, word).map(([a, b]) => ({ match_phrase: { t: `${a} ${b}` } })),
  fc.integer({ min: 0, max: 6 }).map((k) => ({ term: { k: `k${k}` } })),
  fc.tuple(fc.nat(2000), fc.nat(2000)).map(([gte, more]) => ({ range: { n: { gte, lte: gte + more } } })),
  fc.tuple(fc.nat(DOCS), fc.nat(DOCS)).map(([gte, more]) => ({ range: { rising: { gte, lte: gte + more } } })),
  fc.constant({ match_all: {} }),
)
/** Clauses that find their documents before they are asked for windows. */
const foundAhead = fc.oneof(
  fc.integer({ min: 1, max: 7 }).map((n) => ({ terms: { k: Array.from({ length: n }, (_, i) => `k${i}`) } })),
  fc.integer({ min: 1, max: 50 }).map((n) => ({ terms: { some: Array.from({ length: n }, (_, i) => i) } })),
  fc.tuple(fc.nat(2000), fc.nat(2000)).map(([gte, more]) => ({ range: { n: { gte, lte: gte + more } } })),
)
const query = fc.oneof(
  clause,
  fc
    .record({ queries: fc.array(clause, { minLength: 1, maxLength: 3 }), tie_breaker: fc.constantFrom(0, 0, 0.3) })
    .map((dis_max) => ({ dis_max })),
  fc
    .record({
      must: fc.array(clause, { maxLength: 2 }),
      filter: fc.array(clause, { maxLength: 2 }),
      should: fc.array(clause, { maxLength: 3 }),
      must_not: fc.array(clause, { maxLength: 1 }),
    })
    .map((bool) => ({ bool })),
)
const both = fc.array(foundAhead, { minLength: 2, maxLength: 2 })
const slicedQuery = fc.oneof(
  query,
  foundAhead,
  both.map((must) => ({ bool: { must } })),
  both.map((should) => ({ bool: { should } })),
)
const sort = fc.constantFrom(
  undefined,
  [{ n: 'asc' }],
  [{ n: 'desc' }, { rising: 'asc' }],
  [{ rising: 'desc' }],
  [{ some: { order: 'desc', missing: '_first' } }, { n: 'asc' }],
  [{ k: 'asc' }, { n: 'desc' }],
  [{ k: 'desc' }],
  [{ k: { order: 'asc', missing: '_first' } }],
  ['_doc'],
  ['_score', { n: 'asc' }],
)

// Goal: skipping uncompetitive documents changes no hit, and a total is exact up to its limit. Method: random queries
// and sorts; the best of a complete ranking compared with the requested few.
test('the best hits are the same however many documents are skipped', () => {
  fc.assert(
    fc.property(
      query,
      sort,
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(-1, 10, 1_000),
      (asked, order, size, upTo) => {
        const search = { query: asked, ...(order === undefined ? {} : { sort: order }) }
        const whole = runSearch(shard, { ...search, size: DOCS })
        const options: Partial<ShardSearchRequest> = { totalUpTo: upTo }
        const found = runSearch(shard, { ...search, size }, options)
        const shown = (hits: typeof whole.hits) =>
          hits.map(({ shardDoc, score, sort: values }) => ({ shardDoc, score, values }))
        assert.deepEqual(shown(found.hits), shown(whole.hits.slice(0, size)))
        assert.deepEqual(
          shown(runSearch(shard, { ...search, size }, { skip: 3 }).hits),
          shown(whole.hits.slice(3, size)),
        )
        if (whole.total <= upTo) assert.equal(found.total, whole.total)
        else assert.ok(found.total > upTo)
        assert.equal(runSearch(shard, { ...search, size: 0 }).total, whole.total)
        const tracked = runSearch(shard, { ...search, size }, { ...options, trackScores: true })
        assert.equal(tracked.maxScore, runSearch(shard, { query: asked, size: 1 }).maxScore)
      },
    ),
    { numRuns: 100 },
  )
})

// Goal: the slices of a search have every document once, in hits and in totals. Method: random queries and sorts, slices
// by ranges of documents and by id, compared with the whole search.
test('slices are disjoint and together complete, in hits and totals, whatever the query and the sort', () => {
  fc.assert(
    fc.property(slicedQuery, sort, fc.integer({ min: 2, max: 12 }), fc.boolean(), (asked, order, max, byRange) => {
      const search = { query: asked, ...(order === undefined ? {} : { sort: order }), size: DOCS }
      const whole = runSearch(shard, search)
      const parts: number[] = []
      for (let id = 0; id < max; id++) {
        const slice = { id, max, field: undefined, byRange }
        const part = runSearch(shard, search, { slice })
        parts.push(...part.hits.map(({ shardDoc }) => shardDoc))
        assert.equal(part.total, part.hits.length)
        assert.equal(runSearch(shard, { ...search, size: 0 }, { slice }).total, part.total)
        assert.deepEqual(runSearch(shard, { ...search, size: 7 }, { slice }).hits, part.hits.slice(0, 7))
      }
      const ascending = (docs: number[]) => docs.sort((a, b) => a - b)
      assert.deepEqual(ascending(parts), ascending(whole.hits.map(({ shardDoc }) => shardDoc)))
    }),
    { numRuns: 40 },
  )
})

// Goal: hits found in the order of an index are the best ones. Method: ranges of the sorted field, read in pages.
test('the pages of a range sorted by its own field, joined, are its complete result', () => {
  const bound = fc.integer({ min: -10, max: 2_010 })
  const direction = fc.constantFrom('asc', 'desc')
  fc.assert(
    fc.property(bound, bound, direction, fc.integer({ min: 20, max: 700 }), (lower, upper, order, size) => {
      const range = { n: { gte: lower, lt: upper } }
      const search = { query: { range }, sort: [{ n: order }, { rising: 'asc' }] }
      const whole = runSearch(shard, { ...search, size: DOCS }).hits.map(({ shardDoc }) => shardDoc)
      const read: number[] = []
      let behind: ShardSearchRequest['behind']
      for (let page = 0; page * size <= whole.length; page++) {
        const { hits } = runSearch(shard, { ...search, size }, { behind })
        read.push(...hits.map(({ shardDoc }) => shardDoc))
        behind = hits.at(-1)?.sort
      }
      assert.deepEqual(read, whole)
      const expected = all.filter(({ source, deleted }) => {
        const { n } = source as { n: number }
        return deleted !== true && n >= lower && n < upper
      })
      assert.equal(whole.length, expected.length)
    }),
    { numRuns: 60 },
  )
})

test('a search that times out returns the hits found so far', () => {
  let windows = 0
  const guard = { isOver: () => ++windows > 1 }
  const found = runSearch({ ...shard, guard }, { query: { match: { t: 'common' } }, size: 5 })
  assert.equal(found.timedOut, true)
  assert.equal(found.hits.length, 5)
  assert.ok(found.hits.every(({ segment }) => segment === 0))
})

test('terminate_after limits the number of ranked documents', () => {
  const some = { query: { bool: { filter: [{ term: { k: 'k1' } }, { range: { n: { gte: 10 } } }] } }, sort: ['_doc'] }
  const found = runSearch(shard, { ...some, size: 100 }, { terminateAfter: 20 })
  assert.equal(found.terminatedEarly, true)
  assert.equal(found.hits.length, 20)
  assert.equal(found.total, 20)
  assert.deepEqual(
    found.hits.map(({ shardDoc }) => shardDoc),
    runSearch(shard, { ...some, size: 20 }).hits.map(({ shardDoc }) => shardDoc),
  )
})

test('terminate_after counts the hits of all segments, even those that cannot be among the best', () => {
  const query = { bool: { filter: [{ term: { k: 'k1' } }, { range: { n: { gte: 10 } } }] } }
  const whole = runSearch(shard, { query, size: 2 })
  const last = whole.total - 1
  const found = runSearch(shard, { query, size: 2 }, { terminateAfter: last })
  assert.equal(found.terminatedEarly, true)
  assert.equal(found.total, last)
})
