import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { atMost } from './at-most.ts'

test('every item is worked on, and no more than allowed at a time', async () => {
  let running = 0
  let most = 0
  const done: number[] = []
  await atMost(3, [1, 2, 3, 4, 5, 6, 7, 8], async (item) => {
    most = Math.max(most, ++running)
    await nextTurn()
    running--
    done.push(item)
  })
  assert.equal(most, 3)
  assert.deepEqual(
    done.sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
})

test('an error is thrown after the running items have ended, and no further item is started', async () => {
  const ended: number[] = []
  const work = async (item: number) => {
    await nextTurn()
    if (item === 1) throw new Error('refused')
    await nextTurn()
    ended.push(item)
  }
  await assert.rejects(atMost(2, [1, 2, 3, 4], work), /refused/)
  assert.deepEqual(ended, [2])
})
