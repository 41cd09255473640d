/**
 * The letters of each term of a field as 32 bits; several letters share a bit. An edit adds at most one letter and
 * removes at most one, so most terms are rejected by two operations on their bits, without reading their bytes.
 *
 * Computed for the terms in use, 1,024 at a time, and kept with the reader of the terms.
 */
import type { TermsReader } from '../../segment/segment-reader-api.ts'

const CHUNK_BITS = 10
/** The bit of all letters beyond ASCII. */
export const OTHERS = 1

const kept = new WeakMap<TermsReader, LetterSets>()

class LetterSets {
  readonly sets: Int32Array
  readonly #terms: TermsReader
  readonly #isMade: Uint8Array

  constructor(terms: TermsReader) {
    this.#terms = terms
    this.sets = new Int32Array(terms.termCount)
    this.#isMade = new Uint8Array((terms.termCount >>> CHUNK_BITS) + 1)
  }

  make(from: number, to: number): void {
    for (let chunk = from >>> CHUNK_BITS; chunk << CHUNK_BITS < to; chunk++) {
      if (this.#isMade[chunk] === 1) continue
      this.#makeChunk(chunk << CHUNK_BITS, Math.min((chunk + 1) << CHUNK_BITS, this.sets.length))
      this.#isMade[chunk] = 1
    }
  }

  #makeChunk(from: number, to: number): void {
    const { termBytes: bytes, termOffsets: offsets } = this.#terms
    for (let ordinal = from; ordinal < to; ordinal++) {
      const end = offsets[ordinal + 1]!
      let set = 0
      for (let at = offsets[ordinal]!; at < end; at++) set |= bytes[at]! < 0x80 ? 1 << (bytes[at]! & 31) : OTHERS
      this.sets[ordinal] = set
    }
  }
}

/** The letter sets of the terms by ordinal; valid for the ordinals [from, to). */
export function letterSets(terms: TermsReader, from: number, to: number): Int32Array {
  let made = kept.get(terms)
  if (made === undefined) {
    made = new LetterSets(terms)
    kept.set(terms, made)
  }
  made.make(from, to)
  return made.sets
}

export function letterSetOf(letters: Iterable<number>): number {
  let set = 0
  for (const letter of letters) set |= letter < 0x80 ? 1 << (letter & 31) : OTHERS
  return set
}

/** The first ordinal of [from, to) that is within one or two edits of a word as far as its letters show; else `to`. */
export function nextNear(sets: Int32Array, from: number, to: number, wordSet: number, maxEdits: number): number {
  const notInWord = ~wordSet
  // A second edit allows one more different bit.
  const spare = maxEdits > 1 ? 0 : -1
  for (let ordinal = from; ordinal < to; ordinal++) {
    const set = sets[ordinal]!
    let more = set & notInWord
    more &= more - 1
    more &= (more - 1) | spare
    let missing = wordSet & ~set
    missing &= missing - 1
    missing &= (missing - 1) | spare
    // One branch for both tests: which of them rejects a term is unpredictable, that one of them does is not.
    if ((more | missing) === 0) return ordinal
  }
  return to
}
