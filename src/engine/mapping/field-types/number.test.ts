import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testMapping } from '../mapping-fixture.ts'

const mapping = testMapping({
  small: { type: 'byte' },
  whole: { type: 'long' },
  half: { type: 'half_float' },
})

const lowerBound = (field: string, value: unknown, inclusive = true) =>
  mapping.field(field)!.rangeValues({ value, inclusive }, undefined, {}).lower

// Goal: bounds that no value reaches are rejected or accepted exactly as in Elasticsearch.
test('bounds of small integer types are 32-bit integers', () => {
  assert.equal(lowerBound('small', 300), 300)
  assert.throws(() => lowerBound('small', 2147483648), { message: 'Value [2147483648] is out of range for an integer' })
  assert.throws(() => lowerBound('small', 'Infinity'), /Value \[\[49 6e 66 69 6e 69 74 79\]\] is out of range/)
  assert.equal(lowerBound('small', 'NaN', false), 0)
})

test('bounds of longs are limited to 64 bits', () => {
  assert.equal(lowerBound('whole', 1.5), 2)
  assert.throws(() => lowerBound('whole', 2n ** 63n), { message: `Value [${2n ** 63n}] is out of range for a long` })
  assert.throws(() => lowerBound('whole', '1.0E30'), { message: 'Value [1.0E30] is out of range for a long' })
  assert.throws(() => lowerBound('whole', 'NaN'), { message: 'For input string: "NaN"' })
})

test('a decimal that the field cannot hold matches no document', () => {
  assert.equal(mapping.field('half')!.termValue(1e10), Number.NaN)
  assert.equal(lowerBound('half', 'NaN'), Number.POSITIVE_INFINITY)
})

test('infinite numbers are printed without quotes in errors', () => {
  const beyond = { message: 'Value [Infinity] is out of range for a long' }
  assert.throws(() => lowerBound('whole', Number.POSITIVE_INFINITY), beyond)
})
