import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseEscapeStyle, currentEscapeStyle, fieldReference } from './field-reference.ts'

// The style is chosen once per thread, so the tests of this file share one order.
test('without a choice, brackets in names are not escaped', () => {
  assert.equal(currentEscapeStyle(), 'none')
  assert.deepEqual(fieldReference('[a%5Bb%5D]').path, ['a%5Bb%5D'])
})

test('the chosen escape style holds for references parsed before and after', () => {
  chooseEscapeStyle('percent')
  assert.deepEqual(fieldReference('[a%5Bb%5D]').path, ['a[b]'])
  assert.deepEqual(fieldReference('[a&#91;0&#93;]').path, ['a&#91;0&#93;'])
})

test('another escape style is refused, the same one again is not', () => {
  chooseEscapeStyle('percent')
  assert.throws(() => chooseEscapeStyle('ampersand'), /is percent already and cannot become ampersand/)
  assert.equal(currentEscapeStyle(), 'percent')
})
