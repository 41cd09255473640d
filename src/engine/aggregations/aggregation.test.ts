import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApiError } from '../../base/api-error.ts'
import { hitIds, openTestShard } from '../search/search-fixture.ts'
import { aggregate, type TestAnswer } from './aggregation-fixture.ts'
import { Reduction } from './results/reduction.ts'
import { AggregationMemory } from './state/aggregation-memory.ts'
import { BucketInts } from './state/bucket-arrays.ts'
import { BucketTable } from './state/bucket-table.ts'

const shard = openTestShard({ k: { type: 'keyword' }, n: { type: 'integer' } }, [
  [
    { id: '1', source: { k: 'a', n: 1 } },
    { id: '2', source: { k: 'b', n: 2 } },
  ],
  [
    { id: '3', source: { n: 40 } },
    { id: '4', source: { k: 'a', n: 7 }, deleted: true },
  ],
])

const refused = (aggs: Record<string, unknown>) => {
  try {
    aggregate([shard], aggs)
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

describe('aggregations in general', () => {
  test('single-bucket aggregations (filter, missing, global) and filters with an other bucket count documents', () => {
    const answer = aggregate(
      [shard],
      {
        f: { filter: { term: { k: 'a' } }, aggs: { s: { sum: { field: 'n' } } } },
        m: { missing: { field: 'k' }, meta: { why: 'shown first' } },
        g: { global: {}, aggs: { c: { value_count: { field: 'n' } } } },
        fs: { filters: { filters: { b: { term: { k: 'b' } }, a: { term: { k: 'a' } } }, other_bucket_key: 'rest' } },
      },
      { query: { range: { n: { lte: 10 } } } },
    )
    assert.deepEqual(answer, {
      f: { doc_count: 1, s: { value: 1 } },
      m: { meta: { why: 'shown first' }, doc_count: 0 },
      g: { doc_count: 3, c: { value: 3 } },
      fs: { buckets: { a: { doc_count: 1 }, b: { doc_count: 1 }, rest: { doc_count: 0 } } },
    })
  })

  test('a terms aggregation over _ignored counts the names of ignored fields', () => {
    const ignoring = openTestShard({ k: { type: 'keyword', ignore_above: 2 }, n: { type: 'integer' } }, [
      [
        { id: '0', source: { k: 'long', n: 1 } },
        { id: '1', source: { k: 'a', n: 2 } },
      ],
    ])
    const terms = { terms: { field: '_ignored', missing: 'none' } }
    const sources = [{ i: { terms: { field: '_ignored', missing_bucket: true } } }]
    const answer = aggregate([ignoring], {
      terms,
      count: { value_count: { field: '_ignored' } },
      c: { composite: { sources } },
    })
    const counts = answer.terms.buckets.map(({ key, doc_count }: TestAnswer) => [key, doc_count])
    assert.deepEqual(counts, [
      ['k', 1],
      ['none', 1],
    ])
    assert.equal(answer.count.value, 1)
    assert.deepEqual(
      answer.c.buckets.map(({ key }: TestAnswer) => key.i),
      [null, 'k'],
    )
    assert.throws(() => aggregate([ignoring], { x: { avg: { field: '_ignored' } } }), /not supported for aggregation/)
    assert.deepEqual(hitIds(ignoring, { sort: [{ _ignored: { missing: '_first' } }] }), ['1', '0'])
  })

  test('an hdr histogram names the negative value that it cannot count, and the range that it covers', () => {
    const fails = (values: readonly number[]) => {
      const shard = openTestShard({ n: { type: 'double' } }, [values.map((n, i) => ({ id: String(i), source: { n } }))])
      const hdr = { number_of_significant_value_digits: 3 }
      return () => aggregate([shard], { p: { percentiles: { field: 'n', hdr } } })
    }
    assert.throws(
      fails([0, -2]),
      /^ApiError: The value -2.0 is .* range \[6.668014432879854E240, 5.33441154630388\d*E241\) /,
    )
    assert.throws(fails([5, -5]), /The value -5.0 is .* range \[4.0, 32.0\) /)
    assert.throws(fails([1, 1000000, -7]), /The value -7.0 is .* range \[1.0, 1048576.0\) /)
  })

  test('an auto_date_histogram of one shard joins buckets that the next larger interval makes equal', () => {
    const days = openTestShard({ at: { type: 'date' } }, [
      ['2024-03-04T10:00:00.3Z', '2024-03-05T10:00:00Z', '2024-03-06T10:00:00.4Z'].map((at, i) => ({
        id: String(i),
        source: { at },
      })),
    ])
    // 48 hours fit four buckets of twelve, but the times are in 49 different hours.
    const { auto } = aggregate([days], { auto: { auto_date_histogram: { field: 'at', buckets: 4 } } })
    const { interval, buckets } = auto as unknown as { interval: string; buckets: { doc_count: number }[] }
    assert.equal(interval, '1d')
    assert.deepEqual(
      buckets.map(({ doc_count: count }) => count),
      [1, 1, 1],
    )
  })

  test('missing is rejected for a field of ranges', () => {
    const ranges = openTestShard({ r: { type: 'integer_range' } }, [[{ id: '1', source: { r: { gte: 1, lte: 3 } } }]])
    for (const kind of [
      { histogram: { field: 'r', interval: 2, missing: 2 } },
      { terms: { field: 'r', missing: 2 } },
      { cardinality: { field: 'r', missing: 2 } },
      { missing: { field: 'r', missing: 2 } },
    ]) {
      assert.throws(
        () => aggregate([ranges], { x: kind }),
        /Can't apply missing values on a class .*ValuesSource\$Range$/,
      )
    }
  })

  test('metrics over no values are null or zero', () => {
    const answer = aggregate([shard], {
      a: { avg: { field: 'nothing' } },
      s: { stats: { field: 'nothing' } },
      t: { terms: { field: 'nothing' }, aggs: { x: { max: { field: 'n' } } } },
    })
    assert.deepEqual(answer.a, { value: null })
    assert.deepEqual(answer.s, { count: 0, min: null, max: null, avg: null, sum: 0 })
    assert.deepEqual(answer.t.buckets, [])
  })

  test("a malformed aggregation is rejected with Elasticsearch's message and position", () => {
    assert.equal(refused({ x: { term: { field: 'k' } } }), 'Unknown aggregation type [term] did you mean [terms]?')
    assert.equal(refused({ x: {} }), 'Missing definition for aggregation [x]')
    assert.equal(
      refused({ x: { max: { field: 'n' }, min: { field: 'n' } } }),
      'Found two aggregation type definitions in [x]: [max] and [min]',
    )
    assert.match(refused({ 'a>b': { max: { field: 'n' } } }), /^Invalid aggregation name \[a>b\]/)
    assert.equal(
      refused({ x: { max: { field: 'n' }, aggs: { y: { min: { field: 'n' } } } } }),
      'Aggregator [x] of type [max] cannot accept sub-aggregations',
    )
    assert.equal(
      refused({ x: { avg: { field: 'k' } } }),
      'Field [k] of type [keyword] is not supported for aggregation [avg]',
    )
  })

  // Goal: a request for too many buckets or too much memory is rejected without harm to the process.
  test('an aggregation fails if it creates too many buckets or uses too many bytes', () => {
    const reduction = new Reduction(10)
    reduction.addBuckets(10)
    assert.throws(
      () => reduction.addBuckets(1),
      (error: ApiError) => error.type === 'too_many_buckets_exception',
    )
    const counts = new BucketInts(new AggregationMemory(1 << 16))
    assert.throws(
      () => counts.reserve(1 << 20),
      (error: ApiError) => error.type === 'circuit_breaking_exception' && error.status === 429,
    )
    const table = new BucketTable(new AggregationMemory(1 << 16))
    assert.throws(() => {
      for (let i = 0; i < 100_000; i++) table.add(0, i)
    }, /Data too large/)
    const memory = new AggregationMemory(1 << 18)
    let asked = 0
    const guard = { isOver: () => ++asked < 0 }
    assert.throws(() => {
      for (let i = 0; i < 100_000; i++) memory.addResult(guard)
    }, /Data too large/)
    assert.notEqual(asked, 0, 'somebody may have gone away meanwhile')
  })

  test('nested aggregations that always show all their buckets are rejected when they multiply beyond the limit', () => {
    const twice = { filters: { filters: { a: { match_all: {} }, b: { match_all: {} } } } }
    let aggs: Record<string, unknown> = { f: twice }
    for (let i = 0; i < 60; i++) aggs = { f: { ...twice, aggs } }
    assert.match(refused(aggs), /too many buckets|Data too large/)
    assert.match(refused({ t: { terms: { field: 'k', order: { 'f>f': 'asc' } }, aggs } }), /is not single-bucket/)
    for (let i = 0; i < 60; i++) aggs = { f: { ...twice, aggs } }
    assert.match(refused(aggs), /exceeds the maximum nested depth for aggregations of \[100\]/)
    const groups = `${'('.repeat(5_000)}a${')'.repeat(5_000)}`
    assert.match(refused({ t: { terms: { field: 'k', include: groups } } }), /failed to parse field \[include\]/)
    const few = `${'('.repeat(400)}a${')'.repeat(400)}`
    assert.deepEqual(aggregate([shard], { t: { terms: { field: 'k', include: few } } }).t.buckets.length < 2, true)
  })

  test('a bucket table numbers buckets by parent and key', () => {
    const table = new BucketTable(new AggregationMemory())
    for (let i = 0; i < 1000; i++) assert.equal(table.add(i % 7, Math.floor(i / 7)), i)
    for (let i = 0; i < 1000; i++) assert.equal(table.find(i % 7, Math.floor(i / 7)), i)
    assert.equal(table.add(0, -0), table.add(0, 0))
    assert.equal(table.find(7, 0), -1)
    assert.deepEqual([...table.ofParent(3)].slice(0, 3), [3, 10, 17])
  })
})
