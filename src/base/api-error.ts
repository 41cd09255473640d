/**
 * Every failure the service answers with is an `ApiError`, built by a named function of `base/errors/`.
 *
 * Clients switch on `type` and people search the web for `reason`, so both are part of the wire contract and live
 * there rather than at the place that notices the failure.
 */
export class ApiError extends Error {
  readonly status: number
  readonly type: string
  /** Members beside `type` and `reason`, in wire order (`resource.type`, `index_uuid`, `index`, …). */
  readonly details: Readonly<Record<string, unknown>>
  readonly causedBy: ApiError | undefined
  /** What `root_cause` lists; itself when absent. */
  readonly rootCauses: readonly ApiError[] | undefined

  constructor(status: number, type: string, reason: string, options: ApiErrorOptions = {}) {
    super(reason)
    this.name = 'ApiError'
    this.status = status
    this.type = type
    this.details = options.details ?? {}
    this.causedBy = options.causedBy
    this.rootCauses = options.rootCauses
  }
}

/** An error answer of the API itself, received by a part of the node that works like a client. It is passed on as it is. */
export class AnsweredError extends Error {
  readonly status: number
  readonly body: Buffer

  constructor(status: number, body: Buffer) {
    super(`the API answered ${status}`)
    this.status = status
    this.body = body
  }

  /** The member `error` of the body. */
  answer(): Record<string, unknown> {
    return (JSON.parse(this.body.toString('utf8')) as { error: Record<string, unknown> }).error
  }
}

export interface ApiErrorOptions {
  details?: Record<string, unknown>
  causedBy?: ApiError | undefined
  rootCauses?: readonly ApiError[]
}

/** The error object as it stands inside an answer: `{type, reason, …details, caused_by?}`. */
export function errorObject(error: ApiError): Record<string, unknown> {
  return {
    type: error.type,
    reason: error.message,
    ...error.details,
    ...(error.causedBy === undefined ? {} : { caused_by: errorObject(error.causedBy) }),
  }
}

/** The body of an error answer. `root_cause` repeats the error without its causes, because clients read either one. */
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
}

export function toErrorData(error: ApiError): ApiErrorData {
  return {
    status: error.status,
    type: error.type,
    reason: error.message,
    details: { ...error.details },
    ...(error.causedBy === undefined ? {} : { causedBy: toErrorData(error.causedBy) }),
    ...(error.rootCauses === undefined ? {} : { rootCauses: error.rootCauses.map(toErrorData) }),
  }
}

export function fromErrorData(data: ApiErrorData): ApiError {
  return new ApiError(data.status, data.type, data.reason, {
    details: data.details,
    causedBy: data.causedBy === undefined ? undefined : fromErrorData(data.causedBy),
    ...(data.rootCauses === undefined ? {} : { rootCauses: data.rootCauses.map(fromErrorData) }),
  })
}

export const illegalArgument = (reason: string, causedBy?: ApiError) =>
  new ApiError(400, 'illegal_argument_exception', reason, { causedBy })

/** `Validation Failed: 1: first;2: second;` */
export const validationFailed = (...problems: string[]) =>
  new ApiError(
    400,
    'action_request_validation_exception',
    `Validation Failed: ${problems.map((problem, i) => `${i + 1}: ${problem};`).join('')}`,
  )

export const numberFormat = (reason: string) => new ApiError(400, 'number_format_exception', reason)

/** The JVM's words for a text that is no number. */
export const notANumber = (text: string) => numberFormat(`For input string: "${text}"`)

export const dateTimeParse = (reason: string, causedBy?: ApiError) =>
  new ApiError(400, 'date_time_parse_exception', reason, { causedBy })

export const dateTime = (reason: string) => new ApiError(400, 'date_time_exception', reason)

/** The server's own parse failure: sizes, points, date math. */
export const parseFailure = (reason: string, causedBy?: ApiError) =>
  new ApiError(400, 'parse_exception', reason, { causedBy })

export const zoneRules = (reason: string, causedBy?: ApiError) =>
  new ApiError(400, 'zone_rules_exception', reason, { causedBy })
