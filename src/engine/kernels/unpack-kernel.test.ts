import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Arena } from '../memory/arena.ts'
import { BLOCK_SIZE, packBlock, packedWords, unpackBlock } from '../segment/block-packing.ts'
import { unpackKernel } from './unpack-kernel.ts'

// Goal: the kernel gives what the plain loop gives, for every width.
test('a block is unpacked as by the plain loop', () => {
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
