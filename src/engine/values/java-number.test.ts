import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseDouble, parseFloat32, tryParseDouble } from './java-number.ts'

test('numbers are parsed as on a JVM', () => {
  const read: [text: string, value: number][] = [
    [' 1 ', 1],
    ['1.', 1],
    ['.5', 0.5],
    ['1e5', 1e5],
    ['1.5f', 1.5],
    ['+1.5D', 1.5],
    ['0x1p3', 8],
    ['0x.8p1', 1],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['NaN', Number.NaN],
    ['1e400', Number.POSITIVE_INFINITY],
  ]
  for (const [text, value] of read) assert.equal(parseDouble(text), value, text)
})

test("invalid numbers are rejected with the JVM's message", () => {
  const refused: [text: string, message: string][] = [
    ['abc', 'For input string: "abc"'],
    [' x ', 'For input string: "x"'],
    ['', 'empty String'],
    ['  ', 'empty String'],
    ['1.2.3', 'multiple points'],
    ['..', 'multiple points'],
    ['1.2.x', 'multiple points'],
    ['infinity', 'For input string: "infinity"'],
    ['1,5', 'For input string: "1,5"'],
    ['0x1', 'For input string: "0x1"'],
    ['-', 'For input string: "-"'],
  ]
  for (const [text, message] of refused) {
    assert.throws(() => parseDouble(text), { type: 'number_format_exception', message })
    assert.equal(tryParseDouble(text), undefined)
  }
})

test('every double is parsed back from its text', () => {
  fc.assert(fc.property(fc.double(), (value) => assert.equal(parseDouble(String(value)), value + 0)))
})

test('floats are rounded only once', () => {
  // The nearest double to these is exactly between two floats, so a second rounding would be wrong.
  assert.equal(parseFloat32('1.00000017881393432617187499'), 1.0000001192092896)
  assert.equal(parseFloat32('1.00000017881393432617187501'), 1.000000238418579)
  assert.equal(parseFloat32('7.0064923216240853e-46'), 0)
  assert.equal(parseFloat32('7.0064923216240854e-46'), 1.401298464324817e-45)
  assert.equal(parseFloat32('3.4028235677973366e38'), 3.4028234663852886e38)
  assert.equal(parseFloat32('0.1'), Math.fround(0.1))
})
