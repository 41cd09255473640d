/** `_score` and `_doc` as sort keys. */
import { Float } from '../../base/json/json-writer.ts'
import type { AfterValue } from '../request/search-after.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { afterNumber } from './search-after.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'

export class ScoreKey implements SortKey {
  readonly needsScores = true
  readonly descending: boolean
  readonly #sign: number

  constructor(descending: boolean) {
    this.descending = descending
    this.#sign = descending ? -1 : 1
  }

  segment(): SegmentKeys {
    const sign = this.#sign
    return {
      width: 1,
      comparable: true,
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
    // The difference of two infinite scores is NaN.
    return a! < b! ? -this.#sign : a! > b! ? this.#sign : 0
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
      value: (doc) => view.docBase + doc,
      bound(value, out, offset) {
        out[offset] = sign * (value as number)
      },
      ...documentKeys(view, sign),
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

/** The number of a document in its view is its key. */
function documentKeys({ docBase }: SegmentView, sign: number) {
  return {
    width: 1,
    comparable: true,
    fill(
      docs: Int32Array,
      count: number,
      _base: number,
      _scores: Float32Array,
      out: Float64Array,
      stride: number,
      offset: number,
    ) {
      for (let i = 0; i < count; i++) out[i * stride + offset] = sign * (docBase + docs[i]!)
    },
    best: (base: number, limit: number) => sign * (docBase + (sign > 0 ? base : limit - 1)),
  } as const
}

const SHARD_DOCS = 2 ** 32

/**
 * `_shard_doc`: the number of the shard in the request or point in time, and the document's number in the shard's view.
 * Unique among all documents of a point in time, and constant while it is open.
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
    const shardBase = this.#shardBase
    return {
      value: (doc) => shardBase + view.docBase + doc,
      bound(value, out, offset) {
        out[offset] = sign * (Number(value) - shardBase)
      },
      ...documentKeys(view, sign),
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
