/** Rules between a retriever and the other parts of a search. All violations are reported together, in Elasticsearch's order. */
import type { SearchRequest } from '../search-service.ts'
import { type CompoundRetriever, isCompound, type Retriever } from './retriever.ts'

export function retrieverProblems(request: SearchRequest): string[] {
  const { body } = request
  if (body.retriever === undefined) return []
  const problems = problemsOf(body.retriever, request)
  const beside = [
    ...(body.query !== undefined ? ['query'] : []),
    ...(body.knn.length > 0 ? ['knn'] : []),
    ...(body.searchAfter !== undefined ? ['search_after'] : []),
    ...(body.terminateAfter ? ['terminate_after'] : []),
    ...(body.sort !== undefined ? ['sort'] : []),
    ...(body.rescores.length > 0 ? ['rescore'] : []),
  ]
  if (beside.length > 0) problems.push(`cannot specify [retriever] and [${beside.join(', ')}]`)
  return problems
}

function problemsOf(retriever: Retriever, request: SearchRequest): string[] {
  if (!isCompound(retriever)) return []
  const { kind, window } = retriever
  const member = windowMember(retriever)
  const size = request.body.size ?? -1
  const problems: string[] = []
  if (size > window)
    problems.push(`[${kind}] requires [${member}: ${window}] be greater than or equal to [size: ${size}]`)
  if (request.scroll !== undefined) problems.push(`cannot specify [${kind}] and [scroll]`)
  if (window < 0) problems.push(`[${member}] parameter cannot be negative, found [${window}]`)
  for (const child of retriever.children) {
    problems.push(...problemsOf(child, request))
    if (isCompound(child) && window > child.window) {
      problems.push(
        `[${kind}] requires [${member}: ${window}] to be smaller than or equal to its sub retriever's ` +
          `${child.kind} [${windowMember(child)}: ${child.window}]`,
      )
    }
  }
  return [...problems, ...formProblems(retriever)]
}

const windowMember = ({ kind }: CompoundRetriever) => (kind === 'rescorer' ? 'window_size' : 'rank_window_size')

/** A retriever has either children or a text to search in fields. */
function formProblems(retriever: CompoundRetriever): string[] {
  if (retriever.kind !== 'rrf' && retriever.kind !== 'linear') return []
  const { kind, children, fields, query } = retriever
  if (query === undefined) {
    if (fields !== undefined) return [`[${kind}] [query] must be provided when [fields] is specified`]
    return children.length === 0 ? [`[${kind}] must provide [retrievers] or [query]`] : []
  }
  const problems: string[] = []
  if (query === '') problems.push(`[${kind}] [query] cannot be empty`)
  if (fields?.length === 0) problems.push(`[${kind}] [fields] cannot be empty`)
  if (children.length > 0) problems.push(`[${kind}] cannot combine [retrievers] and [query]`)
  if (retriever.kind === 'linear' && retriever.normalizer === undefined) {
    problems.push(`[${kind}] [normalizer] must be provided when [query] is specified`)
  }
  return problems
}
