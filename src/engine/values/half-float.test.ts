import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextHalfFloatDown, nextHalfFloatUp, roundToHalfFloat } from './half-float.ts'

test('half floats round to the nearest of eleven bits, ties to even', () => {
  assert.equal(roundToHalfFloat(1.1), 1.099609375)
  assert.equal(roundToHalfFloat(2049), 2048)
  assert.equal(roundToHalfFloat(2051), 2052)
  assert.equal(roundToHalfFloat(65519.9), 65504)
  assert.equal(roundToHalfFloat(65520), Number.POSITIVE_INFINITY)
  assert.equal(roundToHalfFloat(2.98e-8), 0)
  assert.equal(roundToHalfFloat(5.96e-8), 2 ** -24)
})

test('rounding is idempotent, and neighbours have no half float between them', () => {
  fc.assert(
    fc.property(fc.float({ min: -65504, max: 65504, noNaN: true }), (value) => {
      const half = roundToHalfFloat(value)
      assert.equal(roundToHalfFloat(half), half)
      const up = nextHalfFloatUp(half)
      assert.ok(up > half)
      assert.equal(nextHalfFloatDown(up) + 0, half + 0)
      if (Number.isFinite(up)) assert.ok([half, up].includes(roundToHalfFloat((half + up) / 2)))
    }),
  )
})
