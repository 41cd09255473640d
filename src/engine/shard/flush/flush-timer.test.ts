import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlushTimer } from './flush-timer.ts'

test('a shard is flushed at the age of its oldest write, also while more writes come, and not without one', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let flushes = 0
  const timer = new FlushTimer(
    () => flushes++,
    () => 60_000,
  )
  t.mock.timers.tick(120_000)
  assert.equal(flushes, 0)
  for (let second = 0; second < 150; second++) {
    timer.written()
    t.mock.timers.tick(1000)
  }
  assert.equal(flushes, 2)
  t.mock.timers.tick(60_000)
  assert.equal(flushes, 3)
  t.mock.timers.tick(600_000)
  assert.equal(flushes, 3)
  timer.written()
  timer.stop()
  t.mock.timers.tick(60_000)
  assert.equal(flushes, 3)
})
