/**
 * A sort key bound to a shard: the source of its keys in a segment, and the form of its values.
 *
 * Inside a segment every key is one or two doubles, smaller first: numbers directly (negated for descending), terms by
 * their ordinal, 64-bit integers as two halves. Hits of several segments and shards are compared by `SortValue`.
 */

import type { AfterValue } from '../request/search-after.ts'
import type { OrderedIndex, SegmentView } from '../segment/segment-reader-api.ts'

/** The values by which hits of several segments are compared; null is a missing term. */
export type SortValue = number | bigint | Uint8Array | null

/** The documents of a segment in the order of one key. */
export interface OrderedKey {
  readonly index: OrderedIndex
  readonly descending: boolean
  /** Converts a sort value to a position among the values of the index, where they differ. */
  readonly stored?: ((key: number) => number) | undefined
}

export interface SegmentKeys {
  readonly width: 1 | 2
  /** Whether keys of different segments are comparable. */
  readonly comparable?: boolean
  /** A lower bound of the first key of documents in [base, limit); undefined if unknown. */
  best?(base: number, limit: number): number | undefined
  /** Present if every document has one key and the index is sorted by it. */
  readonly inOrder?: OrderedKey | undefined
  /**
   * Writes the keys of `docs[0, count)`: key j of entry i goes to `out[i * stride + offset + j]`. `scores` is indexed
   * by position in the window that starts at `base`.
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
  /** The sort value of one document, for hits. */
  value(doc: number, score: number): SortValue
  /**
   * Writes the position of a value among the keys of the segment; a value that no document has falls between two keys.
   */
  bound(value: SortValue, out: Float64Array, offset: number): void
}

export interface SortKey {
  readonly needsScores: boolean
  /** Ascending document numbers: hits are found in sort order, and no two are equal. */
  readonly isDocOrder?: boolean
  /** Reading a value may fail, so none is read unnecessarily. */
  readonly mayFail?: boolean
  /**
   * For a key that may fail: a document has the same value whenever it is read. As the first key it is then read for blocks of
   * documents, because the first key of every document is needed.
   */
  readonly isRepeatable?: boolean
  /** For fields: Elasticsearch's name of the type of the values, which shards of several indices must agree on. */
  readonly valueType?: 'STRING' | 'INT' | 'LONG' | 'FLOAT' | 'DOUBLE' | undefined
  segment(view: SegmentView): SegmentKeys
  /** Compares two values; negative if the first is better. */
  compare(a: SortValue, b: SortValue): number
  /** The value in the response. */
  format(value: SortValue): unknown
  /** A value of `search_after` at a position, in the form by which hits are compared. */
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
