import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectGarbage } from '../../base/memory/collect-garbage.ts'
import { columnArray } from './column-memory.ts'

const LENGTH = 100_000

/** Makes an array with one number in it and drops it; returns a part of it if asked to. */
function made(mark: number, keepsPart: boolean): Float64Array | undefined {
  const array = columnArray(Float64Array, LENGTH)
  array[7] = mark
  return keepsPart ? array.subarray(7, 9) : undefined
}

async function collected(): Promise<void> {
  collectGarbage()
  await sleep(5)
}

test('the memory of a dropped column is used for the next one', async () => {
  made(41, false)
  // V8 does not promise when it reports a dropped object.
  let isUsedAgain = false
  for (let i = 0; i < 20 && !isUsedAgain; i++) {
    await collected()
    // New memory is zero.
    isUsedAgain = columnArray(Float64Array, LENGTH)[7] !== 0
  }
  assert.equal(isUsedAgain, true)
})

test('the memory of a dropped column is not used again while a part of it is held', async () => {
  const part = made(42, true)!
  await collected()
  for (let i = 0; i < 3; i++) columnArray(Float64Array, LENGTH).fill(0)
  assert.equal(part[0], 42)
})
