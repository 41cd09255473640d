/** Helpers of the security API's handlers to read requests. */
import { parseFailure } from '../../../base/api-error.ts'
import type { Caller } from '../../../security/authorization/caller.ts'
import type { HttpRequest } from '../../request.ts'

/** The routes of the security API exist only behind the gate, so there is always a caller. */
export function callerOf({ access }: HttpRequest): Caller {
  if (access === undefined) throw new Error('a request of the security API came past the gate')
  return access.caller
}

export function requiredBody(request: HttpRequest): unknown {
  if (!request.hasBody) throw parseFailure('request body is required')
  return request.json()
}

/** Accepts `refresh`. Changes are visible to the next request in any case. */
export function acceptRefresh({ query }: HttpRequest): void {
  query.accept('refresh')
}

export const namesOf = (request: HttpRequest, parameter: string) => request.params[parameter]?.split(',')
