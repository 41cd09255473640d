/** Failures of a request before it reaches an index: escapes, parameters, media types, bodies. */
import { ApiError, illegalArgument, notANumber } from '../api-error.ts'
import { notTrueOrFalse } from './value-errors.ts'

export const badParameterEscape = (cause: ApiError) =>
  new ApiError(400, 'bad_parameter_exception', `java.lang.IllegalArgumentException: ${cause.message}`, {
    causedBy: cause,
  })

export const unterminatedEscape = (text: string) =>
  illegalArgument(`unterminated escape sequence at end of string: ${text}`)

export const partialEscape = (text: string) => illegalArgument(`partial escape sequence at end of string: ${text}`)

export const invalidEscape = (sequence: string, index: number, text: string) =>
  illegalArgument(`invalid escape sequence \`${sequence}' at index ${index} of: ${text}`)

/** The strict variant, used by the parameters that control how index names resolve. */
export const cannotConvertToBoolean = (name: string, value: string) =>
  illegalArgument(`Could not convert [${name}] to boolean`, notTrueOrFalse(value))

export const badNumberParameter = (kind: 'int' | 'long' | 'float' | 'double', name: string, value: string) =>
  illegalArgument(`Failed to parse ${kind} parameter [${name}] with value [${value}]`, notANumber(value))

/** `described` holds the unknown names in brackets, each with its suggestion. */
export const unrecognized = (path: string, what: string, described: readonly string[]) =>
  illegalArgument(
    `request [${path}] contains unrecognized ${what}${described.length > 1 ? 's' : ''}: ${described.join(', ')}`,
  )

export const bodyNotSupported = (method: string, path: string) =>
  illegalArgument(`request [${method} ${path}] does not support having a body`)

export const bodyRequired = () => new ApiError(400, 'parse_exception', 'request body is required')

export const sourceParametersRequired = () =>
  new ApiError(
    400,
    'validation_exception',
    'Validation Failed: 1: source and source_content_type parameters are required;',
  )

export const invalidContentType = (value: string) => illegalArgument(`invalid Content-Type header [${value}]`)

/** `headers` is `Accept`, `Content-Type`, or both when they contradict each other. */
export const invalidMediaTypeHeader = (headers: string, cause: ApiError) =>
  new ApiError(400, 'media_type_header_exception', `Invalid media-type value on headers [${headers}]`, {
    causedBy: cause,
  })

export const invalidMediaType = (value: string) => illegalArgument(`invalid media-type [${value}]`)

export const mediaTypeStatus = (reason: string) => new ApiError(400, 'status_exception', reason)

/** A bug or a broken disk. The log gets the stack, the client the message. */
export const unexpectedFailure = (error: unknown) =>
  new ApiError(500, 'illegal_state_exception', error instanceof Error ? error.message : String(error))

/** Elasticsearch ends with a stack overflow in this case. */
export const nestedTooDeeply = () => illegalArgument('The request is nested too deeply')

export const growsTooLarge = () => illegalArgument('The request asks for a text or a list that is too large')

/** The index was deleted, with its files, while the request was running. */
export const filesGone = () =>
  new ApiError(
    503,
    'no_shard_available_action_exception',
    'a file of the shard is gone: its index was deleted or moved away',
  )

export const allAndSingleMetrics = (uri: string, metrics: string) =>
  illegalArgument(`request [${uri}] contains _all and individual metrics [${metrics}]`)

export const negativeShardCount = () => illegalArgument('shard count cannot be a negative value')

export const unknownLevel = (level: string) =>
  illegalArgument(`level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`)
