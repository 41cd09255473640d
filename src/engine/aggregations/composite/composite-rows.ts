/**
 * The buckets of a page as collected: keys by source, and document counts. Most pages are written to the response
 * directly from these arrays; bucket objects are created only if pipelines or the reduction read them.
 */
import type { JsonOutput } from '../../../base/json/json-output.ts'
import { WrittenJson } from '../../../base/json/json-writer.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT } from '../../../base/json/punctuation.ts'
import type { CompositeBucket, CompositeResult, TotalBuckets } from './composite-result.ts'
import { type KeyPrinter, type KeyValue, KeyWriter } from './key-value.ts'

export class CompositeRows {
  readonly #parts: readonly (readonly KeyValue[])[]
  readonly #counts: Float64Array

  /** `parts[i]` contains the values of source i. */
  constructor(parts: readonly (readonly KeyValue[])[], counts: Float64Array) {
    this.#parts = parts
    this.#counts = counts
  }

  get length(): number {
    return this.#counts.length
  }

  values(row: number): KeyValue[] {
    return this.#parts.map((part) => part[row]!)
  }

  buckets(): CompositeBucket[] {
    return Array.from(this.#counts, (docCount, row) => ({ values: this.values(row), docCount, results: [] }))
  }

  /** The list of buckets in the response. */
  written(names: readonly string[], printers: readonly KeyPrinter[]): WrittenJson {
    return new WrittenRows(this.#parts, this.#counts, new KeyWriter(names, printers))
  }
}

class WrittenRows extends WrittenJson {
  readonly #parts: readonly (readonly KeyValue[])[]
  readonly #counts: Float64Array
  readonly #keys: KeyWriter

  constructor(parts: readonly (readonly KeyValue[])[], counts: Float64Array, keys: KeyWriter) {
    super()
    this.#parts = parts
    this.#counts = counts
    this.#keys = keys
  }

  override write(out: JsonOutput): void {
    const parts = this.#parts
    out.addByte(OPEN_ARRAY)
    for (let row = 0; row < this.#counts.length; row++) {
      if (row > 0) out.addByte(COMMA)
      out.addByte(OPEN_OBJECT)
      for (let i = 0; i < parts.length; i++) this.#keys.write(i, parts[i]![row]!, out)
      this.#keys.end(this.#counts[row]!, out)
      out.addByte(CLOSE_OBJECT)
    }
    out.addByte(CLOSE_ARRAY)
  }
}

/** A page of buckets without children. */
export class RowsResult implements CompositeResult {
  readonly printers: readonly KeyPrinter[]
  readonly rows: CompositeRows
  readonly total: TotalBuckets | undefined
  #buckets: readonly CompositeBucket[] | undefined

  constructor(printers: readonly KeyPrinter[], rows: CompositeRows, total: TotalBuckets | undefined) {
    this.printers = printers
    this.rows = rows
    this.total = total
  }

  get afterKey(): readonly KeyValue[] | undefined {
    return this.rows.length === 0 ? undefined : this.rows.values(this.rows.length - 1)
  }

  get buckets(): readonly CompositeBucket[] {
    this.#buckets ??= this.rows.buckets()
    return this.#buckets
  }

  set buckets(buckets: readonly CompositeBucket[]) {
    this.#buckets = buckets
  }

  /** Whether bucket objects were never created, so that the arrays still hold the result. */
  get isUntouched(): boolean {
    return this.#buckets === undefined
  }
}
