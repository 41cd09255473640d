/** How many file descriptors the process may have, and how many it has. */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** What is assumed where the system does not tell: the smallest default of the systems we run on. */
const ASSUMED_LIMIT = 1024
/** Less would open and close files all the time, more is not faster. */
const KEPT_MIN = 16
const KEPT_MAX = 1024
/** The rest is for connections, logs that are written to, and what the runtime needs. */
const SHARE = 1 / 4

let known: number | undefined

/** Node raises the soft limit to the hard one at its start, so that is read once. */
export function descriptorLimit(): number {
  known ??= readLimit()
  return known
}

function readLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1]
    if (soft === 'unlimited') return Number.POSITIVE_INFINITY
    return soft === undefined ? ASSUMED_LIMIT : Number(soft)
  } catch {
    return ASSUMED_LIMIT
  }
}

/** Undefined where the system does not tell. */
export function openDescriptors(): number | undefined {
  try {
    // Reading the folder takes one itself.
    return readdirSync('/proc/self/fd').length - 1
  } catch {
    return undefined
  }
}

/** Files that one thread keeps open for reading. The main thread, the writer and every searcher have their own. */
export function readDescriptorsPerThread(limit: number = descriptorLimit()): number {
  const threads = 2 + availableParallelism()
  return Math.min(KEPT_MAX, Math.max(KEPT_MIN, Math.floor((limit * SHARE) / threads)))
}

/** Shards whose logs are open for writing, two files each. */
export function openLogsMax(limit: number = descriptorLimit()): number {
  return Math.min(KEPT_MAX, Math.max(KEPT_MIN, Math.floor((limit * SHARE) / 2)))
}
