/**
 * Runs compound retrievers: each child is a search of its own over the same views, whose best documents the retriever ranks.
 * The result is a query for the ranked documents, with which the search itself continues.
 */
import { ApiError, errorObject, illegalArgument } from '../../../base/api-error.ts'
import { allShardsFailed, type ShardFailure } from '../../../base/errors/search-errors.ts'
import { BoolQuery } from '../../../engine/query/compound/bool.ts'
import { PinnedQuery } from '../../../engine/query/compound/pinned.ts'
import { LEAST_SCORE, type RankDoc, RankDocsQuery } from '../../../engine/query/retrieved/rank-docs-query.ts'
import { MatchAllQuery } from '../../../engine/query/term-level/match-all.ts'
import { shardKey } from '../../../engine/query/vectors/knn-section.ts'
import type { Query } from '../../../engine/scoring/query.ts'
import { mergeHits } from '../answer/hits-page.ts'
import { hitOrder } from '../hit-order.ts'
import { pageRequest } from '../page-rules.ts'
import { QueryPhase } from '../query-phase.ts'
import { newSearchBody, type SearchBody, TRACK_NONE } from '../request/search-body.ts'
import type { SearchRequest } from '../search-service.ts'
import type { Reach } from '../shards/reach.ts'
import type { ShardAccess } from '../shards/shard-access.ts'
import { checkAsChild, leafSearch } from './apply-leaf.ts'
import { asRanked, combineRanks, type FoundDoc } from './combine-ranks.ts'
import { ExactNeighbours } from './exact-neighbours.ts'
import { type CompoundRetriever, isCompound, type LeafRetriever, type Retriever } from './retriever.ts'
import { withChildren } from './text-form.ts'

/** What a retriever found, as searches see it. */
interface Retrieved {
  readonly retriever: Retriever
  /** Matches what it found, under its name. */
  readonly query: Query
  /** The same, for explanations of the scores. */
  readonly explained: Query
}

interface Ranked {
  readonly retriever: CompoundRetriever
  readonly docs: readonly RankDoc[]
  readonly children: readonly Retrieved[]
}

/** The parts of a search that the documents of a child depend on. */
type ChildSearch = Partial<SearchBody>

export class CompoundSearch {
  readonly #access: ShardAccess
  readonly #request: SearchRequest
  readonly #reach: Reach
  readonly #startedMs: number

  /** `reach` must give the same views to every search. */
  constructor(access: ShardAccess, request: SearchRequest, reach: Reach, startedMs: number) {
    this.#access = access
    // Children are searched one after the other by this thread.
    this.#request = { ...request, limits: request.limits && { ...request.limits, crew: undefined } }
    this.#reach = reach
    this.#startedMs = startedMs
  }

  /** The search for what the retriever has ranked. */
  search(retriever: CompoundRetriever): SearchRequest {
    const ranked = this.#rank(retriever, retriever.options.filters)
    const { body } = this.#request
    const { length } = ranked.docs
    const matchesAll =
      body.aggregations !== undefined ||
      body.explain === true ||
      body.profile === true ||
      (body.trackTotalHits ?? Number.POSITIVE_INFINITY) > length
    const sources = ranked.children.map(({ query, explained }) => (body.explain === true ? explained : query))
    const size = body.size ?? retriever.window
    const from = Math.max(0, body.from ?? 0)
    return {
      ...this.#request,
      cacheKey: undefined,
      body: {
        ...body,
        ...leastScore(ranked),
        query: new RankDocsQuery(ranked.docs, matchesAll ? sources : [], false, retriever.options.name),
        size: size + from > length ? Math.max(0, length - from) : size,
      },
    }
  }

  /** `filters` are its own and those of the retrievers around it. */
  #rank(written: CompoundRetriever, filters: readonly Query[]): Ranked {
    const retriever = withChildren(written, this.#reach)
    const lists: FoundDoc[][] = []
    const children: Retrieved[] = []
    const failures: { readonly kind: string; readonly error: ApiError }[] = []
    for (const child of retriever.children) {
      const inside = isCompound(child) ? this.#rank(child, [...child.options.filters, ...filters]) : undefined
      const search = inside === undefined ? leafOf(child as LeafRetriever, filters) : rankedSearch(inside)
      const found = this.#found(finished(retriever, search))
      if (found instanceof ApiError) {
        failures.push({ kind: inside === undefined ? child.kind : 'rank_docs_retriever', error: found })
        continue
      }
      lists.push(found)
      const retrieved = inside === undefined ? leafFound(child, filters, search, found) : compoundFound(inside)
      children.push(retriever.kind === 'pinned' ? pinnedFound(retriever, retrieved, found) : retrieved)
    }
    if (failures.length > 0) throw childrenFailed(retriever, failures)
    return { retriever, docs: combineRanks(retriever, lists), children }

    function leafOf(child: LeafRetriever, outer: readonly Query[]): ChildSearch {
      checkAsChild(child)
      return leafSearch(child, [...child.options.filters, ...outer])
    }

    function finished(parent: CompoundRetriever, search: ChildSearch): ChildSearch {
      const asked = { size: parent.window, ...search }
      if (parent.kind === 'linear') return { ...asked, trackScores: true }
      if (parent.kind === 'rescorer') return { ...asked, rescores: [...parent.rescores] }
      if (parent.kind !== 'pinned') return asked
      if (search.sort !== undefined && search.sort.length > 0 && search.sort[0]!.kind !== 'score') {
        throw illegalArgument('[pinned] retriever only supports sorting by score')
      }
      if (search.query === undefined) throw illegalArgument('pinned retriever requires retriever with associated query')
      return { ...asked, query: new PinnedQuery(parent.documents, search.query) }
    }
  }

  /** The best documents of a child, or its failure. */
  #found(search: ChildSearch): FoundDoc[] | ApiError {
    const body: SearchBody = { ...newSearchBody(), trackTotalHits: TRACK_NONE, ...search }
    const request = { ...this.#request, body, globalFrequencies: false }
    const page = pageRequest(request, this.#reach, hitOrder(body))
    const phase = new QueryPhase(this.#access, request, { ...this.#reach, views: [] }, page, this.#startedMs)
    try {
      const { answered, failures } = phase.run()!
      if (answered.length === 0 && failures.length > 0) return allShardsFailed(failures as ShardFailure[])
      return mergeHits(answered, page.from - page.skip, page.size).map(({ answered: { shard, context }, hit }) => ({
        shard: shardKey(context),
        position: shard.position,
        doc: context.view.segments[hit.segment]!.docBase + hit.doc,
        score: hit.score,
      }))
    } catch (error) {
      if (error instanceof ApiError) return error
      throw error
    } finally {
      phase.end()
    }
  }
}

/** With a least score among its children only ranked documents count. */
function leastScore({ retriever, children }: Ranked): Pick<SearchBody, 'minScore'> | undefined {
  const own = minScoreOf(retriever)
  if (own === undefined && children.every((child) => minScoreOf(child.retriever) === undefined)) return undefined
  return { minScore: own ?? LEAST_SCORE }
}

/** Elasticsearch loses the least score of all compound retrievers but the linear one. */
function minScoreOf(retriever: Retriever): number | undefined {
  return isCompound(retriever) && retriever.kind !== 'linear' ? undefined : retriever.options.minScore
}

/** The search for what a compound child has ranked. */
function rankedSearch(ranked: Ranked): ChildSearch {
  const { docs, retriever } = ranked
  return {
    ...leastScore(ranked),
    query: new RankDocsQuery(docs, [], false, retriever.options.name),
    size: Math.min(retriever.window, docs.length),
  }
}

function compoundFound({ retriever, docs, children }: Ranked): Retrieved {
  const { name } = retriever.options
  const explained = new RankDocsQuery(
    docs,
    children.map((child) => child.explained),
    true,
    name,
  )
  const should = children.map((child) => child.query)
  return { retriever, query: new BoolQuery({ should }, { boost: 1, name }), explained }
}

function leafFound(
  retriever: Retriever,
  outer: readonly Query[],
  { knn }: ChildSearch,
  found: readonly FoundDoc[],
): Retrieved {
  const { name } = retriever.options
  const filters = [...retriever.options.filters, ...outer]
  if (retriever.kind === 'standard') {
    const query = retriever.query ?? new MatchAllQuery()
    if (filters.length === 0) return both(retriever, named(query, name))
    return both(retriever, new BoolQuery({ filter: [query, ...filters] }, { boost: 1, name }))
  }
  const docs = asRanked(found)
  const only = (sources: readonly Query[]) => {
    if (filters.length === 0) return new RankDocsQuery(docs, sources, true, name)
    const must = [new RankDocsQuery(docs, sources, true, undefined)]
    return new BoolQuery({ must, filter: filters }, { boost: 1, name })
  }
  return { retriever, query: only([]), explained: only(knn!.map((query) => new ExactNeighbours(query))) }
}

const both = (retriever: Retriever, query: Query): Retrieved => ({ retriever, query, explained: query })

/** The query under the name of its retriever, as in Elasticsearch in place of its own. */
function named(query: Query, name: string | undefined): Query {
  ;(query as { name: string | undefined }).name = name
  return query
}

function pinnedFound(
  { documents }: Extract<CompoundRetriever, { kind: 'pinned' }>,
  { retriever, query, explained }: Retrieved,
  found: readonly FoundDoc[],
): Retrieved {
  return {
    retriever,
    query: new PinnedQuery(documents, query),
    explained: new RankDocsQuery(asRanked(found), [new PinnedQuery(documents, explained)], true, undefined),
  }
}

function childrenFailed(
  { kind }: CompoundRetriever,
  failures: readonly { readonly kind: string; readonly error: ApiError }[],
): ApiError {
  const kinds = failures.map((failure) => failure.kind).join(', ')
  const reason =
    `[${kind}] search failed - retrievers '[${kinds}]' returned errors. ` +
    'All failures are attached as suppressed exceptions.'
  const status = Math.max(...failures.map(({ error }) => error.status))
  const suppressed = failures.map(({ error }) => errorObject(error))
  return new ApiError(status, 'status_exception', reason, { details: { suppressed } })
}
