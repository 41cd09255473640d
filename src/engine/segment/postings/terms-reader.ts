/** The sorted terms of a field and their postings. */

import { ensure } from '../../../base/assert.ts'
import { compareBytes } from '../buffer/term-table.ts'
import { USES_POSITIONS, USES_POSTINGS } from '../field-usage.ts'
import type { SectionLoader } from '../section-loader.ts'
import type { TermsInfo } from '../segment-file.ts'
import type { TermsReader } from '../segment-reader-api.ts'
import { PostingsReader, type PostingsSource } from './postings-reader.ts'
import { SINGLE_DOC } from './postings-writer.ts'

const NO_SAMPLES: Float64Array = new Float64Array(0)
/** Bytes that a number represents exactly. */
const START_BYTES = 6
/** One in 2^4 terms is sampled. */
const SAMPLE_BITS = 4
const SAMPLED_TERMS_MIN = 256
/** A reader that looks up only a few terms uses no samples. */
const FINDS_BEFORE_SAMPLES = 4

/**
 * The term dictionary without postings, for sorted-set doc values. A binary search over thousands of terms would touch
 * memory all over the place; the prefixes of every 16th term, side by side, narrow it down to a few neighbours first.
 */
export class TermDictionaryReader {
  readonly termCount: number
  readonly offsets: Uint32Array
  readonly bytes: Uint8Array
  #samples = NO_SAMPLES
  #finds = 0

  constructor(loader: SectionLoader, field: string, termCount: number) {
    this.termCount = termCount
    const offsets = loader.bytes(`t.off:${field}`)
    this.offsets = new Uint32Array(offsets.buffer, offsets.byteOffset, offsets.byteLength >>> 2)
    this.bytes = loader.bytes(`t.bytes:${field}`)
    ensure(this.offsets.length > termCount, 'every term of a field has an offset')
    ensure(this.offsets[termCount] === this.bytes.length, 'the terms of a field end where their bytes end')
  }

  /** A copy that is safe to keep after the segment is released. */
  term(ordinal: number): Uint8Array {
    ensure(ordinal >= 0 && ordinal < this.termCount, 'an ordinal is the number of a term')
    return this.bytes.slice(this.offsets[ordinal]!, this.offsets[ordinal + 1]!)
  }

  /** The ordinal of a term, or -(insertion point) - 1. */
  find(term: Uint8Array): number {
    let low = 0
    let high = this.termCount - 1
    if (this.#finds++ === FINDS_BEFORE_SAMPLES && this.termCount >= SAMPLED_TERMS_MIN) this.#samples = this.#sampled()
    if (this.#samples.length > 0) {
      const key = startOf(term, 0, term.length)
      low = Math.max(0, (countBelow(this.#samples, key) - 1) << SAMPLE_BITS)
      high = Math.min(high, countBelow(this.#samples, key + 1) << SAMPLE_BITS)
    }
    while (low <= high) {
      const middle = (low + high) >>> 1
      const order = compareBytes(this.bytes, this.offsets[middle]!, this.offsets[middle + 1]!, term, 0, term.length)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -low - 1
  }

  #sampled(): Float64Array {
    const samples = new Float64Array(((this.termCount - 1) >>> SAMPLE_BITS) + 1)
    for (let i = 0; i < samples.length; i++) {
      const ordinal = i << SAMPLE_BITS
      samples[i] = startOf(this.bytes, this.offsets[ordinal]!, this.offsets[ordinal + 1]!)
    }
    return samples
  }
}

/** The first bytes of a term as a number. Numbers compare like the terms as far as these bytes differ. */
function startOf(bytes: Uint8Array, from: number, to: number): number {
  let start = 0
  for (let i = from; i < from + START_BYTES; i++) start = start * 256 + (i < to ? bytes[i]! : 0)
  return start
}

/** How many of the ascending numbers are smaller than the bound. */
function countBelow(numbers: Float64Array, bound: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < bound) low = middle + 1
    else high = middle
  }
  return low
}

export class InvertedTerms implements TermsReader {
  readonly termCount: number
  readonly docCount: number
  readonly sumTotalTermFreq: number
  readonly sumDocFreq: number
  readonly hasFreqs: boolean
  readonly hasPositions: boolean
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  readonly #dictionary: TermDictionaryReader
  readonly #addresses: Uint32Array
  readonly #loader: SectionLoader
  readonly #field: string
  readonly #source: PostingsSource
  #withPositions: PostingsSource | undefined

  constructor(loader: SectionLoader, field: string, info: TermsInfo, dictionary: TermDictionaryReader) {
    this.termCount = info.count
    this.docCount = info.docCount
    this.sumTotalTermFreq = info.sumTotalTermFreq
    this.sumDocFreq = info.sumDocFreq
    this.hasFreqs = info.freqs
    this.hasPositions = info.positions
    this.termBytes = dictionary.bytes
    this.termOffsets = dictionary.offsets
    this.#dictionary = dictionary
    this.#loader = loader
    this.#field = field
    const addresses = loader.bytes(`t.addr:${field}`)
    this.#addresses = new Uint32Array(addresses.buffer, addresses.byteOffset, addresses.byteLength >>> 2)
    const bytes = loader.bytes(`p:${field}`)
    this.#source = {
      bytes,
      words: new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2),
      // The list of a term contains the address of its positions whether or not they are read.
      positionBytes: info.positions ? NO_BYTES : undefined,
      hasFreqs: info.freqs,
      arena: loader.arena,
    }
  }

  find(term: Uint8Array): number {
    return this.#dictionary.find(term)
  }

  term(ordinal: number): Uint8Array {
    return this.#dictionary.term(ordinal)
  }

  docFreq(ordinal: number): number {
    const address = this.#addresses[ordinal]!
    return address >= SINGLE_DOC ? 1 : this.#varint(address)
  }

  totalTermFreq(ordinal: number): number {
    const address = this.#addresses[ordinal]!
    if (address >= SINGLE_DOC) return 1
    const docFreq = this.#varint(address)
    if (!this.hasFreqs) return docFreq
    let at = address
    while (this.#source.bytes[at++]! >= 0x80) {}
    return docFreq + this.#varint(at)
  }

  /** Moves a reader obtained from this object to another term. */
  reuse(reader: PostingsReader, ordinal: number): PostingsReader {
    return reader.reset(this.#addresses[ordinal]!)
  }

  postings(ordinal: number, withPositions: boolean): PostingsReader {
    const address = this.#addresses[ordinal]!
    this.#loader.usage.mark(this.#field, withPositions ? USES_POSTINGS | USES_POSITIONS : USES_POSTINGS)
    if (!withPositions || !this.hasPositions) return new PostingsReader(this.#source, address)
    this.#withPositions ??= { ...this.#source, positionBytes: this.#loader.bytes(`q:${this.#field}`) }
    return new PostingsReader(this.#withPositions, address)
  }

  #varint(at: number): number {
    const bytes = this.#source.bytes
    let value = 0
    let shift = 0
    for (;;) {
      const byte = bytes[at++]!
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
      shift += 7
    }
  }
}

const NO_BYTES = new Uint8Array(0)
