import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyLent, copyOfLent, type LentBytes, lentBytes, readLent } from './lent-bytes.ts'

const page = () => lentBytes(Buffer.from('page'))

test('lent bytes are read and copied', () => {
  assert.equal(page().length, 4)
  assert.equal(
    readLent(page(), (bytes) => bytes.toString()),
    'page',
  )
  assert.equal(copyOfLent(page()).toString(), 'page')
  const target = Buffer.from('a -')
  copyLent(lentBytes(Buffer.from('b')), target, 2)
  assert.equal(target.toString(), 'a b')
})

test('a copy does not change with the memory it was made of', () => {
  const memory = Buffer.from('page')
  const copy = copyOfLent(lentBytes(memory))
  memory.fill(0)
  assert.equal(copy.toString(), 'page')
})

/** Never called: each line that the compiler accepted would be an error of `@ts-expect-error`. */
export function mistakes(lent: LentBytes): void {
  const bytes = new Uint8Array(4)
  // @ts-expect-error an array is not lent by accident
  const accepted: LentBytes = bytes
  // @ts-expect-error lent bytes are not kept as an array
  const kept: Uint8Array = lent
  // @ts-expect-error lent bytes are not kept as a buffer
  const buffer: Buffer = lent
  // @ts-expect-error no view of them is made
  const view = lent.subarray(1)
  // @ts-expect-error no byte of them is read
  const first = lent[0]
  // @ts-expect-error they are not read as text by accident
  const text = lent.toString()
  // @ts-expect-error a reader does not return the bytes
  const whole = readLent(lent, (read) => read)
  // @ts-expect-error a reader does not return a part of them
  const part = readLent(lent, (read) => read.subarray(1))
  // @ts-expect-error a reader does not return their memory
  const memory = readLent(lent, (read) => read.buffer)
  // @ts-expect-error a reader returns no view for some of its cases
  const perhaps = readLent(lent, (read) => (read.length > 1 ? read : undefined))
  // @ts-expect-error a reader has read them when it returns
  const later = readLent(lent, async (read) => read.length)
  // @ts-expect-error a reader does not leave the reading to somebody else
  const deferred = readLent(lent, (read) => () => read.length)
  // @ts-expect-error lent bytes are no answer of a handler that may keep them
  const map = new Map<string, Uint8Array>([['page', lent]])
  void [accepted, kept, buffer, view, first, text, whole, part, memory, perhaps, later, deferred, map]
}
