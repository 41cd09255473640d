/** A leaf retriever as a search: its members become those of the body. */
import { illegalArgument } from '../../../base/api-error.ts'
import { BoolQuery } from '../../../engine/query/compound/bool.ts'
import type { Query } from '../../../engine/scoring/query.ts'
import { checkTerminateAfter, type SearchBody } from '../request/search-body.ts'
import { validateSearch } from '../request/search-validation.ts'
import type { SearchRequest } from '../search-service.ts'
import { isCompound, type LeafRetriever, type StandardRetriever } from './retriever.ts'

type SearchPart = Pick<
  SearchBody,
  'query' | 'knn' | 'sort' | 'searchAfter' | 'terminateAfter' | 'minScore' | 'collapse'
>

/** The request with a leaf retriever as members of its body; compound ones run first, when the shards are known. */
export function applyLeaf(request: SearchRequest): SearchRequest {
  const { retriever } = request.body
  if (retriever === undefined) return request
  if (isCompound(retriever)) return { ...request, body: { ...request.body, isRetrieved: true } }
  const search = leafSearch(retriever, retriever.options.filters)
  const body: SearchBody = { ...request.body, ...search, retriever: undefined, isRetrieved: true }
  const applied = { ...request, body }
  const { scroll: _, ...unscrolled } = applied
  const problem = validateSearch(unscrolled)
  if (problem !== undefined) throw problem
  return applied
}

/** `filters` are those of the retriever and of the compound ones around it. */
export function leafSearch(retriever: LeafRetriever, filters: readonly Query[]): Partial<SearchPart> {
  if (retriever.kind === 'knn') {
    const query = retriever.queryOf(filters, retriever.options.name)
    return { query, knn: [query] }
  }
  const { sort, searchAfter, terminateAfter, collapse, options } = retriever
  const { minScore } = options
  return {
    query: filters.length > 0 || minScore !== undefined ? filtered(retriever, filters) : retriever.query,
    ...(sort === undefined ? {} : { sort }),
    ...(searchAfter === undefined ? {} : { searchAfter }),
    ...(terminateAfter === 0 ? {} : { terminateAfter: checkTerminateAfter(terminateAfter) }),
    ...(minScore === undefined ? {} : { minScore }),
    ...(collapse === undefined ? {} : { collapse }),
  }
}

function filtered({ query }: StandardRetriever, filters: readonly Query[]): Query {
  return new BoolQuery({ filter: filters, must: query === undefined ? [] : [query] })
}

/** Members that only act where the retriever is the whole search. */
export function checkAsChild(retriever: LeafRetriever): void {
  if (retriever.kind === 'knn') return
  const refuse = (member: string) => {
    throw illegalArgument(`[${member}] cannot be used in children of compound retrievers`)
  }
  if (retriever.searchAfter !== undefined) refuse('search_after')
  if (retriever.terminateAfter !== 0) refuse('terminate_after')
}
