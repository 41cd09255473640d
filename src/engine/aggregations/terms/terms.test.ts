import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openTestShard, type TestDocument } from '../../search/search-fixture.ts'
import { aggregate, type TestAnswer } from '../aggregation-fixture.ts'

const PROPERTIES = {
  k: { type: 'keyword' },
  n: { type: 'integer' },
  g: { type: 'double' },
  b: { type: 'boolean' },
  ip: { type: 'ip' },
  t: { type: 'text' },
}

type Source = Record<string, unknown>

const withIds = (docs: readonly Source[]): TestDocument[] => docs.map((source, i) => ({ id: String(i), source }))
const shardOf = (...batches: Source[][]) => openTestShard(PROPERTIES, batches.map(withIds))
const keys = (answer: TestAnswer) => answer.buckets.map(({ key }: TestAnswer) => key)
const counts = (answer: TestAnswer) => answer.buckets.map((bucket: TestAnswer) => bucket.doc_count)

function terms(shards: readonly ReturnType<typeof shardOf>[], body: Source, aggs?: Source): TestAnswer {
  return aggregate(shards, { x: { terms: body, ...(aggs === undefined ? {} : { aggs }) } }).x
}

describe('the terms aggregation', () => {
  const shard = shardOf(
    [{ k: ['a', 'b'], n: 1 }, { k: 'a', n: 5, b: true }, { k: 'c' }],
    [
      { k: 'b', n: 9, b: false },
      { n: 7, ip: '10.0.0.1' },
      { k: 'a', g: 0.5 },
    ],
  )

  test('a terms aggregation counts documents by value, most first, ties by key', () => {
    const answer = terms([shard], { field: 'k' })
    assert.deepEqual(keys(answer), ['a', 'b', 'c'])
    assert.deepEqual(counts(answer), [3, 2, 1])
    assert.equal(answer.sum_other_doc_count, 0)
  })

  test('a terms aggregation reports documents of unlisted terms in sum_other_doc_count', () => {
    const answer = terms([shard], { field: 'k', size: 1 })
    assert.deepEqual(keys(answer), ['a'])
    assert.equal(answer.sum_other_doc_count, 3)
  })

  test('a terms aggregation can be ordered by key, by count, and by a sub-aggregation', () => {
    assert.deepEqual(keys(terms([shard], { field: 'k', order: { _key: 'desc' } })), ['c', 'b', 'a'])
    assert.deepEqual(keys(terms([shard], { field: 'k', order: { _count: 'asc' } })), ['c', 'b', 'a'])
    const byAverage = { field: 'k', order: { 'f>m': 'desc' } }
    const children = { f: { filter: { match_all: {} }, aggs: { m: { avg: { field: 'n' } } } } }
    // In this order an average without values comes first.
    assert.deepEqual(keys(terms([shard], byAverage, children)), ['c', 'b', 'a'])
  })

  test('a terms aggregation with an order path that leads nowhere is rejected', () => {
    const children = {
      m: { max: { field: 'n' } },
      s: { stats: { field: 'n' } },
      t: { terms: { field: 'k' } },
      f: { filter: { match_all: {} }, aggs: { m: { max: { field: 'n' } } } },
    }
    const refused = (path: string, reason: RegExp, aggs: Source | undefined = children) =>
      assert.throws(
        () => terms([shard], { field: 'k', order: { [path]: 'asc' } }, aggs),
        (error: { message: string; causedBy?: { message: string } }) =>
          reason.test(error.message) || reason.test(error.causedBy?.message ?? ''),
        path,
      )
    refused('zz', /path \[zz\]\. The provided aggregation \[zz\] either does not exist/)
    refused('f>zz', /path \[f>zz\]\. The provided aggregation \[zz\] either does not exist/)
    refused('s', /When ordering on a multi-value metrics aggregation a metric name must be specified/)
    refused('s.foo', /Unknown metric name \[foo\] on multi-value metrics aggregation \[s\]/)
    refused('m.foo', /Ordering on a single-value metrics aggregation can only be done on its value/)
    refused('f.foo', /Buckets can only be sorted on a sub-aggregator path .* at the path end\.$/)
    refused('t', /Buckets can only be sorted on a sub-aggregator path .* at the path end\.$/)
    refused('t>m', /\[t\] is not single-bucket/)
    // Without children it is reported when the buckets are sorted.
    refused('zz', /path \[zz\]\. Cannot find aggregation named \[zz\]/, {})
  })

  test('terms of numbers, booleans and addresses print in the form of their type', () => {
    assert.deepEqual(terms([shard], { field: 'b' }).buckets, [
      { key: 0, key_as_string: 'false', doc_count: 1 },
      { key: 1, key_as_string: 'true', doc_count: 1 },
    ])
    assert.deepEqual(keys(terms([shard], { field: 'ip' })), ['10.0.0.1'])
    assert.deepEqual(keys(terms([shard], { field: 'g' })), [0.5])
    assert.deepEqual(terms([shard], { field: 'n', format: '000' }).buckets[0], {
      key: 1,
      key_as_string: '001',
      doc_count: 1,
    })
  })

  test('a terms aggregation supports include, exclude, missing and min_doc_count', () => {
    assert.deepEqual(keys(terms([shard], { field: 'k', include: '[ab]', exclude: ['b'] })), ['a'])
    assert.deepEqual(keys(terms([shard], { field: 'n', include: [5, 7] })), [5, 7])
    assert.deepEqual(keys(terms([shard], { field: 'k', missing: 'none' })), ['a', 'b', 'c', 'none'])
    assert.deepEqual(keys(terms([shard], { field: 'k', min_doc_count: 2 })), ['a', 'b'])
    const none = aggregate([shard], { x: { terms: { field: 'k', min_doc_count: 0 } } }, { query: { term: { n: 9 } } }).x
    assert.deepEqual(counts(none), [1, 0, 0])
    const standIn = { terms: { field: 'k', min_doc_count: 0, missing: 'none' } }
    const valued = aggregate([shard], { x: standIn }, { query: { term: { n: 9 } } }).x
    assert.deepEqual(keys(valued), ['b', 'a', 'c', 'none'])
    const parts = [0, 1, 2].flatMap((partition) =>
      keys(terms([shard], { field: 'k', include: { partition, num_partitions: 3 } })),
    )
    assert.deepEqual(parts.sort(), ['a', 'b', 'c'])
  })

  test('rare_terms counts a number twice if a document has it twice', () => {
    const twice = shardOf([{ n: [17, 17] }, { n: [3, 4] }])
    const rare = (maxDocCount: number) =>
      aggregate([twice], { x: { rare_terms: { field: 'n', max_doc_count: maxDocCount } } }).x
    assert.deepEqual(keys(rare(1)), [3, 4])
    assert.deepEqual(
      [keys(rare(2)), counts(rare(2))],
      [
        [3, 4, 17],
        [1, 1, 2],
      ],
    )
  })

  test('a terms aggregation rejects text fields and fields without doc values', () => {
    assert.throws(() => terms([shard], { field: 't' }), /Fielddata is disabled on \[t\] in \[test\]/)
    assert.throws(
      () => terms([shard], { field: 'k', execution_hint: 'foo' }),
      /expected any of \[map, global_ordinals\]/,
    )
    assert.deepEqual(keys(terms([shard], { field: 'nothing', execution_hint: 'foo' })), [])
    assert.throws(
      () => aggregate([shard], { x: { significant_terms: { field: 'k', execution_hint: 'foo' } } }),
      /expected any of \[map, global_ordinals\]/,
    )
    assert.throws(() => terms([shard], { field: 'n', include: 'a.*' }), /cannot support regular expression style/)
  })

  // Goal: the reported error is the number of documents that shards may have omitted.
  test('a terms aggregation reports the error bound of counts over several shards', () => {
    const docs = (text: string) => [...text].map((k) => ({ k }))
    const shards = [shardOf(docs('aaaabbcc')), shardOf(docs('bbbbccaa'))]
    const answer = terms(shards, { field: 'k', size: 2, shard_size: 2, show_term_doc_count_error: true })
    assert.equal(answer.doc_count_error_upper_bound, 4)
    assert.deepEqual(answer.buckets, [
      { key: 'a', doc_count: 6, doc_count_error_upper_bound: 0 },
      { key: 'b', doc_count: 6, doc_count_error_upper_bound: 0 },
    ])
    assert.equal(answer.sum_other_doc_count, 4)
  })

  const documents = fc.array(
    fc.record({ k: fc.subarray(['a', 'b', 'c', 'd', 'e']), n: fc.integer({ min: -3, max: 3 }) }, { requiredKeys: [] }),
    { maxLength: 40 },
  )

  // Goal: children see the documents of the kept buckets in every collect mode and distribution. Method: the same
  // aggregation breadth first, depth first, in one segment, in several, and in two shards.
  test('the result of a terms aggregation does not depend on collect mode, segments and shards', () => {
    const aggs = { m: { stats: { field: 'n' } }, t: { terms: { field: 'n', order: { _key: 'asc' } } } }
    fc.assert(
      fc.property(documents, fc.integer({ min: 1, max: 5 }), (docs, size) => {
        const body = { field: 'k', size, shard_size: 50 }
        const one = terms([shardOf(docs)], { ...body, collect_mode: 'breadth_first' }, aggs)
        const parts = [docs.filter((_, i) => i % 2 === 0), docs.filter((_, i) => i % 2 === 1)]
        assert.deepEqual(terms([shardOf(...parts)], { ...body, collect_mode: 'depth_first' }, aggs), one)
        assert.deepEqual(
          terms([shardOf(...parts)], { ...body, shard_size: size, collect_mode: 'breadth_first' }, aggs),
          one,
        )
        assert.deepEqual(
          terms(
            parts.map((part) => shardOf(part)),
            body,
            aggs,
          ),
          one,
        )
      }),
      { numRuns: 50 },
    )
  })
})

// Goal: integers counted in an array have the same counts as those in the hash table. Method: random segments, the same
// terms with and without a child, which needs the documents.
test('integers of a small range have the same counts as others', () => {
  const number = fc.option(fc.integer({ min: -30, max: 4_000 }), { nil: undefined })
  fc.assert(
    fc.property(fc.array(fc.array(number, { maxLength: 30 }), { maxLength: 4 }), (segments) => {
      const batches = segments.map((numbers, s) => numbers.map((n, i) => ({ id: `${s}-${i}`, source: { n } })))
      const shard = openTestShard({ n: { type: 'short' } }, batches)
      for (const terms of [
        { field: 'n', size: 3 },
        { field: 'n', order: { _key: 'desc' } },
        { field: 'n', missing: 7 },
      ]) {
        const child = { c: { value_count: { field: 'n' } } }
        const { plain, looked } = aggregate([shard], { plain: { terms }, looked: { terms, aggs: child } })
        const bare = ({ buckets, ...rest }: TestAnswer) => ({
          ...rest,
          buckets: buckets.map(({ key, doc_count }: TestAnswer) => [key, doc_count]),
        })
        assert.deepEqual(bare(plain), bare(looked))
      }
    }),
    { numRuns: 60 },
  )
})
