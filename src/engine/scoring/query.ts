/**
 * The stages of a query. Parsed, it knows nothing of an index (`Query`); planned for a shard, it has fields, terms and
 * statistics (`Weight`); on a segment it walks documents (`Scorer`).
 */
import { type ApiError, elasticsearchException, illegalArgument } from '../../base/api-error.ts'
import { formatFloat } from '../../base/json/json-writer.ts'
import type { Token } from '../analysis/token.ts'
import { withShownNames } from '../document/derived-doc-values.ts'
import type { Mapping } from '../mapping/mapping-api.ts'
import type { FieldSimilarity } from '../mapping/similarities.ts'
import type { SegmentView, ShardView } from '../segment/segment-reader-api.ts'
import { type Explanation, explainConstant, notMatched, withBoost } from './explanation.ts'
import type { FilterIdentity } from './filter-cache.ts'
import type { Scorer } from './scorers/scorer.ts'
import type { SearchGuard } from './search-guard.ts'
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
  plan(context: SearchExecutionContext, scoring: boolean, boost: number): Weight
  /** Clauses inside, for `_name`s and checks that walk the tree. */
  children?(): readonly Query[]
}

export interface Weight {
  /** Undefined where no document of the segment can match. */
  scorer(segment: SegmentView): Scorer | undefined
  /** Tells the words the query looks for; a query without words has none to tell. */
  words?(visitor: WordVisitor): void
  /** The query as Lucene prints it: as it was written, or after the simplifications that precede a search. */
  text(rewritten: boolean): string
  /** The text in a place where only matching counts, when that differs: boosts and constant scores say nothing there. */
  filterText?(): string
  /** Why a document of the segment has its score, or has none. Asked of queries planned for scores. */
  explain(segment: SegmentView, doc: number): Explanation
  /** Set where saying the query several times is the same as saying it once with more weight. */
  readonly repeated?: RepeatedQuery
  /** Lucene's class name of the query for a profile, where it does not follow from the text. */
  readonly luceneName?: string
  /** The clauses it is made of, for a profile. */
  readonly parts?: readonly Weight[]
  /** The field of a query on one, where it tells which documents can match. */
  readonly field?: string
  /** The field that all of its documents hold for certain, where Elasticsearch knows: terms, and numbers by their points. */
  readonly onlyField?: string | undefined
  /** How it is known where only its documents count; absent: it is asked anew each time. */
  readonly asFilter?: FilterIdentity | undefined
  /** Making the scorer reads all documents of the segment. */
  readonly looksAhead?: boolean
  /** Matches every document, or none: the clauses around it are simplified by that. */
  readonly matches?: 'all' | 'none'
  /** Matches none, and Elasticsearch knows it without asking Lucene. */
  readonly isRefused?: boolean
  /** The score of a query that matches every document. */
  readonly score?: number
}

export interface RepeatedQuery {
  /** The same for queries that count as one. */
  readonly key: () => string
  /** What saying it once weighs; 1 when absent. */
  readonly weight?: number
  /** The query with the weight of all. Of several it is the first that is asked, and its statistics count. */
  readonly times: (weight: number) => Weight
}

export type QueryToken = Token

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
  /** Whether the unified highlighter marks what the query matched as a whole, phrases from their first word to their last. */
  readonly marksWholeMatches?: boolean
  readonly maxInnerResultWindow: number
  readonly maxScriptFields: number
}

export interface SearchExecutionContext {
  readonly mapping: Mapping
  readonly view: ShardView
  /** Segments that term statistics are taken from: the shard's own, or those of all shards with `dfs_query_then_fetch`. */
  readonly counted: readonly SegmentView[]
  readonly limits: SearchLimits
  readonly nowMs: number
  /** For error answers and for queries on `_index`, which know the index by its name and by its aliases. */
  readonly index: { readonly name: string; readonly uuid: string; readonly aliases?: readonly string[] }
  /** What may end the search early. */
  readonly guard?: SearchGuard | undefined
  /** Path of the nested objects a query is about, inside a `nested` query; undefined for whole documents. */
  readonly nestedScope?: string | undefined
  /** False refuses queries that may look at every term. */
  readonly allowExpensive?: boolean
  /** Number of the shard in its index. */
  readonly shard: number
  analyzer(name: string): QueryAnalyzer | undefined
  /** How the field is scored. */
  similarity(field: string): FieldSimilarity
}

/** A query that no document matches, and why. */
export function matchNothing(reason: string): Weight {
  return {
    scorer: () => undefined,
    text: () => `MatchNoDocsQuery("${reason}")`,
    explain: () => notMatched(reason),
    matches: 'none',
  }
}

/** Refuses a query that costs much, where the cluster's settings say so. */
export function checkExpensive(context: SearchExecutionContext, what: string, hint = ''): void {
  if (context.allowExpensive !== false) return
  throw elasticsearchException(
    `${what} cannot be executed when 'search.allow_expensive_queries' is set to false.${hint}`,
  )
}

/** What a clause answers that Elasticsearch gives up before it reaches Lucene. */
export const rewrittenToNone = (clause: string): Weight => ({
  ...matchNothing(`The "${clause}" query was rewritten to a "match_none" query.`),
  isRefused: true,
})

export const unmappedFields = (names: readonly string[]) => matchNothing(`unmapped fields [${names.join(', ')}]`)

export const noTerms = () => matchNothing('Matching no documents because no terms present')

/** A field that cannot take the value, passed over because the request is lenient. */
export const failedField = (name: string, error: ApiError) =>
  matchNothing(`failed [${name}] query, caused by ${error.type}:[${error.message}]`)

export const unknownField = (clause: string) =>
  matchNothing(`The "${clause}" query is against a field that does not exist`)

/** The texts of a weight whose documents all score `score`. `own` is the text in an explanation of that score. */
export function constantTexts(
  score: number,
  text: (rewritten: boolean) => string,
  own: () => string = () => text(true),
): Pick<Weight, 'text' | 'explain'> {
  return {
    text: (rewritten) => withShownNames(text(rewritten)),
    explain(this: Weight, segment, doc) {
      return explainConstant(this, segment, doc, withShownNames(own()), Math.fround(score))
    },
  }
}

/** What Lucene says of a boost that it cannot multiply with. */
export function checkBoost(boost: number): void {
  const float = Math.fround(boost)
  if (float >= 0 && float < Number.POSITIVE_INFINITY && !Object.is(float, -0)) return
  throw illegalArgument(`boost must be a positive float, got ${Number.isFinite(float) ? formatFloat(float) : float}`)
}

/** The weight with its boost in the text. */
export function boosted(query: Weight, boost: number): Weight {
  if (boost === 1) return query
  const { matches, repeated, ...rest } = query
  return {
    ...rest,
    scorer: (segment) => query.scorer(segment),
    words: (visitor) => query.words?.(visitor),
    explain: (segment, doc) => query.explain(segment, doc),
    text: (rewritten) => withBoost(query.text(rewritten), boost),
    luceneName: 'BoostQuery',
    filterText: () => filterText(query),
    ...(matches === 'none' ? { matches } : {}),
  }
}

export function filterText(query: Weight): string {
  return query.filterText?.() ?? query.text(true)
}

/** Boosts multiply in single precision. */
export function multiplyBoost(outer: number, own: number): number {
  return Math.fround(Math.fround(outer) * Math.fround(own))
}
