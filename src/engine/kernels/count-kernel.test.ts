import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COUNTED_PLACES_MAX, CountKernel } from './count-kernel.ts'

const kernel = new CountKernel()

function plainCounts(values: readonly number[], interval: number, offset: number, first: number, size: number) {
  const counts = new Int32Array(size)
  for (const value of values) {
    const place = Math.floor((value - offset) / interval) - first
    if (place >= 0 && place < size) counts[place]!++
  }
  return counts
}

const numbers = fc.array(
  fc.oneof(
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.integer({ min: -50, max: 50 }),
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 1e300, -1e300),
  ),
  { maxLength: 60 },
)

test('the counting kernel counts blocks of any length like the plain loop', () => {
  fc.assert(
    fc.property(
      fc.array(numbers, { maxLength: 4 }),
      fc.constantFrom(1, 0.1, 7, 2.5, 1000),
      fc.constantFrom(0, 0.05, -3),
      fc.integer({ min: -60, max: 60 }),
      fc.integer({ min: 1, max: 200 }),
      (blocks, interval, offset, first, size) => {
        assert.ok(kernel.start({ interval, offset, first, size }))
        for (const values of blocks) kernel.add(Float64Array.from(values), values.length)
        const counts = new Int32Array(size)
        kernel.addTo(counts)
        assert.deepEqual(counts, plainCounts(blocks.flat(), interval, offset, first, size))
      },
    ),
  )
})

test('the counting kernel refuses more intervals than it has counts for', () => {
  assert.equal(kernel.start({ interval: 1, offset: 0, first: 0, size: COUNTED_PLACES_MAX + 1 }), false)
  assert.equal(kernel.start({ interval: 1, offset: 0, first: 2 ** 53, size: 1 }), false)
})
