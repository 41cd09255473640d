/** `_score` and `_doc` as sort keys. */
import { Float } from '../../base/json/json-writer.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { type AfterValue, afterNumber } from './search-after.ts'
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
      bound(value, out, offset) {
        out[offset] = sign * (value as number)
      },
    }
  }

  compare(a: SortValue, b: SortValue): number {
    return this.#sign * ((a as number) - (b as number))
  }

  format(value: SortValue): unknown {
    return new Float(value as number)
  }

  after(value: AfterValue, position: number): SortValue {
    return afterNumber(value, position, null, 'SCORE')
  }
}

/** Values are document numbers within the shard. */
export class DocKey implements SortKey {
  readonly needsScores = false
  readonly isDocOrder: boolean
  readonly #sign: number

  constructor(descending: boolean) {
    this.isDocOrder = !descending
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
      bound(value, out, offset) {
        out[offset] = sign * ((value as number) - view.docBase)
      },
    }
  }

  compare(a: SortValue, b: SortValue): number {
    return this.#sign * ((a as number) - (b as number))
  }

  format(value: SortValue): unknown {
    return value
  }

  after(value: AfterValue, position: number): SortValue {
    return afterNumber(value, position, null, 'DOC')
  }
}

const SHARD_DOCS = 2 ** 32

/**
 * `_shard_doc`: the number of the shard in the request or point in time, and the document's number in the shard's view. Unique
 * among all documents of a point in time, and constant while it is open.
 */
export class ShardDocKey implements SortKey {
  readonly needsScores = false
  readonly isDocOrder: boolean
  readonly #sign: number
  readonly #shardBase: number

  constructor(descending: boolean, shardIndex: number) {
    this.isDocOrder = !descending
    this.#sign = descending ? -1 : 1
    this.#shardBase = shardIndex * SHARD_DOCS
  }

  segment(view: SegmentView): SegmentKeys {
    const sign = this.#sign
    const base = this.#shardBase + view.docBase
    return {
      width: 1,
      fill(docs, count, _base, _scores, out, stride, offset) {
        for (let i = 0; i < count; i++) out[i * stride + offset] = sign * docs[i]!
      },
      value: (doc) => base + doc,
      bound(value, out, offset) {
        out[offset] = sign * (Number(value) - base)
      },
    }
  }

  compare(a: SortValue, b: SortValue): number {
    return this.#sign * (Number(a) - Number(b))
  }

  format(value: SortValue): unknown {
    return value
  }

  after(value: AfterValue, position: number): SortValue {
    return afterNumber(value, position, '_shard_doc', 'LONG')
  }
}
