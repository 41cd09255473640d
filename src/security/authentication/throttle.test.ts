import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LoginThrottle } from './throttle.ts'

test('after five failures every further login waits twice as long as the one before, up to five seconds', () => {
  const throttle = new LoginThrottle()
  const delays: (number | undefined)[] = []
  for (let i = 0; i < 13; i++) {
    delays.push(throttle.delayMs('ann', '192.0.2.1', 1000))
    throttle.failed('ann', '192.0.2.1', 1000)
  }
  assert.deepEqual(delays, [0, 0, 0, 0, 0, 100, 200, 400, 800, 1600, 3200, 5000, 5000])
})

test('failures of one address or user name slow down no other', () => {
  const throttle = new LoginThrottle()
  for (let i = 0; i < 9; i++) throttle.failed('ann', '192.0.2.1', 1000)
  assert.equal(throttle.delayMs('ann', '192.0.2.2', 1000), 0)
  assert.equal(throttle.delayMs('bob', '192.0.2.1', 1000), 0)
})

test('failures are forgotten after a success and after a quarter of an hour', () => {
  const throttle = new LoginThrottle()
  for (let i = 0; i < 9; i++) throttle.failed('ann', 'a', 0)
  assert.equal(throttle.delayMs('ann', 'a', 15 * 60_000 + 1), 0)
  throttle.succeeded('ann', 'a')
  assert.equal(throttle.delayMs('ann', 'a', 1), 0)
})
