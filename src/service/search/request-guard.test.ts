import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestGuard, TooMuchWork } from './request-guard.ts'

test('a search that exceeds its step limit fails with TooMuchWork', () => {
  const guard = requestGuard(performance.now(), undefined, { steps: 2 })!
  assert.equal(guard.isOver(), false)
  assert.equal(guard.isOver(), false)
  assert.throws(() => guard.isOver(), TooMuchWork)
})

test('a search that exceeds its time limit fails with TooMuchWork', () => {
  assert.throws(() => requestGuard(performance.now(), undefined, { steps: 2, ms: -1 })!.isOver(), TooMuchWork)
  assert.equal(requestGuard(performance.now(), undefined, { steps: 2, ms: 3_600_000 })!.isOver(), false)
})

test('a search that reaches its timeout ends and reports it', () => {
  assert.equal(requestGuard(performance.now(), undefined, undefined), undefined)
  assert.equal(requestGuard(performance.now(), -1, undefined), undefined)
  const long = requestGuard(performance.now(), 3_600_000, undefined)!
  assert.equal(long.isOver(), false)
  const over = requestGuard(performance.now() - 10, 5, undefined)!
  assert.equal(over.timedOut, false)
  assert.equal(over.isOver(), true)
  assert.equal(over.timedOut, true)
})

test('a search whose client has disconnected fails', () => {
  const guard = requestGuard(performance.now(), undefined, { isCancelled: () => true })!
  assert.throws(() => guard.isOver(), { type: 'task_cancelled_exception' })
})
