import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AggregationMemory } from './aggregation-memory.ts'
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

// Goal: what is left out for whole numbers never shows.
// Method: random blocks in random buckets, once as single values with their bounds told, once through the plain loop.
test('sums of single values are those that the corrected loop finds', () => {
  fc.assert(
    fc.property(fc.array(arbitraryBlock, { maxLength: 6 }), fc.integer({ min: 1, max: 4 }), (blocks, bucketCount) => {
      const fast = new BucketSums(new AggregationMemory())
      const plain = new BucketSums(new AggregationMemory())
      const counts = new Int32Array(bucketCount)
      fast.reserve(bucketCount)
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
        counts.reduce((sum, count) => sum + count, 0),
        blocks.reduce((sum, { values }) => sum + values.length, 0),
      )
    }),
  )
})
