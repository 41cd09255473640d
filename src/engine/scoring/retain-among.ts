/** `Scorer.retain` for queries that score whole windows but accept a set of documents to score. */
import { hasBit, setBit } from '../../base/bit-set.ts'
import { releaseScratch, takeScratch } from './window.ts'

/** Scores the documents of `asked` in a window that starts at `base`, like `Scorer.matchScored`. */
type MatchAmong = (asked: Uint32Array, bits: Uint32Array, scores: Float32Array) => void

/** Does what `Scorer.retain` requires, with one call of `matchAmong` for the window. */
export function retainAmong(
  matchAmong: MatchAmong,
  base: number,
  docs: Int32Array,
  count: number,
  sums: Float64Array | undefined,
  keepAll: boolean,
): number {
  const [asked, found] = [takeScratch(), takeScratch()]
  for (let i = 0; i < count; i++) setBit(asked.bits, docs[i]! - base)
  matchAmong(asked.bits, found.bits, found.scores)
  let kept = 0
  for (let i = 0; i < count; i++) {
    const at = docs[i]! - base
    const matches = hasBit(found.bits, at)
    if (matches && sums !== undefined) sums[at] = sums[at]! + found.scores[at]!
    if (matches || keepAll) docs[kept++] = docs[i]!
  }
  releaseScratch(found)
  releaseScratch(asked)
  return kept
}
