/**
 * A sort bound to a shard: where its keys come from in a segment, and how its values print.
 *
 * Inside a segment every key is one or two doubles, smaller first: numbers as they are (negated for descending), terms by
 * their ordinal, 64-bit integers as two halves. Hits of several segments and shards are compared by `SortValue`.
 */

import type { AfterValue } from '../request/search-after.ts'
import type { OrderedIndex, SegmentView } from '../segment/segment-reader-api.ts'

/** What hits of several segments are compared by; null is a missing term. */
export type SortValue = number | bigint | Uint8Array | null

/** The documents of a segment by one key. */
export interface OrderedKey {
  readonly index: OrderedIndex
  readonly descending: boolean
}

export interface SegmentKeys {
  readonly width: 1 | 2
  /** Keys of different segments compare with one another. */
  readonly comparable?: boolean
  /** No document of [base, limit) has a smaller first key; undefined where nothing is known. */
  best?(base: number, limit: number): number | undefined
  /** Given where every document has one key, and the index keeps documents in its order. */
  readonly inOrder?: OrderedKey | undefined
  /**
   * Writes the keys of `docs[0, count)`: key j of entry i goes to `out[i * stride + offset + j]`. `scores` is by place in
   * the window that starts at `base`.
   */
  fill(
    docs: Int32Array,
    count: number,
    base: number,
    scores: Float32Array,
    out: Float64Array,
    stride: number,
    offset: number,
  ): void
  /** The value of one document, for hits. */
  value(doc: number, score: number): SortValue
  /** Writes where a value stands among the keys of the segment; one that no document has falls between two. */
  bound(value: SortValue, out: Float64Array, offset: number): void
}

export interface SortKey {
  readonly needsScores: boolean
  /** Ascending numbers of documents: hits come in the order they are found, and no two are equal. */
  readonly isDocOrder?: boolean
  /** Reading a value may fail: none is read that need not be. */
  readonly mayFail?: boolean
  segment(view: SegmentView): SegmentKeys
  /** Order of two values, the first being better when negative. */
  compare(a: SortValue, b: SortValue): number
  /** As the answer shows it. */
  format(value: SortValue): unknown
  /** A value of `search_after` at a position, as hits are compared by it. */
  after(value: AfterValue, position: number): SortValue
}

/** Compares by the keys in turn. */
export function compareSortValues(keys: readonly SortKey[], a: readonly SortValue[], b: readonly SortValue[]): number {
  for (let i = 0; i < keys.length; i++) {
    const order = keys[i]!.compare(a[i]!, b[i]!)
    if (order !== 0) return order
  }
  return 0
}
