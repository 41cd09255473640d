/** The `highlight` of a hit: each requested field by its highlighter. */

import { illegalArgument } from '../../../base/api-error.ts'
import { newMembers } from '../../../base/json/members.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import { derivedDocValues } from '../../document/derived-doc-values.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import type { Mapping } from '../../mapping/mapping-api.ts'
import { RuntimeFieldType } from '../../mapping/runtime-field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { NestedQuery } from '../../query/nested/nested.ts'
import type { HighlightOptions, HighlightRequest } from '../../request/highlight/highlight-options.ts'
import type { Query, QueryAnalyzer, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { USES_STORED_FIELDS } from '../../segment/field-usage.ts'
import { fieldTexts } from '../fetch/field-values.ts'
import type { HitDocument } from '../fetch/hit-document.ts'
import { matchesDocument } from '../matches-document.ts'
import { planPart } from '../plan-query.ts'
import { fastVectorFragments } from './fast-vector.ts'
import { FieldText, valueTokens } from './field-text.ts'
import { plainFragments } from './plain.ts'
import { type QueryWord, queryWords } from './query-words.ts'
import { unifiedFragments } from './unified.ts'
import { inTextOrder, unifiedMatches } from './unified-matches.ts'

interface BoundField {
  readonly name: string
  readonly type: FieldType
  readonly isPattern: boolean
  readonly options: HighlightOptions
  readonly words: readonly QueryWord[]
  /** Whether the matches of the query itself are marked, and not every one of its words. */
  readonly marksMatches: boolean
}

interface Analysis {
  readonly analyzer: QueryAnalyzer | undefined
  readonly words: readonly QueryWord[]
}

/** Prepared once per shard and search. */
export class Highlighter {
  readonly #context: SearchExecutionContext
  readonly #fields: readonly BoundField[]

  constructor(context: SearchExecutionContext, request: HighlightRequest, query: Query) {
    this.#context = context
    const planned = new Map<Query, Weight>()
    const wordsOf = (wanted: Query, options: HighlightOptions) => {
      let weight = planned.get(wanted)
      if (weight === undefined) planned.set(wanted, (weight = planPart(context, wanted, true)))
      const written = queryWords(weight, true)
      const marksMatches = options.type === 'unified' && mayMarkMatches(context, options, wanted, written)
      return { words: marksMatches ? queryWords(weight, false) : written, marksMatches }
    }
    const fields = new Map<string, BoundField>()
    for (const { field, options } of request) {
      const isPattern = field.includes('*')
      for (const name of isPattern ? matchingNames(context, field) : [field]) {
        const type = context.mapping.field(name)
        if (type === undefined || (isPattern && type.traits.hasWords !== true)) continue
        fields.set(name, { name, type, isPattern, options, ...wordsOf(options.query ?? query, options) })
      }
    }
    this.#fields = [...fields.values()]
  }

  get hasFields(): boolean {
    return this.#fields.length > 0
  }

  /** Whether it reads texts from the source and not only from stored fields. */
  get readsSource(): boolean {
    return this.#fields.some(({ type }) => !type.stored && !(type instanceof RuntimeFieldType))
  }

  highlight(document: HitDocument): Record<string, string[]> | undefined {
    const found: Record<string, string[]> = newMembers()
    const known = new Map<Weight, boolean>()
    const holds = (query: Weight) => {
      let result = known.get(query)
      if (result === undefined) known.set(query, (result = matchesDocument(query, document.segment, document.doc)))
      return result
    }
    for (const field of this.#fields) {
      const fragments = this.#fragments(field, document, holds)
      if (fragments.length > 0) found[field.name] = fragments
    }
    return Object.keys(found).length === 0 ? undefined : { ...found }
  }

  #fragments(field: BoundField, document: HitDocument, holds: (query: Weight) => boolean): string[] {
    const { type, options, name } = field
    switch (options.type) {
      case 'unified':
        return this.#unified(field, document, holds)
      case 'plain':
        return this.#plain(field, document)
      case 'fvh':
        if (type.keepsOffsets === 'term_vector') return this.#fastVector(field, document)
        if (field.isPattern) return []
        throw illegalArgument(
          `the field [${name}] should be indexed with term vector with position offsets to be used with fast vector highlighter`,
        )
      default:
        throw illegalArgument(`unknown highlighter type [${options.type}] for the field [${name}]`)
    }
  }

  #unified(field: BoundField, document: HitDocument, holds: (query: Weight) => boolean): string[] {
    const { type, options } = field
    if (options.boundaryScanner === 'chars' && type.shape === 'text' && options.fragmentCount > 0) {
      throw illegalArgument('Invalid boundary scanner type: chars')
    }
    if (options.matchedFields.length > 0 && !options.requireFieldMatch) {
      throw illegalArgument('Matched fields are not supported when [require_field_match] is set to [false]')
    }
    const own = this.#wordsOf(field)
    // The words of a clause count if the clause matches the document.
    const words = field.marksMatches ? own.filter(({ conditions }) => conditions.every(holds)) : own
    if (words.length === 0 && options.noMatchSize === 0) return []
    const text = this.#text(field, document)
    if (text.values.length === 0) return []
    if (type.keepsOffsets === undefined) this.#checkLength(field, text.length, document)
    // Where the index keeps offsets, all words are known; only matches that begin behind the limit are left out.
    const limit = options.maxAnalyzedOffset
    const analyses = this.#analyses(field, words).map(({ analyzer, words }) =>
      unifiedMatches(
        words,
        text.tokens(analyzer, type.keepsOffsets === undefined ? limit : undefined),
        field.marksMatches,
      ),
    )
    const matches = analyses.length === 1 ? analyses[0]! : inTextOrder(analyses.flat())
    const beyond = limit === undefined ? -1 : matches.findIndex(({ start }) => start > limit)
    if (beyond >= 0) matches.length = beyond
    return unifiedFragments(text, matches, options, type.shape === 'text')
  }

  /** Words of other matched fields are searched in the text as those fields analyze it. */
  #analyses({ type, options }: BoundField, words: readonly QueryWord[]): Analysis[] {
    const own = { analyzer: this.#analyzer(type), words }
    if (!options.requireFieldMatch || options.matchedFields.length === 0) return words.length === 0 ? [] : [own]
    const { mapping } = this.#context
    // A field that is named among them counts twice.
    const types = [...options.matchedFields.map((name) => mapping.field(name)), type]
    return types
      .filter((matched) => matched !== undefined)
      .map((matched) => ({
        analyzer: this.#analyzer(matched),
        words: words.filter(({ field }) => field === storageName(matched)),
      }))
  }

  #plain(field: BoundField, document: HitDocument): string[] {
    const analyzer = this.#analyzer(field.type)
    const offsetMax = field.options.maxAnalyzedOffset ?? Number.POSITIVE_INFINITY
    const values = this.#values(field, document).map((text) => {
      this.#checkLength(field, text.length, document)
      return { text, tokens: valueTokens(text, analyzer).filter(({ start }) => start <= offsetMax) }
    })
    return plainFragments(field.name, values, this.#wordsOf(field), field.options)
  }

  #fastVector(field: BoundField, document: HitDocument): string[] {
    const text = this.#text(field, document)
    if (text.values.length === 0) return []
    const tokens = text.tokens(this.#analyzer(field.type), undefined)
    return fastVectorFragments(text, tokens, this.#wordsOf(field), field.options)
  }

  /** The words of the query in this field, or in any field if requested. */
  #wordsOf({ type, options, words }: BoundField): readonly QueryWord[] {
    if (!options.requireFieldMatch) return words
    const names = new Set([storageName(type), ...options.matchedFields])
    return words.filter(({ field }) => names.has(field))
  }

  #text(field: BoundField, document: HitDocument): FieldText {
    return new FieldText(this.#values(field, document), field.type.schema?.positionGap ?? 0)
  }

  #values({ type }: BoundField, document: HitDocument): string[] {
    const { reader, doc } = document
    if (type instanceof RuntimeFieldType) return type.docValues(reader, doc, undefined).map(String)
    // Stored values are complete even if the source is disabled or filtered.
    if (type.stored) {
      reader.usage?.mark(type.name, USES_STORED_FIELDS)
      return (reader.storedFields(doc)?.[type.name] ?? []).map(String)
    }
    const { values } = document
    return values === undefined ? [] : fieldTexts(this.#context.mapping, type, values)
  }

  /** The values of a field without an analyzer are one word each. */
  #analyzer(type: FieldType): QueryAnalyzer | undefined {
    if (type.shape !== 'text') return undefined
    return this.#context.analyzer(type.analyzerName ?? 'standard')
  }

  #checkLength({ name, options }: BoundField, length: number, { doc, segment }: HitDocument): void {
    const limit = this.#context.limits.maxAnalyzedOffset
    if (length <= limit || (options.maxAnalyzedOffset !== undefined && options.maxAnalyzedOffset <= limit)) return
    throw illegalArgument(
      `The length [${length}] of field [${name}] in doc[${segment.docBase + doc}]/index[${this.#context.index.name}] exceeds ` +
        `the [index.highlight.max_analyzed_offset] limit [${limit}]. To avoid this error, set the query parameter ` +
        `[max_analyzed_offset] to a value less than index setting [${limit}] and this will tolerate long field values by ` +
        'truncating them.',
    )
  }
}

/**
 * Lucene tests a query against one document to find its matches. That is not possible where the query reaches other
 * documents or computes values; there the words of all its clauses are marked one by one.
 */
function mayMarkMatches(
  { limits, mapping }: SearchExecutionContext,
  { requireFieldMatch }: HighlightOptions,
  query: Query,
  words: readonly QueryWord[],
): boolean {
  if (!requireFieldMatch || limits.marksWholeMatches === false || leavesDocument(query, mapping)) return false
  return !words.some(({ field }) => derivedDocValues(field)?.kind === 'runtime')
}

/** Clauses that count where their field is a runtime field, even if they exclude documents. */
const COMPUTED: ReadonlySet<string> = new Set(['term', 'terms', 'match', 'prefix', 'wildcard', 'regexp', 'fuzzy'])

const isComputedKeyword = (type: FieldType | undefined) => type?.isRuntime === true && type.traits.family === 'keyword'

function leavesDocument(query: Query, mapping: Mapping): boolean {
  if (query instanceof NestedQuery && mapping.objectKind(query.path) === 'nested') return true
  if (query.kind === 'has_child' || query.kind === 'has_parent') return true
  if ('field' in query && COMPUTED.has(query.kind) && isComputedKeyword(mapping.field(String(query.field)))) return true
  return query.children?.().some((inner) => leavesDocument(inner, mapping)) ?? false
}

function matchingNames({ mapping }: SearchExecutionContext, pattern: string): string[] {
  const matches = namePattern(pattern)
  return [...mapping.fieldNames()].filter((name) => matches(name))
}
