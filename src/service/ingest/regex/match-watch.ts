/**
 * Limits the time of searches with user-supplied expressions. Starting a timer costs more than most searches, so the
 * documents of a bulk request share one. If it expires, the current document is run again with its own timers.
 */
import { runWithin } from '../../../text/regex/time-guard.ts'

/** The time limit of a single search. */
export const MATCH_LIMIT_MS = 1_000
/** The time limit of a batch of documents. */
const BATCH_LIMIT_MS = 500

let isShared = false

/** Whether a time limit of a caller is active. */
export const isWatched = (): boolean => isShared

/**
 * Runs `work` under one time limit. Returns false if it was exceeded. The work was then interrupted without running its
 * `finally` blocks, and its results must be discarded.
 */
export function runWatched(work: () => void): boolean {
  if (isShared) {
    work()
    return true
  }
  isShared = true
  try {
    return runWithin(BATCH_LIMIT_MS, work)
  } finally {
    isShared = false
  }
}
