/**
 * Stops a search early: its timeout is reached, its client has disconnected, or it exceeds the limits of its thread.
 */
import { taskCancelled } from '../../base/errors/task-errors.ts'
import type { ColumnList } from '../../engine/running/running-search.ts'
import type { SearchGuard } from '../../engine/scoring/search-guard.ts'
import type { SearchCrew } from './search-crew.ts'

/** Limits of the thread that runs a request. */
export interface WorkLimits {
  /** Whether nobody waits for the response any more. */
  readonly isCancelled?: (() => boolean) | undefined
  /**
   * The search fails with `TooMuchWork` after this many steps (windows of documents). Unlike time, steps do not pass
   * while other work runs.
   */
  readonly steps?: number | undefined
  /** The same limit in milliseconds, for searches whose steps may take long. */
  readonly ms?: number | undefined
  /** The search fails with `TooMuchWork` if it is about to run a script. */
  readonly refusesScripts?: boolean | undefined
  /** Lists the computed values that the request reads. */
  readonly columns?: ColumnList | undefined
  /** The other threads of a shared search. */
  readonly crew?: SearchCrew | undefined
}

/** The search exceeds the limits of this thread and has to run in another one. */
export class TooMuchWork extends Error {
  readonly reason: ExceededLimit

  constructor(reason: ExceededLimit) {
    super('the search takes longer than this thread may spend on it')
    this.name = 'TooMuchWork'
    this.reason = reason
  }
}

/**
 * The limit that a search exceeded. A search that exceeded its time may be quicker next time, because a busy machine lets threads
 * wait. A search that needs a script may find its values next time.
 */
export type ExceededLimit = 'steps' | 'time' | 'scripts'

function refuseScript(): never {
  throw new TooMuchWork('scripts')
}

/** Throws if a search with these limits must not run scripts. */
export const scriptRefusal = (limits: WorkLimits | undefined) =>
  limits?.refusesScripts === true ? refuseScript : undefined

/** Undefined if nothing can stop the search. */
export function requestGuard(
  startedMs: number,
  timeoutMs: number | undefined,
  limits: WorkLimits | undefined,
): RequestGuard | undefined {
  // A negative timeout means none.
  const overAt = timeoutMs === undefined || timeoutMs < 0 ? Number.POSITIVE_INFINITY : startedMs + timeoutMs
  if (overAt === Number.POSITIVE_INFINITY && limits === undefined) return undefined
  return new RequestGuard(overAt, limits ?? {})
}

export class RequestGuard implements SearchGuard {
  readonly #overAt: number
  #stepsLeft: number
  readonly #tooLongAt: number
  readonly #isCancelled: (() => boolean) | undefined
  /** Whether the search ended because of its timeout. */
  timedOut = false

  constructor(overAt: number, { isCancelled, steps, ms }: WorkLimits) {
    this.#overAt = overAt
    this.#stepsLeft = steps ?? Number.POSITIVE_INFINITY
    this.#tooLongAt = ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + ms
    this.#isCancelled = isCancelled
  }

  isOver(steps = 1): boolean {
    if (this.#isCancelled?.() === true) throw taskCancelled()
    this.#stepsLeft -= steps
    if (this.#stepsLeft < 0) throw new TooMuchWork('steps')
    if (this.#tooLongAt !== Number.POSITIVE_INFINITY && performance.now() > this.#tooLongAt)
      throw new TooMuchWork('time')
    if (this.#overAt !== Number.POSITIVE_INFINITY && performance.now() > this.#overAt) this.timedOut = true
    return this.timedOut
  }
}
