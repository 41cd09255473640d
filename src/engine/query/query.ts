/**
 * The stages of a query. Parsed, it knows nothing of an index (`Query`); planned for a shard, it has fields, terms and
 * statistics (`ShardQuery`); on a segment it walks documents (`Matcher`).
 */
import type { Mapping } from '../mapping/mapping-api.ts'
import type { FieldSimilarity } from '../mapping/similarities.ts'
import type { SegmentView, ShardView } from '../segment/segment-reader-api.ts'
import type { Matcher } from './matcher.ts'
import type { WordVisitor } from './word-visitor.ts'

export interface Query {
  /** The clause's name in the request. */
  readonly kind: string
  readonly boost: number
  /** `_name`, for matched_queries. */
  readonly name: string | undefined
  /**
   * Binds the query to a shard. `boost` is what the clauses around it multiply to; without `scoring` only the
   * documents matter. Throws an ApiError that says what is wrong with the query for this index.
   */
  plan(context: ShardQueryContext, scoring: boolean, boost: number): ShardQuery
  /** Clauses inside, for `_name`s and checks that walk the tree. */
  children?(): readonly Query[]
}

export interface ShardQuery {
  /** Undefined where no document of the segment can match. */
  matcher(segment: SegmentView): Matcher | undefined
  /** Tells the words the query looks for; a query without words has none to tell. */
  words?(visitor: WordVisitor): void
}

export interface QueryToken {
  readonly term: string
  readonly position: number
  /** Place in the text, in UTF-16 units. */
  readonly startOffset: number
  readonly endOffset: number
}

/** The part of an analyzer that queries use. */
export interface QueryAnalyzer {
  tokens(text: string): readonly QueryToken[]
}

/** Limits that an index sets for its searches. */
export interface SearchLimits {
  readonly maxResultWindow: number
  readonly maxTermsCount: number
  readonly maxRegexLength: number
  readonly maxDocvalueFields: number
  readonly maxRescoreWindow: number
  /** Length of text that highlighting may analyze. */
  readonly maxAnalyzedOffset: number
  readonly maxInnerResultWindow: number
}

export interface ShardQueryContext {
  readonly mapping: Mapping
  readonly view: ShardView
  /** Segments whose terms are counted for scores: the shard's own, or with global frequencies those of all shards. */
  readonly counted: readonly SegmentView[]
  readonly limits: SearchLimits
  readonly nowMs: number
  /** For error answers only: the engine itself knows no names. */
  readonly index: { readonly name: string; readonly uuid: string }
  /** Path of the nested objects a query is about, inside a `nested` query; undefined for whole documents. */
  readonly nestedScope?: string | undefined
  /** Number of the shard in its index. */
  readonly shard: number
  analyzer(name: string): QueryAnalyzer | undefined
  /** How the field is scored. */
  similarity(field: string): FieldSimilarity
}

export const NO_MATCH: ShardQuery = { matcher: () => undefined }

/** Boosts multiply in single precision. */
export function multiplyBoost(outer: number, own: number): number {
  return Math.fround(Math.fround(outer) * Math.fround(own))
}
