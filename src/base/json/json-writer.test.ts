import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Double, encodeJson, Float, formatDouble, formatFloat, RawJson } from './json-writer.ts'

const text = (value: unknown) => encodeJson(value).toString()

test('plain values are written as JSON.stringify writes them', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(text(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
  assert.equal(text({ a: undefined, b: null, 'c"': ['é', true] }), '{"b":null,"c\\"":["é",true]}')
})

test('RawJson is written byte for byte between other members', () => {
  const source = new RawJson('{ "x" : 1.50, "y":[ ] }')
  assert.equal(
    text({ a: 1, _source: source, z: [source] }),
    '{"a":1,"_source":{ "x" : 1.50, "y":[ ] },"z":[{ "x" : 1.50, "y":[ ] }]}',
  )
})

// Goal: short strings and integers, which are written byte by byte, equal the output of JSON.stringify.
test('strings and integers of any length are written as JSON.stringify writes them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), fc.maxSafeInteger(), (string, integer) => {
      assert.equal(text({ [string]: [string, integer] }), JSON.stringify({ [string]: [string, integer] }))
    }),
  )
  for (const power of Array.from({ length: 16 }, (_, i) => 10 ** i)) {
    for (const value of [power - 1, power, -power]) assert.equal(text(value), JSON.stringify(value))
  }
})

test('64-bit integers keep all digits', () => {
  assert.equal(text([9223372036854775807n, -1n, 9007199254740991]), '[9223372036854775807,-1,9007199254740991]')
})

test("doubles are written as Java's Double.toString prints them", () => {
  for (const [value, expected] of [
    [1, '1.0'],
    [-0, '-0.0'],
    [0.1, '0.1'],
    [100, '100.0'],
    [1e7, '1.0E7'],
    [9999999, '9999999.0'],
    [12345678.9, '1.23456789E7'],
    [0.001, '0.001'],
    [0.00012, '1.2E-4'],
    [1e21, '1.0E21'],
    [-2.5e-10, '-2.5E-10'],
    [1.7976931348623157e308, '1.7976931348623157E308'],
    [5e-324, '4.9E-324'],
    [-1e-323, '-9.9E-324'],
  ] as const) {
    assert.equal(formatDouble(value), expected)
    assert.equal(text(new Double(value)), expected)
  }
  assert.equal(text([new Double(Number.NaN), new Double(Infinity)]), '["NaN","Infinity"]')
})

test('floats are written with the fewest digits that identify them', () => {
  for (const [value, expected] of [
    [1, '1.0'],
    [0.2876821, '0.2876821'],
    [1.1, '1.1'],
    [16777216, '1.6777216E7'],
    [1.0e-5, '1.0E-5'],
    [3.4028235e38, '3.4028235E38'],
    [1.4e-45, '1.4E-45'],
    [2e10, '2.0E10'],
  ] as const) {
    assert.equal(formatFloat(value), expected)
    assert.equal(text(new Float(value)), expected)
  }
})

// Goal: the printed number parses back to the same value.
test('printed doubles and floats parse back to the same value', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(Number(formatDouble(value)), value)
    }),
  )
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(Math.fround(Number(formatFloat(value))), value)
    }),
  )
})

// Goal: scores print with the fewest digits that identify the float. Method: no text with one digit less parses to that
// float.
test('floats print with the fewest digits that read as the same float', () => {
  fc.assert(
    fc.property(fc.float({ min: Math.fround(1e-3), max: 1e6, noNaN: true }), (float) => {
      const text = formatFloat(float)
      assert.equal(Math.fround(Number(text)), float)
      const digits = text.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length
      if (digits > 1) assert.notEqual(Math.fround(Number(float.toPrecision(digits - 1))), float)
    }),
    { numRuns: 2_000 },
  )
})
