/**
 * Hashes of the terms of a segment's doc values. A segment never changes, so the hashes are computed once and kept with
 * it: repeated cardinality aggregations need no hashing.
 */
import type { SegmentReader, SortedSetDocValues } from '../../segment/segment-reader-api.ts'
import { hashBytes, lastHashHigh, lastHashLow } from './hash64.ts'

/** The halves of 64-bit hashes. */
export interface Hashes {
  readonly highs: Int32Array
  readonly lows: Int32Array
}

export interface TermHashes extends Hashes {
  /** Hashes a term unless it is already hashed. */
  ensure(ordinal: number): void
  /** Hashes of all terms. */
  all(): Hashes
}

/** Doc values with more terms are hashed again each time, because eight bytes per term would be too much to keep. */
const TERMS_KEPT_MAX = 1_000_000

const known = new WeakMap<SegmentReader, Map<string, TermHashes>>()

export function termHashes(reader: SegmentReader, field: string, docValues: SortedSetDocValues): TermHashes {
  if (docValues.termCount > TERMS_KEPT_MAX) return new LazyHashes(docValues)
  let fields = known.get(reader)
  if (fields === undefined) known.set(reader, (fields = new Map()))
  let hashes = fields.get(field)
  if (hashes === undefined) fields.set(field, (hashes = new LazyHashes(docValues)))
  return hashes
}

class LazyHashes implements TermHashes {
  readonly highs: Int32Array
  readonly lows: Int32Array
  readonly #docValues: SortedSetDocValues
  readonly #hashed: Uint8Array
  #complete = false

  constructor(docValues: SortedSetDocValues) {
    this.#docValues = docValues
    this.highs = new Int32Array(docValues.termCount)
    this.lows = new Int32Array(docValues.termCount)
    this.#hashed = new Uint8Array(docValues.termCount)
  }

  ensure(ordinal: number): void {
    if (this.#hashed[ordinal] === 1) return
    hashBytes(this.#docValues.term(ordinal))
    this.highs[ordinal] = lastHashHigh()
    this.lows[ordinal] = lastHashLow()
    this.#hashed[ordinal] = 1
  }

  all(): Hashes {
    if (!this.#complete) for (let ordinal = 0; ordinal < this.#hashed.length; ordinal++) this.ensure(ordinal)
    this.#complete = true
    return this
  }
}
