import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bitsToDocs, releaseScratch, setRange, takeScratch, WINDOW_SIZE, WINDOW_WORDS } from './window.ts'

// Goal: the documents of a window are those with set bits, for full, empty and mixed words.
test('bitsToDocs lists the set bits in order', () => {
  const range = fc.tuple(fc.nat({ max: WINDOW_SIZE }), fc.nat({ max: 300 }))
  fc.assert(
    fc.property(fc.array(range, { maxLength: 20 }), fc.nat({ max: 3 }), (ranges, window) => {
      const bits = new Uint32Array(WINDOW_WORDS)
      for (const [from, length] of ranges) setRange(bits, from, Math.min(from + length, WINDOW_SIZE))
      const base = window * WINDOW_SIZE
      const expected: number[] = []
      for (let i = 0; i < WINDOW_SIZE; i++) if ((bits[i >> 5]! >>> (i & 31)) & 1) expected.push(base + i)
      const docs = new Int32Array(WINDOW_SIZE)
      const count = bitsToDocs(bits, base, docs)
      assert.deepEqual([...docs.subarray(0, count)], expected)
    }),
  )
  const all = new Int32Array(WINDOW_SIZE)
  assert.equal(bitsToDocs(new Uint32Array(WINDOW_WORDS).fill(0xffffffff), WINDOW_SIZE, all), WINDOW_SIZE)
  assert.equal(all[WINDOW_SIZE - 1], 2 * WINDOW_SIZE - 1)
})

test('a scratch window is returned once', () => {
  const scratch = takeScratch()
  releaseScratch(scratch)
  assert.throws(() => releaseScratch(scratch), { name: 'AssertionFailure' })
})
