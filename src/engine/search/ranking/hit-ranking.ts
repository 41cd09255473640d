/**
 * Ranks the matches of a shard, block by block and segment by segment. There are four kinds, depending on the sort:
 * - in document order the first ones are the best
 * - keys that are comparable between segments use one heap, whose worst hit limits everything that follows
 * - keys that may fail are read one by one, as late as possible
 * - otherwise (terms, groups) every segment has its own ranking, and the lists are merged by sort value
 */
import { poison } from '../../../base/memory/poison.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import type { Rescore } from '../../request/rescore.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { OrderedKey, SegmentKeys, SortKey, SortValue } from '../../sort/sort-key.ts'
import type { KeptHits } from '../../sort/top-hits-collector.ts'

export interface ShardHit {
  readonly segment: number
  /** Document number inside the segment. */
  readonly doc: number
  /** Document number inside the view. */
  readonly shardDoc: number
  /** NaN if scores were not computed. */
  readonly score: number
  readonly sort: readonly SortValue[]
  /** The value of the hit's group, if hits are collapsed. */
  readonly group?: SortValue
  /** The rescorers whose window contained the hit. */
  readonly rescoredBy?: readonly Rescore[]
}

export interface RankingOptions {
  readonly segments: readonly SegmentView[]
  readonly keys: readonly SortKey[]
  /** For every segment, by key. */
  readonly sources: readonly (readonly SegmentKeys[])[]
  readonly window: number
  readonly scored: boolean
  readonly after: readonly SortValue[] | undefined
  readonly grouping: FieldType | undefined
  /** Whether the documents of every segment are in the order of the keys. */
  readonly indexOrder?: boolean
}

export interface HitRanking {
  /** Starts a segment, by its number in the view. Each at most once. */
  begin(segment: number): void
  /**
   * Documents of the segment in ascending order; `scores` is indexed by position in the window that starts at `base`.
   */
  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): void
  /** A score that is no longer competitive; -Infinity while every score is. */
  readonly floor: number
  /** Whether the floor rises as hits are found. */
  readonly hasFloor?: boolean
  /** False when no document of [base, limit) of the segment can be a hit. */
  canWin(base: number, limit: number): boolean
  /** The first document of the segment that can be a hit. */
  readonly firstDoc: number
  end(): void
  /**
   * The order in which segments should be searched, best values first, if the bounds of their keys are known; absent
   * for view order.
   */
  readonly order?: readonly number[] | undefined
  /** The segment's documents by the first key, if it has an ordered index. */
  readonly inOrder?: OrderedKey | undefined
  /** Whether all segments have an ordered index of the first key. */
  readonly isOrdered?: boolean
  /** Present if threads can rank parts of the segments: the hits of other segments, as plain data. */
  readonly sharing?: { give(): KeptHits; take(found: KeptHits): void }
  /** The hits from position `skip` on, best first. Called once, at the end. */
  hits(skip: number): ShardHit[]
}

/** Whether all segments have an ordered index of the first key. */
export function isOrderedBy({ sources }: RankingOptions): boolean {
  return sources.every(([first]) => first?.inOrder !== undefined)
}

/** The hit of a document, with its sort values. */
export function hitOf(
  { segments, sources, scored }: RankingOptions,
  segment: number,
  doc: number,
  score: number,
): ShardHit {
  const known = scored ? score : Number.NaN
  const own = sources[segment]!
  // An array that grows has room for 17 values, most of the memory of a page of hits.
  const sort = own.length === 1 ? [own[0]!.value(doc, known)] : own.map((source) => source.value(doc, known))
  return { segment, doc, shardDoc: segments[segment]!.docBase + doc, score: known, sort }
}

export function strideOf(sources: readonly SegmentKeys[]): number {
  return sources.reduce((sum, source) => sum + source.width, 0)
}

/**
 * Drops the documents whose first key is after `worst`, so that the other keys are read for few. Returns the number
 * left.
 */
export function keepPromising(
  first: SegmentKeys,
  worst: number,
  docs: Int32Array,
  count: number,
  base: number,
  scores: Float32Array,
): number {
  const { width } = first
  if (keyRoom.length < count * width) keyRoom = new Float64Array(docs.length * width)
  const keys = keyRoom
  first.fill(docs, count, base, scores, keys, width, 0)
  let kept = 0
  for (let i = 0; i < count; i++) if (keys[i * width]! <= worst) docs[kept++] = docs[i]!
  return kept
}

/** Keys of one block. A thread ranks one block at a time, so all share the buffer. */
let keyRoom = new Float64Array(0)

export function fillKeys(
  sources: readonly SegmentKeys[],
  stride: number,
  docs: Int32Array,
  count: number,
  base: number,
  scores: Float32Array,
): Float64Array {
  if (keyRoom.length < count * stride) keyRoom = new Float64Array(docs.length * stride)
  poison(keyRoom)
  let offset = 0
  for (const source of sources) {
    source.fill(docs, count, base, scores, keyRoom, stride, offset)
    offset += source.width
  }
  return keyRoom
}
