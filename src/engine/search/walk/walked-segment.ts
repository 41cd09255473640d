/**
 * A segment in the search loop: the scorers of the query and its filters, and the number of matches if it is known
 * without a pass.
 */
import { countBits, countWord } from '../../../base/bit-set.ts'
import { filterScorer } from '../../scoring/filter-cache.ts'
import type { Weight } from '../../scoring/query.ts'
import { checked } from '../../scoring/scorers/checked-scorer.ts'
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { type SlicedSegment, slicedView } from '../slice.ts'
import type { WalkOptions } from './shard-walk.ts'

export interface SegmentScorers {
  readonly view: SegmentView
  readonly scorer: Scorer
  /** Filters, and the post filters if there is no collector. */
  readonly narrowing: readonly Scorer[]
  /** Post filters that do not affect the collector, or that may fail; undefined if they leave no hits. */
  readonly postFilters: readonly Scorer[] | undefined
  readonly sliced: SlicedSegment | undefined
}

/** Scorers for one pass over a segment, with or without scores; undefined if nothing matches. */
export function scorersOf(
  { filters, postFilters, slice, collector }: WalkOptions,
  view: SegmentView,
  query: Weight,
  scoring: boolean,
): SegmentScorers | undefined {
  const sliced = slice?.of(view)
  if (sliced !== undefined && sliced.from === sliced.to) return undefined
  const scored = sliced === undefined ? view : slicedView(view, sliced)
  const found = scoring ? query.scorer(scored) : filterScorer(query, view)
  if (found === undefined) return undefined
  const scorer = checked(found)
  const narrowing = filterScorers(filters, view)
  const behind = filterScorers(postFilters, view)
  if (narrowing === undefined || (behind === undefined && collector === undefined)) return undefined
  if (sliced?.scorer !== undefined) narrowing.unshift(sliced.scorer)
  // A post filter without `asFilter` may fail for documents that the query does not match, so only matches are tested.
  const isLate = collector !== undefined || postFilters.some(({ asFilter }) => asFilter === undefined)
  if (isLate) return { view, scorer, narrowing, postFilters: behind, sliced }
  return { view, scorer, narrowing: [...narrowing, ...behind!], postFilters: NONE, sliced }
}

const NONE: readonly Scorer[] = []

/** Undefined if one of the filters matches nothing in the segment. */
export function filterScorers(queries: readonly Weight[], view: SegmentView): Scorer[] | undefined {
  const scorers: Scorer[] = []
  for (const query of queries) {
    const scorer = filterScorer(query, view)
    if (scorer === undefined) return undefined
    scorers.push(checked(scorer))
  }
  return scorers
}

/** Whether all matches of the query are hits. */
export function isWhole({ narrowing, postFilters, sliced }: SegmentScorers, { minScore }: WalkOptions): boolean {
  return narrowing.length === 0 && postFilters?.length === 0 && sliced === undefined && minScore === undefined
}

/** Whether the query cannot match nested objects of the segment. */
export function isFlat({ reader }: SegmentView, { rootsOnly }: WalkOptions): boolean {
  return rootsOnly || reader.nested === undefined
}

/** The number of matching live root documents, if it needs no iteration; else -1. */
export function knownMatches(options: WalkOptions, view: SegmentView, scorer: Scorer): number {
  const { terminateAfter, totalUpTo, collector } = options
  const flat = isFlat(view, options)
  // With `terminate_after`, Lucene stops counting where the search ends if a filter is added to the query: for joined
  // documents, and to leave out nested objects, whether a segment has any or not.
  if (terminateAfter !== Number.POSITIVE_INFINITY && (scorer.isMasked || !options.rootsOnly)) return -1
  if (scorer.isMasked) return scorer.exactCount
  const known = flat && view.live === undefined ? scorer.exactCount : knownCount(view, scorer)
  if (known >= 0 || totalUpTo !== Number.POSITIVE_INFINITY || view.live !== undefined || !flat) return known
  // If all are visited anyway they are counted on the way.
  return collector === undefined ? scorer.countExactly() : -1
}

function knownCount({ reader, live }: SegmentView, scorer: Scorer): number {
  const { exactCount } = scorer
  const roots = reader.nested?.roots
  if (exactCount < 0 || (live === undefined && roots === undefined)) return exactCount
  if (exactCount !== reader.docCount) return -1
  const some = live ?? roots!
  if (live === undefined || roots === undefined) return countBits(some.subarray(0, (reader.docCount + 31) >> 5))
  let count = 0
  for (let i = 0; i < roots.length; i++) count += countWord(live[i]! & roots[i]!)
  return count
}
