/**
 * The error class behind every failure response. Clients switch on `type` and people search the web for `reason`, so
 * both are part of the wire contract.
 *
 * An error that occurs in more than one place, or that clients match on, is a named function in `base/errors/`. An
 * error with a single place of origin is thrown there, with one of the kinds below.
 */
export class ApiError extends Error {
  readonly status: number
  readonly type: string
  /** Members beside `type` and `reason`, in wire order (`resource.type`, `index_uuid`, `index`, …). */
  readonly details: Readonly<Record<string, unknown>>
  readonly causedBy: ApiError | undefined
  /** The errors that `root_cause` lists. When absent, it lists this error. */
  readonly rootCauses: readonly ApiError[] | undefined
  readonly help: ErrorHelp | undefined
  /** Where ingest pipelines failed, for the failure store. */
  pipelineTrace: PipelineTrace | undefined

  constructor(status: number, type: string, reason: string, options: ApiErrorOptions = {}) {
    super(reason)
    this.name = 'ApiError'
    this.status = status
    this.type = type
    this.details = options.details ?? {}
    this.causedBy = options.causedBy
    this.rootCauses = options.rootCauses
    this.help = options.help
    this.pipelineTrace = undefined
  }
}

/** The place in the pipelines of a document at which one failed. */
export interface PipelineTrace {
  /** The index that the document was for at that time. */
  readonly index: string
  /** The pipelines that were running, outermost first. */
  readonly pipelines: readonly string[]
  readonly processorType?: string | undefined
  readonly processorTag?: string | undefined
}

/**
 * An error response that the node itself received as a client, such as a reindex from a remote cluster. It is passed on
 * unchanged.
 */
export class AnsweredError extends Error {
  readonly status: number
  readonly body: Buffer

  constructor(status: number, body: Buffer) {
    super(`the API answered ${status}`)
    this.status = status
    this.body = body
  }

  /** The `error` member of the response body. */
  answer(): Record<string, unknown> {
    return (JSON.parse(this.body.toString('utf8')) as { error: Record<string, unknown> }).error
  }
}

export interface ApiErrorOptions {
  details?: Record<string, unknown>
  causedBy?: ApiError | undefined
  rootCauses?: readonly ApiError[]
  help?: ErrorHelp
}

/** What to do instead, shown beside the error. With the topic `result_window` the request that failed is rewritten. */
export interface ErrorHelp {
  readonly topic?: 'result_window'
  readonly message: string
  readonly [fact: string]: unknown
}

/** The error object inside a response: `{type, reason, …details, caused_by?}`. */
export function errorObject(error: ApiError): Record<string, unknown> {
  return {
    type: error.type,
    reason: error.message,
    ...error.details,
    ...(error.causedBy === undefined ? {} : { caused_by: errorObject(error.causedBy) }),
  }
}

/** The first of several errors. It lists the others as `suppressed`. */
export function firstOfErrors(errors: readonly ApiError[]): ApiError {
  const [first, ...others] = errors as [ApiError, ...ApiError[]]
  if (others.length === 0) return first
  const details = { ...first.details, suppressed: others.map(errorObject) }
  return new ApiError(first.status, first.type, first.message, { details, causedBy: first.causedBy })
}

/**
 * The body of an error response. `root_cause` repeats the error without its causes, because clients read either of the
 * two.
 */
export function errorBody(error: ApiError): { error: Record<string, unknown>; status: number } {
  const roots = error.rootCauses ?? [error]
  const rootCause = roots.map((root) => ({ type: root.type, reason: root.message, ...root.details }))
  return { error: { root_cause: rootCause, ...errorObject(error) }, status: error.status }
}

/** Errors cross threads as plain objects: an Error instance would arrive without its members. */
export interface ApiErrorData {
  status: number
  type: string
  reason: string
  details: Record<string, unknown>
  causedBy?: ApiErrorData
  rootCauses?: ApiErrorData[]
  help?: ErrorHelp
  pipelineTrace?: PipelineTrace
}

export function toErrorData(error: ApiError): ApiErrorData {
  return {
    status: error.status,
    type: error.type,
    reason: error.message,
    details: { ...error.details },
    ...(error.causedBy === undefined ? {} : { causedBy: toErrorData(error.causedBy) }),
    ...(error.rootCauses === undefined ? {} : { rootCauses: error.rootCauses.map(toErrorData) }),
    ...(error.help === undefined ? {} : { help: error.help }),
    ...(error.pipelineTrace === undefined ? {} : { pipelineTrace: error.pipelineTrace }),
  }
}

export function fromErrorData(data: ApiErrorData): ApiError {
  const error = new ApiError(data.status, data.type, data.reason, {
    details: data.details,
    causedBy: data.causedBy === undefined ? undefined : fromErrorData(data.causedBy),
    ...(data.rootCauses === undefined ? {} : { rootCauses: data.rootCauses.map(fromErrorData) }),
    ...(data.help === undefined ? {} : { help: data.help }),
  })
  error.pipelineTrace = data.pipelineTrace
  return error
}

export const illegalArgument = (reason: string, causedBy?: ApiError, help?: ErrorHelp) =>
  new ApiError(400, 'illegal_argument_exception', reason, { causedBy, ...(help === undefined ? {} : { help }) })

/** `Validation Failed: 1: first;2: second;` */
export const validationFailed = (...problems: string[]) =>
  new ApiError(
    400,
    'action_request_validation_exception',
    `Validation Failed: ${problems.map((problem, i) => `${i + 1}: ${problem};`).join('')}`,
  )

export const numberFormat = (reason: string, options?: ApiErrorOptions) =>
  new ApiError(400, 'number_format_exception', reason, options)

/** The JVM's message for text that is not a number. */
export const notANumber = (text: unknown) => numberFormat(`For input string: "${text}"`)

export const dateTimeParse = (reason: string, causedBy?: ApiError) =>
  new ApiError(400, 'date_time_parse_exception', reason, { causedBy })

export const dateTime = (reason: string) => new ApiError(400, 'date_time_exception', reason)

/** Elasticsearch's own parse exception, thrown for sizes, points and date math. */
export const parseFailure = (reason: string, causedBy?: ApiError) =>
  new ApiError(400, 'parse_exception', reason, { causedBy })

export const zoneRules = (reason: string, causedBy?: ApiError) =>
  new ApiError(400, 'zone_rules_exception', reason, { causedBy })

// Kinds of errors used throughout the code, named after their exception. Errors with a fixed text are in `errors/`.

type Kind = (reason: string, options?: ApiErrorOptions) => ApiError

const kind =
  (status: number, type: string): Kind =>
  (reason, options) =>
    new ApiError(status, type, reason, options)

export const parsingException = kind(400, 'parsing_exception')
export const xContentParse = kind(400, 'x_content_parse_exception')
export const queryValidation = kind(400, 'query_validation_exception')
export const arithmeticFailure = kind(400, 'arithmetic_exception')
export const elasticsearchException = kind(400, 'exception')
export const resourceNotFound = kind(404, 'resource_not_found_exception')
export const unavailableShards = kind(503, 'unavailable_shards_exception')
export const runtimeFailure = kind(500, 'runtime_exception')
export const illegalState = kind(500, 'illegal_state_exception')
/** An illegal state caused by the request, hence a client error. */
export const illegalRequestState = kind(400, 'illegal_state_exception')
