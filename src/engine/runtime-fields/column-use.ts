/** The computed doc values that a request of this thread reads, so that other threads can read them too. */
import { type ColumnList, runningSearch } from '../running/running-search.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import type { ComputedDocValues } from './computed-doc-values.ts'

/** The doc values of a runtime field in a segment. `name` identifies the definition of the field. */
export interface KnownColumn {
  readonly reader: SegmentReader
  readonly name: string
  readonly values: ComputedDocValues
}

/** Records that a search reads values that an earlier search computed. */
export function noteKnownColumn(reader: SegmentReader, name: string, values: ComputedDocValues): void {
  runningSearch().columns?.add(reader, name, values)
}

export class ReadColumns implements ColumnList {
  readonly #used = new Map<ComputedDocValues, KnownColumn>()
  #onlyReads = true

  add(reader: SegmentReader, name: string, values: ComputedDocValues): void {
    if (!this.#used.has(values)) this.#used.set(values, { reader, name, values })
  }

  scriptRuns(): void {
    this.#onlyReads = false
  }

  /** None if a script has run, because such a request does more than read. */
  list(): readonly KnownColumn[] {
    return this.#onlyReads ? [...this.#used.values()] : []
  }
}
