/**
 * What may end the computing of values early: the guard of the search that asked for them. Doc values are asked for in the middle
 * of scorers and collectors that know no guard, so that the search of this thread leaves its own here.
 */
import { ApiError } from '../../base/api-error.ts'

/** The part of a search's guard that is asked here. */
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
 * Throws when the time of the search is up, nobody wants its answer, or it is too much for this thread: half of the values would be
 * taken for all of them by whoever keeps what follows from them.
 */
export function checkGuard(steps: number): void {
  if (current?.isOver(steps) === true) throw new ApiError(504, 'search_timeout_exception', 'Time exceeded')
}
