/**
 * Malformed JSON as clients see it. Where the body is a request, the error stands alone; inside a document it is the
 * cause of a `document_parsing_exception`.
 */
import { ApiError } from '../api-error.ts'
import type { JsonSyntaxError } from '../json/json-syntax-error.ts'

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

/** As `jsonSyntaxError`, for a document; `afterIt`: what follows the document's last brace is at fault. */
export function documentSyntaxError(error: JsonSyntaxError, afterIt = false): ApiError {
  const cause = jsonSyntaxError(error)
  const reason = afterIt
    ? `[${error.line}:${error.column}] ${cause.message}`
    : `[${error.token.line}:${error.token.column}] failed to parse: ${cause.message}`
  return new ApiError(400, 'document_parsing_exception', reason, { causedBy: cause })
}

/** A literal stands where a number belongs; `column` is the place after it in its line. */
export function notNumeric(token: string, line: string, column: number): ApiError {
  const reason =
    `Current token (${token}) not numeric, can not use numeric value accessors\n` +
    ` at [Source: (byte[])"${line}"; line: 1, column: ${column}]`
  return new ApiError(400, 'x_content_parse_exception', `[1:${column}] ${reason}`, {
    causedBy: new ApiError(400, 'json_parse_exception', reason),
  })
}
