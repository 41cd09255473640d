import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import {
  answerMemoryOf,
  giveBackAnswerMemory,
  keepAnswerMemory,
  takeAnswerMemory,
  takeSharedAnswerMemory,
} from './answer-memory.ts'

const PAGE_BYTES = 1 << 20

test('a buffer that was given back is reused for the next response of that size', () => {
  const first = takeAnswerMemory(PAGE_BYTES)
  giveBackAnswerMemory(first.subarray(10, 20))
  const second = takeAnswerMemory(PAGE_BYTES)
  assert.equal(second.buffer, first.buffer)
  assert.ok(second.length >= PAGE_BYTES)
})

test('two responses never share a buffer, however often one of them is given back', () => {
  const answer = takeAnswerMemory(PAGE_BYTES)
  giveBackAnswerMemory(answer)
  giveBackAnswerMemory(answer)
  assert.notEqual(takeAnswerMemory(PAGE_BYTES).buffer, takeAnswerMemory(PAGE_BYTES).buffer)
})

test('a buffer that was not taken from the pool is not reused', () => {
  const other = Buffer.alloc(PAGE_BYTES)
  giveBackAnswerMemory(other)
  assert.notEqual(takeAnswerMemory(PAGE_BYTES).buffer, other.buffer)
})

test('the buffer of a response is returned to its thread exactly once and reused there', () => {
  for (const response of [Buffer.alloc(PAGE_BYTES), Buffer.from(new SharedArrayBuffer(PAGE_BYTES))]) {
    const back: ArrayBufferLike[] = []
    answerMemoryOf(response, (memory) => back.push(memory))
    giveBackAnswerMemory(response)
    giveBackAnswerMemory(response)
    assert.equal(back.length, 1)
    assert.ok(back[0] === response.buffer)
  }
  const transferred = Buffer.alloc(PAGE_BYTES)
  keepAnswerMemory(transferred.buffer)
  assert.ok(takeAnswerMemory(PAGE_BYTES).buffer === transferred.buffer)
})

test('long responses are in shared memory in threads whose responses the main thread sends, and only there', async () => {
  const long = 5 << 20
  assert.equal(takeSharedAnswerMemory(long), undefined)
  const module = JSON.stringify(new URL('./answer-memory.js', import.meta.url).href)
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     import(${module}).then(({ takeSharedAnswerMemory: take, giveBackAnswerMemory, keepAnswerMemory }) => {
       const first = take(${long})
       giveBackAnswerMemory(first)
       const second = take(${long})
       keepAnswerMemory(second.buffer)
       const isReused = first.buffer === second.buffer && take(${long}).buffer === second.buffer
       parentPort.postMessage({ isReused, memory: first.buffer, short: take(1000) })
     })`,
    { eval: true },
  )
  const [{ isReused, memory, short }] = await once(worker, 'message')
  await worker.terminate()
  assert.ok(memory instanceof SharedArrayBuffer)
  assert.deepEqual([isReused, short], [true, undefined])
})
