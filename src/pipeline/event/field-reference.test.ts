import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseEscapeStyle, currentEscapeStyle, fieldReference } from './field-reference.ts'

// The escape style is set once per thread, so the tests of this file depend on their order.
test('by default brackets in names are not escaped', () => {
  assert.equal(currentEscapeStyle(), 'none')
  assert.deepEqual(fieldReference('[a%5Bb%5D]').path, ['a%5Bb%5D'])
})

test('the chosen escape style applies to references parsed before and after', () => {
  chooseEscapeStyle('percent')
  assert.deepEqual(fieldReference('[a%5Bb%5D]').path, ['a[b]'])
  assert.deepEqual(fieldReference('[a&#91;0&#93;]').path, ['a&#91;0&#93;'])
})

test('choosing a different escape style later is rejected, choosing the same one is not', () => {
  chooseEscapeStyle('percent')
  assert.throws(() => chooseEscapeStyle('ampersand'), /is percent already and cannot become ampersand/)
  assert.equal(currentEscapeStyle(), 'percent')
})
