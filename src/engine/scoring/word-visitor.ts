/** Visits the terms of a weight, for highlighting: it marks in a document's text what the query matched in the index. */
import type { Weight } from './query.ts'

/** One place of a phrase: the word, or words that may stand for it. */
export interface WordPlace {
  readonly position: number
  readonly terms: readonly Uint8Array[]
}

export interface WordVisitor {
  /** Whether terms of all clauses are visited, also of those that the simplified query does not have any more. */
  readonly asWritten?: boolean
  term(field: string, term: Uint8Array, boost: number): void
  /** A term that is near a misspelled word; `word` names what they are near to. */
  near(field: string, term: Uint8Array, word: string, boost: number): void
  /** A phrase: terms at these positions, with the given slop. */
  phrase(field: string, places: readonly WordPlace[], slop: number, boost: number): void
  /** Every term of a kind: prefixes, patterns, ranges, misspellings. */
  terms(field: string, matches: (term: Uint8Array) => boolean, boost: number): void
  /** Clauses that count only in documents that the query around them matches. */
  within(query: Weight, visitInside: () => void): void
  /** Clauses about the objects inside a document, which the document itself cannot be tested against. */
  nested(visitInside: () => void): void
}
