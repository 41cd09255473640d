/**
 * Limits how long expressions of users may search. Starting a watch costs more than most searches, so the documents of a bulk
 * request share one: when it strikes, the document at hand is tried again with watches of its own.
 */
import { runWithin } from '../../../text/regex/time-guard.ts'

/** How long one search may take alone. */
export const MATCH_LIMIT_MS = 1_000
/** How long a batch of documents may take together. */
const BATCH_LIMIT_MS = 500

let isShared = false

/** Whether somebody around watches already. */
export const isWatched = (): boolean => isShared

/**
 * Runs `work` under one watch. False when the time was over: then the work stopped wherever it was, without its `finally`, and whatever
 * it had begun is to be thrown away.
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
