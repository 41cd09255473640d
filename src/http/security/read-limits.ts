/** Field and document level security of a request, by name of index. */
import type { ReadLimits } from '../../security/authorization/permission.ts'
import type { GuardedRequest } from './guarded-request.ts'

/** The limits of the indices that names stand for; undefined when none of them is limited. */
export function limitedNames(
  _request: GuardedRequest,
  _names: readonly string[],
): Record<string, ReadLimits> | undefined {
  return undefined
}
