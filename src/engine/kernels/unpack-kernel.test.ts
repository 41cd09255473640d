import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Arena } from '../memory/arena.ts'
import { packBlock, packedWords, unpackBlock } from '../segment/postings/block-packing.ts'
import { BLOCK_SIZE } from './block-size.ts'
import { unpackKernel } from './unpack-kernel.ts'

// Goal: the kernel equals the plain loop for every width.
test('the unpack kernel gives the same block as the plain loop', () => {
  const arena = Arena.create(4 << 20)
  const kernel = unpackKernel(arena)!
  const address = arena.allocate(packedWords(32) * 4)
  const bytes = arena.bytes(address, packedWords(32) * 4)
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, packedWords(32))
  const plain = new Int32Array(BLOCK_SIZE)
  const value = fc.integer({ min: 0, max: 0x7fffffff })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 31 }),
      fc.array(value, { minLength: BLOCK_SIZE, maxLength: BLOCK_SIZE }),
      fc.integer({ min: 0, max: 1000 }),
      (bits, values, first) => {
        const packed = Int32Array.from(values, (number) => number & ((1 << bits) - 1))
        words.fill(0)
        packBlock(packed, bits, words, 0)
        unpackBlock(words, 0, bits, plain)
        assert.deepEqual(plain, packed)
        kernel.unpack(address, bits, first)
        assert.deepEqual(
          Int32Array.from(kernel.out),
          plain.map((number) => number + first),
        )
        kernel.unpackDeltas(address, bits, first)
        let sum = first
        assert.deepEqual(
          Int32Array.from(kernel.out),
          plain.map((number) => (sum = (sum + number) | 0)),
        )
      },
    ),
  )
})

// Goal: exactly the candidates that the block contains are kept, with their entries. Method: random blocks and
// candidates, compared with a search in plain arrays.
test('the unpack kernel finds candidates in a block', () => {
  const kernel = unpackKernel(Arena.create(4 << 20))!
  const gap = fc.integer({ min: 1, max: 9 })
  fc.assert(
    fc.property(
      fc.array(gap, { minLength: BLOCK_SIZE, maxLength: BLOCK_SIZE }),
      fc.array(gap, { maxLength: 200 }),
      fc.nat({ max: 300 }),
      (blockGaps, gaps, start) => {
        const docs = runningSums(blockGaps, 20)
        const candidates = runningSums(gaps, start)
        kernel.out.set(docs)
        kernel.candidates.set(candidates)
        const inReach = candidates.filter((doc) => doc <= docs.at(-1)!)
        const expected = inReach.filter((doc) => docs.includes(doc))
        const kept = kernel.keepIn(0, candidates.length, 0)
        assert.equal(kernel.reached, inReach.length)
        assert.deepEqual([...kernel.candidates.subarray(0, kept)], expected)
        assert.deepEqual(
          [...kernel.entries.subarray(0, kept)].map((entry) => docs[entry >> 2]),
          expected,
        )
      },
    ),
  )
})

function runningSums(gaps: readonly number[], start: number): number[] {
  let sum = start
  return gaps.map((each) => (sum += each))
}

// Goal: positions of any size are decoded, document by document. Method: random lists, encoded here.
test('the unpack kernel reads positions', () => {
  const arena = Arena.create(4 << 20)
  const kernel = unpackKernel(arena)!
  const address = arena.allocate(1 << 16)
  const delta = fc.oneof(fc.nat({ max: 127 }), fc.nat({ max: 2 ** 27 }), fc.constantFrom(0, 128, 16383, 16384))
  const lists = fc.array(fc.array(delta, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: BLOCK_SIZE })
  fc.assert(
    fc.property(lists, (entries) => {
      const bytes: number[] = []
      for (const value of entries.flat()) {
        let left = value
        for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80)
        bytes.push(left)
      }
      arena.bytes(address, bytes.length).set(bytes)
      for (const [i, { length }] of entries.entries()) kernel.frequencies[i] = length
      kernel.readPositions(address, entries.length)
      let start = 0
      for (const [i, deltas] of entries.entries()) {
        let position = 0
        assert.equal(kernel.starts[i], start)
        for (const value of deltas) assert.equal(kernel.positions[start++], (position += value))
      }
    }),
    { numRuns: 50 },
  )
})
