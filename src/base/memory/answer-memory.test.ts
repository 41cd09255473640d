import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerMemoryOf,
  giveBackAnswerMemory,
  keepSharedMemory,
  sharedAnswer,
  takeAnswerMemory,
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

test('a shared buffer of another thread is returned to it exactly once and reused there', () => {
  const response = takeAnswerMemory(PAGE_BYTES)
    .fill(7)
    .subarray(3, PAGE_BYTES - 2)
  const sent = sharedAnswer(response)
  assert.ok(sent.buffer instanceof SharedArrayBuffer)
  assert.ok(Buffer.alloc(PAGE_BYTES - 5, 7).equals(sent))
  const back: SharedArrayBuffer[] = []
  answerMemoryOf(sent, (memory) => back.push(memory))
  giveBackAnswerMemory(sent)
  giveBackAnswerMemory(sent)
  assert.equal(back.length, 1)
  keepSharedMemory(back[0]!)
  const next = takeAnswerMemory(PAGE_BYTES).subarray(0, PAGE_BYTES)
  assert.ok(sharedAnswer(next).buffer === sent.buffer)
})

test('the own buffer of a response is reused once the response is in shared memory', () => {
  const response = takeAnswerMemory(PAGE_BYTES)
  sharedAnswer(response)
  assert.ok(takeAnswerMemory(PAGE_BYTES).buffer === response.buffer)
})
