import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteChunks, offsetIn } from './byte-chunks.ts'
import { ListMemory } from './list-memory.ts'

const CHUNK_BYTES = 2 ** 20

function add(chunks: ByteChunks, bytes: Uint8Array): number {
  const address = chunks.reserve(bytes.length)
  chunks.append(bytes, 0, bytes.length)
  return address
}

function read(chunks: ByteChunks, address: number, length: number): Buffer {
  const start = offsetIn(address)
  return Buffer.from(chunks.chunk(address).subarray(start, start + length))
}

/** Bytes that differ from string to string. */
const stringOf = (length: number, seed: number) => Buffer.alloc(length, `${seed},`)

test('every string is found at its address, whatever the lengths, here and after sending', () => {
  const length = fc.oneof(
    { weight: 6, arbitrary: fc.nat({ max: 3000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 200_000, max: 700_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: CHUNK_BYTES - 2, max: CHUNK_BYTES + 2 }) },
    { weight: 1, arbitrary: fc.integer({ min: CHUNK_BYTES, max: CHUNK_BYTES * 3 }) },
  )
  const memory = new ListMemory()
  fc.assert(
    fc.property(fc.array(length, { maxLength: 30 }), fc.boolean(), (lengths, isShared) => {
      const chunks = new ByteChunks(isShared ? memory : undefined)
      const addresses = lengths.map((bytes, i) => add(chunks, stringOf(bytes, i)))
      assert.equal(
        chunks.length,
        lengths.reduce((sum, bytes) => sum + bytes, 0),
      )
      assert.ok(chunks.memoryBytes >= chunks.length)
      const sent = ByteChunks.unpack(structuredClone(chunks.pack()))
      for (const [i, bytes] of lengths.entries()) {
        assert.ok(read(chunks, addresses[i]!, bytes).equals(stringOf(bytes, i)), `string ${i}`)
        assert.ok(read(sent, addresses[i]!, bytes).equals(stringOf(bytes, i)), `sent string ${i}`)
      }
      chunks.release()
      assert.equal(chunks.memoryBytes, 0)
    }),
    { numRuns: 40 },
  )
})

test('an empty string at the end of a full chunk has an address', () => {
  const chunks = new ByteChunks()
  add(chunks, stringOf(CHUNK_BYTES, 1))
  assert.equal(read(chunks, add(chunks, stringOf(0, 2)), 0).length, 0)
})

test('chunks that are released twice return their memory once', () => {
  const memory = new ListMemory()
  const released = new ByteChunks(memory)
  add(released, stringOf(100, 1))
  released.release()
  released.release()
  const first = new ByteChunks(memory)
  const second = new ByteChunks(memory)
  const one = add(first, stringOf(100, 3))
  const two = add(second, stringOf(100, 4))
  assert.ok(read(first, one, 100).equals(stringOf(100, 3)))
  assert.ok(read(second, two, 100).equals(stringOf(100, 4)))
})
