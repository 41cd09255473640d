/**
 * Detects repeated passages, in the same text or an earlier one: signatures, boilerplate, copies. As in Elasticsearch a
 * word is represented by one byte of its hash, and six consecutive words seen before are a repetition.
 */

import { hashBytes, lastHashLow } from '../sketches/hash64.ts'
import type { AggregationMemory } from '../state/aggregation-memory.ts'

const PASSAGE_WORDS = 6

/** The approximate size of a set entry. */
const PASSAGE_BYTES = 32

export class RepeatedPassages {
  readonly #memory: AggregationMemory
  readonly #seen = new Set<number>()

  constructor(memory: AggregationMemory) {
    this.#memory = memory
  }

  /** For every word of a text whether it is part of a repeated passage; the text is then recorded. */
  mark(words: readonly string[]): boolean[] {
    const repeated = words.map(() => false)
    const known = this.#seen.size
    const bytes = words.map((word) => {
      hashBytes(Buffer.from(word))
      return lastHashLow() & 0xff
    })
    for (let end = PASSAGE_WORDS; end <= bytes.length; end++) {
      let passage = 0
      for (let i = end - PASSAGE_WORDS; i < end; i++) passage = passage * 256 + bytes[i]!
      if (this.#seen.has(passage)) repeated.fill(true, end - PASSAGE_WORDS, end)
      else this.#seen.add(passage)
    }
    this.#memory.add((this.#seen.size - known) * PASSAGE_BYTES)
    return repeated
  }
}
