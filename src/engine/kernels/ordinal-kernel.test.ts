import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COUNTED_ORDINALS_MAX, ORDINALS, OrdinalKernel } from './ordinal-kernel.ts'

const kernel = new OrdinalKernel()
const LENGTHS = [1, 3, 4, 15, 16, 17, 100, ORDINALS - 1, ORDINALS]

test('stored ordinals are widened, from any place', () => {
  for (const Stored of [Uint8Array, Uint16Array]) {
    const stored = new Stored(Array.from({ length: ORDINALS + 7 }, (_, i) => i * 31))
    for (const length of LENGTHS) {
      const out = new Int32Array(length)
      kernel.widen(stored, 7, length, out)
      assert.deepEqual(out, Int32Array.from(stored.subarray(7, 7 + length)))
    }
  }
})

test('ordinals are translated and counted', () => {
  const table = Int32Array.from({ length: COUNTED_ORDINALS_MAX }, (_, i) => COUNTED_ORDINALS_MAX - 1 - i)
  for (const length of LENGTHS) {
    const ordinals = Int32Array.from({ length }, (_, i) => (i * i) % COUNTED_ORDINALS_MAX)
    for (const by of [undefined, table]) {
      const expected = by === undefined ? ordinals : ordinals.map((ordinal) => by[ordinal]!)
      const counts = new Int32Array(COUNTED_ORDINALS_MAX).fill(1)
      const out = new Int32Array(length)
      kernel.count(ordinals, length, by, counts, out)
      assert.deepEqual(out, expected)
      for (const ordinal of expected) counts[ordinal]!--
      assert.ok(counts.every((count) => count === 1))
    }
  }
})
