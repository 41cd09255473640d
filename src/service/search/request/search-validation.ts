/** Rules between the parts of a search request. All violations are reported together, in Elasticsearch's order. */
import { type ApiError, validationFailed } from '../../../base/api-error.ts'
import { pipelineProblems } from '../../../engine/aggregations/pipelines/pipeline-tree.ts'
import { retrieverProblems } from '../retrievers/validate-retriever.ts'
import type { SearchRequest } from '../search-service.ts'
import { checkStart, type SearchBody, TRACK_ALL } from './search-body.ts'

export function validateSearch(request: SearchRequest): ApiError | undefined {
  const problems = searchProblems(request)
  return problems.length === 0 ? undefined : validationFailed(...problems)
}

export function searchProblems(request: SearchRequest): string[] {
  const { body } = request
  checkStart(body)
  if (isPlain(request)) return []
  return [
    ...retrieverProblems(request),
    ...(request.scroll === undefined ? [] : scrollProblems(request)),
    ...bodyProblems(request),
    ...(body.pit === undefined ? [] : pointInTimeProblems(request)),
    ...(body.aggregations === undefined ? [] : pipelineProblems(body.aggregations)),
  ]
}

/** Nothing in the request has a rule. */
function isPlain({ body, scroll }: SearchRequest): boolean {
  return (
    scroll === undefined &&
    body.retriever === undefined &&
    body.searchAfter === undefined &&
    body.slice === undefined &&
    body.storedFields !== 'none' &&
    body.pit === undefined &&
    body.aggregations === undefined
  )
}

function scrollProblems({ body, given }: SearchRequest): string[] {
  const problems: string[] = []
  if (body.trackTotalHits !== undefined && body.trackTotalHits !== TRACK_ALL) {
    problems.push('disabling [track_total_hits] is not allowed in a scroll context')
  }
  if ((body.from ?? 0) > 0) problems.push('using [from] is not allowed in a scroll context')
  if (body.size === 0) problems.push('[size] cannot be [0] in a scroll context')
  if (body.rescores.length > 0) problems.push('using [rescore] is not allowed in a scroll context')
  if (body.searchAfter !== undefined) problems.push('[search_after] cannot be used in a scroll context')
  if (body.collapse !== undefined) problems.push('cannot use `collapse` in a scroll context')
  if (given?.requestCache === true) problems.push('[request_cache] cannot be used in a scroll context')
  return problems
}

function bodyProblems({ body, scroll }: SearchRequest): string[] {
  const problems: string[] = []
  if (body.searchAfter !== undefined && (body.from ?? 0) > 0) {
    problems.push('[from] parameter must be set to 0 when [search_after] is used')
  }
  if (body.slice !== undefined && scroll === undefined && body.pit === undefined) {
    problems.push('[slice] can only be used with [scroll] or [point-in-time] requests')
  }
  return [...problems, ...storedFieldsProblems(body)]
}

function storedFieldsProblems(body: SearchBody): string[] {
  if (body.storedFields !== 'none') return []
  const problems: string[] = []
  if (body.source?.enabled === true) problems.push('[stored_fields] cannot be disabled if [_source] is requested')
  if (body.fields.length > 0) problems.push('[stored_fields] cannot be disabled when using the [fields] option')
  return problems
}

function pointInTimeProblems({ scroll, scope, given }: SearchRequest): string[] {
  const problems: string[] = []
  if (scroll !== undefined) problems.push('using [point in time] is not allowed in a scroll context')
  if (scope.expressions.length > 0) {
    problems.push('[indices] cannot be used with point in time. Do not specify any index with point in time.')
  }
  if (scope.routing !== undefined) problems.push('[routing] cannot be used with point in time')
  if (given?.preference === true) problems.push('[preference] cannot be used with point in time')
  if (given?.indicesOptions === true) problems.push('[indicesOptions] cannot be used with point in time')
  return problems
}
