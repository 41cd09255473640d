/** A segment as a walk sees it: what matches in it, and how many documents that are where it can be told without looking. */
import { countBits, countWord } from '../../../base/bit-set.ts'
import { filterMatcher } from '../../scoring/filter-cache.ts'
import type { Matcher } from '../../scoring/matchers/matcher.ts'
import type { ShardQuery } from '../../scoring/query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { type SlicedSegment, slicedView } from '../slice.ts'
import type { WalkOptions } from './shard-walk.ts'

export interface SegmentMatchers {
  readonly view: SegmentView
  readonly matcher: Matcher
  /** Filters, and the post filters where nobody observes. */
  readonly narrowing: readonly Matcher[]
  /** Post filters that leave the observer's documents alone; undefined when they leave no hits. */
  readonly postFilters: readonly Matcher[] | undefined
  readonly sliced: SlicedSegment | undefined
}

/** Matchers for one pass over a segment, of the query with or without scores; undefined when nothing matches. */
export function matchersOf(
  { filters, postFilters, slice, observer }: WalkOptions,
  view: SegmentView,
  query: ShardQuery,
  scoring: boolean,
): SegmentMatchers | undefined {
  const sliced = slice?.of(view)
  if (sliced !== undefined && sliced.from === sliced.to) return undefined
  const scored = sliced === undefined ? view : slicedView(view, sliced)
  const matcher = scoring ? query.matcher(scored) : filterMatcher(query, view)
  if (matcher === undefined) return undefined
  const narrowing = filterMatchers(filters, view)
  const behind = filterMatchers(postFilters, view)
  if (narrowing === undefined || (behind === undefined && observer === undefined)) return undefined
  if (sliced?.matcher !== undefined) narrowing.unshift(sliced.matcher)
  if (observer !== undefined) return { view, matcher, narrowing, postFilters: behind, sliced }
  return { view, matcher, narrowing: [...narrowing, ...behind!], postFilters: NONE, sliced }
}

const NONE: readonly Matcher[] = []

/** Undefined when one of the filters leaves nothing of the segment. */
export function filterMatchers(queries: readonly ShardQuery[], view: SegmentView): Matcher[] | undefined {
  const matchers: Matcher[] = []
  for (const query of queries) {
    const matcher = filterMatcher(query, view)
    if (matcher === undefined) return undefined
    matchers.push(matcher)
  }
  return matchers
}

/** Whether all that the query matches are hits. */
export function isWhole({ narrowing, postFilters, sliced }: SegmentMatchers, { minScore }: WalkOptions): boolean {
  return narrowing.length === 0 && postFilters?.length === 0 && sliced === undefined && minScore === undefined
}

/** Whether the query cannot match nested objects of the segment. */
export function isFlat({ reader }: SegmentView, { rootsOnly }: WalkOptions): boolean {
  return rootsOnly || reader.nested === undefined
}

/** How many living root documents match, where that needs no walk over them; else -1. */
export function knownMatches(options: WalkOptions, view: SegmentView, matcher: Matcher): number {
  const { terminateAfter, totalUpTo, observer } = options
  const flat = isFlat(view, options)
  // What Lucene cannot tell without a walk is counted up to where the walk ends.
  if (terminateAfter !== Number.POSITIVE_INFINITY && !flat) return -1
  if (matcher.isMasked && terminateAfter === Number.POSITIVE_INFINITY) return matcher.exactCount
  const known = flat && view.live === undefined ? matcher.exactCount : knownCount(view, matcher)
  if (known >= 0 || totalUpTo !== Number.POSITIVE_INFINITY || view.live !== undefined || !flat) return known
  // Where all are seen in any case they are counted on the way.
  return observer === undefined ? matcher.countExactly() : -1
}

function knownCount({ reader, live }: SegmentView, matcher: Matcher): number {
  const { exactCount } = matcher
  const roots = reader.nested?.roots
  if (exactCount < 0 || (live === undefined && roots === undefined)) return exactCount
  if (exactCount !== reader.docCount) return -1
  const some = live ?? roots!
  if (live === undefined || roots === undefined) return countBits(some.subarray(0, (reader.docCount + 31) >> 5))
  let count = 0
  for (let i = 0; i < roots.length; i++) count += countWord(live[i]! & roots[i]!)
  return count
}
