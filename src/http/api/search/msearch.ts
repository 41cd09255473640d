/**
 * `GET|POST /{index}/_msearch`: several searches in one body, two lines each. A failed search has its error in its
 * place.
 */

import {
  ApiError,
  errorBody,
  illegalArgument,
  parseFailure,
  parsingException,
  validationFailed,
  xContentParse,
} from '../../../base/api-error.ts'
import { noRequestsAdded } from '../../../base/errors/document-errors.ts'
import { notTrueOrFalse } from '../../../base/errors/value-errors.ts'
import { END, JsonReader, START_OBJECT } from '../../../base/json/json-reader.ts'
import {
  EXPAND_OPEN_FORBID_CLOSED,
  type IndicesParameters,
  withParameters,
} from '../../../service/names/indices-options.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { parseSearchBody } from '../../../service/search/request/search-request.ts'
import { searchProblems } from '../../../service/search/request/search-validation.ts'
import type { SearchRequest } from '../../../service/search/search-service.ts'
import type { SearchScope } from '../../../service/search/shards/shard-access.ts'
import { toApiError } from '../../error-response.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'
import { checkAccurateTotal, isGlobalSearchType } from './search.ts'
import { HttpSearchOrigin } from './search-origin.ts'

const LINE_END = 0x0a

export function msearchRoutes(routes: Routes, node: Pick<SandpiperNode, 'search'>): void {
  for (const path of ['/_msearch', '/{index}/_msearch']) {
    routes.add(['GET', 'POST'], path, (request) => multiSearch(request, node))
  }
}

/** `searchOf` converts a body line to a search. An error it throws fails that search alone. */
export function multiSearch(
  request: HttpRequest,
  node: Pick<SandpiperNode, 'search'>,
  searchOf?: (line: Uint8Array) => Uint8Array,
) {
  const items = readItems(request, searchOf)
  return async () => {
    const startedMs = performance.now()
    const responses = await Promise.all(items.map((item) => runItem(node, item)))
    return { status: 200, body: { took: Math.round(performance.now() - startedMs), responses } }
  }
}

type Item = SearchRequest | ApiError

async function runItem(node: Pick<SandpiperNode, 'search'>, item: Item): Promise<Record<string, unknown>> {
  if (item instanceof ApiError) return errorBody(item)
  try {
    return { ...(await node.search.search(item)), status: 200 }
  } catch (error) {
    if (error instanceof ApiError) return errorBody(error)
    throw error
  }
}

function readItems(request: HttpRequest, searchOf: ((line: Uint8Array) => Uint8Array) | undefined): Item[] {
  const { query } = request
  const concurrent = query.integer('max_concurrent_searches')
  if (concurrent !== undefined && concurrent < 1) {
    throw illegalArgument('maxConcurrentSearchRequests must be positive')
  }
  query.integer('max_concurrent_shard_requests')
  const preFilter = query.integer('pre_filter_shard_size')
  if (preFilter !== undefined && preFilter < 1) throw illegalArgument('preFilterShardSize must be >= 1')
  const typedKeys = query.boolean('typed_keys', false)
  query.boolean('ccs_minimize_roundtrips')
  const routing = query.string('routing')
  const namedQueryScores = query.boolean('include_named_queries_score', false)
  const global = isGlobalSearchType(query.string('search_type'))
  const totalAsInteger = query.boolean('rest_total_hits_as_int', false)
  const options = withParameters(EXPAND_OPEN_FORBID_CLOSED, indicesParameters(request))
  const expressions = indexExpressions(request)
  const { body, carriedAccess } = request
  const { limits, lookupLimits, isRestricted } = carriedAccess ?? {}
  if (body.length === 0) throw parseFailure('request body or source parameter is required')

  const items: Item[] = []
  // A search that contradicts itself fails the whole request.
  const problems: string[] = []
  for (const { header: given, line } of readLines(body)) {
    const scope = { expressions, options, routing: routing?.split(','), limits, lookupLimits, isRestricted }
    const header = readHeader(given, scope, global)
    const rendered = searchOf === undefined ? line : attempt(() => searchOf(line))
    const search = rendered instanceof ApiError ? rendered : parseLine(rendered, searchOf !== undefined)
    if (search instanceof ApiError) items.push(search)
    else {
      if (totalAsInteger) checkAccurateTotal(search)
      search.namedQueryScores = namedQueryScores
      const origin = new HttpSearchOrigin(rendered as Uint8Array, request)
      const item = { ...header, body: search, totalAsInteger, typedKeys, origin }
      problems.push(...searchProblems(item))
      items.push(item)
    }
  }
  if (items.length === 0) throw noRequestsAdded()
  if (problems.length > 0) throw validationFailed(...problems)
  return items
}

/** Headers and searches in turn, each on a line of its own. */
export function* readLines(body: Buffer): Generator<{ header: Record<string, unknown>; line: Uint8Array }> {
  let at = 0
  while (at < body.length) {
    const headerEnd = body.indexOf(LINE_END, at)
    if (headerEnd < 0) throw notTerminated()
    const header = parseHeader(body.subarray(at, headerEnd))
    if (headerEnd + 1 >= body.length) return
    const bodyEnd = body.indexOf(LINE_END, headerEnd + 1)
    if (bodyEnd < 0) throw notTerminated()
    const line = body.subarray(headerEnd + 1, bodyEnd)
    if (line.every(isBlank)) throw noSearch()
    yield { header, line }
    at = bodyEnd + 1
  }
}

/** A malformed search fails the whole request, except for one that a template rendered. */
function parseLine(line: Uint8Array, isRendered: boolean) {
  return isRendered ? attempt(() => parseSearchBody(line)) : parseSearchBody(line)
}

function attempt<T>(make: () => T): T | ApiError {
  try {
    return make()
  } catch (error) {
    return toApiError(error)
  }
}

const isBlank = (byte: number) => byte <= 0x20

const noSearch = () => parsingException('Expected [START_OBJECT] but found [null]', { details: { line: 1, col: 0 } })

const notTerminated = () => illegalArgument('The msearch request must be terminated by a newline [\n]')

type Header = Pick<SearchRequest, 'scope' | 'allowPartialResults' | 'globalFrequencies' | 'given'>

/** Names and options of a header, for checks before the search runs. */
export function readNames(header: Readonly<Record<string, unknown>>): {
  readonly expressions: readonly string[] | undefined
  readonly parameters: IndicesParameters
} {
  const { scope } = readHeader(header, ABSENT_SCOPE, false)
  const { ignoreUnavailable, allowNoIndices } = scope.options
  const wildcards = header['expand_wildcards'] ?? header['expandWildcards']
  return {
    expressions: scope.expressions === ABSENT_SCOPE.expressions ? undefined : scope.expressions,
    parameters: {
      ...('ignore_unavailable' in header || 'ignoreUnavailable' in header ? { ignoreUnavailable } : {}),
      ...('allow_no_indices' in header || 'allowNoIndices' in header ? { allowNoIndices } : {}),
      ...(wildcards === undefined ? {} : { expandWildcards: listOf(wildcards) }),
    },
  }
}

const ABSENT_SCOPE: SearchScope = {
  expressions: [],
  options: EXPAND_OPEN_FORBID_CLOSED,
  routing: undefined,
  limits: undefined,
}

/** `defaults` is the scope of the whole request. */
function readHeader(header: Readonly<Record<string, unknown>>, defaults: SearchScope, global: boolean): Header {
  let globalFrequencies = global
  let names = defaults.expressions
  let { routing } = defaults
  let allowPartialResults = true
  let preference: string | undefined
  const parameters: { ignoreUnavailable?: boolean; allowNoIndices?: boolean; expandWildcards?: readonly string[] } = {}
  for (const [key, value] of Object.entries(header)) {
    switch (key) {
      case 'index':
      case 'indices':
        if (value === null) throw parseFailure('Expected a list of strings but got null')
        names = listOf(value)
        break
      case 'search_type':
        globalFrequencies = isGlobalSearchType(value === null ? undefined : String(value))
        break
      case 'preference':
        preference = value === null ? undefined : String(value)
        break
      case 'routing':
        routing = value === '' ? [] : nonEmpty(listOf(value))
        break
      case 'allow_partial_search_results':
        allowPartialResults = flag(value)
        break
      case 'request_cache':
        convertedFlag(key, value)
        break
      case 'ccs_minimize_roundtrips':
      case 'ignore_throttled':
        if (key === 'ccs_minimize_roundtrips') flag(value)
        else if (value !== null) convertedFlag(key, value)
        break
      case 'expand_wildcards':
      case 'expandWildcards':
        parameters.expandWildcards = listOf(value)
        break
      case 'ignore_unavailable':
      case 'ignoreUnavailable':
        if (value !== null) parameters.ignoreUnavailable = convertedFlag('ignore_unavailable', value)
        break
      case 'allow_no_indices':
      case 'allowNoIndices':
        if (value !== null) parameters.allowNoIndices = convertedFlag('allow_no_indices', value)
        break
      default:
        throw illegalArgument(`key [${key}] is not supported in the metadata section`)
    }
  }
  const scope = {
    ...defaults,
    expressions: names,
    options: withParameters(defaults.options, parameters),
    routing,
    preference: preference || undefined,
  }
  const given = {
    preference: preference !== undefined,
    indicesOptions: Object.keys(parameters).length > 0,
    requestCache: false,
  }
  return { scope, allowPartialResults, globalFrequencies, given }
}

/** An empty line is an empty header. */
function parseHeader(line: Uint8Array): Record<string, unknown> {
  if (line.length === 0) return {}
  const reader = new JsonReader().reset(Uint8Array.from(line))
  const isObject = reader.next() === START_OBJECT
  const value = isObject ? (reader.value() as Record<string, unknown>) : {}
  // A header that is not an object is ignored; one token of it is skipped.
  if (reader.next() !== END) {
    const reason = `[1:${reader.start + 1}] Unexpected token after end of object`
    throw xContentParse(reason)
  }
  return value
}

function convertedFlag(name: string, value: unknown): boolean {
  try {
    return flag(value)
  } catch (error) {
    throw illegalArgument(`Could not convert [${name}] to boolean`, error as ApiError)
  }
}

function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String)
  return value === null || value === '' ? [] : String(value).split(',')
}

/** A list without values is no routing, whereas an empty text is one that no shard has. */
function nonEmpty(values: string[]): string[] | undefined {
  return values.length === 0 ? undefined : values
}

function flag(value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw notTrueOrFalse(value)
}
