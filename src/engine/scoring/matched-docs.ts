import { wordsFor } from '../../base/bit-set.ts'
import type { Scorer } from './scorers/scorer.ts'
import { releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from './window.ts'

/** All documents that a scorer matches, a bit each. */
export function matchedDocs(scorer: Scorer, docCount: number): Uint32Array {
  const bits = new Uint32Array(wordsFor(docCount))
  const scratch = takeScratch()
  for (let doc = scorer.next(0); doc < docCount; ) {
    const base = windowBase(doc)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    scratch.bits.fill(0)
    scorer.match(base, limit, scratch.bits)
    bits.set(limit - base === WINDOW_SIZE ? scratch.bits : scratch.bits.subarray(0, wordsFor(limit - base)), base >> 5)
    doc = limit < docCount ? scorer.next(limit) : docCount
  }
  releaseScratch(scratch)
  return bits
}
