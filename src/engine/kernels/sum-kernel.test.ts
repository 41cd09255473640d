import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SUMMED_VALUES, SumKernel, type SumState } from './sum-kernel.ts'

const emptyState = (buckets: number): SumState => ({
  sums: new Float64Array(buckets),
  corrections: new Float64Array(buckets),
  counts: new Int32Array(buckets),
})

function addPlain({ sums, corrections, counts }: SumState, values: Float64Array, buckets: Int32Array): void {
  for (const [i, value] of values.entries()) {
    const bucket = buckets[i]!
    const corrected = value + corrections[bucket]!
    const updated = sums[bucket]! + corrected
    corrections[bucket] = corrected - (updated - sums[bucket]!)
    sums[bucket] = updated
    counts[bucket]!++
  }
}

const kernel = new SumKernel()

// Goal: sums, their corrections and counts are those of the plain loop, to the last bit. Method: random blocks of any length, in
// buckets that follow each other or not, added by both loops of the kernel.
test('blocks are added as by the plain loop', () => {
  const block = fc.record({
    values: fc.array(fc.double({ noNaN: true, min: -1e12, max: 1e12 }), { minLength: 1, maxLength: 200, size: 'max' }),
    run: fc.integer({ min: 1, max: 50 }),
  })
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), (blocks, bucketCount) => {
      const plain = emptyState(bucketCount)
      const states = [emptyState(bucketCount), emptyState(bucketCount)] as const
      for (const { values: listed, run } of blocks) {
        const values = Float64Array.from(listed)
        const buckets = Int32Array.from(listed, (_, i) => Math.floor(i / run) % bucketCount)
        addPlain(plain, values, buckets)
        for (const [i, state] of states.entries()) {
          assert.ok(kernel.add(state, { values, buckets, bound: bucketCount, count: values.length, inRuns: i === 1 }))
        }
      }
      for (const state of states) assert.deepEqual(state, plain)
    }),
    { numRuns: 50 },
  )
})

test('a sum that overflows leaves the state as it was', () => {
  const state = emptyState(2)
  const block = { values: Float64Array.of(1, 1.7e308, 1.7e308), buckets: Int32Array.of(0, 1, 1), bound: 2, count: 3 }
  for (const inRuns of [false, true]) assert.equal(kernel.add(state, { ...block, inRuns }), false)
  assert.deepEqual(state, emptyState(2))
})

test('a block may be full, and counts need not be kept', () => {
  const state = { ...emptyState(1), counts: new Int32Array(0) }
  const values = new Float64Array(SUMMED_VALUES).fill(0.1)
  const buckets = new Int32Array(SUMMED_VALUES)
  kernel.add(state, { values, buckets, bound: 1, count: SUMMED_VALUES, inRuns: true })
  const plain = emptyState(1)
  addPlain(plain, values, buckets)
  assert.deepEqual([state.sums, state.corrections], [plain.sums, plain.corrections])
})
