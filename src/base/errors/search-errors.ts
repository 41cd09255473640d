/** Errors of search requests, and Elasticsearch's rules for the root cause of a failure. */
import { ApiError, errorObject, illegalArgument } from '../api-error.ts'

/**
 * Types of Elasticsearch's own exceptions. Others (Java's, such as illegal_argument_exception) are wrapped during the
 * search for a root cause, which shows on the wire as a repeated `caused_by`.
 */
const OWN_TYPES: ReadonlySet<string> = new Set([
  'parsing_exception',
  'parse_exception',
  'query_shard_exception',
  'search_parse_exception',
  'search_phase_execution_exception',
  'index_not_found_exception',
  'index_closed_exception',
  'mapper_parsing_exception',
  'document_parsing_exception',
  'too_many_buckets_exception',
  'invalid_path',
  'exception',
  'search_context_missing_exception',
  'no_shard_available_action_exception',
  'too_many_scroll_contexts_exception',
  'script_exception',
  'general_script_exception',
  'resource_not_found_exception',
  'circuit_breaking_exception',
])

/**
 * Lucene's query parser has an exception with the same name as Elasticsearch's. Only the message distinguishes them.
 */
function isOwn(error: ApiError): boolean {
  return OWN_TYPES.has(error.type) && !(error.type === 'parse_exception' && error.message.startsWith("Cannot parse '"))
}

/**
 * The error that `root_cause` lists: the innermost cause that is a parse error or one of Elasticsearch's own
 * exceptions.
 */
export function rootCauseOf(error: ApiError): ApiError {
  const cause = error.causedBy
  if (cause === undefined) return error
  const own = isOwn(error)
  if (own && isOwn(cause)) return rootCauseOf(cause)
  const parse = error.type === 'x_content_parse_exception'
  if (parse && (isOwn(cause) || cause.type === 'x_content_parse_exception')) return rootCauseOf(cause)
  return error
}

/** A query that parsed but is invalid for the index. The error names the index. */
export const queryShardError = (
  index: { readonly name: string; readonly uuid: string },
  reason: string,
  causedBy?: ApiError,
) =>
  new ApiError(400, 'query_shard_exception', reason, {
    details: { index_uuid: index.uuid, index: index.name },
    causedBy,
  })

/** A failure of one shard of a search. */
export interface ShardFailure {
  readonly shard: number
  readonly index: string | null
  readonly node: string | null | undefined
  readonly error: ApiError
}

export function shardFailureObject(failure: ShardFailure): Record<string, unknown> {
  return { shard: failure.shard, index: failure.index, node: failure.node, reason: errorObject(failure.error) }
}

/** Equal failures of the same index are listed once. */
export function groupFailures(failures: readonly ShardFailure[]): readonly ShardFailure[] {
  const seen = new Set<string>()
  return failures.filter((failure) => {
    const key = JSON.stringify([failure.index, failure.error.type, failure.error.message])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

const PARTIAL_FAILURE = 'Partial shards failure'

export const partialShardsFailure = (failures: readonly ShardFailure[]) =>
  searchPhaseError('query', PARTIAL_FAILURE, failures)

/** No shard could answer, or partial results were not allowed. */
export function searchPhaseError(phase: string, reason: string, failures: readonly ShardFailure[]): ApiError {
  const grouped = groupFailures(failures)
  const first = failures[0]?.error
  return new ApiError(first?.status ?? 503, 'search_phase_execution_exception', reason, {
    details: { phase, grouped: true, failed_shards: grouped.map(shardFailureObject) },
    causedBy: first === undefined || reason === PARTIAL_FAILURE ? undefined : phaseCause(first),
    rootCauses: grouped.map((failure) => rootCauseOf(failure.error)),
  })
}

/** One of Elasticsearch's own exceptions is not repeated as the cause. A foreign one is, wrapped in itself. */
function phaseCause(error: ApiError): ApiError | undefined {
  const root = rootCauseOf(error)
  if (isOwn(root)) return root === error ? undefined : root
  const { status, type, message, details } = root
  return new ApiError(status, type, message, { details, causedBy: root })
}

export const fielddataDisabled = (field: string, index: string) =>
  illegalArgument(
    `Fielddata is disabled on [${field}] in [${index}]. Text fields are not optimised for operations that require ` +
      'per-document field data like aggregations and sorting, so these operations are disabled by default. Please use ' +
      `a keyword field instead. Alternatively, set fielddata=true on [${field}] in order to load field data by ` +
      'uninverting the inverted index. Note that this can use significant memory.',
  )

export const resultWindowTooLarge = (from: number, size: number, limit: number) =>
  illegalArgument(
    `Result window is too large, from + size must be less than or equal to: [${limit}] but was [${from + size}]. See ` +
      'the scroll api for a more efficient way to request large data sets. This limit can be set by changing the ' +
      '[index.max_result_window] index level setting.',
    undefined,
    {
      topic: 'result_window',
      message:
        `from and size reach at most ${limit} hits, because every page sorts all hits before it again. ` +
        'A point in time with search_after pages without a limit, and each page costs the same:',
    },
  )

/** An unsupported part of the request. It is rejected and never silently ignored. */
export const notSupportedYet = (what: string) => illegalArgument(`[${what}] is not supported by this version`)

export const idFielddataDisallowed = () =>
  illegalArgument(
    'Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: ' +
      'indices.id_field_data.enabled',
  )

/** Every shard of a search has failed in the query phase. */
export const allShardsFailed = (failures: readonly ShardFailure[], phase: 'dfs' | 'query' = 'query') =>
  searchPhaseError(phase, 'all shards failed', failures)

export const fetchFailed = (field: string, cause: ApiError) =>
  illegalArgument(`error fetching [${field}]: ${cause.message}`, cause)

export const fielddataNotSupported = (field: string, type: string) =>
  illegalArgument(`Fielddata is not supported on field [${field}] of type [${type}]`)

export const negativeFrom = (from: unknown) => illegalArgument(`[from] parameter cannot be negative but was [${from}]`)

export const negativeSize = (size: unknown) => illegalArgument(`[size] parameter cannot be negative, found [${size}]`)
