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

test('the largest number is found at any place', () => {
  for (const length of LENGTHS) {
    for (let at = 0; at < Math.min(length, 9); at++) {
      const numbers = new Int32Array(length)
      numbers[length - 1 - at] = 7
      assert.equal(kernel.largest(numbers, length), 7)
    }
  }
})

test('numbers that follow each other are listed', () => {
  for (const length of LENGTHS) {
    const out = new Int32Array(length + 2)
    kernel.enumerate(100, length, out, 1)
    assert.deepEqual(out, Int32Array.of(0, ...Array.from({ length }, (_, i) => 100 + i), 0))
  }
})

test('pairs are placed and counted, unless one is new', () => {
  const bound = 100
  const table = Int32Array.from({ length: bound }, (_, i) => bound - 1 - i)
  for (const length of LENGTHS) {
    const parents = Int32Array.from({ length }, (_, i) => i % 40)
    const ordinals = Int32Array.from({ length }, (_, i) => (i * 7) % bound)
    for (const by of [undefined, table]) {
      const pairs = { parents, ordinals, bound, table: by, count: length }
      const places = Int32Array.from({ length: 40 * bound }, (_, i) => 40 * bound - i)
      const keys = ordinals.map((ordinal, i) => parents[i]! * bound + (by === undefined ? ordinal : by[ordinal]!))
      const counts = new Int32Array(40 * bound).fill(1)
      const out = new Int32Array(length)
      assert.ok(kernel.place(pairs, places, counts, counts.length, out))
      assert.deepEqual(
        out,
        keys.map((key) => places[key]! - 1),
      )
      for (const bucket of out) counts[bucket]!--
      assert.ok(counts.every((count) => count === 1))
      places[keys[length - 1]!] = 0
      assert.equal(kernel.place(pairs, places, counts, counts.length, out), false)
      assert.ok(counts.every((count) => count === 1))
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
