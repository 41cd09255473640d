/**
 * The stages of a query. A parsed query is independent of an index (`Query`). Planned for a shard, it has fields, terms
 * and statistics (`Weight`). On a segment it iterates documents (`Scorer`).
 */
import { type ApiError, elasticsearchException, illegalArgument } from '../../base/api-error.ts'
import { formatFloat } from '../../base/json/json-writer.ts'
import type { Token } from '../analysis/token.ts'
import { withShownNames } from '../document/derived-doc-values.ts'
import type { Mapping } from '../mapping/mapping-api.ts'
import type { FieldSimilarity } from '../mapping/similarities.ts'
import type { QueryScores } from '../scripts/query-scores.ts'
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
   * Binds the query to a shard. `boost` is the product of the enclosing boosts; without `scoring` only the documents
   * matter. Throws an ApiError if the query is invalid for this index.
   */
  plan(context: SearchExecutionContext, scoring: boolean, boost: number): Weight
  /** Inner clauses, for `_name`s and checks that walk the tree. */
  children?(): readonly Query[]
}

/** The document of an explanation, which changes from one to the next. */
export interface ExplainedDocument {
  segment: SegmentView | undefined
  doc: number
}

export interface Weight {
  /** Undefined if no document of the segment can match. */
  scorer(segment: SegmentView): Scorer | undefined
  /** Passes the searched words to a visitor; absent for a query without words. */
  words?(visitor: WordVisitor): void
  /** The words where only matching counts, if they are others: optional clauses are left out beside required ones. */
  filterWords?(visitor: WordVisitor): void
  /** The query as Lucene prints it: as written, or after the simplifications before a search. */
  text(rewritten: boolean): string
  /** The text where only matching counts, if it differs: boosts and constant scores are omitted there, and required clauses are filters. */
  filterText?(): string
  /** The query inside that takes its place in explanations of filters. */
  readonly explainedAs?: Weight
  /** Explains the score of a document of the segment, or why it has none. Only for queries planned with scoring. */
  explain(segment: SegmentView, doc: number): Explanation
  /** Present if repeating the query equals stating it once with more weight. */
  readonly repeated?: RepeatedQuery
  /** Lucene's class name of the query for a profile, if it does not follow from the text. */
  readonly luceneName?: string
  /** The clauses it consists of, for a profile. */
  readonly parts?: readonly Weight[]
  /** The field of a single-field query, if it determines which documents can match. */
  readonly field?: string | undefined
  /** The query whose documents it has, with one score for all. */
  readonly constantOf?: Weight | undefined
  /** Whether the query was written as one of several classes of Lucene that do not tell Elasticsearch their field. */
  readonly isOpaque?: boolean | undefined
  /** Whether it becomes a boolean query, whose text is parenthesized inside another. */
  readonly isCompound?: boolean | undefined
  /** The field that all of its documents are known to have: terms, and numbers by their points. */
  readonly onlyField?: string | undefined
  /** The identity in the filter cache; absent if it is evaluated each time. */
  readonly asFilter?: FilterIdentity | undefined
  /** Whether creating the scorer reads all documents of the segment. */
  readonly looksAhead?: boolean
  /** Matches every document, or none, which simplifies the enclosing clauses. */
  readonly matches?: 'all' | 'none'
  /** Whether it matches none, and Elasticsearch knows that before it reaches Lucene. */
  readonly isRefused?: boolean
  /** Lucene's query for no documents, which Elasticsearch never puts a boost around. */
  readonly isNoDocs?: boolean
  /** The score of a query that matches every document. */
  readonly score?: number
}

export interface RepeatedQuery {
  /** Equal for queries that count as one. */
  readonly key: () => string
  /** The weight of a single occurrence; 1 by default. */
  readonly weight?: number
  /** The query with the total weight. Of several the first is used, with its statistics. */
  readonly times: (weight: number) => Weight
}

export type QueryToken = Token

/** The part of an analyzer that queries use. */
export interface QueryAnalyzer {
  tokens(text: string): readonly QueryToken[]
}

/** Search limits of an index. */
export interface SearchLimits {
  readonly maxResultWindow: number
  readonly maxTermsCount: number
  readonly maxRegexLength: number
  readonly maxDocvalueFields: number
  readonly maxRescoreWindow: number
  /** Maximum length of text that highlighting may analyze. */
  readonly maxAnalyzedOffset: number
  /** Whether the unified highlighter marks whole matches: phrases from their first word to their last. */
  readonly marksWholeMatches?: boolean
  /** `index.query_string.lenient`: query strings pass over values that do not fit their field. */
  readonly lenientQueryStrings?: boolean
  readonly maxInnerResultWindow: number
  readonly maxScriptFields: number
}

export interface SearchExecutionContext {
  readonly mapping: Mapping
  readonly view: ShardView
  /** The segments for term statistics: the shard's own, or those of all shards with `dfs_query_then_fetch`. */
  readonly counted: readonly SegmentView[]
  readonly limits: SearchLimits
  readonly nowMs: number
  /** For errors and for queries on `_index`, which match the index by name and alias. */
  readonly index: { readonly name: string; readonly uuid: string; readonly aliases?: readonly string[] }
  /** May end the search early. */
  readonly guard?: SearchGuard | undefined
  /** Path of the nested objects of the query, inside a `nested` query; undefined for whole documents. */
  readonly nestedScope?: string | undefined
  /** The path around `nestedScope`; undefined for whole documents. */
  readonly nestedParent?: string | undefined
  /** Whether the query tells which objects of a known hit match, rather than which documents. */
  readonly listsObjects?: boolean
  /** The document that is explained; functions and scripts run for no other. Absent in searches. */
  readonly explained?: ExplainedDocument | undefined
  /** False rejects queries that may visit every term. */
  readonly allowExpensive?: boolean
  /** Whether document-level security hides documents: terms of hidden documents must not be shown. */
  readonly hidesDocuments?: boolean
  /** Whether the query is only checked, without an index: values are read that no document could have. */
  readonly isCheck?: boolean
  /** Number of the shard in its index. */
  readonly shard: number
  /** The filters of the aliases by which the shard was reached: neighbours are looked for among their documents. */
  readonly aliasFilters?: readonly Query[] | undefined
  /** The hits that the request asks for; undefined where it has no page. */
  readonly pageSize?: number | undefined
  /** For scripts that read `_score`; undefined where it is 0. */
  readonly queryScores?: QueryScores | undefined
  /** Collects the clauses that are rewritten to match_none on the shard, where somebody asks for them. */
  readonly refused?: Set<Query>
  analyzer(name: string): QueryAnalyzer | undefined
  /** The similarity of the field. */
  similarity(field: string): FieldSimilarity
}

/** A query that matches no document, with the reason. */
export function matchNothing(reason: string): Weight {
  return {
    scorer: () => undefined,
    text: () => `MatchNoDocsQuery("${reason}")`,
    explain: () => notMatched(reason),
    matches: 'none',
    isNoDocs: true,
  }
}

/** Rejects an expensive query if the cluster's settings say so. */
export function checkExpensive(context: SearchExecutionContext, what: string, hint = ''): void {
  if (context.allowExpensive !== false) return
  throw elasticsearchException(
    `${what} cannot be executed when 'search.allow_expensive_queries' is set to false.${hint}`,
  )
}

/** The weight of a clause that Elasticsearch rewrites to match_none before Lucene. */
export const rewrittenToNone = (clause: string): Weight => ({
  ...matchNothing(`The "${clause}" query was rewritten to a "match_none" query.`),
  isRefused: true,
})

export const unmappedFields = (names: readonly string[]) => matchNothing(`unmapped fields [${names.join(', ')}]`)

export const noTerms = () => matchNothing('Matching no documents because no terms present')

/** A field that cannot accept the value, skipped because the request is lenient. */
export const failedField = (name: string, error: ApiError) =>
  matchNothing(`failed [${name}] query, caused by ${error.type}:[${error.message}]`)

export const unknownField = (clause: string): Weight => ({
  ...matchNothing(`The "${clause}" query is against a field that does not exist`),
  isRefused: true,
})

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

const CONSTANT = 'ConstantScore('

/** Whether the text is that of one constant score, and not of several clauses that begin with one. */
function isConstantText(text: string): boolean {
  if (!text.startsWith(CONSTANT)) return false
  let depth = 0
  for (let i = CONSTANT.length - 1; i < text.length; i++) {
    if (text[i] === '(') depth++
    else if (text[i] === ')' && --depth === 0) return i === text.length - 1
  }
  return false
}

/** Throws Lucene's error for an invalid boost. */
export function checkBoost(boost: number): void {
  const float = Math.fround(boost)
  if (float >= 0 && float < Number.POSITIVE_INFINITY && !Object.is(float, -0)) return
  throw illegalArgument(`boost must be a positive float, got ${Number.isFinite(float) ? formatFloat(float) : float}`)
}

/** The weight with its boost in the text. With a boost of 0 Lucene rewrites it to a constant score. */
export function boosted(query: Weight, boost: number): Weight {
  if (boost === 1) return query
  const { matches, repeated, ...rest } = query
  const constant = boost === 0 && matches !== 'none' && !isConstantText(query.text(true))
  const inside = () => `${CONSTANT}${filterText(query)})`
  const inner = BOOSTS.get(query)
  const weight: Weight = {
    ...rest,
    scorer: (segment) => query.scorer(segment),
    words: (visitor) => query.words?.(visitor),
    explain: (segment, doc) =>
      constant ? explainConstant(query, segment, doc, inside(), 0) : query.explain(segment, doc),
    text: (rewritten) => {
      if (!rewritten) return withBoost(query.text(false), boost)
      if (inner !== undefined) return boosted(inner.query, multiplyBoost(inner.boost, boost)).text(true)
      return withBoost(constant ? inside() : query.text(true), boost)
    },
    luceneName: 'BoostQuery',
    isCompound: false,
    filterText: () => filterText(query),
    ...(matches === 'none' ? { matches } : {}),
  }
  BOOSTS.set(weight, { query, boost })
  return weight
}

/** The weights that `boosted` returned. Lucene multiplies the boosts of a boosted query. */
const BOOSTS = new WeakMap<Weight, { readonly query: Weight; readonly boost: number }>()

/** Records that `weight` is another form of `query`. */
export function keepBoost(query: Weight, weight: Weight): void {
  const inner = BOOSTS.get(query)
  if (inner !== undefined) BOOSTS.set(weight, inner)
}

/** The words of a query of which only the matching documents count. */
export function visitFilterWords(query: Weight, visitor: WordVisitor): void {
  const inner = unboosted(query)
  if (visitor.asWritten || inner.filterWords === undefined) query.words?.(visitor)
  else inner.filterWords(visitor)
}

/** The query without its boosts. */
export function unboosted(query: Weight): Weight {
  const inner = BOOSTS.get(query)
  return inner === undefined ? query : unboosted(inner.query)
}

export function filterText(query: Weight): string {
  return query.filterText?.() ?? query.text(true)
}

/** Boosts are multiplied in single precision. */
export function multiplyBoost(outer: number, own: number): number {
  return Math.fround(Math.fround(outer) * Math.fround(own))
}
