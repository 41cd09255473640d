import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SUMMED_VALUES, SumKernel } from './sum-kernel.ts'

interface State {
  readonly sums: Float64Array
  readonly corrections: Float64Array
  readonly counts: Int32Array
}

const emptyState = (buckets: number): State => ({
  sums: new Float64Array(buckets),
  corrections: new Float64Array(buckets),
  counts: new Int32Array(buckets),
})

function addPlain({ sums, corrections, counts }: State, values: Float64Array, buckets: Int32Array): void {
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
        for (const [i, { sums, corrections, counts }] of states.entries()) {
          const bound = kernel.take(values, buckets, values.length)
          assert.equal(bound, Math.max(...buckets) + 1)
          assert.ok(kernel.add(sums, corrections, counts, bound, values.length, i === 1))
        }
      }
      for (const state of states) assert.deepEqual(state, plain)
    }),
    { numRuns: 50 },
  )
})

test('a sum that overflows leaves the state as it was', () => {
  const { sums, corrections, counts } = emptyState(2)
  const values = Float64Array.of(1, 1.7e308, 1.7e308)
  const bound = kernel.take(values, Int32Array.of(0, 1, 1), values.length)
  assert.equal(kernel.add(sums, corrections, counts, bound, values.length, false), false)
  assert.deepEqual({ sums, corrections, counts }, emptyState(2))
})

test('a block may be full, and counts need not be kept', () => {
  const { sums, corrections } = emptyState(1)
  const values = new Float64Array(SUMMED_VALUES).fill(0.1)
  const bound = kernel.take(values, new Int32Array(SUMMED_VALUES), SUMMED_VALUES)
  kernel.add(sums, corrections, new Int32Array(0), bound, SUMMED_VALUES, true)
  const plain = emptyState(1)
  addPlain(plain, values, new Int32Array(SUMMED_VALUES))
  assert.deepEqual({ sums, corrections }, { sums: plain.sums, corrections: plain.corrections })
})
