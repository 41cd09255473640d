import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepFor, stepName, timeOf, widened } from './histogram.ts'

test('an interval results in at most 60 bars and has a name', () => {
  for (const span of [1000, 60_000, 3_600_000, 86_400_000, 90 * 86_400_000, 10 * 365 * 86_400_000])
    assert.ok(span / stepFor(span) <= 60)
  assert.equal(stepFor(86_400_000), 1_800_000)
  assert.equal(stepName(1_800_000), 'per 30 min')
  assert.equal(stepName(86_400_000), 'per day')
  assert.equal(stepName(7_200_000), 'per 2 h')
})

test('the histogram extends a selected range by half of its length on both sides', () => {
  assert.deepEqual(widened(100, 200), [50, 250])
})

test('relative and absolute times are parsed', () => {
  assert.equal(timeOf('now-15m', 1_000_000_000), 1_000_000_000 - 900_000)
  assert.equal(timeOf('now', 5), 5)
  assert.equal(timeOf('2025-01-01T00:00:00Z', 0), Date.UTC(2025, 0, 1))
  assert.equal(timeOf('1735689600000', 0), 1_735_689_600_000)
  assert.equal(timeOf('yesterday-ish', 0), undefined)
  assert.equal(timeOf(undefined, 0), undefined)
})
