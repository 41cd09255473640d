import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  countCompilation,
  countEviction,
  countLimited,
  limitsVersion,
  mayCompile,
  scriptCounts,
  sharedLimits,
  shareLimits,
} from './script-ledger.ts'

test('a rate allows a burst of its count, rejects further compilations, and starts over when it is changed', () => {
  const slow = { count: 2, ms: 1e12, text: '2/…' }
  assert.deepEqual([mayCompile(slow), mayCompile(slow), mayCompile(slow)], [true, true, false])
  const other = { count: 1, ms: 1e12, text: '1/…' }
  assert.deepEqual([mayCompile(other), mayCompile(other)], [true, false])
})

test('a rate refills with time', () => {
  const fast = { count: 1, ms: 1, text: '1/1ms' }
  assert.equal(mayCompile(fast), true)
  const endMs = performance.now() + 2
  while (performance.now() < endMs);
  assert.equal(mayCompile(fast), true)
})

test('shared limits are read as they were set, and every change has a new version', (t) => {
  // Other test files run in the same process: they get the default limits back.
  t.after(() => shareLimits({ maxSizeInBytes: 65_535, maxCompilationsRate: undefined, cacheMaxSize: 3000 }))
  const rate = { count: 150, ms: 300_000, text: '150/5m' }
  const limits = { maxSizeInBytes: 0, maxCompilationsRate: rate, cacheMaxSize: 7 }
  const before = limitsVersion()
  shareLimits(limits)
  assert.deepEqual(sharedLimits(), limits)
  shareLimits({ ...limits, maxCompilationsRate: undefined })
  assert.equal(sharedLimits()!.maxCompilationsRate, undefined)
  assert.equal(limitsVersion(), before + 2)
})

test('compilations are counted in total and over recent times', () => {
  const before = scriptCounts()
  countCompilation()
  countCompilation()
  countEviction()
  countLimited()
  const { compilations, evictions, limited, history } = scriptCounts()
  assert.equal(compilations - before.compilations, 2)
  assert.equal(evictions - before.evictions, 1)
  assert.equal(limited - before.limited, 1)
  assert.ok(history.every((count) => count >= 2))
})
