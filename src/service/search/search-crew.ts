/**
 * Threads that share a search. Each parses the request and plans it on the same views, then searches its part of the
 * segments, step by step. One thread leads and answers.
 */
import { type SegmentShare, shareOut } from '../../engine/search/walk/segment-share.ts'
import type { SegmentView } from '../../engine/segment/segment-reader-api.ts'
import type { SearchRequest } from './search-service.ts'
import type { Reach } from './shards/reach.ts'

export interface SearchCrew {
  /** The part of this thread; 0 is the leader's. */
  readonly part: number
  readonly parts: number
  /** Called by the leader: the result of another thread in a step; undefined if the leader has to compute it. */
  take(step: number): unknown
  give(step: number, found: unknown): void
}

/** A part with fewer documents is not worth sharing. */
const PART_DOCS_MIN = 10_000

/** The steps of one search, in the same order in every thread. */
export class SharedSteps {
  readonly #crew: SearchCrew
  #last = -1

  /** Undefined if a thread has to search alone. */
  static of(request: SearchRequest, reach: Reach): SharedSteps | undefined {
    const crew = request.limits?.crew
    return crew === undefined || !isShareable(request, reach) ? undefined : new SharedSteps(crew)
  }

  private constructor(crew: SearchCrew) {
    this.#crew = crew
  }

  /** The share in the next step, on the segments of a shard. */
  next(segments: readonly SegmentView[]): SegmentShare | undefined {
    const crew = this.#crew
    const step = ++this.#last
    const parts = shareOut(segments, crew.parts)
    if (smallestPart(segments, parts, crew.parts) < PART_DOCS_MIN) return undefined
    return {
      leads: crew.part === 0,
      isOwn: (segment) => parts[segment] === crew.part,
      take: () => crew.take(step),
      give: (found) => crew.give(step, found),
    }
  }
}

/** Whether this thread is a helper, whose response is discarded. */
export function isHelping({ limits }: SearchRequest): boolean {
  return limits?.crew !== undefined && limits.crew.part > 0
}

function smallestPart(segments: readonly SegmentView[], parts: Int32Array, count: number): number {
  const docs = new Float64Array(count)
  for (let i = 0; i < segments.length; i++) docs[parts[i]!] = docs[parts[i]!]! + segments[i]!.reader.docCount
  return docs.reduce((least, sum) => Math.min(least, sum), Number.POSITIVE_INFINITY)
}

/** Searches that terminate early, are profiled or rescored are not shared. */
function isShareable({ body, globalFrequencies, scroll }: SearchRequest, { kind }: Reach): boolean {
  return (
    kind === 'newest' &&
    scroll === undefined &&
    !globalFrequencies &&
    body.knn.length === 0 &&
    body.retriever === undefined &&
    body.collapse === undefined &&
    body.rescores.length === 0 &&
    body.suggest === undefined &&
    body.profile !== true &&
    body.timeoutMs === undefined &&
    !body.terminateAfter
  )
}
