import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteList, IntList } from './growable.ts'
import { ListMemory } from './list-memory.ts'
import { TermTable } from './term-table.ts'

/** The memories of the next lists, each of which must be used by one list only. */
function nextBuffers(memory: ListMemory, count: number): Set<unknown> {
  return new Set(Array.from({ length: count }, () => new IntList(64, memory).array.buffer))
}

test('a list that is released twice returns its memory once', () => {
  const memory = new ListMemory()
  const list = new IntList(64, memory)
  list.push(1)
  list.release()
  list.release()
  assert.equal(nextBuffers(memory, 3).size, 3)
})

test('a list that is written to after its release does not write into the memory of another', () => {
  const memory = new ListMemory()
  const released = new ByteList(256, memory)
  released.release()
  const next = new ByteList(256, memory)
  next.push(7)
  released.push(9)
  assert.equal(next.array[0], 7)
})

test('a term table that is released twice returns its memory once', () => {
  const memory = new ListMemory()
  const table = new TermTable(memory)
  table.intern(Buffer.from('quick'), 0, 5)
  table.release()
  table.release()
  const tables = Array.from({ length: 3 }, () => new TermTable(memory))
  for (const [i, one] of tables.entries()) one.intern(Buffer.from(`term-${i}`), 0, 6)
  for (const [i, one] of tables.entries()) assert.equal(one.intern(Buffer.from(`term-${i}`), 0, 6), 0)
})
