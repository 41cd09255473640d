/** `GET|POST /{index}/_search`: converts parameters and body to a search request. */
import { isDeepStrictEqual } from 'node:util'
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { cacheKey, walkName } from '../../../service/search/cache/request-cache.ts'
import type { ScrollRequest } from '../../../service/search/contexts/context-search.ts'
import {
  checkFrom,
  checkSize,
  checkTerminateAfter,
  checkTrackTotalHits,
  type SearchBody,
  setStoredFields,
  TRACK_ALL,
  TRACK_NONE,
} from '../../../service/search/request/search-body.ts'
import { parseSearchBody } from '../../../service/search/request/search-request.ts'
import { sortOfParameter } from '../../../service/search/request/sort-parameter.ts'
import type { SearchRequest } from '../../../service/search/search-service.ts'
import { suggestByParameters } from '../../../service/search/suggestions.ts'
import { percentDecode } from '../../percent-decoding.ts'
import { QueryParameters } from '../../query-parameters.ts'
import { HttpRequest } from '../../request.ts'
import type { HttpResponse } from '../../response.ts'
import type { Routes } from '../../router.ts'
import { contextOrigin } from './context-origin.ts'
import { HttpSearchOrigin } from './search-origin.ts'
import { queryParameter, searchScope, sourceParameter } from './search-parameters.ts'

export function searchRoutes(routes: Routes, node: Pick<SandpiperNode, 'search'>): void {
  for (const path of ['/_search', '/{index}/_search']) {
    routes.add(['GET', 'POST'], path, (request) => {
      const search = readSearch(request)
      return () => searched(node, search)
    })
  }
}

/** Runs a search and wraps its result as a response, synchronously where nothing has to be waited for. */
export function searched(
  node: Pick<SandpiperNode, 'search'>,
  search: SearchRequest,
): HttpResponse | Promise<HttpResponse> {
  const { warnings = [] } = search
  const found = node.search.search(search)
  return found instanceof Promise
    ? found.then((body) => ({ status: 200, body, warnings }))
    : { status: 200, body: found, warnings }
}

/** `bytes` replaces the request's body if a template rendered the search. */
export function readSearch(request: HttpRequest, bytes: Uint8Array = request.body): SearchRequest {
  const { uri, limits } = request
  const body = parseSearchBody(bytes)
  const parameters = request.query.isEmpty ? NO_PARAMETERS : readParameters(request, body)
  const isKept = parameters.requestCache ?? body.size === 0
  const scope = searchScope(request, true)
  const given = {
    preference: parameters.preference,
    indicesOptions:
      scope.options !== EXPAND_OPEN_FORBID_CLOSED && !isDeepStrictEqual(scope.options, EXPAND_OPEN_FORBID_CLOSED),
    requestCache: parameters.requestCache === true,
  }
  if (parameters.totalAsInteger) checkAccurateTotal(body)
  const search = {
    scope,
    body,
    allowPartialResults: parameters.allowPartialResults,
    totalAsInteger: parameters.totalAsInteger,
    globalFrequencies: parameters.globalFrequencies,
    typedKeys: parameters.typedKeys,
    batchSize: parameters.batchSize,
    given,
    limits,
    warnings: [],
    origin: new HttpSearchOrigin(bytes, request),
    cacheKey: isKept ? cacheKey(uri, bytes) : undefined,
    walk: body.pit === undefined || body.searchAfter === undefined ? undefined : walkName(uri, bytes),
  }
  const { keepAliveMs } = parameters
  return keepAliveMs === undefined ? search : { ...search, scroll: readScroll(request, keepAliveMs) }
}

/** Options that exist only as query parameters. */
interface Parameters {
  readonly batchSize: number | undefined
  readonly allowPartialResults: boolean
  readonly globalFrequencies: boolean
  readonly requestCache: boolean | undefined
  readonly keepAliveMs: number | undefined
  readonly typedKeys: boolean
  readonly totalAsInteger: boolean
  /** Whether a `preference` was given. */
  readonly preference: boolean
}

const NO_PARAMETERS: Parameters = {
  batchSize: undefined,
  allowPartialResults: true,
  globalFrequencies: false,
  requestCache: undefined,
  keepAliveMs: undefined,
  typedKeys: false,
  totalAsInteger: false,
  preference: false,
}

const searchTypeWithNeighbours = () =>
  illegalArgument('cannot set [search_type] when using [knn] search, since the search type is determined automatically')

/** Reads the parameters. Those that also exist in the body override it. */
function readParameters(request: HttpRequest, body: SearchBody): Parameters {
  const { query } = request
  const batchSize = query.integer('batched_reduce_size')
  atLeast(batchSize, 2, 'batchedReduceSize')
  atLeast(query.integer('pre_filter_shard_size'), 1, 'preFilterShardSize')
  atLeast(query.integer('max_concurrent_shard_requests'), 1, 'maxConcurrentShardRequests')
  const allowPartialResults = query.boolean('allow_partial_search_results', true)
  const searchType = query.string('search_type')
  if (searchType !== undefined && body.knn.length > 0) throw searchTypeWithNeighbours()
  const globalFrequencies = isGlobalSearchType(searchType)
  readBodyParameters(request, body)
  const requestCache = query.boolean('request_cache')
  const keepAliveMs = query.duration('scroll')
  const typedKeys = query.boolean('typed_keys', false)
  query.accept('ccs_minimize_roundtrips', 'human', 'force_synthetic_source')
  readSuggestParameters(request, body)
  return {
    batchSize,
    allowPartialResults,
    globalFrequencies,
    requestCache,
    keepAliveMs,
    typedKeys,
    totalAsInteger: query.boolean('rest_total_hits_as_int', false),
    preference: query.has('preference'),
  }
}

/** Without `suggest_text`, the `q` parameter is the text to correct. */
function readSuggestParameters({ query }: HttpRequest, body: SearchBody): void {
  const text = query.string('suggest_text') ?? query.string('q')
  const size = query.integer('suggest_size')
  const mode = query.string('suggest_mode')
  const field = query.string('suggest_field')
  if (field !== undefined && mode === undefined)
    // Elasticsearch has no default for the mode and fails with status 500.
    throw new ApiError(400, 'null_pointer_exception', 'Input string is null')
  if (field !== undefined) body.suggest = suggestByParameters({ field, text, size, mode })
}

function readScroll(request: HttpRequest, keepAliveMs: number): ScrollRequest {
  const stored = { uri: request.uri, body: Uint8Array.from(request.body) }
  return { keepAliveMs, stored, origin: contextOrigin(request) }
}

/** Parses the search that opened a scroll. Scrolls store the request as bytes, so that it survives a restart. */
export function readStoredSearch({ uri, body }: ScrollRequest['stored']): SearchRequest {
  const at = uri.indexOf('?')
  const path = at < 0 ? uri : uri.slice(0, at)
  const [, index] = /^\/([^/]+)\/_search/.exec(path) ?? []
  const request = new HttpRequest({
    method: 'POST',
    path,
    uri,
    params: index === undefined ? {} : { index: percentDecode(index) },
    query: new QueryParameters(at < 0 ? '' : uri.slice(at + 1)),
    headers: {},
    body: Buffer.from(body),
    human: false,
    accepted: undefined,
    signal: () => new AbortController().signal,
  })
  return readSearch(request)
}

/** Parameters that also exist in the body, which they override. */
function readBodyParameters(request: HttpRequest, body: SearchBody): void {
  const { query } = request
  body.query = queryParameter(request) ?? body.query
  const from = query.integer('from')
  if (from !== undefined) body.from = checkFrom(from)
  const size = query.integer('size')
  if (size !== undefined) body.size = checkSize(size)
  body.explain = query.boolean('explain') ?? body.explain
  body.namedQueryScores = query.boolean('include_named_queries_score')
  body.version = query.boolean('version') ?? body.version
  body.seqNoPrimaryTerm = query.boolean('seq_no_primary_term') ?? body.seqNoPrimaryTerm
  body.timeoutMs = query.duration('timeout') ?? body.timeoutMs
  const terminateAfter = query.integer('terminate_after')
  if (terminateAfter !== undefined) body.terminateAfter = checkTerminateAfter(terminateAfter)
  const storedFields = query.list('stored_fields')
  if (storedFields !== undefined) setStoredFields(body, storedFields)
  for (const field of query.list('docvalue_fields') ?? []) {
    body.docvalueFields.push({ field, format: undefined, includeUnmapped: false })
  }
  body.source = sourceParameter(request) ?? body.source
  body.trackScores = query.boolean('track_scores') ?? body.trackScores
  body.trackTotalHits = trackTotalHits(request) ?? body.trackTotalHits
  const sort = query.list('sort')
  if (sort !== undefined) body.sort = [...(body.sort ?? []), ...sortOfParameter(sort)]
  body.statsGroups.push(...query.list('stats', []))
}

function trackTotalHits(request: HttpRequest): number | undefined {
  const text = request.query.string('track_total_hits')
  if (text === 'true' || text === '') return TRACK_ALL
  if (text === 'false') return TRACK_NONE
  const limit = request.query.integer('track_total_hits')
  return limit === undefined ? undefined : checkTrackTotalHits(limit)
}

function atLeast(value: number | undefined, least: number, name: string): void {
  if (value !== undefined && value < least) throw illegalArgument(`${name} must be >= ${least}`)
}

/** Whether term statistics are collected over all shards (`dfs_query_then_fetch`). */
export function isGlobalSearchType(type: string | undefined): boolean {
  if (type === 'dfs_query_then_fetch') return true
  if (type === undefined || type === 'query_then_fetch') return false
  throw illegalArgument(`No search type for [${type}]`)
}

export function checkAccurateTotal({ trackTotalHits: limit }: SearchBody): void {
  if (limit === undefined || limit === TRACK_ALL || limit === TRACK_NONE) return
  throw illegalArgument(
    `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${limit}`,
  )
}
