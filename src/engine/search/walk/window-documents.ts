/** Small operations on the documents of one window: as bits, or listed in ascending order. */
import { WINDOW_WORDS } from '../../scoring/window.ts'

/** Drops the documents before `from`; returns the number left. */
export function dropBefore(docs: Int32Array, count: number, from: number): number {
  let kept = 0
  for (let i = 0; i < count; i++) if (docs[i]! >= from) docs[kept++] = docs[i]!
  return kept
}

/** Drops the documents that score less than `least`; returns the number left. */
export function keepScores(docs: Int32Array, count: number, base: number, scores: Float32Array, least: number): number {
  let kept = 0
  for (let i = 0; i < count; i++) if (scores[docs[i]! - base]! >= least) docs[kept++] = docs[i]!
  return kept
}

/** Drops the documents that score `floor` or less; returns the number left. */
export function keepAbove(docs: Int32Array, count: number, base: number, scores: Float32Array, floor: number): number {
  let kept = 0
  for (let i = 0; i < count; i++) if (scores[docs[i]! - base]! > floor) docs[kept++] = docs[i]!
  return kept
}

/** The best of the documents' scores and an earlier one, which may be NaN. */
export function bestScore(docs: Int32Array, count: number, base: number, scores: Float32Array, soFar: number): number {
  let best = soFar
  for (let i = 0; i < count; i++) {
    const score = scores[docs[i]! - base]!
    if (!(score <= best)) best = score
  }
  return best
}

/** Clears the bits of a window outside [from, to). */
export function keepRange(bits: Uint32Array, from: number, to: number): void {
  for (let i = 0; i < WINDOW_WORDS; i++) {
    const first = i << 5
    if (first + 32 <= from || first >= to) bits[i] = 0
    else {
      if (first < from) bits[i] = bits[i]! & (-1 << (from - first))
      if (first + 32 > to) bits[i] = bits[i]! & (-1 >>> (32 - (to - first)))
    }
  }
}

/** The number of ascending documents before `limit`. */
export function countBefore(docs: Int32Array, count: number, limit: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (docs[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
