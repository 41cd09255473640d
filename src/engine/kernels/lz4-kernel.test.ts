import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { BlockOutput } from '../../base/bytes/block-output.ts'
import { decodeLz4Block } from '../../base/bytes/lz4-block.ts'
import { createLz4Kernel, LZ4_SLACK_BYTES } from './lz4-kernel.ts'

const lz4 = createRequire(import.meta.url)('lz4-napi') as { compressSync(data: Buffer): Buffer }
const LENGTH_BYTES = 4
const INPUT = 64
const OUTPUT = 1 << 18

/** Texts with near and far, long and short repetitions, which a compressor turns into matches. */
const texts = fc
  .array(fc.tuple(fc.string({ maxLength: 40 }), fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 60 })
  .map((parts) => Buffer.from(parts.map(([part, times]) => part.repeat(times)).join('')))
  .filter((bytes) => bytes.length > 0)

const kernel = createLz4Kernel(8)
const memory = new Uint8Array(kernel.memory.buffer)

function decode(block: Uint8Array, limit: number, enough = limit): number {
  memory.set(block, INPUT)
  memory.fill(0, OUTPUT)
  return kernel.decode(INPUT, INPUT + block.length, OUTPUT, OUTPUT + limit, OUTPUT + enough) - OUTPUT
}

test('the LZ4 kernel decompresses like the plain decoder', () => {
  fc.assert(
    fc.property(texts, (raw) => {
      const compressed = lz4.compressSync(raw)
      assert.equal(decode(compressed.subarray(LENGTH_BYTES), raw.length), raw.length)
      assert.ok(raw.equals(memory.subarray(OUTPUT, OUTPUT + raw.length)))
      assert.ok(raw.equals(decodeLz4Block(compressed, LENGTH_BYTES, new BlockOutput(raw.length)).finish()))
    }),
    { numRuns: 300 },
  )
})

test('the LZ4 kernel may stop early, and the bytes decoded so far are correct', () => {
  fc.assert(
    fc.property(texts, fc.double({ min: 0, max: 1, noNaN: true }), (raw, share) => {
      const enough = Math.floor(raw.length * share)
      const reached = decode(lz4.compressSync(raw).subarray(LENGTH_BYTES), raw.length, enough)
      assert.ok(reached >= enough && reached <= raw.length)
      assert.ok(raw.subarray(0, reached).equals(memory.subarray(OUTPUT, OUTPUT + reached)))
    }),
    { numRuns: 200 },
  )
})

test('a damaged block is rejected or truncated, and nothing is written beyond the limit', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat({ max: 255 }), (raw, place, byte) => {
      const block = new Uint8Array(lz4.compressSync(raw).subarray(LENGTH_BYTES))
      block[place % block.length] = byte
      try {
        const reached = decode(block, raw.length)
        assert.ok(reached === -OUTPUT || (reached >= 0 && reached <= raw.length))
      } catch (error) {
        assert.equal((error as Error).name, 'RuntimeError')
      }
      assert.ok(memory.subarray(OUTPUT + raw.length + LZ4_SLACK_BYTES).every((written) => written === 0))
    }),
    { numRuns: 300 },
  )
})
