import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveBackBodyMemory, isBodyMemory, keepBodyMemory, takeBodyMemory } from './body-memory.ts'

test('the memory of a long body is used again once it was given back', () => {
  const first = takeBodyMemory(700_000)
  const second = takeBodyMemory(700_000)
  assert.equal(first.length, 700_000)
  assert.notEqual(first.buffer, second.buffer)
  giveBackBodyMemory(first)
  giveBackBodyMemory(first)
  const third = takeBodyMemory(690_000)
  assert.equal(third.length, 690_000)
  assert.equal(third.buffer, first.buffer)
  assert.notEqual(takeBodyMemory(690_000).buffer, first.buffer)
})

test('short bodies and those of other memory are not kept', () => {
  const short = takeBodyMemory(1000)
  giveBackBodyMemory(short)
  assert.notEqual(takeBodyMemory(1000).buffer, short.buffer)
  const other = Buffer.alloc(700_000)
  giveBackBodyMemory(other)
  assert.notEqual(takeBodyMemory(700_000).buffer, other.buffer)
})

test('memory that another thread sent back is used for a body of at least half its size', () => {
  const returned = new ArrayBuffer(5_000_000)
  keepBodyMemory(returned)
  assert.notEqual(takeBodyMemory(2_000_000).buffer, returned)
  assert.equal(takeBodyMemory(4_900_000).buffer, returned)
  assert.notEqual(takeBodyMemory(4_900_000).buffer, returned)
})

test('kept bodies take at most 32 MB, and the ones kept longest ago are dropped', () => {
  const returned: ArrayBufferLike[] = Array.from({ length: 4 }, () => new ArrayBuffer(12_000_000))
  for (const memory of returned) keepBodyMemory(memory as ArrayBuffer)
  assert.equal(takeBodyMemory(12_000_000).buffer, returned[3])
  assert.equal(takeBodyMemory(12_000_000).buffer, returned[2])
  assert.ok(!returned.includes(takeBodyMemory(12_000_000).buffer))
})

test('memory is worth sending back only if it is that of a long body', () => {
  assert.ok(isBodyMemory(new Uint8Array(1_000_000)))
  assert.ok(!isBodyMemory(new Uint8Array(1000)))
  assert.ok(!isBodyMemory(new Uint8Array(20_000_000)))
  assert.ok(!isBodyMemory(new Uint8Array(new SharedArrayBuffer(1_000_000))))
})
