import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RANGE_VALUES, RangeKernel } from './range-kernel.ts'

const kernel = new RangeKernel()

const number = fc.oneof(
  fc.double(),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0),
)

test('the range kernel finds the smallest and largest value of any part of a block, and whether there is a NaN', () => {
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 70 }), fc.nat(), fc.nat(), (values, a, b) => {
      const from = a % values.length
      const end = from + 1 + (b % (values.length - from))
      const part = values.slice(from, end)
      const found = new Float64Array(4).fill(7)
      const hasNan = kernel.findBounds(Float64Array.from(values), from, end, found, 1)
      const numbers = part.filter((value) => !Number.isNaN(value))
      assert.equal(hasNan, numbers.length < part.length)
      // The two zeros are the same bound.
      assert.ok(found[1] === Math.min(...numbers) && found[2] === Math.max(...numbers))
      assert.deepEqual([found[0], found[3]], [7, 7])
    }),
  )
})

test('the range kernel sets the bits of the values in a range and leaves other bits as they are', () => {
  const counts = fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constantFrom(RANGE_VALUES, RANGE_VALUES * 2 + 33))
  fc.assert(
    fc.property(counts, fc.array(number, { minLength: 1, maxLength: 9 }), number, number, (count, some, low, high) => {
      const values = Float64Array.from({ length: count }, (_, i) => some[i % some.length]!)
      const before = 0b1001
      const bits = new Uint32Array(Math.ceil(count / 32) + 2).fill(before)
      kernel.setBits(values, count, low, high, bits, 1)
      const expected = new Uint32Array(bits.length).fill(before)
      for (const [i, value] of values.entries()) {
        if (value >= low && value <= high) expected[1 + (i >> 5)]! |= 1 << (i & 31)
      }
      assert.deepEqual(bits, expected)
    }),
  )
})
