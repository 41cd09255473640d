import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseQueryBody } from '../query/parse-query.ts'
import { inSearch, type SyncWork } from '../running/running-search.ts'
import { openTestShard, type TestDocument } from '../search/search-fixture.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { FilterCache, filterUse } from './filter-cache.ts'
import type { Weight } from './query.ts'
import type { Scorer } from './scorers/scorer.ts'
import { bitsToDocs, WINDOW_SIZE, WINDOW_WORDS } from './window.ts'

const PROPERTIES = {
  k: { type: 'keyword' },
  n: { type: 'integer' },
  at: { type: 'geo_point' },
  span: { type: 'integer_range' },
  items: { type: 'nested', properties: { n: { type: 'integer' } } },
}

function documents(count: number, seed: number): TestDocument[] {
  return Array.from({ length: count }, (_, i) => {
    const x = (i * 7919 + seed) % 97
    return {
      id: `${seed}-${i}`,
      source: {
        k: `k${x % 13}`,
        ...(x % 5 === 0 ? {} : { n: [x, x % 7] }),
        at: { lat: (x % 90) - 45, lon: ((x * 3) % 180) - 90 },
        span: { gte: x % 20, lte: (x % 20) + 5 },
        items: x % 3 === 0 ? [{ n: x }, { n: x % 4 }] : [],
      },
      deleted: x % 11 === 0,
    }
  })
}

const shard = openTestShard(PROPERTIES, [documents(1500, 3), documents(300, 5)])
const [first, second] = shard.view.segments as [SegmentView, SegmentView]

const plan = (query: unknown): Weight =>
  parseQueryBody(Buffer.from(JSON.stringify(query))).plan(shard, false, 1) as Weight

/** All documents of a scorer, window after window. */
function docsOf(scorer: Scorer | undefined, docCount: number): number[] {
  const docs: number[] = []
  if (scorer === undefined) return docs
  const found = new Int32Array(WINDOW_SIZE)
  for (let base = 0; base < docCount; base += WINDOW_SIZE) {
    const bits = new Uint32Array(WINDOW_WORDS)
    scorer.match(base, Math.min(base + WINDOW_SIZE, docCount), bits)
    docs.push(...found.subarray(0, bitsToDocs(bits, base, found)))
  }
  return docs
}

const within = <T>(index: string | undefined, search: SyncWork<T>): T =>
  inSearch({ filters: index === undefined ? undefined : filterUse(index) }, search)

const newCache = (leastDocs = 0, budgetBytes = 1 << 20) => new FilterCache(budgetBytes, leastDocs)

const number = fc.integer({ min: -2, max: 99 })
const leaf: fc.Arbitrary<unknown> = fc.oneof(
  fc.tuple(number, number).map(([gte, lt]) => ({ range: { n: { gte, lt } } })),
  fc.array(number, { maxLength: 4 }).map((n) => ({ terms: { n } })),
  fc.array(fc.integer({ min: 0, max: 15 }), { maxLength: 4 }).map((ks) => ({ terms: { k: ks.map((k) => `k${k}`) } })),
  fc.constantFrom('k1*', '*2', 'k?').map((k) => ({ wildcard: { k } })),
  fc.constantFrom('k1', 'k').map((k) => ({ prefix: { k } })),
  fc.constantFrom('k[1-3]', 'k1.').map((k) => ({ regexp: { k } })),
  fc.constantFrom('n', 'k', 'items.n').map((field) => ({ exists: { field } })),
  fc.constantFrom('within', 'contains', 'intersects').map((relation) => ({
    range: { span: { gte: 3, lte: 9, relation } },
  })),
  fc.integer({ min: 1, max: 40 }).map((lat) => ({
    geo_bounding_box: { at: { top_left: { lat, lon: -60 }, bottom_right: { lat: -lat, lon: 50 } } },
  })),
  fc.integer({ min: 1, max: 40 }).map((lat) => ({ geo_distance: { distance: '2000km', at: { lat, lon: 3 } } })),
  fc
    .integer({ min: 0, max: 99 })
    .map((n) => ({ nested: { path: 'items', query: { range: { 'items.n': { gte: n } } } } })),
)
const filter: fc.Arbitrary<unknown> = fc.oneof(
  leaf,
  fc.record({ filter: fc.array(leaf, { maxLength: 2 }), must_not: fc.array(leaf, { maxLength: 2 }) }).map((bool) => ({
    bool,
  })),
  fc.array(leaf, { minLength: 2, maxLength: 3 }).map((should) => ({ bool: { should, minimum_should_match: 1 } })),
)

// Goal: a cached filter matches the same documents as an evaluated one, in every view of the segment. Method: random
// filters, each used often enough to be cached, in one shared cache so that keys could be confused.
test('a cached filter matches the same documents', () => {
  const cache = newCache()
  fc.assert(
    fc.property(filter, (query) => {
      for (const segment of [first, second]) {
        const expected = docsOf(plan(query).scorer({ ...segment, live: undefined }), segment.reader.docCount)
        for (let use = 0; use < 6; use++) {
          const found = within('a', () => cache.scorer(plan(query), segment))
          assert.deepEqual(
            docsOf(found, segment.reader.docCount).filter(isLive(segment)),
            expected.filter(isLive(segment)),
          )
          const uncached = plan(query).scorer({ ...segment, live: undefined })
          if (found !== undefined && use === 5) assert.equal(found.exactCount, uncached?.exactCount)
        }
      }
    }),
    { numRuns: 60 },
  )
  const counts = countsAfter(cache, 'a')!
  assert.ok(counts.hits > 100 && counts.added > 20)
})

const isLive =
  ({ live }: SegmentView) =>
  (doc: number) =>
    live === undefined || (live[doc >> 5]! & (1 << (doc & 31))) !== 0

const RANGE = { range: { n: { gte: 10, lt: 60 } } }

function countsAfter(cache: FilterCache, owner: string) {
  return new Map(cache.takeCounts()).get(owner)
}

test('a costly filter is cached at its second use, a term never, and none in a small segment', () => {
  const cache = newCache(1000)
  const use = (query: unknown, segment = first) => within('a', () => cache.scorer(plan(query), segment))
  use(RANGE)
  assert.deepEqual(countsAfter(cache, 'a'), { hits: 0, misses: 1, added: 0, dropped: 0, evicted: 0, bytes: 0 })
  use(RANGE)
  use(RANGE)
  const counts = countsAfter(cache, 'a')
  assert.deepEqual([counts?.hits, counts?.misses, counts?.added], [1, 1, 1])
  for (let i = 0; i < 10; i++) use({ term: { k: 'k1' } })
  for (let i = 0; i < 10; i++) use(RANGE, second)
  assert.equal(countsAfter(cache, 'a'), undefined)
})

test('the segments of one search count as one use', () => {
  const cache = newCache()
  within('a', () => {
    for (const segment of [first, second]) cache.scorer(plan(RANGE), segment)
  })
  assert.equal(countsAfter(cache, 'a')?.added, 0)
})

test('nothing is cached for an index with the cache disabled', () => {
  const cache = newCache()
  for (let i = 0; i < 5; i++) within(undefined, () => cache.scorer(plan(RANGE), first))
  assert.deepEqual(cache.takeCounts(), [])
  assert.equal(cache.bytes, 0)
})

test('the least recently used filter is evicted', () => {
  const cache = newCache(0, 2500)
  const use = (gte: number) => within('a', () => cache.scorer(plan({ range: { n: { gte } } }), first))
  for (let gte = 0; gte < 10; gte++) {
    use(gte)
    use(gte)
    use(0)
    assert.ok(cache.bytes <= 2500)
  }
  const counts = countsAfter(cache, 'a')!
  assert.ok(counts.evicted > 0 && counts.evicted === counts.dropped)
  assert.equal(counts.bytes, cache.bytes)
  use(0)
  assert.equal(countsAfter(cache, 'a')?.hits, 1, 'used all the time, so still there')
})

test('clearing drops the cached filters of an index', () => {
  const cache = newCache()
  for (const owner of ['a', 'b']) {
    for (let i = 0; i < 2; i++) {
      const segment = owner === 'a' ? first : second
      within(owner, () => cache.scorer(plan(RANGE), segment))
    }
  }
  const before = new Map(cache.takeCounts())
  cache.clear('a')
  assert.equal(cache.bytes, before.get('b')?.bytes)
  cache.clear()
  assert.equal(cache.bytes, 0)
})
