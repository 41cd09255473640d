/**
 * Visits the terms of a weight, for highlighting: it marks in a document's text what the query matched in the index.
 */
import type { Weight } from './query.ts'

/** One position of a phrase: the word, or its alternatives. */
export interface WordPlace {
  readonly position: number
  readonly terms: readonly Uint8Array[]
}

export interface WordVisitor {
  /** Whether terms of all clauses are visited, including those that the simplified query dropped. */
  readonly asWritten?: boolean
  term(field: string, term: Uint8Array, boost: number): void
  /** A term similar to a fuzzy word; `word` is that word. */
  near(field: string, term: Uint8Array, word: string, boost: number): void
  /** A term that a multi-term rule of `intervals` stands for. */
  expanded(field: string, term: Uint8Array, boost: number): void
  /** A phrase: terms at these positions, with the given slop; `isEnding` knows the words that its open end stands for. */
  phrase(
    field: string,
    places: readonly WordPlace[],
    slop: number,
    boost: number,
    isEnding?: (term: Uint8Array) => boolean,
  ): void
  /** The terms of a multi-term query: prefixes, patterns, ranges, fuzzy words. */
  terms(field: string, matches: (term: Uint8Array) => boolean, boost: number): void
  /** Clauses that count only in documents that the enclosing query matches. */
  within(query: Weight, visitInside: () => void): void
  /** Clauses on nested objects, which cannot be tested against the document itself. */
  nested(visitInside: () => void): void
}
