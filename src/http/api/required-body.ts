/** Reads the required body of an endpoint that changes metadata. */
import { parseFailure } from '../../base/api-error.ts'
import type { HttpRequest } from '../request.ts'

export function requireBody(request: HttpRequest): Uint8Array {
  if (!request.hasBody) throw parseFailure('request body is required')
  return request.body
}
