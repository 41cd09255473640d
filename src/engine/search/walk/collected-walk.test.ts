import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseQueryBody } from '../../query/parse-query.ts'
import type { ShardSearchRequest } from '../execute-search.ts'
import { openTestShard, runSearch, type TestDocument, type TestSearch } from '../search-fixture.ts'
import type { Collector } from './collector.ts'

const WORDS = ['common', 'often', 'seldom', 'rare']
const DOCS = 12_000

/** Times ascend with the documents, numbers do not; frequencies differ, so that some blocks are uncompetitive. */
const all: TestDocument[] = Array.from({ length: DOCS }, (_, i) => {
  const mixed = Math.imul(i + 1, 0x9e3779b1) >>> 0
  const words = WORDS.flatMap((word, rank) =>
    (mixed >>> rank) % (rank * rank + 2) === 0 ? Array(1 + ((mixed >>> 7) % 3)).fill(word) : [],
  )
  const source = { t: words.join(' '), n: mixed % 900, time: i, k: `k${mixed % 9}`, inner: [{ n: mixed % 4 }] }
  return { id: String(i), source, deleted: i % 57 === 0 && i < 5_000 }
})
const PROPERTIES = {
  t: { type: 'text' },
  n: { type: 'integer' },
  time: { type: 'integer' },
  k: { type: 'keyword' },
}
const inner = { type: 'nested', properties: { n: { type: 'integer' } } }
const batches = [all.slice(0, 6_000), all.slice(6_000, 6_400), all.slice(6_400)]
const flat = openTestShard(PROPERTIES, batches)
const nested = openTestShard({ ...PROPERTIES, inner }, batches)

/** Records what it receives. */
class Witness implements Collector {
  readonly needsScores: boolean
  readonly docs: number[] = []
  readonly scores: number[] = []
  readonly #shard: typeof flat
  readonly #blind: number
  #docBase = 0

  /** `blind` is a segment that it does not need. */
  constructor(shard: typeof flat, needsScores = false, blind = -1) {
    this.#shard = shard
    this.needsScores = needsScores
    this.#blind = blind
  }

  readonly isDone = false

  begin(segment: number): boolean {
    this.#docBase = this.#shard.view.segments[segment]!.docBase
    return segment !== this.#blind
  }

  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): number {
    for (const doc of docs.subarray(0, count)) {
      this.docs.push(this.#docBase + doc)
      if (this.needsScores) this.scores.push(scores[doc - base]!)
    }
    return 0
  }

  end(): void {}

  readonly sharing = {
    give: () => this.docs,
    take: (found: unknown) => {
      this.docs.push(...(found as number[]))
    },
  }
}

const word = fc.constantFrom(...WORDS)
const clause = fc.oneof(
  word.map((w) => ({ match: { t: w } })),
  fc.tuple(word, word).map(([a, b]) => ({ match: { t: `${a} ${b}` } })),
  fc.tuple(word, word).map(([a, b]) => ({ match: { t: { query: `${a} ${b}`, operator: 'and' } } })),
  fc.tuple(word, word).map(([a, b]) => ({ match_phrase: { t: `${a} ${b}` } })),
  fc.nat(8).map((k) => ({ term: { k: `k${k}` } })),
  fc.nat(900).map((gte) => ({ range: { n: { gte, lt: gte + 300 } } })),
  fc.nat(DOCS).map((gte) => ({ range: { time: { gte } } })),
  fc.constant({ match_all: {} }),
)
const query = fc.oneof(
  clause,
  fc.tuple(clause, clause).map(([must, filter]) => ({ bool: { must, filter } })),
  fc.tuple(clause, clause).map((should) => ({ bool: { should } })),
  fc.tuple(clause, clause).map((queries) => ({ dis_max: { queries } })),
)
const sort = fc.constantFrom(
  undefined,
  ['_doc'],
  [{ time: 'desc' }],
  [{ n: 'asc' }],
  [{ n: 'desc' }, { k: 'asc' }],
  [{ k: 'asc' }, { time: 'desc' }],
  ['_score', { n: 'asc' }],
)

interface Asked {
  readonly search: TestSearch
  readonly options: Partial<ShardSearchRequest>
}
const asked: fc.Arbitrary<Asked> = fc
  .record({
    query,
    sort,
    size: fc.integer({ min: 1, max: 30 }),
    postFilter: fc.option(clause, { nil: undefined }),
    minScore: fc.constantFrom(undefined, undefined, undefined, 0.4),
    totalUpTo: fc.constantFrom(undefined, -1, 10, 1_000),
    trackScores: fc.boolean(),
    collapse: fc.constantFrom(undefined, undefined, { field: 'k' }),
    skip: fc.nat(3),
  })
  .map(({ query, sort, size, postFilter, ...options }) => ({
    search: sort === undefined ? { query, size } : { query, sort, size },
    options: {
      ...options,
      postFilter: postFilter && parseQueryBody(Buffer.from(JSON.stringify(postFilter))),
    },
  }))

/** Every match with its score, regardless of other options. */
function matches(shard: typeof flat, { search, options }: Asked) {
  const request = { minScore: options.minScore, trackScores: true }
  const { hits } = runSearch(shard, { query: search.query, sort: ['_doc'], size: DOCS }, request)
  return { docs: hits.map(({ shardDoc }) => shardDoc), scores: hits.map(({ score }) => score) }
}

const shown = ({ hits }: ReturnType<typeof runSearch>) =>
  hits.map(({ shardDoc, score, sort: values, group }) => ({ shardDoc, score, values, group }))

// Goal: a collector does not change the hits of a search, and receives every match once, in order. Method: random
// searches with and without a collector, compared with the list of all matches.
test('a collector receives all matches and does not change the hits', () => {
  fc.assert(
    fc.property(asked, fc.boolean(), fc.boolean(), (one, hasNested, needsScores) => {
      const shard = hasNested ? nested : flat
      const witness = new Witness(shard, needsScores)
      const found = runSearch(shard, one.search, { ...one.options, collector: witness })
      const alone = runSearch(shard, one.search, one.options)
      assert.deepEqual(shown(found), shown(alone))
      const { docs, scores } = matches(shard, one)
      assert.deepEqual(witness.docs, docs)
      if (needsScores) assert.deepEqual(witness.scores, scores)
      const exact = runSearch(shard, { ...one.search, size: 0 }, one.options).total
      const upTo = one.options.totalUpTo ?? Number.POSITIVE_INFINITY
      if (exact <= upTo) assert.equal(found.total, exact)
      else assert.ok(found.total > upTo)
      const noHits = new Witness(shard, needsScores)
      const counted = runSearch(shard, { ...one.search, size: 0 }, { ...one.options, collector: noHits })
      assert.deepEqual(noHits.docs, docs)
      assert.equal(Math.min(counted.total, upTo + 1), Math.min(exact, upTo + 1))
    }),
    { numRuns: 80 },
  )
})

test('a search_after page passes earlier matches to the collector too', () => {
  fc.assert(
    fc.property(query, sort, fc.nat(40), (asked, order, place) => {
      const search = { query: asked, sort: order ?? ['_score', '_doc'] }
      const first = runSearch(flat, { ...search, size: place + 1 })
      const behind = first.hits[place]?.sort
      if (behind === undefined) return
      const witness = new Witness(flat)
      const page = runSearch(flat, { ...search, size: 5 }, { behind, collector: witness })
      assert.deepEqual(shown(page), shown(runSearch(flat, { ...search, size: 5 }, { behind })))
      assert.deepEqual(witness.docs, matches(flat, { search, options: {} }).docs)
    }),
    { numRuns: 40 },
  )
})

test('a segment that the collector skips is still searched and counted', () => {
  for (const order of [undefined, [{ time: 'desc' }]]) {
    for (const asked of [{ match: { t: 'often' } }, { match_phrase: { t: 'common often' } }]) {
      const search = order === undefined ? { query: asked, size: 5 } : { query: asked, size: 5, sort: order }
      const witness = new Witness(flat, false, 2)
      const found = runSearch(flat, search, { collector: witness })
      assert.deepEqual(shown(found), shown(runSearch(flat, search)))
      const { docs } = matches(flat, { search, options: {} })
      assert.equal(found.total, docs.length)
      assert.deepEqual(
        witness.docs,
        docs.filter((doc) => doc < 6_400),
      )
    }
  }
})

// Elasticsearch stops when one hit too many would be collected: earlier matches that the post filter drops are still
// collected.
test('collecting ends with terminate_after hits', () => {
  const postFilter = parseQueryBody(Buffer.from(JSON.stringify({ term: { k: 'k1' } })))
  for (const size of [0, 5]) {
    const search = { query: { match: { t: 'common' } }, size }
    const { docs } = matches(flat, { search, options: {} })
    const witness = new Witness(flat)
    const found = runSearch(flat, search, { terminateAfter: 700, collector: witness })
    assert.equal(found.terminatedEarly, true)
    assert.deepEqual(witness.docs, docs.slice(0, 700))
    const hits = runSearch(flat, { ...search, sort: ['_doc'], size: DOCS }, { postFilter }).hits
    const filtered = new Witness(flat)
    const some = runSearch(flat, search, { postFilter, terminateAfter: 20, collector: filtered })
    assert.equal(some.total, 20)
    assert.deepEqual(
      filtered.docs,
      docs.filter((doc) => doc < hits[20]!.shardDoc),
    )
  }
})

test('threads that share a search share their collected state', () => {
  const isOwn = (segment: number) => segment !== 0
  for (const asked of [{ match: { t: 'often' } }, { match_phrase: { t: 'common often' } }]) {
    const search = { query: asked, size: 5 }
    const { docs } = matches(flat, { search, options: {} })
    const plain = runSearch(flat, search)
    let given: unknown
    const give = (found: unknown) => {
      given = structuredClone(found)
    }
    const helper = { leads: false, isOwn: (segment: number) => !isOwn(segment), take: () => undefined, give }
    runSearch(flat, search, { share: helper, collector: new Witness(flat) })
    for (const found of [given, undefined]) {
      const witness = new Witness(flat)
      const leader = { leads: true, isOwn, take: () => found, give }
      const shared = runSearch(flat, search, { share: leader, collector: witness })
      assert.deepEqual(shown(shared), shown(plain))
      assert.equal(shared.total, docs.length)
      assert.deepEqual(
        witness.docs.sort((a, b) => a - b),
        docs,
      )
    }
  }
})
