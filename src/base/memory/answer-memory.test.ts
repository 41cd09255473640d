import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerMemoryOf,
  giveBackAnswerMemory,
  keepAnswerMemory,
  sendableAnswer,
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

const LONG_BYTES = 5 << 20

for (const bytes of [PAGE_BYTES, LONG_BYTES]) {
  test(`the buffer of a response of ${bytes >> 20} MB is returned by another thread exactly once and reused`, () => {
    const response = takeAnswerMemory(bytes)
      .fill(7)
      .subarray(3, bytes - 2)
    const sent = sendableAnswer(response)
    assert.equal(sent.buffer instanceof SharedArrayBuffer, bytes === LONG_BYTES)
    assert.ok(Buffer.alloc(bytes - 5, 7).equals(sent))
    const back: ArrayBufferLike[] = []
    answerMemoryOf(sent, (memory) => back.push(memory))
    giveBackAnswerMemory(sent)
    giveBackAnswerMemory(sent)
    assert.equal(back.length, 1)
    keepAnswerMemory(back[0]!)
    const next = takeAnswerMemory(bytes).subarray(0, bytes)
    assert.ok(sendableAnswer(next).buffer === sent.buffer)
  })
}

test('the own buffer of a response is reused once the response is in shared memory', () => {
  const response = takeAnswerMemory(LONG_BYTES)
  sendableAnswer(response)
  assert.ok(takeAnswerMemory(LONG_BYTES).buffer === response.buffer)
})
