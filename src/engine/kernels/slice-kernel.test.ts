import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SliceKernel } from './slice-kernel.ts'

const kernel = new SliceKernel()

const WIDTHS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array } as const

test('the slice kernel decodes any part of an array of integers like the plain loop', () => {
  const widths = fc.constantFrom(...(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]))
  const integers = fc.array(fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.nat(300)), { minLength: 1 })
  const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  const counts = fc.oneof(fc.nat(70), fc.constantFrom(4096, 9001))
  fc.assert(
    fc.property(widths, integers, fc.nat(40), counts, number, number, (width, some, from, count, base, step) => {
      const stored = new WIDTHS[width](Array.from({ length: from + count + 3 }, (_, i) => some[i % some.length]!))
      const out = new Float64Array(count + 1).fill(7)
      kernel.decode(width, stored, from, count, base, step, out)
      const expected = Array.from(stored.subarray(from, from + count), (value) => base + step * value)
      assert.deepEqual(Array.from(out), [...expected, 7])
    }),
  )
})
