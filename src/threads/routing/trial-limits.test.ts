import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExpectedWork } from './expected-work.ts'
import { trialLimits } from './trial-limits.ts'

const LITTLE: ExpectedWork = {
  isCostly: false,
  aggregates: false,
  measures: false,
  isNested: false,
  isCompositePage: false,
}

const isTried = (work: Partial<ExpectedWork>, docs: number, isAlone?: boolean) =>
  trialLimits({ ...LITTLE, ...work }, docs, isAlone) !== undefined

test('searches for hits are tried on the main thread for any number of documents, costly ones never', () => {
  assert.ok(isTried({}, 100_000_000, false))
  assert.ok(!isTried({ isCostly: true }, 30_000, true))
})

test('aggregations are tried while no other client waits, metrics only over few documents', () => {
  assert.ok(isTried({ aggregates: true }, 1_000_000, true))
  assert.ok(!isTried({ aggregates: true }, 30_000, false))
  assert.ok(isTried({ aggregates: true, measures: true }, 100_000, true))
  assert.ok(!isTried({ aggregates: true, measures: true }, 200_000, true))
})

test('nested queries are tried on the main thread, nested aggregations are not', () => {
  assert.ok(isTried({ isNested: true }, 500_000, false))
  assert.ok(!isTried({ isNested: true }, 2_000_000, true))
  assert.ok(!isTried({ isNested: true, aggregates: true }, 30_000, true))
})

test('a composite page is tried with any sources, up to a million documents', () => {
  const page = { isCompositePage: true, aggregates: true, measures: true, isCostly: true }
  assert.ok(isTried(page, 900_000, true))
  assert.ok(!isTried(page, 1_000_000, true))
})

test('limits are wider while no other client waits', () => {
  const alone = trialLimits(LITTLE, 30_000, true)!
  const watched = trialLimits(LITTLE, 30_000, false)!
  assert.ok(alone.steps! > watched.steps!)
})
