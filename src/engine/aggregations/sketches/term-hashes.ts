/**
 * Hashes of the terms of a segment's column. A segment never changes, so they are computed once and kept as long as the segment
 * is: counting distinct values again costs no hashing.
 */
import type { SegmentReader, TermColumn } from '../../segment/segment-reader-api.ts'
import { hashBytes, hashHigh, hashLow } from './hash64.ts'

/** The halves of 64-bit hashes. */
export interface Hashes {
  readonly highs: Int32Array
  readonly lows: Int32Array
}

export interface TermHashes extends Hashes {
  /** Hashes a term unless that was done before. */
  ensure(ordinal: number): void
  /** Hashes of all terms. */
  all(): Hashes
}

/** Columns with more terms are hashed anew each time: eight bytes a term would be too much to keep. */
const TERMS_KEPT_MAX = 1_000_000

const known = new WeakMap<SegmentReader, Map<string, TermHashes>>()

export function termHashes(reader: SegmentReader, field: string, column: TermColumn): TermHashes {
  if (column.termCount > TERMS_KEPT_MAX) return new LazyHashes(column)
  let fields = known.get(reader)
  if (fields === undefined) known.set(reader, (fields = new Map()))
  let hashes = fields.get(field)
  if (hashes === undefined) fields.set(field, (hashes = new LazyHashes(column)))
  return hashes
}

class LazyHashes implements TermHashes {
  readonly highs: Int32Array
  readonly lows: Int32Array
  readonly #column: TermColumn
  readonly #hashed: Uint8Array
  #complete = false

  constructor(column: TermColumn) {
    this.#column = column
    this.highs = new Int32Array(column.termCount)
    this.lows = new Int32Array(column.termCount)
    this.#hashed = new Uint8Array(column.termCount)
  }

  ensure(ordinal: number): void {
    if (this.#hashed[ordinal] === 1) return
    hashBytes(this.#column.term(ordinal))
    this.highs[ordinal] = hashHigh
    this.lows[ordinal] = hashLow
    this.#hashed[ordinal] = 1
  }

  all(): Hashes {
    if (!this.#complete) for (let ordinal = 0; ordinal < this.#hashed.length; ordinal++) this.ensure(ordinal)
    this.#complete = true
    return this
  }
}
