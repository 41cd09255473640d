import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AggregationMemory } from './aggregation-memory.ts'
import { BucketInts } from './bucket-arrays.ts'
import { BucketSums } from './compensated-sum.ts'

interface Block {
  readonly values: readonly number[]
  readonly whole: boolean
}

const entries = { minLength: 1, maxLength: 40 }
const arbitraryBlock: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ values: fc.array(fc.integer(), entries), whole: fc.constant(true) }),
  fc.record({ values: fc.array(fc.integer({ min: 2 ** 40, max: 2 ** 52 }), entries), whole: fc.constant(true) }),
  fc.record({
    values: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e9, min: -1e9 }), entries),
    whole: fc.constant(false),
  }),
)

// Goal: the shortcut for integers never changes a sum. Method: random blocks in random buckets, once as single values
// with known bounds, once through the plain loop.
test('sums of single values equal those of the compensated loop', () => {
  fc.assert(
    fc.property(fc.array(arbitraryBlock, { maxLength: 6 }), fc.integer({ min: 1, max: 4 }), (blocks, bucketCount) => {
      const fast = new BucketSums(new AggregationMemory())
      const plain = new BucketSums(new AggregationMemory())
      const counts = new BucketInts(new AggregationMemory())
      plain.reserve(bucketCount)
      for (const { values: listed, whole } of blocks) {
        const values = Float64Array.from(listed)
        const buckets = Int32Array.from(listed, (value) => Math.abs(Math.trunc(value / 3)) % bucketCount)
        const sumMax = listed.reduce((sum, value) => sum + Math.abs(value), 0)
        fast.expect(whole ? sumMax : Number.POSITIVE_INFINITY)
        fast.addSingles(values, buckets, listed.length, counts)
        plain.addBlock(
          values,
          Int32Array.from({ length: listed.length + 1 }, (_, i) => i),
          buckets,
          listed.length,
        )
      }
      for (let bucket = 0; bucket < bucketCount; bucket++) assert.equal(fast.get(bucket), plain.get(bucket))
      assert.equal(
        counts.array.reduce((sum, count) => sum + count, 0),
        blocks.reduce((sum, { values }) => sum + values.length, 0),
      )
    }),
  )
})

// Goal: an overflowing sum is Infinity, as in Elasticsearch, and not NaN. Method: values that overflow, followed by
// some that would bring the sum back; one by one, in runs and from another thread.
test('an overflowing sum stays infinite', () => {
  const values = Float64Array.of(1.7e308, 1.7e308, -1.7e308, 5)
  const buckets = new Int32Array(values.length)
  const offsets = Int32Array.from({ length: values.length + 1 }, (_, i) => i)
  const plain = new BucketSums(new AggregationMemory())
  const fast = new BucketSums(new AggregationMemory())
  const taken = new BucketSums(new AggregationMemory())
  for (const sums of [plain, fast, taken]) sums.reserve(1)
  fast.expect(Number.POSITIVE_INFINITY)
  for (let round = 0; round < 2; round++) {
    plain.addBlock(values, offsets, buckets, values.length)
    fast.addSingles(values, buckets, values.length, undefined)
    taken.take(fast.give(), undefined)
  }
  assert.deepEqual([plain.get(0), fast.get(0), taken.get(0)], [Infinity, Infinity, Infinity])
})
