/**
 * The search guard that can stop the computation of runtime field values. Values are computed inside scorers and
 * collectors that have no reference to a guard, so the search sets the guard of the thread here.
 */
import { ApiError } from '../../base/api-error.ts'

/** The part of a search's guard that is used here. */
interface EvaluationGuard {
  isOver(steps?: number): boolean
}

let current: EvaluationGuard | undefined

/** Runs `work` with the guard of its search. */
export function guarded<T>(guard: EvaluationGuard | undefined, work: () => T): T {
  const before = current
  current = guard
  try {
    return work()
  } finally {
    current = before
  }
}

/**
 * Throws when the search has timed out, was cancelled or exceeds the limits of this thread. Returning a part of the
 * values is not possible, because caches would treat them as complete.
 */
export function checkGuard(steps: number): void {
  if (current?.isOver(steps) === true) throw new ApiError(504, 'search_timeout_exception', 'Time exceeded')
}
