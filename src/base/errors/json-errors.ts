/**
 * Malformed JSON as clients see it. In a request body the error stands alone. In a document it is the cause of a
 * `document_parsing_exception`.
 */
import { ApiError } from '../api-error.ts'
import type { FaultySource } from '../json/faulty-source.ts'
import type { JsonSyntaxError } from '../json/json-syntax-error.ts'
import { parserTokenName } from '../json/token-names.ts'

export function jsonSyntaxError(error: JsonSyntaxError): ApiError {
  const where = `[${error.line}:${error.column}]`
  if (error.atEnd) {
    return new ApiError(400, 'x_content_e_o_f_exception', `${where} Unexpected end of file`, {
      causedBy: new ApiError(400, 'json_e_o_f_exception', error.message),
    })
  }
  if (error.overLimit) {
    return new ApiError(400, 'x_content_parse_exception', error.message, {
      causedBy: new ApiError(400, 'stream_constraints_exception', error.message),
    })
  }
  return new ApiError(400, 'x_content_parse_exception', `${where} ${error.message}`, {
    causedBy: new ApiError(400, 'json_parse_exception', error.message),
  })
}

/** Like `jsonSyntaxError`, but for a document. `afterIt` means that the fault follows the document's closing brace. */
export function documentSyntaxError(error: JsonSyntaxError, afterIt = false): ApiError {
  const cause = jsonSyntaxError(error)
  const reason = afterIt
    ? `[${error.line}:${error.column}] ${cause.message}`
    : `[${error.token.line}:${error.token.column}] failed to parse: ${cause.message}`
  return new ApiError(400, 'document_parsing_exception', reason, { causedBy: cause })
}

/**
 * A JSON value was read as a type it does not have. `at` is the parser's byte position, usually the byte after the
 * value.
 */
export function jsonValueError(type: JsonValueErrorType, message: string, source: FaultySource, at: number): ApiError {
  const { message: reason, line, column } = source.fail(message, at)
  const cause = new ApiError(400, type, reason)
  return new ApiError(400, 'x_content_parse_exception', `[${line}:${column}] ${reason}`, { causedBy: cause })
}

export type JsonValueErrorType = 'json_parse_exception' | 'input_coercion_exception'

export const notBoolean = (token: number, source: FaultySource, at: number) =>
  jsonValueError('json_parse_exception', `Current token (${parserTokenName(token)}) not of boolean type`, source, at)

export const notNumeric = (token: number, source: FaultySource, at: number) =>
  jsonValueError(
    'json_parse_exception',
    `Current token (${parserTokenName(token)}) not numeric, can not use numeric value accessors`,
    source,
    at,
  )
