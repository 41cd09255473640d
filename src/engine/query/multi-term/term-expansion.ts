/** `prefix` and `wildcard`: documents with a matching term; all have the same score. */

import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { fieldNameMissing, valueMissing } from '../../../base/errors/query-errors.ts'
import { queryShardError } from '../../../base/errors/search-errors.ts'
import { decodeUtf8 } from '../../../base/json/json-reader.ts'
import { hasTextTerms, isNormalized } from '../../mapping/field-traits.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { KEPT_SOON } from '../../scoring/filter-cache.ts'
import {
  checkExpensive,
  constantTexts,
  type Query,
  rewrittenToNone,
  type SearchExecutionContext,
  unknownField,
  type Weight,
} from '../../scoring/query.ts'
import { docValuesTermScorer, termKey, termSetScorer } from '../../scoring/scorers/value-scorers.ts'
import type { SortedSetDocValues, TermsReader } from '../../segment/segment-reader-api.ts'
import {
  type ClauseOptions,
  doesNotSupport,
  newOptions,
  parseFieldClause,
  type QueryClause,
  readCommonOption,
} from '../clause.ts'
import { writtenAs } from '../compound/boolean-plan.ts'
import { QueryNode } from '../query-node.ts'
import { matchAll } from '../term-level/match-all.ts'
import { isOfIndex } from '../term-level/metadata-field.ts'
import { routingQuery } from '../term-level/routing-query.ts'
import { runtimeQuery } from '../term-level/runtime-query.ts'
import { checkSearchable, isWordlessMetadata, kindOf } from '../term-level/searchable-field.ts'
import { checkPrefixLength } from './pattern-length.ts'
import { planTerms, type RewriteMethod, rewriteMethod, termsOfShard } from './rewrite-method.ts'
import { foldCase, lowerCaseStartsWith, prefixEnd, WildcardPattern } from './term-patterns.ts'

/** The wanted terms: all are in [from, to), and `matches` decides inside. */
interface TermFilter {
  readonly from: Uint8Array | undefined
  readonly to: Uint8Array | undefined
  readonly matches: ((term: Uint8Array) => boolean) | undefined
  /** Identifies `matches` in the filter cache; if absent, the filter is not cached. */
  readonly key?: string
}

export class TermExpansionQuery extends QueryNode {
  override readonly kind: 'prefix' | 'wildcard'
  /** Whether the limit of the index for prefixes holds: in a `prefix` clause, but not in query strings. */
  readonly isLimited: boolean
  readonly field: string
  readonly value: string
  readonly caseInsensitive: boolean
  readonly rewrite: string | null

  constructor(
    kind: 'prefix' | 'wildcard',
    field: string,
    value: string,
    caseInsensitive = false,
    options: ClauseOptions = newOptions(),
    rewrite: string | null = null,
    isLimited = false,
  ) {
    super(options)
    this.kind = kind
    this.rewrite = rewrite
    this.isLimited = isLimited
    this.field = field
    this.value = value
    this.caseInsensitive = caseInsensitive
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const field = context.mapping.field(this.field)
    const method = rewriteMethod(this.rewrite)
    if (field === undefined) return this.#metadata(context, boost)
    if (!hasTextTerms(field.traits)) {
      throw this.#wrongType(context, field.name, field.type, field.isRuntime)
    }
    if (this.kind === 'wildcard') refuseKeyed(field, 'wildcard')
    checkSearchable(field)
    const hint = ' For optimised prefix queries on text fields please enable [index_prefixes].'
    checkExpensive(context, `[${this.kind}] queries`, this.kind === 'prefix' ? hint : '')
    if (this.isLimited) checkPrefixLength(this.value, context)
    const filter = this.kind === 'prefix' ? this.#prefix(field) : this.#wildcard(field)
    if (!field.isRuntime) this.#checkStates(filter)
    return expandTerms(field, filter, boost, this.#text(field), { context, method, scoring })
  }

  /** Of the metadata fields only the index name and the routing are text. */
  #metadata(context: SearchExecutionContext, score: number): Weight {
    if (this.field === '_index') {
      const pattern = this.kind === 'prefix' ? `${this.value}*` : this.value
      const names = new WildcardPattern(pattern, this.caseInsensitive)
      return isOfIndex(context, (name) => names.matches(name)) ? matchAll(score) : rewrittenToNone(this.kind)
    }
    if (this.field === '_routing') {
      const written = this.kind === 'prefix' ? `${this.value}*` : this.value
      const pattern = new WildcardPattern(written, this.caseInsensitive)
      return routingQuery(
        (routing) => pattern.matches(routing),
        score,
        () => `_routing:${written}`,
      )
    }
    if (isWordlessMetadata(this.field) && this.field !== '_tier') throw this.#wrongType(context, this.field, this.field)
    return unknownField(this.kind)
  }

  #wrongType(context: SearchExecutionContext, field: string, type: string, isRuntime = false): ApiError {
    const reason =
      `Can only use ${this.kind} queries on keyword, text and wildcard fields - not on [${field}] which is ` +
      kindOf({ type, isRuntime })
    return isRuntime ? illegalArgument(reason) : queryShardError(context.index, reason)
  }

  #text(field: FieldType): string {
    const name = storageName(field)
    if (this.kind === 'wildcard') {
      return this.caseInsensitive ? `CaseInsensitiveWildcardQuery{:${this.value}}` : `${name}:${this.value}`
    }
    const value = field.shape === 'flattened' ? decoded(field.termValue(this.value) as Uint8Array) : this.value
    return this.caseInsensitive ? `CaseInsensitivePrefixQuery{:${value}}` : `${name}:${value}*`
  }

  /** Lucene follows an automaton over as many states as the beginning of the terms has bytes. */
  #checkStates({ from }: TermFilter): void {
    if (this.caseInsensitive || from === undefined) return
    const beginning = this.value.replace(/\*+$/, '')
    if (this.kind === 'wildcard' && (beginning.includes('*') || !/[*?]/.test(this.value))) return
    const states =
      this.kind === 'prefix' ? from.length : Buffer.byteLength(beginning) + Number(beginning !== this.value)
    if (states > STATES_MAX) throw illegalArgument(`input automaton is too large: ${STATES_MAX + 1}`)
  }

  #prefix(field: FieldType): TermFilter {
    // Elasticsearch ignores the case of the key of a flattened field, too.
    const asWritten = this.caseInsensitive && field.shape !== 'flattened'
    const prefix = asWritten ? Buffer.from(this.value) : (field.termValue(this.value) as Uint8Array)
    if (this.caseInsensitive) {
      const folded = foldCase(prefix)
      const key = `~${this.value}`
      return { from: undefined, to: undefined, matches: (term) => lowerCaseStartsWith(term, folded), key }
    }
    return { from: prefix, to: prefixEnd(prefix), matches: undefined }
  }

  #wildcard(field: FieldType): TermFilter {
    // An empty pattern matches nothing, not even the empty term.
    if (this.value === '') return { from: undefined, to: undefined, matches: () => false, key: '' }
    const pattern = new WildcardPattern(normalizePattern(field, this.value), this.caseInsensitive)
    const prefix = Buffer.from(pattern.literalPrefix)
    return {
      from: prefix.length === 0 ? undefined : prefix,
      to: prefix.length === 0 ? undefined : prefixEnd(prefix),
      matches: pattern.matchesAll ? undefined : (term) => pattern.matches(decoded(term)),
      key: `${this.caseInsensitive ? '~' : ''}${normalizePattern(field, this.value)}`,
    }
  }
}

const STATES_MAX = 1000

const decoded = (term: Uint8Array) => decodeUtf8(term, 0, term.length)

/** Patterns would also match the key: a key of a flattened field supports only prefixes. */
export function refuseKeyed(field: FieldType, clause: string): void {
  if (field.shape !== 'flattened') return
  throw new ApiError(
    400,
    'unsupported_operation_exception',
    `[${clause}] queries are not currently supported on keyed [flattened] fields.`,
  )
}

/** A normalizer applies to the text between the wildcards. */
function normalizePattern(field: FieldType, pattern: string): string {
  if (!isNormalized(field.traits)) return pattern
  return pattern
    .split(/((?:\\.)|[*?])/)
    .map((part) =>
      part === '*' || part === '?' || part === '' || part.startsWith('\\')
        ? part
        : Buffer.from(field.termValue(part) as Uint8Array).toString(),
    )
    .join('')
}

/**
 * Documents with a term that the filter accepts; `text` is the query's. All have the same score, unless `rewrite` says
 * otherwise.
 */
export function expandTerms(
  field: FieldType,
  filter: TermFilter,
  score: number,
  text: string,
  rewrite?: { context: SearchExecutionContext; method: RewriteMethod | undefined; scoring: boolean },
): Weight {
  const name = storageName(field)
  const taken = (term: Uint8Array) =>
    (filter.from === undefined || Buffer.compare(term, filter.from) >= 0) &&
    (filter.to === undefined || Buffer.compare(term, filter.to) < 0) &&
    (filter.matches === undefined || filter.matches(term))
  const wanted = (source: TermsReader | SortedSetDocValues): number[] => {
    if (field.readableTerm !== undefined) {
      const all = Array.from({ length: source.termCount }, (_, ordinal) => ordinal)
      return all.filter((ordinal) => taken(field.readableTerm!(source.term(ordinal))))
    }
    const place = (bound: Uint8Array | undefined, otherwise: number) => {
      if (bound === undefined) return otherwise
      const found = source.find(bound)
      return found < 0 ? -found - 1 : found
    }
    const to = place(filter.to, source.termCount)
    const ordinals: number[] = []
    for (let ordinal = place(filter.from, 0); ordinal < to; ordinal++) {
      if (filter.matches === undefined || filter.matches(source.term(ordinal))) ordinals.push(ordinal)
    }
    return ordinals
  }
  const method = rewrite?.method
  if (method !== undefined && method.kind !== 'constant' && field.schema?.inverted !== 'none') {
    const terms = termsOfShard(rewrite!.context, name, wanted)
    const plan = planTerms(rewrite!.context, name, terms, method, rewrite!.scoring, score)
    return writtenAs(plan, () => text)
  }
  const query: Weight = {
    scorer(segment) {
      const { reader } = segment
      if (field.schema?.inverted === 'none') {
        const docValues = reader.sortedSetDocValues(name)
        if (docValues === undefined) return undefined
        const ordinals = new Set(wanted(docValues))
        return docValuesTermScorer(docValues, (ordinal) => ordinals.has(ordinal), segment, score)
      }
      const terms = reader.terms(name)
      return terms === undefined ? undefined : termSetScorer(terms, wanted(terms), reader.docCount, score)
    },
    asFilter:
      filter.matches !== undefined && filter.key === undefined
        ? undefined
        : {
            key: () => `words(${name};${termKey(filter.from)};${termKey(filter.to)};${JSON.stringify(filter.key)})`,
            keptAtUse: KEPT_SOON,
          },
    words(visitor) {
      visitor.terms(name, taken, score)
    },
    ...constantTexts(score, () => text),
  }
  return field.isRuntime ? runtimeQuery(query, () => text, score) : query
}

export const prefixClause: QueryClause = { name: 'prefix', parse: (reader) => parseExpansion(reader, 'prefix') }
export const wildcardClause: QueryClause = { name: 'wildcard', parse: (reader) => parseExpansion(reader, 'wildcard') }

function parseExpansion(reader: Parameters<QueryClause['parse']>[0], kind: 'prefix' | 'wildcard'): Query {
  const options = newOptions()
  let value: string | null = null
  let caseInsensitive = false
  let rewrite: string | null = null
  const field = parseFieldClause(
    reader,
    kind,
    (member) => {
      if (member === 'value' || member === kind) value = kind === 'prefix' ? reader.textOrNull() : reader.text()
      else if (member === 'case_insensitive') caseInsensitive = reader.boolean()
      else if (member === 'rewrite') rewrite = reader.textOrNull()
      else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, kind, member)
    },
    () => {
      value = kind === 'prefix' ? reader.textOrNull() : reader.text()
    },
    true,
  )
  if (field === undefined || field === '') throw fieldNameMissing()
  if (value === null) throw valueMissing()
  return new TermExpansionQuery(kind, field, value, caseInsensitive, options, rewrite, kind === 'prefix')
}
