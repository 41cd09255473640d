/** `match`: text is analyzed as the field's own was, and its words are looked for. */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import type { FieldType } from '../mapping/field-type.ts'
import { planBoolean } from './bool.ts'
import {
  type ClauseOptions,
  doesNotSupport,
  newOptions,
  parseFieldClause,
  type QueryClause,
  readCommonOption,
} from './clause.ts'
import { exactValue, termQuery } from './exact-value.ts'
import { Fuzziness } from './fuzziness.ts'
import { type FuzzyOptions, fuzzyWord, newFuzzyOptions } from './fuzzy.ts'
import { matchAll } from './match-all.ts'
import { metadataValues } from './metadata-field.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import {
  multiplyBoost,
  NO_MATCH,
  type Query,
  type QueryToken,
  type ShardQuery,
  type ShardQueryContext,
} from './query.ts'
import type { RequestReader } from './request-reader.ts'

export interface MatchSettings {
  operator?: 'or' | 'and'
  minimumShouldMatch?: string | undefined
  analyzer?: string | undefined
  zeroTermsQuery?: 'none' | 'all'
  lenient?: boolean
  /** Set when words may be misspelled. */
  fuzzy?: FuzzyOptions
  /** Options of fuzzy words, read before it is known whether they apply. */
  fuzzyDraft?: FuzzyOptions
}

export class MatchQuery implements Query {
  readonly kind = 'match'
  readonly boost: number
  readonly name: string | undefined
  readonly field: string
  readonly value: unknown
  readonly settings: Readonly<MatchSettings>

  constructor(field: string, value: unknown, settings: MatchSettings = {}, options: ClauseOptions = newOptions()) {
    this.field = field
    this.value = value
    this.settings = settings
    this.boost = options.boost
    this.name = options.name
  }

  plan(context: ShardQueryContext, scoring: boolean, outerBoost: number): ShardQuery {
    const field = context.mapping.field(this.field)
    const boost = multiplyBoost(outerBoost, this.boost)
    if (field === undefined) {
      checkAnalyzer(context, this.settings.analyzer)
      return metadataValues(context, this.field, [this.value], boost) ?? NO_MATCH
    }
    const tokens = queryTokens(context, field, this.value, this.settings.analyzer)
    if (tokens === undefined) {
      try {
        const { fuzzy } = this.settings
        if (fuzzy !== undefined && field.type === 'keyword') {
          return fuzzyWord(context, field, String(this.value), fuzzy, scoring, boost)
        }
        return exactValue(context, field, this.value, { scoring, boost })
      } catch (error) {
        if (this.settings.lenient === true && error instanceof ApiError) return NO_MATCH
        throw error
      }
    }
    if (tokens.length === 0) return this.settings.zeroTermsQuery === 'all' ? matchAll(boost) : NO_MATCH
    return this.#words(context, field, tokens, scoring, boost)
  }

  #words(
    context: ShardQueryContext,
    field: FieldType,
    tokens: readonly QueryToken[],
    scoring: boolean,
    boost: number,
  ): ShardQuery {
    const name = field.schema?.name ?? field.name
    const words = byPosition(tokens).map((terms) => {
      const { fuzzy } = this.settings
      const queries = terms.map((term) =>
        fuzzy === undefined
          ? termQuery(context, name, Buffer.from(term), { scoring, boost })
          : fuzzyWord(context, field, term, fuzzy, scoring, boost),
      )
      if (queries.length === 1) return queries[0]!
      return planBoolean({ must: [], filter: [], should: queries, mustNot: [] }, 1, scoring)
    })
    if (words.length === 1) return words[0]!
    const { operator, minimumShouldMatch: minimum } = this.settings
    if (operator === 'and') return planBoolean({ must: words, filter: [], should: [], mustNot: [] }, 0, scoring)
    const needed = minimum === undefined ? 1 : Math.max(1, minimumShouldMatch(words.length, minimum))
    return planBoolean({ must: [], filter: [], should: words, mustNot: [] }, needed, scoring)
  }
}

/** The words of a value for a text field; undefined for a field that is not analyzed. */
export function queryTokens(
  context: ShardQueryContext,
  field: FieldType,
  value: unknown,
  analyzerName: string | undefined,
): readonly QueryToken[] | undefined {
  checkAnalyzer(context, analyzerName)
  if (field.shape !== 'text' && !(analyzerName !== undefined && field.type === 'keyword')) return undefined
  if (!field.indexed) throw illegalArgument(`Cannot search on field [${field.name}] since it is not indexed.`)
  const analyzer = context.analyzer(analyzerName ?? field.searchAnalyzerName ?? field.analyzerName ?? 'standard')
  return analyzer?.tokens(String(value)) ?? []
}

function checkAnalyzer(context: ShardQueryContext, name: string | undefined): void {
  if (name !== undefined && context.analyzer(name) === undefined) {
    throw illegalArgument(`[match] analyzer [${name}] not found`)
  }
}

/** Words at one position (synonyms) are alternatives. */
export function byPosition(tokens: readonly QueryToken[]): string[][] {
  const words: string[][] = []
  let position = -1
  for (const token of tokens) {
    if (token.position === position && words.length > 0) words[words.length - 1]!.push(token.term)
    else words.push([token.term])
    position = token.position
  }
  return words
}

export const matchClause: QueryClause = {
  name: 'match',
  parse(reader) {
    const options = newOptions()
    const settings: MatchSettings = {}
    let value: unknown
    const field = parseFieldClause(
      reader,
      'match',
      (member) => {
        if (!reader.isValue) throw reader.parsingError(`[match] unknown token [${reader.tokenName}] after [${member}]`)
        if (member === 'query') value = reader.value()
        else if (!readMatchOption(reader, member, settings) && !readCommonOption(reader, member, options)) {
          throw doesNotSupport(reader, 'match', member)
        }
      },
      () => {
        value = matchText(reader)
      },
    )
    if (value === undefined || field === undefined) throw reader.parsingError('No text specified for text query')
    return new MatchQuery(field, value, settings, options)
  },
}

/** The value of the short form: text, a number or a boolean. */
export function matchText(reader: RequestReader): unknown {
  if (reader.isValue) return reader.value()
  const { line, col } = reader.location()
  throw illegalArgument(`Expected text at ${line}:${col} but found ${reader.tokenName}`)
}

export function readMatchOption(reader: RequestReader, member: string, settings: MatchSettings): boolean {
  switch (member) {
    case 'operator':
      settings.operator = parseOperator(reader.text())
      return true
    case 'minimum_should_match':
      settings.minimumShouldMatch = reader.text()
      return true
    case 'analyzer':
      settings.analyzer = reader.text()
      return true
    case 'zero_terms_query':
      settings.zeroTermsQuery = parseZeroTerms(reader)
      return true
    case 'lenient':
      settings.lenient = reader.boolean()
      return true
    case 'auto_generate_synonyms_phrase_query':
      reader.boolean()
      return true
    default:
      return readFuzzyOption(reader, member, settings)
  }
}

/** The options of fuzzy words say nothing until `fuzziness` itself is there. */
function readFuzzyOption(reader: RequestReader, member: string, settings: MatchSettings): boolean {
  const fuzzy = (settings.fuzzyDraft ??= newFuzzyOptions())
  switch (member) {
    case 'fuzziness':
      fuzzy.fuzziness = Fuzziness.parse(reader.text())
      settings.fuzzy = fuzzy
      return true
    case 'prefix_length':
      fuzzy.prefixLength = notNegative(reader.integer(), 'prefix length')
      return true
    case 'max_expansions':
      fuzzy.maxExpansions = notNegative(reader.integer(), 'maxExpansions')
      return true
    case 'fuzzy_transpositions':
      fuzzy.transpositions = reader.boolean()
      return true
    case 'fuzzy_rewrite':
      reader.textOrNull()
      return true
    default:
      return false
  }
}

function notNegative(value: number, what: string): number {
  if (value < 0) throw illegalArgument(`No negative ${what} allowed.`)
  return value
}

export function parseOperator(text: string): 'or' | 'and' {
  const operator = text.toLowerCase()
  if (operator === 'or' || operator === 'and') return operator
  throw illegalArgument(`No enum constant org.elasticsearch.index.query.Operator.${text.toUpperCase()}`)
}

export function parseZeroTerms(reader: RequestReader): 'none' | 'all' {
  const text = reader.text()
  if (text.toLowerCase() === 'none') return 'none'
  if (text.toLowerCase() === 'all') return 'all'
  throw reader.parsingError(`Unsupported zero_terms_query value [${text}]`)
}
