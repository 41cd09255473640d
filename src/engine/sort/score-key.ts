/** `_score` and `_doc` as sort keys. */
import { Float } from '../../base/json/json-writer.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'

export class ScoreKey implements SortKey {
  readonly needsScores = true
  readonly #sign: number

  constructor(descending: boolean) {
    this.#sign = descending ? -1 : 1
  }

  segment(): SegmentKeys {
    const sign = this.#sign
    return {
      width: 1,
      fill(docs, count, base, scores, out, stride, offset) {
        for (let i = 0; i < count; i++) out[i * stride + offset] = sign * scores[docs[i]! - base]!
      },
      value: (_doc, score) => score,
    }
  }

  compare(a: SortValue, b: SortValue): number {
    return this.#sign * ((a as number) - (b as number))
  }

  format(value: SortValue): unknown {
    return new Float(value as number)
  }
}

/** Values are document numbers within the shard. */
export class DocKey implements SortKey {
  readonly needsScores = false
  readonly #sign: number

  constructor(descending: boolean) {
    this.#sign = descending ? -1 : 1
  }

  segment(view: SegmentView): SegmentKeys {
    const sign = this.#sign
    return {
      width: 1,
      fill(docs, count, _base, _scores, out, stride, offset) {
        for (let i = 0; i < count; i++) out[i * stride + offset] = sign * docs[i]!
      },
      value: (doc) => view.docBase + doc,
    }
  }

  compare(a: SortValue, b: SortValue): number {
    return this.#sign * ((a as number) - (b as number))
  }

  format(value: SortValue): unknown {
    return value
  }
}
