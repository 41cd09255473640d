/** Tests every root document of a segment, for values without an index. */
import type { SegmentReader } from '../../segment/segment-reader-api.ts'
import { BitSetScorer } from './bit-set-scorer.ts'
import type { Scorer } from './scorer.ts'

export function eachDocument(reader: SegmentReader, visit: (doc: number) => void): void {
  const roots = reader.nested?.roots
  for (let doc = 0; doc < reader.docCount; doc++) {
    if (roots === undefined || (roots[doc >> 5]! & (1 << (doc & 31))) !== 0) visit(doc)
  }
}

export function documentsThat(
  reader: SegmentReader,
  hold: (doc: number) => boolean,
  score: number,
): Scorer | undefined {
  const bits = new Uint32Array((reader.docCount + 31) >> 5)
  let count = 0
  eachDocument(reader, (doc) => {
    if (!hold(doc)) return
    bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
    count++
  })
  return count === 0 ? undefined : new BitSetScorer(bits, count, score)
}
