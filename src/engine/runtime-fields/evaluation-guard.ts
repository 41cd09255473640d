/** Values are computed inside scorers and collectors that have no reference to a guard, so they ask that of the running search. */
import { ApiError } from '../../base/api-error.ts'
import { runningSearch } from '../running/running-search.ts'

/**
 * Throws when the search has timed out, was cancelled or exceeds the limits of this thread. Returning a part of the
 * values is not possible, because caches would treat them as complete.
 */
export function checkGuard(steps: number): void {
  if (runningSearch().guard?.isOver(steps) === true) {
    throw new ApiError(504, 'search_timeout_exception', 'Time exceeded')
  }
}
