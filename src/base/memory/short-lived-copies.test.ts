import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharesMemory, shortLivedCopy } from './short-lived-copies.ts'

test('short copies share a block of memory, without overlapping', () => {
  const first = shortLivedCopy(Buffer.from('first'))
  const second = shortLivedCopy(Buffer.from('second'))
  assert.equal(first.buffer, second.buffer)
  assert.ok(sharesMemory(first) && sharesMemory(second))
  assert.deepEqual([first.toString(), second.toString()], ['first', 'second'])
})

test('a copy is independent of its source', () => {
  const source = Buffer.from('before')
  const copy = shortLivedCopy(source)
  source.fill(0)
  assert.equal(copy.toString(), 'before')
})

test('copies that fill several blocks keep their contents', () => {
  const copies = Array.from({ length: 40 }, (_, i) => shortLivedCopy(Buffer.alloc(5_000, i)))
  for (const [i, copy] of copies.entries()) assert.ok(copy.equals(Buffer.alloc(5_000, i)))
})

test('a long copy has memory of its own, which may be transferred', () => {
  const copy = shortLivedCopy(Buffer.alloc(100_000, 1))
  assert.equal(sharesMemory(copy), false)
  assert.equal(copy.buffer.byteLength, 100_000)
})
