import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aggregate } from '../../aggregations/aggregation-fixture.ts'
import { openTestShard, runSearch, type TestDocument } from '../search-fixture.ts'
import { type SegmentShare, shareOut } from './segment-share.ts'

const WORDS = ['alpha', 'beta', 'gamma', 'delta']

function documents(): TestDocument[] {
  return Array.from({ length: 3_000 }, (_, i) => {
    const mixed = Math.imul(i + 1, 0x9e3779b1) >>> 0
    const words = WORDS.filter((_, rank) => mixed % (rank + 2) === 0)
    const source = {
      t: words.join(' '),
      n: mixed % 500,
      fraction: (mixed % 1_000) / 7,
      k: `k${mixed % 11}`,
      many: [`m${mixed % 700}`, `m${(mixed >>> 5) % 700}`],
      place: { lat: (mixed % 170) - 85, lon: ((mixed >>> 3) % 360) - 180 },
      day: new Date(Date.UTC(2024, 0, 1) + (mixed % 100) * 86_400_000).toISOString(),
      inner: [{ k: `i${mixed % 5}` }, { k: `i${mixed % 3}` }],
    }
    return { id: String(i), source, deleted: i % 41 === 0 }
  })
}

const all = documents()
const shard = openTestShard(
  {
    t: { type: 'text' },
    n: { type: 'integer' },
    fraction: { type: 'double' },
    k: { type: 'keyword' },
    many: { type: 'keyword' },
    day: { type: 'date' },
    place: { type: 'geo_point' },
    inner: { type: 'nested', properties: { k: { type: 'keyword' } } },
  },
  [all.slice(0, 300), all.slice(300, 1_800), all.slice(1_800, 2_200), all.slice(2_200)],
)

const part = shareOut(shard.view.segments, 2)

/** Results of the other thread are copied as between threads. */
class TestExchange {
  found: unknown

  readonly other: SegmentShare = {
    leads: false,
    isOwn: (segment) => part[segment] === 1,
    take: () => assert.fail('only the leader takes'),
    give: (found) => {
      this.found = structuredClone(found)
    },
  }

  leader(taking: boolean): SegmentShare {
    return {
      leads: true,
      isOwn: (segment) => part[segment] === 0,
      take: () => (taking ? this.found : undefined),
      give: () => assert.fail('the leader does not give'),
    }
  }
}

test('segments are distributed by size', () => {
  const load = [0, 0]
  for (const [segment, { reader }] of shard.view.segments.entries()) load[part[segment]!]! += reader.docCount
  assert.ok(Math.min(...load) > Math.max(...load) / 3, load.join(' and '))
})

const word = fc.constantFrom(...WORDS)
const query = fc.oneof(
  word.map((w) => ({ match: { t: w } })),
  fc.tuple(word, word).map(([a, b]) => ({ match: { t: `${a} ${b}` } })),
  fc.nat(500).map((gte) => ({ range: { n: { gte } } })),
  word.map((w) => ({ fuzzy: { t: `${w}s` } })),
  fc.nat(4).map((i) => ({ nested: { path: 'inner', query: { term: { 'inner.k': `i${i}` } } } })),
  fc.constant({ match_all: {} }),
)

test('hits of a shared search equal those of one thread, in any sort order', () => {
  const sort = fc.constantFrom(
    undefined,
    [{ n: 'desc' }],
    [{ n: 'asc' }, { day: 'desc' }],
    ['_score', 'n'],
    [{ k: 'asc' }],
    ['_doc'],
  )
  const size = fc.constantFrom(0, 1, 10, 3_000)
  const limit = fc.constantFrom(undefined, 50, 1_000)
  fc.assert(
    fc.property(query, sort, size, limit, fc.boolean(), (wanted, order, window, totalUpTo, taking) => {
      const search = { query: wanted, size: window, ...(order === undefined ? {} : { sort: order }) }
      const alone = runSearch(shard, search, { totalUpTo })
      const exchange = new TestExchange()
      runSearch(shard, search, { totalUpTo, share: exchange.other })
      const shared = runSearch(shard, search, { totalUpTo, share: exchange.leader(taking) })
      assert.deepEqual(shared.hits, alone.hits)
      assert.equal(shown(shared.total, totalUpTo), shown(alone.total, totalUpTo))
      // The best score of all is computed only as far as hits need it.
      if (window > 0 && order === undefined) assert.equal(shared.maxScore, alone.maxScore)
    }),
    { numRuns: 150 },
  )
})

const shown = (total: number, limit = Number.POSITIVE_INFINITY) => Math.min(total, limit + 1)

const metrics = {
  mean: { avg: { field: 'n' } },
  least: { min: { field: 'fraction' } },
  stats: { stats: { field: 'n' } },
  distinct: { cardinality: { field: 'many' } },
}
const AGGREGATIONS: readonly Record<string, unknown>[] = [
  { a: { terms: { field: 'k' } } },
  { a: { terms: { field: 'many', size: 7 } } },
  { a: { terms: { field: 'many', size: 5, order: { mean: 'desc' } }, aggs: metrics } },
  { a: { terms: { field: 'n', size: 20 }, aggs: { b: { terms: { field: 'k', size: 2 } } } } },
  { a: { date_histogram: { field: 'day', calendar_interval: 'week' }, aggs: metrics } },
  {
    a: {
      histogram: { field: 'n', interval: 50 },
      aggs: { b: { date_histogram: { field: 'day', calendar_interval: 'month' } } },
    },
  },
  { a: { filter: { term: { k: 'k3' } }, aggs: metrics }, ...metrics },
  {
    a: {
      nested: { path: 'inner' },
      aggs: { b: { terms: { field: 'inner.k' }, aggs: { up: { reverse_nested: {}, aggs: metrics } } } },
    },
  },
  {
    a: { terms: { field: 'many', size: 3 }, aggs: { b: { terms: { field: 'k' } }, c: { sum: { field: 'fraction' } } } },
  },
  { a: { geotile_grid: { field: 'place', precision: 3, size: 9 }, aggs: metrics } },
]

/** Aggregations that must see all documents in one thread. */
const ALONE: readonly Record<string, unknown>[] = [
  { a: { percentiles: { field: 'fraction' } }, b: { sum: { field: 'fraction' } } },
  { a: { extended_stats: { field: 'n' } }, b: { terms: { field: 'k' } } },
  { a: { composite: { sources: [{ k: { terms: { field: 'k' } } }] } } },
  { a: { global: {}, aggs: metrics } },
]

test('aggregations of a shared search equal those of one thread', () => {
  fc.assert(
    fc.property(fc.constantFrom(...AGGREGATIONS, ...ALONE), query, fc.boolean(), (aggs, wanted, taking) => {
      const alone = aggregate([shard], aggs, { query: wanted })
      const exchange = new TestExchange()
      aggregate([shard], aggs, { query: wanted, share: exchange.other })
      assert.deepEqual(aggregate([shard], aggs, { query: wanted, share: exchange.leader(taking) }), alone)
    }),
    { numRuns: 150 },
  )
})

test('common aggregations can be shared by threads, those that depend on document order cannot', () => {
  for (const [list, isShared] of [
    [AGGREGATIONS, true],
    [ALONE, false],
  ] as const) {
    for (const aggs of list) {
      const exchange = new TestExchange()
      aggregate([shard], aggs, { share: exchange.other })
      assert.equal(exchange.found !== undefined, isShared, JSON.stringify(aggs))
    }
  }
})
