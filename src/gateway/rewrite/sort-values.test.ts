import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveSameValues } from './sort-values.ts'

test('sort values are found equal or different, and neither if their forms are not comparable', () => {
  const same = (value: unknown, given: unknown) => haveSameValues([value, 1], [given, 2], 1)
  assert.equal(same(5, 5n), true)
  assert.equal(same(5, '5'), true)
  assert.equal(same(1_508_036_400_123_456_789n, 1_508_036_400_123_456_788n), false)
  assert.equal(same(5, 6), false)
  assert.equal(same('b', 'a'), false)
  assert.equal(same(null, null), true)
  assert.equal(same(1_704_067_200_000, '2024-01-01'), undefined)
  assert.equal(same('10.0.0.1', '::ffff:10.0.0.1'), undefined)
  assert.equal(same(1.1, 1.1000000001), undefined)
  assert.equal(haveSameValues([1_704_067_200_000, 5], ['2024-01-01', 6], 2), false)
})
