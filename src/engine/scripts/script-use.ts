/**
 * Whether the search of this thread runs scripts. A script may work for a long time, so the main thread runs none for searches that it
 * tries: there a search may only read values that another thread has computed. Scripts are run deep inside of queries and
 * aggregations, so the search begins and ends here.
 */

let refuse: (() => never) | undefined
let depth = 0
let hasRun = false

/** A script is about to run. */
export function noteScriptRun(): void {
  refuse?.()
  hasRun = true
}

/** Runs a search. `refusal` throws if a script is about to run. Searches inside of the search, such as inner hits, are part of it. */
export function inSearch<T>(refusal: (() => never) | undefined, search: () => T): T {
  const before = refuse
  refuse = refusal
  if (depth++ === 0) hasRun = false
  try {
    return search()
  } finally {
    depth--
    refuse = before
  }
}

/** Whether the current search, or the last one if there is none, has run a script. */
export const hasRunScript = (): boolean => hasRun
