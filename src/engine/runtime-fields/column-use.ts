/** The computed doc values that the search of this thread reads, so that other threads can read them too. */
import { hasRunScript } from '../scripts/script-use.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import type { ComputedDocValues } from './computed-doc-values.ts'

/** The doc values of a runtime field in a segment. `name` identifies the definition of the field. */
export interface KnownColumn {
  readonly reader: SegmentReader
  readonly name: string
  readonly values: ComputedDocValues
}

let used: Map<ComputedDocValues, KnownColumn> | undefined

/** Lists the columns that are read from now on. Threads that share none list none. */
export function listColumns(): void {
  used = new Map()
}

/** Records that a search reads values that an earlier search computed. */
export function noteKnownColumn(reader: SegmentReader, name: string, values: ComputedDocValues): void {
  if (used !== undefined && !used.has(values)) used.set(values, { reader, name, values })
}

/** The columns that a search has read since `listColumns`; none if it has run a script, because such a search does more than read. */
export function listedColumns(): KnownColumn[] {
  const columns = used === undefined || hasRunScript() ? [] : [...used.values()]
  used = undefined
  return columns
}
