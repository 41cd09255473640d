import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundsOf, RunningBounds } from './value-bounds.ts'

const values = Float64Array.from({ length: 2_000 }, (_, i) => (i * 7919) % 1009)

test('bounds of blocks that arrive one after the other are those of all values', () => {
  const bounds = new RunningBounds()
  bounds.add(values, 0, 512)
  assert.equal(bounds.of(2_000), undefined)
  bounds.add(values, 512, 2_000)
  assert.deepEqual(bounds.of(2_000), boundsOf(values))
  const { min, max, hasNan, ranges } = boundsOf(values)
  assert.deepEqual([min, max, hasNan, ranges.length], [0, 1008, false, 8])
  assert.deepEqual([...ranges.slice(6)], [Math.min(...values.slice(1536)), Math.max(...values.slice(1536))])
})

test('bounds are unknown if a block is missing or follows an incomplete one', () => {
  const gap = new RunningBounds()
  gap.add(values, 0, 512)
  gap.add(values, 1024, 2_000)
  assert.equal(gap.of(2_000), undefined)
  const incomplete = new RunningBounds()
  incomplete.add(values, 0, 100)
  incomplete.add(values, 100, 2_000)
  assert.equal(incomplete.of(2_000), undefined)
})

test('NaN is no bound, but known', () => {
  const { min, max, hasNan } = boundsOf(Float64Array.of(3, Number.NaN, -0.5, Number.POSITIVE_INFINITY))
  assert.deepEqual([min, max, hasNan], [-0.5, Number.POSITIVE_INFINITY, true])
})
