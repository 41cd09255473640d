import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Turns } from './turns.ts'

test('work runs in the order in which it arrived, and a failure lets the next one start', async () => {
  const turns = new Turns(2)
  let running = 0
  let most = 0
  const done: number[] = []
  const results = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((item) =>
      turns.take(async () => {
        most = Math.max(most, ++running)
        await nextTurn()
        running--
        done.push(item)
        if (item === 2) throw new Error('refused')
      }),
    ),
  )
  assert.equal(most, 2)
  assert.deepEqual(done, [1, 2, 3, 4, 5])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
})
