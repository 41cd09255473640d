/**
 * Explanations: the tree of numbers that Lucene gives for a score, in its words. People read it, and tests of
 * applications compare it, so both the structure and the texts are part of the contract.
 */
import { formatFloat } from '../../base/json/json-writer.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import type { Scorer } from './scorers/scorer.ts'
import { releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from './window.ts'

export interface Explanation {
  readonly match: boolean
  readonly value: number
  /** How the number is printed: scores as floats, counts as integers, a few products in double precision. */
  readonly precision: 'float' | 'double' | 'whole'
  readonly description: string
  readonly details: readonly Explanation[]
}

export function explained(value: number, description: string, details: readonly Explanation[] = []): Explanation {
  return { match: true, value, precision: 'float', description, details }
}

export function explainedCount(value: number, description: string): Explanation {
  return { match: true, value, precision: 'whole', description, details: [] }
}

export function notMatched(description: string, details: readonly Explanation[] = []): Explanation {
  return { match: false, value: 0, precision: 'float', description, details }
}

/** A number other than 1 follows the text of its query. */
export function withScore(text: string, score: number): string {
  return score === 1 ? text : `${text}^${formatFloat(score)}`
}

/** A query inside the text of another, with its own boost. */
export function withBoost(text: string, boost: number): string {
  return boost === 1 ? text : `(${text})^${formatFloat(Math.fround(boost))}`
}

interface Searchable {
  scorer(segment: SegmentView): Scorer | undefined
}

/** The score of one document; undefined if the query does not match it. */
export function scoreOfDocument(query: Searchable, segment: SegmentView, doc: number): number | undefined {
  const scorer = query.scorer(segment)
  if (scorer === undefined) return undefined
  const base = windowBase(doc)
  const limit = Math.min(base + WINDOW_SIZE, segment.reader.docCount)
  if (scorer.next(base) >= limit) return undefined
  const scratch = takeScratch()
  const at = doc - base
  scorer.matchScored(base, limit, scratch.bits, scratch.scores)
  const found = (scratch.bits[at >> 5]! & (1 << (at & 31))) !== 0
  const score = scratch.scores[at]!
  releaseScratch(scratch)
  return found ? score : undefined
}

/** The explanation of a weight with one score for all documents. */
export function explainConstant(
  query: Searchable,
  segment: SegmentView,
  doc: number,
  text: string,
  score: number,
): Explanation {
  return scoreOfDocument(query, segment, doc) === undefined
    ? notMatched(`${text} doesn't match id ${doc}`)
    : explained(score, withScore(text, score))
}
