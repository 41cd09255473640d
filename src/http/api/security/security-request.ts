/** What the handlers of the security API read of requests. */
import { parseFailure } from '../../../base/api-error.ts'
import type { Caller } from '../../../security/authorization/caller.ts'
import type { HttpRequest } from '../../request.ts'

/** These routes are behind the gate: there is always a caller. */
export function callerOf({ access }: HttpRequest): Caller {
  if (access === undefined) throw new Error('a request of the security API came past the gate')
  return access.caller
}

export function requiredBody(request: HttpRequest): unknown {
  if (!request.hasBody) throw parseFailure('request body is required')
  return request.json()
}

/** Changes hold for the next request in any case. */
export function acceptRefresh({ query }: HttpRequest): void {
  query.accept('refresh')
}

export const namesOf = (request: HttpRequest, parameter: string) => request.params[parameter]?.split(',')
