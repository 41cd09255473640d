import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runEachWithin } from './time-guard.ts'

const TIMES = { togetherMs: 20, aloneMs: 20 }

test('items that take too long are named, and all others are done', () => {
  const done: number[] = []
  const forEver = () => {
    for (;;);
  }
  const tooSlow = runEachWithin([1, 2, 3, 4], (item) => (item === 2 ? forEver() : done.push(item)), TIMES)
  assert.deepEqual(tooSlow, [2])
  assert.deepEqual(done, [1, 3, 4])
})

test('only items of the list are given to the task, whenever the watch strikes', () => {
  for (let i = 0; i < 5; i++) {
    const startMs = performance.now()
    // The last item ends close to the end of the time.
    const task = (item: number | undefined) => {
      assert.equal(typeof item, 'number')
      while (performance.now() - startMs < 19.9);
    }
    runEachWithin([1], task, TIMES)
  }
})
