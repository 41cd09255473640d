import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveBackBodyMemory, takeBodyMemory } from './body-memory.ts'

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
