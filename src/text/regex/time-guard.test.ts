import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runEachWithin } from './time-guard.ts'

const TIMES = { togetherMs: 20, aloneMs: 20 }

test('items that take too long are returned, and all others are processed', () => {
  const done: number[] = []
  const forEver = () => {
    for (;;);
  }
  const tooSlow = runEachWithin([1, 2, 3, 4], (item) => (item === 2 ? forEver() : done.push(item)), TIMES)
  assert.deepEqual(tooSlow, [2])
  assert.deepEqual(done, [1, 3, 4])
})

test('the task receives only items of the list, whenever the timeout strikes', () => {
  for (let i = 0; i < 5; i++) {
    const startMs = performance.now()
    // The last item ends close to the timeout.
    const task = (item: number | undefined) => {
      assert.equal(typeof item, 'number')
      while (performance.now() - startMs < 19.9);
    }
    runEachWithin([1], task, TIMES)
  }
})
