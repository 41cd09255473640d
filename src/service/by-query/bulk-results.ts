/** The results of the items of a bulk response. */
import type { ByQueryStatus } from './by-query-status.ts'

export interface BulkResult {
  readonly action: string
  readonly _index: string
  readonly _id: string
  readonly status: number
  readonly result?: string
  readonly error?: unknown
}

/** The result of a document that the script of the operation leaves alone. */
export const SKIPPED = 'skipped'

type BulkItem = Readonly<Record<string, Omit<BulkResult, 'action'>>>

export function readResults(reply: Buffer): BulkResult[] {
  const { items } = JSON.parse(reply.toString('utf8')) as { items: BulkItem[] }
  return items.map((item) => {
    const [action, result] = Object.entries(item)[0]!
    return { action, ...result }
  })
}

const NO_ERRORS = Buffer.from('{"errors":false,')
const COUNTS = Buffer.from('{"errors":false,"counts":')
const RESULT = Buffer.from(',"result":"')
const [C, D, N, O, S] = ['c', 'd', 'n', 'o', 's'].map((letter) => letter.charCodeAt(0))

/**
 * Counts the results of a response without errors, without decoding it; false if it has errors. Quotes inside strings are escaped, so
 * that the searched text occurs only where a result is.
 */
export function countResults(reply: Buffer, counts: ByQueryStatus): boolean {
  if (NO_ERRORS.compare(reply, 0, NO_ERRORS.length) !== 0) return false
  if (COUNTS.compare(reply, 0, COUNTS.length) === 0) {
    addCounts(reply, counts)
    return true
  }
  for (let at = reply.indexOf(RESULT); at >= 0; at = reply.indexOf(RESULT, at)) {
    at += RESULT.length
    const first = reply[at]!
    // `not_found` is the result of a delete; a `noop` was dropped by a pipeline and counts as updated.
    const isMissing = first === N && reply[at + 2] !== O
    if (first === D || isMissing) counts.deleted++
    else if (first === C) counts.created++
    else if (first === S) counts.noops++
    else counts.updated++
  }
  return true
}

const INDEX = Buffer.from('"_index":"')
const QUOTE = '"'.charCodeAt(0)

/** Adds the indices of a response to a set. Names of indices have no escapes, and quotes inside of strings do. */
export function noteIndices(reply: Buffer, found: Set<string>): void {
  if (COUNTS.compare(reply, 0, COUNTS.length) === 0) {
    for (const name of (JSON.parse(reply.toString()) as { indices: string[] }).indices) found.add(name)
    return
  }
  let last: Uint8Array = new Uint8Array()
  for (let at = reply.indexOf(INDEX); at >= 0; at = reply.indexOf(INDEX, at)) {
    at += INDEX.length
    // Most items have the index of the item before.
    if (reply[at + last.length] === QUOTE && reply.compare(last, 0, last.length, at, at + last.length) === 0) continue
    const end = reply.indexOf(QUOTE, at)
    last = reply.subarray(at, end)
    found.add(reply.toString('utf8', at, end))
  }
}

/** The answer to a page of hits that was written as a whole (`encodeCounts`). */
function addCounts(reply: Buffer, counts: ByQueryStatus): void {
  const [created, updated, deleted, noops] = (JSON.parse(reply.toString()) as { counts: number[] }).counts
  counts.created += created!
  counts.updated += updated!
  counts.deleted += deleted!
  counts.noops += noops!
}
