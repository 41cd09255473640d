/**
 * What a planned query looks for, told word by word. Highlighting asks for it: it marks in a document's text what the
 * query found in the index.
 */
import type { Weight } from './query.ts'

/** One place of a phrase: the word, or words that may stand for it. */
export interface WordPlace {
  readonly position: number
  readonly terms: readonly Uint8Array[]
}

export interface WordVisitor {
  /** Wants the words of every clause, not only of those that are left of the query when it is simplified. */
  readonly asWritten?: boolean
  term(field: string, term: Uint8Array, boost: number): void
  /** A term that is near a misspelled word; `word` names what they are near to. */
  near(field: string, term: Uint8Array, word: string, boost: number): void
  /** Words at these places, at most `slop` moves apart from them. */
  phrase(field: string, places: readonly WordPlace[], slop: number, boost: number): void
  /** Every term of a kind: prefixes, patterns, ranges, misspellings. */
  terms(field: string, matches: (term: Uint8Array) => boolean, boost: number): void
  /** Clauses that count only in documents that the query around them matches. */
  within(query: Weight, visitInside: () => void): void
  /** Clauses about the objects inside a document, which the document itself cannot be tested against. */
  nested(visitInside: () => void): void
}
