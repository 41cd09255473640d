import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openTestShard, type TestDocument } from '../../search/search-fixture.ts'
import type { SegmentShare } from '../../search/walk/segment-share.ts'
import { aggregate, type TestAnswer } from '../aggregation-fixture.ts'

const PROPERTIES = {
  one: { type: 'keyword' },
  several: { type: 'keyword' },
  address: { type: 'ip' },
  n: { type: 'integer' },
  parts: {
    type: 'nested',
    include_in_root: true,
    properties: { name: { type: 'keyword' }, size: { type: 'integer' } },
  },
  items: { type: 'nested', properties: { name: { type: 'keyword' }, size: { type: 'integer' } } },
}

/**
 * Matches every document in a form that is not recognized as `match_all`, so that documents are collected one by one.
 */
const LOOKED_AT = { range: { n: { gte: 0 } } }

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g')
const object = fc.record({ name: word, size: fc.nat(9) })
const source = fc.record({
  one: fc.option(word, { nil: undefined }),
  several: fc.array(word, { maxLength: 4 }),
  address: fc.option(
    fc.nat(5).map((last) => `10.0.0.${last}`),
    { nil: undefined },
  ),
  n: fc.nat(9),
  parts: fc.array(object, { maxLength: 3 }),
  items: fc.array(object, { maxLength: 3 }),
})
const document = fc.record({ source, deleted: fc.constantFrom(false, false, false, false, true) })

function shardOf(batches: readonly { source: Record<string, unknown>; deleted: boolean }[][]) {
  let id = 0
  return openTestShard(
    PROPERTIES,
    batches.map((batch) => batch.map((doc): TestDocument => ({ id: String(id++), ...doc }))),
  )
}

/** Terms with every kind of child, of which few are kept. */
function requests(field: string, of: string): Record<string, TestAnswer> {
  const children = {
    s: { sum: { field: of } },
    t: { terms: { field: 'several' }, aggs: { m: { max: { field: of } } } },
  }
  return {
    plain: { terms: { field } },
    few: { terms: { field, size: 2, shard_size: 2 } },
    chosen: { terms: { field, size: 2, shard_size: 2, collect_mode: 'breadth_first' }, aggs: children },
    depth: { terms: { field, size: 2, shard_size: 2, collect_mode: 'depth_first' }, aggs: children },
    some: { terms: { field, include: ['a', 'c', 'f'] } },
    rest: { terms: { field, exclude: ['b', 'd'], min_doc_count: 0 } },
    filled: { terms: { field, missing: 'c' } },
    different: { cardinality: { field } },
    estimated: { cardinality: { field, precision_threshold: 0 } },
  }
}

describe('terms aggregations with precomputed counts', () => {
  // Goal: counts from term dictionaries and postings equal those of counting documents. Method: random documents in
  // several segments, some deleted; the same request with match_all and with a query that matches all.
  test('counts from the term dictionary agree with counting documents', () => {
    fc.assert(
      fc.property(fc.array(fc.array(document, { maxLength: 8 }), { maxLength: 3 }), (batches) => {
        const shard = shardOf(batches)
        const below = (path: string) => ({
          nested: { path },
          aggs: {
            ...requests(`${path}.name`, `${path}.size`),
            up: {
              terms: { field: `${path}.name`, size: 2, shard_size: 2, collect_mode: 'breadth_first' },
              aggs: { r: { reverse_nested: {}, aggs: { t: { terms: { field: 'several' } } } } },
            },
          },
        })
        const aggs = {
          ...requests('one', 'n'),
          other: { filter: { match_all: {} }, aggs: requests('several', 'n') },
          many: { terms: { field: 'several', size: 2, shard_size: 2 }, aggs: { t: { terms: { field: 'one' } } } },
          address: { terms: { field: 'address' } },
          passedOn: { terms: { field: 'parts.name' } },
          inside: { terms: { field: 'items.name' } },
          parts: below('parts'),
          items: below('items'),
          count: { nested: { path: 'items' } },
          again: {
            nested: { path: 'items' },
            aggs: { own: { nested: { path: 'items' }, aggs: { t: { terms: { field: 'items.name' } } } } },
          },
        }
        assert.deepEqual(aggregate([shard], aggs), aggregate([shard], aggs, { query: LOOKED_AT }))
      }),
      { numRuns: 150 },
    )
  })

  // Goal: documents of chosen terms are replayed in order, however many there are. Method: more documents than a
  // window, one term each; a filter below checks windows in order.
  test('documents of chosen terms pass through a filter sub-aggregation', () => {
    const docs = Array.from({ length: 9_000 }, (_, i): TestDocument => {
      return { id: String(i), source: { one: `k${i % 7}`, n: i % 5 } }
    })
    const shard = openTestShard(PROPERTIES, [docs.slice(0, 8_500), docs.slice(8_500)])
    const aggs = {
      t: {
        terms: { field: 'one', size: 3, shard_size: 3, collect_mode: 'breadth_first' },
        aggs: { f: { filter: { term: { n: 2 } }, aggs: { t: { terms: { field: 'n' } } } } },
      },
    }
    const { t } = aggregate([shard], aggs)
    assert.deepEqual(t, aggregate([shard], aggs, { query: LOOKED_AT }).t)
    assert.equal(
      t.buckets[0].f.doc_count,
      docs.filter(({ source }) => source['one'] === 'k0' && source['n'] === 2).length,
    )
  })

  // Goal: counts do not depend on which thread counts a segment, nor on whether children read the documents of chosen
  // terms. Method: segments with and without deletes, every other one collected by a helper whose state is merged into
  // the leader's.
  test('threads that share the segments give the same result as one thread', () => {
    const batches = Array.from({ length: 4 }, (_, b) =>
      Array.from({ length: 60 }, (_, i) => ({
        source: { one: `k${(i * 7 + b) % 13}`, several: [`s${i % 3}`, `s${i % 5}`], n: i % 9, items: [], parts: [] },
        deleted: b === 1 && i % 10 === 0,
      })),
    )
    const shard = shardOf(batches)
    const aggs = requests('one', 'n')
    delete aggs['filled']
    let found: unknown
    const helper: SegmentShare = {
      leads: false,
      isOwn: (segment) => segment % 2 === 1,
      take: () => undefined,
      give: (given) => {
        found = structuredClone(given)
      },
    }
    aggregate([shard], aggs, { share: helper })
    assert.notEqual(found, undefined)
    const leader: SegmentShare = {
      leads: true,
      isOwn: (segment) => segment % 2 === 0,
      take: () => found,
      give: () => {},
    }
    assert.deepEqual(aggregate([shard], aggs, { share: leader }), aggregate([shard], aggs))
  })
})

// Goal: a shard that is searched alone, and returns no more buckets than the response shows, gives the same response.
// Method: orders and limits of every kind, under parents that keep buckets separate and one that joins them.
test('terms of a single shard equal those of one shard among several', () => {
  const keyword = fc.constantFrom(...'abcdefghijkl')
  const source = fc.record({ one: keyword, several: fc.array(keyword, { maxLength: 4 }), n: fc.nat(9) })
  const batch = fc.array(fc.record({ source, deleted: fc.constant(false) }), { maxLength: 40 })
  const children = { t: { terms: { field: 'several', size: 2 }, aggs: { s: { sum: { field: 'n' } } } } }
  const aggs = {
    count: { terms: { field: 'one', size: 2 }, aggs: children },
    errors: { terms: { field: 'several', size: 3, show_term_doc_count_error: true, min_doc_count: 2 } },
    none: { terms: { field: 'one', size: 3, min_doc_count: 0 }, aggs: children },
    rare: { terms: { field: 'one', size: 2, order: { _count: 'asc' } } },
    named: { terms: { field: 'one', size: 2, order: { _key: 'desc' }, min_doc_count: 3 }, aggs: children },
    value: { terms: { field: 'one', size: 2, order: { s: 'desc' } }, aggs: { s: { sum: { field: 'n' } } } },
    numbers: { terms: { field: 'n', size: 2 }, aggs: children },
    joined: { variable_width_histogram: { field: 'n', buckets: 2 }, aggs: children },
  }
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 3 }), (batches) => {
      const shard = shardOf(batches)
      assert.deepEqual(aggregate([shard], aggs, { onlyShard: true }), aggregate([shard], aggs))
    }),
    { numRuns: 60 },
  )
})
