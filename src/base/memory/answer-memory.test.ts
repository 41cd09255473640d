import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { answerMemoryOf, giveBackAnswerMemory, keepAnswerMemory, takeAnswerMemory } from './answer-memory.ts'

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

test('a buffer lent by another thread is returned to its owner exactly once', () => {
  const answer = Buffer.from(new SharedArrayBuffer(PAGE_BYTES))
  const back: SharedArrayBuffer[] = []
  answerMemoryOf(answer, (memory) => back.push(memory))
  giveBackAnswerMemory(answer)
  giveBackAnswerMemory(answer)
  assert.deepEqual(back, [answer.buffer])
  keepAnswerMemory(answer.buffer)
  assert.equal(takeAnswerMemory(PAGE_BYTES).buffer, answer.buffer)
})

test('memory of a long response is shared in threads whose responses the main thread sends', async () => {
  assert.ok(takeAnswerMemory(PAGE_BYTES).buffer instanceof ArrayBuffer)
  const module = JSON.stringify(new URL('./answer-memory.js', import.meta.url).href)
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     import(${module}).then(({ takeAnswerMemory }) => parentPort.postMessage(takeAnswerMemory(${PAGE_BYTES}).buffer))`,
    { eval: true },
  )
  const [memory] = await once(worker, 'message')
  await worker.terminate()
  assert.ok(memory instanceof SharedArrayBuffer)
})
