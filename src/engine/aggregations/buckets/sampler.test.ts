import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestShard } from '../../search/search-fixture.ts'
import { aggregate } from '../aggregation-fixture.ts'

const SOURCES = [{ k: 'b', n: 1 }, { k: 'a', n: 0 }, {}, { k: 'b', n: 5 }, {}]
const MAX = { m: { max: { field: 'n' } } }

describe('the diversified_sampler aggregation', () => {
  const shard = openTestShard({ k: { type: 'keyword' }, n: { type: 'integer' } }, [
    SOURCES.map((source, i) => ({ id: String(i), source })),
  ])
  const sample = (body: Record<string, unknown>, aggs: Record<string, unknown> | undefined = MAX) =>
    aggregate([shard], { s: { diversified_sampler: body, ...(aggs === undefined ? {} : { aggs }) } }).s
  const reasonOf = (body: Record<string, unknown>) => {
    try {
      sample(body)
    } catch (error) {
      const { message, causedBy } = error as { message: string; causedBy?: { message: string } }
      return causedBy?.message ?? message
    }
    return undefined
  }

  test('documents without a value count as having the first term, except with bytes_hash', () => {
    assert.equal(sample({ field: 'k' }).doc_count, 2)
    assert.equal(sample({ field: 'k', execution_hint: 'map' }).doc_count, 2)
    assert.equal(sample({ field: 'k', execution_hint: 'bytes_hash' }).doc_count, 3)
  })

  test('with map, the first term is the one that was seen first', () => {
    const missingFirst = openTestShard({ k: { type: 'keyword' }, n: { type: 'integer' } }, [
      [{ n: 7 }, { k: 'b', n: 9 }, { k: 'a', n: 8 }].map((source, i) => ({ id: String(i), source })),
    ])
    const largest = (hint: string) =>
      aggregate([missingFirst], { s: { diversified_sampler: { field: 'k', execution_hint: hint }, aggs: MAX } }).s.m
        .value
    assert.equal(largest('map'), 8)
    assert.equal(largest('global_ordinals'), 9)
  })

  test('missing is the value of documents without one', () => {
    assert.equal(sample({ field: 'k', missing: 'a' }).doc_count, 2)
    assert.equal(sample({ field: 'k', missing: 'z' }).doc_count, 3)
    assert.equal(sample({ field: 'n', missing: 0 }).doc_count, 3)
    assert.equal(sample({ field: 'n', missing: 7 }).doc_count, 4)
    assert.equal(sample({ field: 'nothing', missing: 'a', max_docs_per_value: 2 }).doc_count, 2)
  })

  test('an unmapped field makes an empty sample, with or without children and whatever the hint', () => {
    assert.deepEqual(sample({ field: 'nothing', execution_hint: 'x' }), { doc_count: 0 })
    assert.deepEqual(aggregate([shard], { s: { diversified_sampler: { field: 'nothing' } } }).s, { doc_count: 0 })
  })

  test('negative limits and unknown hints are rejected', () => {
    assert.equal(
      reasonOf({ max_docs_per_value: -1 }),
      '[maxDocsPerValue] must be greater than or equal to 0. Found [-1] in [s]',
    )
    assert.equal(
      reasonOf({ field: 'k', shard_size: -1 }),
      '[shardSize] must be greater than or equal to 0. Found [-1] in [s]',
    )
    assert.equal(
      reasonOf({ field: 'k', execution_hint: 'x' }),
      'Unknown `execution_hint`: [x], expected any of [map, bytes_hash, global_ordinals]',
    )
    assert.equal(reasonOf({ field: 'n', execution_hint: 'x' }), undefined)
  })
})
