import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { BLOCK_SIZE } from '../../kernels/block-size.ts'
import { BlockImpacts, highFreq, highNorm, isBeyond, lowFreq, lowNorm } from './block-impact.ts'

const DOCS = Int32Array.from({ length: BLOCK_SIZE }, (_, doc) => doc)

const block = fc.record({
  freqs: fc.array(
    fc.oneof({ weight: 200, arbitrary: fc.integer({ min: 1, max: 9 }) }, fc.integer({ min: 1, max: 260 })),
    { minLength: BLOCK_SIZE, maxLength: BLOCK_SIZE },
  ),
  norms: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: BLOCK_SIZE, maxLength: BLOCK_SIZE }),
})

// Goal: no document of a block exceeds its impact, or searches would skip hits. Method: random blocks; unless a
// frequency exceeds all bounds, each document is below one of the two pairs in both frequency and shortness.
test("each document is bounded by a pair of its block's impact", () => {
  fc.assert(
    fc.property(block, ({ freqs, norms }) => {
      const impact = new BlockImpacts(Uint8Array.from(norms)).of(DOCS, Int32Array.from(freqs), 0)
      if (isBeyond(impact, highFreq(impact))) return
      freqs.forEach((freq, doc) => {
        const norm = norms[doc]!
        const isLow = freq <= lowFreq(impact) && norm >= lowNorm(impact)
        const isHigh = freq <= highFreq(impact) && norm >= highNorm(impact)
        assert.ok(isLow || isHigh, `frequency ${freq}, norm ${norm} against ${impact.toString(16)}`)
      })
    }),
  )
})

// Goal: a long document with many occurrences does not make a short one with a single occurrence look better. Method:
// such a block; the pairs are those of the two documents.
test('the most frequent and the shortest document have a pair each', () => {
  const norms = new Uint8Array(BLOCK_SIZE).fill(40)
  const freqs = new Int32Array(BLOCK_SIZE).fill(1)
  norms[3] = 4
  freqs[9] = 7
  norms[9] = 60
  const impact = new BlockImpacts(norms).of(DOCS, freqs, 0)
  assert.deepEqual([lowFreq(impact), lowNorm(impact)], [1, 4])
  assert.deepEqual([highFreq(impact), highNorm(impact)], [7, 60])
})

test('an impact of format 2 is one pair', () => {
  const impact = 300 | (12 << 16)
  assert.deepEqual([lowFreq(impact), lowNorm(impact)], [300, 12])
  assert.deepEqual([highFreq(impact), highNorm(impact)], [300, 12])
  assert.equal(isBeyond(impact, 300), false)
  assert.equal(isBeyond(0xffff | (12 << 16), 0xffff), true)
})
