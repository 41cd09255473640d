import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { encodeJson } from '../../../base/json/json-writer.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import { openTestShard, type TestDocument } from '../../search/search-fixture.ts'
import type { IndexSortField } from '../../segment/index-sort.ts'
import { aggregate, type TestAggregation, type TestAnswer } from '../aggregation-fixture.ts'

const PROPERTIES = {
  k: { type: 'keyword' },
  n: { type: 'integer' },
  l: { type: 'long' },
  d: { type: 'date' },
  b: { type: 'boolean' },
  p: { type: 'geo_point' },
}

type Source = Record<string, unknown>

/** Few values, so that keys repeat; several per document, or none. */
const documents = fc.array(
  fc.record(
    {
      k: fc.oneof(fc.constantFrom('a', 'b', 'c', 'ä'), fc.subarray(['a', 'b', 'c'])),
      n: fc.oneof(fc.integer({ min: -6, max: 6 }), fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 })),
      l: fc.constantFrom(1, 2, '9007199254740993', '9007199254740995'),
      d: fc.constantFrom(
        '2024-03-30T22:00:00Z',
        '2024-03-31T00:30:00Z',
        '2024-03-31T01:30:00Z',
        '2024-10-27T01:30:00Z',
      ),
      b: fc.boolean(),
      p: fc.constantFrom('52.5,13.4', '48.1,11.6', '40.7,-74'),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 40 },
)

const direction = fc.record(
  { order: fc.constantFrom('asc', 'desc'), missing_bucket: fc.boolean() },
  { requiredKeys: [] },
)

/** `missing_order` is only allowed with `missing_bucket`. */
const common = fc
  .tuple(direction, fc.constantFrom(undefined, 'first', 'last'))
  .map(([given, missingOrder]) =>
    given.missing_bucket === true && missingOrder !== undefined ? { ...given, missing_order: missingOrder } : given,
  )

const source = fc
  .tuple(
    fc.constantFrom<Source>(
      { terms: { field: 'k' } },
      { terms: { field: 'n' } },
      { terms: { field: 'l' } },
      { terms: { field: 'b' } },
      { histogram: { field: 'n', interval: 2.5 } },
      { date_histogram: { field: 'd', calendar_interval: 'day', time_zone: 'Europe/Berlin' } },
      { date_histogram: { field: 'd', fixed_interval: '90m', format: 'iso8601' } },
      { geotile_grid: { field: 'p', precision: 8 } },
      { geotile_grid: { field: 'p', precision: 12, bounds: { wkt: 'BBOX (5, 15, 55, 47)' } } },
      { geotile_grid: { field: 'p', precision: 8, bounds: { wkt: 'BBOX (5, 15, 55, 47)' } } },
    ),
    common,
  )
  .map(([kind, options]) => {
    const [name, body] = Object.entries(kind)[0]! as [string, Source]
    return { [name]: { ...body, ...options } }
  })

const sources = fc
  .array(source, { minLength: 1, maxLength: 3 })
  .map((list) => list.map((one, i) => ({ [`s${i}`]: one })))

function withIds(docs: readonly Source[]): TestDocument[] {
  return docs.map((one, i) => ({ id: String(i), source: one }))
}

/** Splits a list into `parts` of about equal length. */
function split<T>(list: readonly T[], parts: number): T[][] {
  return Array.from({ length: parts }, (_, i) => list.filter((_, j) => j % parts === i))
}

function page(shards: readonly SearchExecutionContext[], composite: Source, options: TestAggregation = {}): TestAnswer {
  return aggregate(shards, { c: { composite, aggs: { m: { sum: { field: 'n' } } } } }, options).c
}

function allPages(
  shards: readonly SearchExecutionContext[],
  composite: Source,
  options: TestAggregation = {},
): unknown[] {
  const buckets: unknown[] = []
  let after: unknown
  for (;;) {
    const answer = page(shards, after === undefined ? composite : { ...composite, after }, options)
    buckets.push(...answer.buckets)
    if (answer.buckets.length === 0) return buckets
    after = answer.after_key
    assert.ok(buckets.length < 2_000, 'the pages do not end')
  }
}

/** Matches every document, but in a form that prevents walking by the first source. */
const UNWALKED = { bool: { must_not: { term: { k: 'none' } } } }

describe('the composite aggregation', () => {
  // Goal: paging never loses, repeats or reorders a bucket, for any page size and sources. Method: random documents and
  // sources; all pages by `after` compared with one page that contains everything.
  test('all pages of a composite together equal the complete result', () => {
    fc.assert(
      fc.property(documents, sources, fc.integer({ min: 1, max: 7 }), (docs, list, size) => {
        const shard = openTestShard(PROPERTIES, split(withIds(docs), 2))
        const whole = page([shard], { sources: list, size: 1000 })
        assert.deepEqual(allPages([shard], { sources: list, size }), whole.buckets)
      }),
      { numRuns: 60 },
    )
  })

  // Goal: the distribution of documents over segments and shards does not matter. Method: the same documents in one
  // segment, in three, and in three shards.
  test('the result of a composite does not depend on segments and shards', () => {
    fc.assert(
      fc.property(documents, sources, fc.integer({ min: 1, max: 9 }), (docs, list, size) => {
        const parts = split(withIds(docs), 3)
        const one = page([openTestShard(PROPERTIES, [withIds(docs)])], { sources: list, size })
        assert.deepEqual(page([openTestShard(PROPERTIES, parts)], { sources: list, size }), one)
        const shards = parts.map((part) => openTestShard(PROPERTIES, [part]))
        assert.deepEqual(page(shards, { sources: list, size }), one)
      }),
      { numRuns: 50 },
    )
  })

  // Goal: finding documents by the first source or by the index sort changes only the amount of work. Method: pages of
  // a query that allows it compared with one that does not, with and without an index sort.
  test('early termination of a composite does not change the result', () => {
    const single = documents.map((docs) => docs.map(({ k, n, ...rest }) => ({ ...rest, k: first(k), n: first(n) })))
    const sorts = fc.array(
      fc.record({
        field: fc.constantFrom('k', 'n', 'd'),
        descending: fc.boolean(),
        missingFirst: fc.boolean(),
        mode: fc.constant<'min'>('min'),
      }),
      { maxLength: 2 },
    )
    fc.assert(
      fc.property(
        single,
        sources,
        sorts,
        fc.integer({ min: 1, max: 4 }),
        (docs, list, indexSort: IndexSortField[], size) => {
          const distinct = indexSort.filter(({ field }, i) => indexSort.findIndex((one) => one.field === field) === i)
          const shard = openTestShard(PROPERTIES, split(withIds(docs), 2), { indexSort: distinct })
          const composite = { sources: list, size }
          const scanned = allPages([shard], composite, { query: UNWALKED })
          assert.deepEqual(allPages([shard], composite, { indexSort: distinct }), scanned)
          assert.deepEqual(allPages([shard], composite, { query: UNWALKED, indexSort: distinct }), scanned)
        },
      ),
      { numRuns: 60 },
    )
  })

  // Goal: a range over the first source is read from the ordered index, with the same result.
  test('a composite over a range of its first source equals a full scan', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom('asc', 'desc'), fc.integer({ min: -3, max: 3 }), (docs, order, gte) => {
        const shard = openTestShard(PROPERTIES, split(withIds(docs), 2))
        const composite = {
          sources: [{ s: { terms: { field: 'n', order } } }, { t: { terms: { field: 'k' } } }],
          size: 2,
        }
        const range = { range: { n: { gte, lt: 5 } } }
        const scanned = allPages([shard], composite, { query: { bool: { must: [range, UNWALKED] } } })
        assert.deepEqual(allPages([shard], composite, { query: range }), scanned)
      }),
      { numRuns: 40 },
    )
  })

  // Goal: slices are disjoint and complete, and the total counts each key once.
  test('slices of a composite partition the buckets', () => {
    fc.assert(
      fc.property(documents, sources, fc.integer({ min: 1, max: 4 }), (docs, list, max) => {
        const shards = split(withIds(docs), 2).map((part) => openTestShard(PROPERTIES, [part]))
        const whole = page(shards, { sources: list, size: 1000, track_total_buckets: true })
        assert.equal(whole.total_buckets, whole.buckets.length)
        const parts = Array.from({ length: max }, (_, id) =>
          allPages(shards, { sources: list, size: 3, slice: { id, max } }),
        )
        const key = (bucket: TestAnswer) => encodeJson(bucket).toString()
        assert.deepEqual(parts.flat().map(key).sort(), whole.buckets.map(key).sort())
      }),
      { numRuns: 40 },
    )
  })

  test('composite keys print as in Elasticsearch', () => {
    const shard = openTestShard(PROPERTIES, [
      withIds([{ k: 'x', n: 7, l: '9007199254740993', d: '2024-03-31T01:30:00Z', b: true }]),
    ])
    const { after_key: key } = page([shard], {
      sources: [
        { k: { terms: { field: 'k' } } },
        { h: { histogram: { field: 'n', interval: 5 } } },
        { b: { terms: { field: 'b' } } },
        {
          d: {
            date_histogram: { field: 'd', calendar_interval: 'day', time_zone: 'Europe/Berlin', format: 'iso8601' },
          },
        },
        { m: { terms: { field: 'nothing', missing_bucket: true } } },
      ],
    })
    assert.deepEqual(key, { k: 'x', h: 5, b: true, d: '2024-03-31T00:00:00.000+01:00', m: null })
  })

  test('a composite prints the keys of an index that has the field, whatever indices without it are searched', () => {
    const without = openTestShard({ k: { type: 'keyword' } }, [withIds([{ k: 'a' }])])
    const shard = openTestShard(PROPERTIES, [withIds([{ n: 2, b: true }])])
    const named = [
      { n: { terms: { field: 'n', missing_bucket: true } } },
      { b: { terms: { field: 'b', missing_bucket: true } } },
    ]
    const whole = page([without, shard], { sources: named, size: 10 })
    assert.deepEqual(
      whole.buckets.map(({ key }: TestAnswer) => key),
      [
        { n: null, b: null },
        { n: 2, b: true },
      ],
    )
    assert.deepEqual(whole.after_key, { n: 2, b: true })
  })

  test('pipelines inside a composite are rejected by default', () => {
    const shard = openTestShard(PROPERTIES, [withIds([{ k: 'x', n: 1 }])])
    const composite = { sources: [{ k: { terms: { field: 'k' } } }] }
    assert.throws(
      () => aggregate([shard], { c: { composite, aggs: { p: { bucket_sort: { size: 1 } } } } }),
      /\[search\.composite\.allow_pipeline_aggregations\]/,
    )
  })

  test("invalid composite requests are rejected with Elasticsearch's messages", () => {
    const shard = openTestShard(PROPERTIES, [withIds([{ k: 'x', n: 1 }])])
    const refused = (composite: Source) => {
      try {
        page([shard], composite)
      } catch (error) {
        return (error as Error).message
      }
      return 'accepted'
    }
    const k = { k: { terms: { field: 'k' } } }
    assert.match(refused({ sources: [k], after: { k: 5 } }), /expected string, got Integer$/)
    assert.match(refused({ sources: [k], after: {} }), /^\[after\] has 0 value\(s\) but \[sources\] has 1$/)
    assert.match(refused({ sources: [k], size: 0 }), /\[size\] must be greater than 0/)
    assert.match(refused({ sources: [k], size: 70_000 }), /^Trying to create too many buckets/)
    assert.match(refused({ sources: [{ k: { terms: {} } }] }), /^Required one of fields/)
    assert.match(refused({ sources: [k], slice: { id: 2, max: 2 } }), /failed to parse field \[slice\]/)
    assert.match(
      refused({ sources: [{ d: { terms: { field: 'k', missing_order: 'last' } } }] }),
      /^missingOrder can only be set if missingBucket is true$/,
    )
  })
})

function first<T>(value: T | readonly T[] | undefined): T | undefined {
  return Array.isArray(value) ? value[0] : (value as T | undefined)
}
