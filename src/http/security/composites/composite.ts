/** Checks of requests whose index names are in the body, in items, or in a context. */
import type { Admission } from '../../admission.ts'
import type { GuardedRequest } from '../guarded-request.ts'

export interface Composite {
  /**
   * Present if the caller must have the action on at least one name before items are checked. Returns the names for the
   * 403, if any.
   */
  readonly namesRefused?: (request: GuardedRequest) => readonly string[]
  /** Undefined if the names in the path must be checked too. */
  admit(request: GuardedRequest): Admission | undefined
}

/** Actions that every authenticated caller may perform: they affect only contexts that the caller can find. */
const LOGIN_ONLY: ReadonlySet<string> = new Set([
  'indices:data/read/close_point_in_time',
  'indices:data/read/scroll/clear',
])

export const isLoginOnly = (action: string) => LOGIN_ONLY.has(action)

export const nothingNamed = () => []
