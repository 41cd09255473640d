/**
 * Ranks the matches of a shard, block after block and segment after segment. Four ways, by what the sort allows:
 * - in document order the first that come are the best
 * - keys that compare between segments go into one heap, whose worst hit is a bar for all that follows
 * - keys that may fail are read one by one, as late as can be
 * - else (terms, groups) every segment ranks its own, and the lists are merged by their values
 */
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
  /** NaN when scores were not computed. */
  readonly score: number
  readonly sort: readonly SortValue[]
  /** The value the hit stands for, when hits are collapsed. */
  readonly group?: SortValue
  /** The rescorers whose window contained the hit. */
  readonly rescoredBy?: readonly Rescore[]
}

export interface RankingOptions {
  readonly segments: readonly SegmentView[]
  readonly keys: readonly SortKey[]
  /** Of every segment, for each key. */
  readonly sources: readonly (readonly SegmentKeys[])[]
  readonly window: number
  readonly scored: boolean
  readonly after: readonly SortValue[] | undefined
  readonly grouping: FieldType | undefined
  /** Whether the documents of every segment lie in the order of the keys. */
  readonly indexOrder?: boolean
}

export interface HitRanking {
  /** Turns to a segment, by its number in the view. Each at most once. */
  begin(segment: number): void
  /** Documents of the segment in ascending order; `scores` is by place in the window that starts at `base`. */
  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): void
  /** A score that is not good enough any more; -Infinity as long as every score is. */
  readonly floor: number
  /** Whether the floor rises with the hits that are found. */
  readonly hasFloor?: boolean
  /** False when no document of [base, limit) of the segment can be a hit. */
  canWin(base: number, limit: number): boolean
  /** The first document of the segment that can be a hit. */
  readonly firstDoc: number
  end(): void
  /**
   * The order in which segments should be searched, best values first, where the bounds of their keys are known; absent: as they
   * are.
   */
  readonly order?: readonly number[] | undefined
  /** The segment's documents by the first key, where the index keeps them so. */
  readonly inOrder?: OrderedKey | undefined
  /** Whether the index keeps the documents of all segments so. */
  readonly isOrdered?: boolean
  /** Where threads can rank parts of the segments: what was found in other segments than its own, as plain data. */
  readonly sharing?: { give(): KeptHits; take(found: KeptHits): void }
  /** The hits from place `skip` on, best first. Called once, at the end. */
  hits(skip: number): ShardHit[]
}

/** Whether the index has the documents of all segments by the first key. */
export function isOrderedBy({ sources }: RankingOptions): boolean {
  return sources.every(([first]) => first?.inOrder !== undefined)
}

/** The hit of a document, with the values it is sorted by. */
export function hitOf(
  { segments, sources, scored }: RankingOptions,
  segment: number,
  doc: number,
  score: number,
): ShardHit {
  const known = scored ? score : Number.NaN
  const sort: SortValue[] = []
  for (const source of sources[segment]!) sort.push(source.value(doc, known))
  return { segment, doc, shardDoc: segments[segment]!.docBase + doc, score: known, sort }
}

export function strideOf(sources: readonly SegmentKeys[]): number {
  return sources.reduce((sum, source) => sum + source.width, 0)
}

/** Drops the documents whose first key is behind `worst`, so that the other keys are read for few. Returns how many are left. */
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

/** Keys of one block. A thread ranks one block at a time, so all share the room. */
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
  let offset = 0
  for (const source of sources) {
    source.fill(docs, count, base, scores, keyRoom, stride, offset)
    offset += source.width
  }
  return keyRoom
}
