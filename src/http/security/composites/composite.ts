/** Requests whose names stand in the body, per item, or behind the id of a context. */
import type { Admission } from '../../admission.ts'
import type { GuardedRequest } from '../guarded-request.ts'

export interface Composite {
  /**
   * Present where the action must be held on something before anything is looked at. Returns the names that the refusal tells, if any; what
   * is read and written is checked item by item.
   */
  readonly namesRefused?: (request: GuardedRequest) => readonly string[]
  /** Undefined when the names of the path remain to be checked. */
  admit(request: GuardedRequest): Admission | undefined
}

/** Actions that everybody may perform who is known: what they touch belongs to the caller or cannot be found. */
const LOGIN_ONLY: ReadonlySet<string> = new Set([
  'indices:data/read/close_point_in_time',
  'indices:data/read/scroll/clear',
])

export const isLoginOnly = (action: string) => LOGIN_ONLY.has(action)

export const nothingNamed = () => []
