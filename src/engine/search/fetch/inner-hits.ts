/** Inner hits of `nested` queries: the matching objects of a hit, ranked and fetched like hits. */

import { illegalArgument } from '../../../base/api-error.ts'
import { BoolQuery } from '../../query/compound/bool.ts'
import { FunctionScoreQuery } from '../../query/compound/function-score.ts'
import { HasChildQuery } from '../../query/joining/has-child.ts'
import { HasParentQuery } from '../../query/joining/has-parent.ts'
import { NestedQuery } from '../../query/nested/nested.ts'
import { KnnSection } from '../../query/vectors/knn-section.ts'
import type { InnerHitsRequest } from '../../request/inner-hits.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { bindSort } from '../../sort/bind-sort.ts'
import { compareSortValues, type SortKey, type SortValue } from '../../sort/sort-key.ts'
import { matchesDocument } from '../matches-document.ts'
import { planQuery } from '../plan-query.ts'
import type { FetchedHit, FetchRequest, InnerHit, InnerHits } from './fetched-hit.ts'
import { JoinHits, type JoinQuery } from './join-hits.ts'
import { queriesWithName } from './matched-queries.ts'
import { objectsInside } from './nested-place.ts'

type QueryWithInnerHits = NestedQuery | JoinQuery | KnnSection

/**
 * The outermost queries of a tree that request inner hits. Inner hits of queries inside them are shown by their hits.
 */
export function queriesWithInnerHits(query: Query): QueryWithInnerHits[] {
  if (query instanceof KnnSection && query.innerHits !== undefined) return [query]
  if (query instanceof NestedQuery || query instanceof HasChildQuery || query instanceof HasParentQuery) {
    return query.innerHits === undefined ? [] : [query]
  }
  // A `must_not` clause matches no hit, so it has no inner hits.
  if (query instanceof BoolQuery) return [...query.must, ...query.filter, ...query.should].flatMap(queriesWithInnerHits)
  // The filters of functions have no inner hits either.
  if (query instanceof FunctionScoreQuery) return queriesWithInnerHits(query.query)
  return (query.children?.() ?? []).flatMap(queriesWithInnerHits)
}

/** Fetches the contents of an inner hit: a nested object, or a document that a join relates to the hit. */
export interface ObjectFetcher {
  fetch(segment: SegmentView, doc: number): FetchedHit
}

/** Creates the fetcher of the objects. It is passed in because inner hits may themselves have inner hits. */
export type FetcherFactory = (context: SearchExecutionContext, request: FetchRequest) => ObjectFetcher

/** Prepared once per shard and search. */
export class InnerHitsFetcher {
  readonly #lists: readonly (NestedHits | JoinHits)[]

  constructor(context: SearchExecutionContext, queries: readonly QueryWithInnerHits[], fetcherOf: FetcherFactory) {
    const names = new Set<string>()
    const lists: (NestedHits | JoinHits)[] = []
    for (const each of queries) {
      const query = each instanceof KnnSection ? each.objects(context.mapping) : each
      // Neighbours that are whole documents have no inner hits.
      if (query === undefined) continue
      const request = query.innerHits!
      const name = request.name ?? defaultName(query)
      if (names.has(name)) throw illegalArgument(`[inner_hits] already contains an entry for key [${name}]`)
      names.add(name)
      checkWindow(context, request)
      if (!(query instanceof NestedQuery)) {
        const list = JoinHits.of({ ...context, nestedScope: undefined }, query, name, request, fetcherOf)
        if (list !== undefined) lists.push(list)
      } else if (context.mapping.objectKind(query.path) === 'nested') {
        lists.push(new NestedHits(context, query, name, request, fetcherOf))
      }
    }
    this.#lists = lists
  }

  fetch(segment: SegmentView, doc: number): InnerHits[] {
    return this.#lists.map((list) => list.of(segment, doc))
  }
}

function defaultName(query: NestedQuery | JoinQuery): string {
  if (query instanceof NestedQuery) return query.path
  return query instanceof HasChildQuery ? query.child : query.parent
}

function checkWindow({ limits }: SearchExecutionContext, { name, from, size }: InnerHitsRequest): void {
  const limit = limits.maxInnerResultWindow
  if (from + size <= limit) return
  throw illegalArgument(
    `Inner result window is too large, the inner hit definition's [${name ?? null}]'s from + size must be less than or ` +
      `equal to: [${limit}] but was [${from + size}]. This limit can be set by changing the ` +
      '[index.max_inner_result_window] index level setting.',
  )
}

interface RankedObject {
  readonly doc: number
  readonly score: number
  readonly sort: readonly SortValue[]
}

class NestedHits {
  readonly #name: string
  readonly #path: string
  readonly #request: InnerHitsRequest
  readonly #query: Weight
  readonly #scored: boolean
  readonly #keys: readonly SortKey[]
  readonly #fetcher: ObjectFetcher
  readonly #named: readonly { name: string; query: Weight }[]

  constructor(
    context: SearchExecutionContext,
    { path, query }: NestedQuery,
    name: string,
    request: InnerHitsRequest,
    fetcherOf: FetcherFactory,
  ) {
    const inside = { ...context, nestedScope: path, nestedParent: context.nestedScope, listsObjects: true }
    this.#name = name
    this.#path = path
    this.#request = request
    this.#keys = request.sort === undefined ? [] : bindSort(inside, request.sort, 0)
    const byScore = this.#keys.length === 0 || this.#keys.some((key) => key.needsScores)
    // With `size: 0` objects are not scored, so that a score that cannot be computed is not an error.
    this.#scored = request.size > 0 && (byScore || request.trackScores || request.explain)
    this.#query = planQuery(inside, query, this.#scored, 1)
    this.#fetcher = fetcherOf(inside, { ...request, query })
    this.#named = queriesWithName([query]).map((one) => ({ name: one.name!, query: planQuery(inside, one, false, 1) }))
  }

  of(segment: SegmentView, doc: number): InnerHits {
    const { from, size, trackScores } = this.#request
    const { nested } = segment.reader
    const objects = nested === undefined ? [] : objectsInside(nested, doc, this.#path)
    const matches = matchesAmong(this.#query, segment, objects, this.#scored)
    const sources = this.#keys.map((key) => key.segment(segment))
    const ranked = matches.map(
      ({ doc, score }): RankedObject => ({ doc, score, sort: sources.map((source) => source.value(doc, score)) }),
    )
    const sorted = this.#keys.length > 0
    ranked.sort(sorted ? (a, b) => compareSortValues(this.#keys, a.sort, b.sort) : (a, b) => b.score - a.score)
    const scored = size > 0 && (!sorted || trackScores)
    // Ranked by score, a page after the last object has a total of zero, as in Elasticsearch.
    const isBeyond = size > 0 && !sorted && from >= ranked.length
    return {
      name: this.#name,
      total: isBeyond ? 0 : ranked.length,
      maxScore: scored && ranked.length > 0 ? Math.max(...ranked.map(({ score }) => score)) : Number.NaN,
      hits: ranked.slice(from, from + size).map((object) => this.#hit(segment, object, sorted)),
    }
  }

  #hit(segment: SegmentView, { doc, score, sort }: RankedObject, sorted: boolean): InnerHit {
    return {
      fetched: this.#fetcher.fetch(segment, doc),
      explanation: this.#request.explain ? this.#query.explain(segment, doc) : undefined,
      score: sorted ? Number.NaN : score,
      sort: sorted ? this.#keys.map((key, i) => key.format(sort[i]!)) : undefined,
      matchedQueries: this.#named.filter(({ query }) => matchesDocument(query, segment, doc)).map(({ name }) => name),
    }
  }
}

/** Which of a few documents match, with their scores. Others are not scored, because some functions fail for them. */
function matchesAmong(
  query: Weight,
  segment: SegmentView,
  docs: readonly number[],
  scored: boolean,
): { doc: number; score: number }[] {
  const found: { doc: number; score: number }[] = []
  const scorer = docs.length === 0 ? undefined : query.scorer(segment)
  if (scorer === undefined) return found
  const { docCount } = segment.reader
  const scratch = takeScratch()
  const { docs: asked, sums } = scratch
  for (let at = 0; at < docs.length; ) {
    const base = windowBase(docs[at]!)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    let count = 0
    while (at < docs.length && docs[at]! < limit) {
      sums[docs[at]! - base] = 0
      asked[count++] = docs[at++]!
    }
    if (scorer.next(base) >= limit) continue
    const kept = scorer.retain(base, limit, asked, count, scored ? sums : undefined, false)
    for (const doc of asked.subarray(0, kept)) {
      found.push({ doc, score: scored ? Math.fround(sums[doc - base]!) : Number.NaN })
    }
  }
  releaseScratch(scratch)
  return found
}
