import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LONG_MAX, LONG_MIN, parseLong, parseUnsignedLong } from './long.ts'

test('every 64-bit integer is parsed exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: LONG_MIN, max: LONG_MAX }), (value) => {
      assert.equal(parseLong(String(value), false), value)
      assert.equal(parseLong(`${value}.75`, true), value)
      assert.equal(parseUnsignedLong(String(value - LONG_MIN), false), value - LONG_MIN)
    }),
  )
})

test('decimal texts are accepted as integers', () => {
  assert.equal(parseLong('1e3', false), 1000n)
  assert.equal(parseLong('-5.9', true), -5n)
  assert.equal(parseLong('9223372036854775807.9', true), LONG_MAX)
  assert.equal(parseLong('1e-400', true), 0n)
})

test('fractions, too large values and non-numbers are rejected', () => {
  assert.throws(() => parseLong('5.5', false), { message: 'Value [5.5] has a decimal part' })
  assert.throws(() => parseLong('9223372036854775808', true), {
    message: 'Value [9223372036854775808] is out of range for a long',
  })
  assert.throws(() => parseLong('1e400', true), { message: 'Value [1e400] is out of range for a long' })
  assert.throws(() => parseLong('abc', true), { message: 'For input string: "abc"' })
  assert.throws(() => parseUnsignedLong('-1', true), { message: 'Value [-1] is out of range for unsigned long' })
})
