import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SORTED_NUMBERS, sortKernel } from '../../kernels/sort-kernel.ts'
import { sortNumbers } from './sort-numbers.ts'

// Goal: a radix sort gives the same order as comparing, including the signs of zeros. Method: long lists of integers,
// close together or not, with and without other numbers.
test('sortNumbers sorts as the built-in sort does', () => {
  const whole = fc.oneof(fc.integer(), fc.nat({ max: 50 }), fc.maxSafeInteger())
  const other = fc.constantFrom(-0, 0.5, -1, Number.NaN, Number.POSITIVE_INFINITY, -1e300)
  const lists = fc.oneof(
    fc.array(fc.nat({ max: 3000 }), { minLength: 256, maxLength: 600 }),
    fc.array(fc.integer(), { minLength: 256, maxLength: 600 }),
    fc.array(whole, { minLength: 0, maxLength: 600 }),
    fc.array(fc.double(), { minLength: 256, maxLength: 600 }),
    fc.array(fc.double({ min: 1e12, max: 1e12 + 1e6 }), { minLength: 256, maxLength: 600 }),
    fc.array(fc.oneof({ weight: 100, arbitrary: fc.nat() }, { weight: 1, arbitrary: other }), { minLength: 300 }),
  )
  const check = () =>
    fc.assert(
      fc.property(lists, (list) => {
        const expected = Float64Array.from(list).sort()
        assert.deepEqual(sortNumbers(Float64Array.from(list)), expected)
      }),
      { numRuns: 150 },
    )
  check()
  // From here on the kernel of the thread sorts.
  assert.notEqual(sortKernel(1 << 20), undefined)
  check()
})

test('a full block is sorted, and a longer list', () => {
  for (const length of [SORTED_NUMBERS - 1, SORTED_NUMBERS, SORTED_NUMBERS + 1]) {
    const values = Float64Array.from({ length }, (_, i) => Math.imul(i, 0x9e3779b1) / 1000)
    assert.deepEqual(sortNumbers(values.slice()), values.sort())
  }
})
