/**
 * Searches that may take long. JavaScript's engine has a short time for them; if it does not finish, the same search is
 * made stepwise. Both give the same result, so the clock decides only which of them runs. Whether a search is given up
 * is decided by the number of its steps.
 */
import type { RubyRegexp } from './ruby-regexp.ts'
import { stepBudget, TooManyStepsError } from './stepwise.ts'
import { runWithin } from './time-guard.ts'

/** Most searches that take longer would not end. */
const NATIVE_MS = 50

/** Throws a `TooManyStepsError`. */
export function boundedSearch<T>(regexp: RubyRegexp, text: string, search: () => T): T {
  if (text.length <= regexp.surelyFastLength) return search()
  let result: { readonly value: T } | undefined
  const isFinished = runWithin(NATIVE_MS, () => {
    result = { value: search() }
  })
  return isFinished && result !== undefined ? result.value : regexp.stepwise(stepBudget(), search)
}

/** The result of a search, or undefined if it needs too many steps. */
export function unlessTooLong<T>(search: () => T): T | undefined {
  try {
    return search()
  } catch (error) {
    if (error instanceof TooManyStepsError) return undefined
    throw error
  }
}
