import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TILED_POINTS, TileKernel } from './tile-kernel.ts'

const kernel = new TileKernel()
const LENGTHS = [1, 3, 4, 5, 1000, TILED_POINTS]

test('stored coordinates are decoded, from any place, also beyond 2^31', () => {
  const stored = Uint32Array.from({ length: TILED_POINTS + 3 }, (_, i) => Math.imul(i, 0x9e3779b1))
  for (const length of LENGTHS) {
    const out = new Int32Array(length)
    kernel.decode(stored, 3, length, -(2 ** 31), 1, out)
    assert.deepEqual(
      out,
      Int32Array.from({ length }, (_, i) => stored[i + 3]! - 2 ** 31),
    )
    kernel.decode(
      stored.subarray(0, length).map((value) => value & 0xffff),
      0,
      length,
      -1000,
      7,
      out,
    )
    assert.deepEqual(
      out,
      Int32Array.from({ length }, (_, i) => (stored[i]! & 0xffff) * 7 - 1000),
    )
  }
})
