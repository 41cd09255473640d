/** The limit of file descriptors of the process, and the number in use. */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The limit if the system does not report one: the smallest default of the supported systems. */
const ASSUMED_LIMIT = 1024
/** With fewer descriptors files would be opened and closed all the time; more are not faster. */
const KEPT_MIN = 16
const KEPT_MAX = 1024
/** The rest is for connections, logs that are being written, and the runtime. */
const SHARE = 1 / 4

let known: number | undefined

/** Node raises the soft limit to the hard limit at its start, so the limit is read once. */
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

/** The number of open descriptors; undefined if the system does not report it. */
export function openDescriptors(): number | undefined {
  try {
    // Reading the folder needs a descriptor itself.
    return readdirSync('/proc/self/fd').length - 1
  } catch {
    return undefined
  }
}

/**
 * The number of files that a thread keeps open for reading. The main thread, the writer and every searcher have their
 * own.
 */
export function readDescriptorsPerThread(limit: number = descriptorLimit()): number {
  const threads = 2 + availableParallelism()
  return Math.min(KEPT_MAX, Math.max(KEPT_MIN, Math.floor((limit * SHARE) / threads)))
}

/** The number of shards with logs open for writing, two files each. */
export function openLogsMax(limit: number = descriptorLimit()): number {
  return Math.min(KEPT_MAX, Math.max(KEPT_MIN, Math.floor((limit * SHARE) / 2)))
}
