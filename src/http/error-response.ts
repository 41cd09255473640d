/** Converts a failure to a status and a body. */
import { ApiError, errorBody } from '../base/api-error.ts'
import { filesGone, unexpectedFailure } from '../base/errors/http-errors.ts'
import { jsonSyntaxError } from '../base/errors/json-errors.ts'
import { JsonSyntaxError } from '../base/json/json-syntax-error.ts'
import { AuthenticationError } from '../security/model/security-errors.ts'
import { errorHelp, type FailedRequest } from './error-help.ts'
import type { HttpResponse } from './response.ts'
import type { Method } from './router.ts'

/** The error a client sees. Internal errors become a 500. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof JsonSyntaxError) return jsonSyntaxError(error)
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return filesGone()
  return unexpectedFailure(error)
}

export function errorResponse(error: unknown, withTrace: boolean, request?: FailedRequest): HttpResponse {
  const apiError = toApiError(error)
  const body = errorBody(apiError)
  if (withTrace) addTrace(body.error, traceOf(error) ?? apiError.message)
  const help = request === undefined ? undefined : errorHelp(apiError, request)
  const headers = apiError instanceof AuthenticationError ? { 'WWW-Authenticate': [...apiError.challenges] } : undefined
  return {
    status: apiError.status,
    body: help === undefined ? body : { ...body, help },
    isError: true,
    ...(headers === undefined ? {} : { headers }),
  }
}

function traceOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined
}

export const unknownPath = (uri: string, method: string): HttpResponse => ({
  status: 400,
  isError: true,
  body: { error: `no handler found for uri [${uri}] and method [${method}]` },
})

export const wrongMethod = (uri: string, method: string, allowed: readonly Method[]): HttpResponse =>
  methodNotAllowed(`Incorrect HTTP method for uri [${uri}] and method [${method}]`, allowed)

export const unknownMethod = (method: string, allowed: readonly Method[]): HttpResponse =>
  methodNotAllowed(`Unexpected http method: ${method}`, allowed)

function methodNotAllowed(problem: string, allowed: readonly Method[]): HttpResponse {
  return {
    status: 405,
    isError: true,
    headers: { Allow: allowed.join(',') },
    body: { error: `${problem}, allowed: [${allowed.join(', ')}]`, status: 405 },
  }
}

export const unsupportedContentType = (contentType: string): HttpResponse => ({
  status: 406,
  isError: true,
  body: { error: `Content-Type header [${contentType}] is not supported`, status: 406 },
})

/** `error_trace`: adds a `stack_trace` to every error object of the response. */
function addTrace(error: Record<string, unknown>, trace: string): void {
  error['stack_trace'] = trace
  for (const root of (error['root_cause'] as Record<string, unknown>[] | undefined) ?? []) root['stack_trace'] = trace
  const cause = error['caused_by'] as Record<string, unknown> | undefined
  if (cause !== undefined) addTrace(cause, trace)
}
