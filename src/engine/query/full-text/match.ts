/** `match`: the text is analyzed like the field's own, and its words are searched. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { NULL } from '../../../base/json/json-reader.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { Fuzziness } from '../../request/fuzziness.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import {
  failedField,
  noTerms,
  type QueryToken,
  type SearchExecutionContext,
  unmappedFields,
  type Weight,
} from '../../scoring/query.ts'
import { javaText } from '../../values/java-text.ts'
import { doesNotSupport, newOptions, parseFieldClause, type QueryClause, readCommonOption } from '../clause.ts'
import { checkFuzzyMetadata, type FuzzyOptions, fuzzyWord, newFuzzyOptions } from '../multi-term/fuzzy.ts'
import { exactValue } from '../term-level/exact-value.ts'
import { matchAll } from '../term-level/match-all.ts'
import { metadataValue } from '../term-level/metadata-field.ts'
import { checkIndexed, checkTakesText } from '../term-level/searchable-field.ts'
import { termQuery } from '../term-level/term-query.ts'
import { checkAnalyzer } from './check-analyzer.ts'
import { FieldTextQuery } from './field-text-query.ts'
import { phraseQuery } from './phrase-query.ts'
import { synonymQuery } from './synonym-query.ts'
import { type WordQueries, wordsQuery } from './words-query.ts'

export interface MatchSettings {
  operator?: 'or' | 'and'
  minimumShouldMatch?: string | undefined
  analyzer?: string | undefined
  zeroTermsQuery?: 'none' | 'all'
  lenient?: boolean
  /** Whether a multi-word synonym must occur as a phrase. */
  synonymPhrases?: boolean
  /** Set if words are fuzzy. */
  fuzzy?: FuzzyOptions
  /** Options of fuzzy words, read before it is known whether they apply. */
  fuzzyDraft?: FuzzyOptions
}

export class MatchQuery extends FieldTextQuery<MatchSettings> {
  override readonly kind = 'match'

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const field = context.mapping.field(this.field)
    if (field === undefined) {
      checkAnalyzer(context, 'match', this.settings.analyzer)
      checkTakesText({ name: this.field, type: this.field }, 'match')
      if (this.settings.fuzzy !== undefined) checkFuzzyMetadata(this.field)
      return metadataValue(context, this.field, this.value, { scoring, boost }, 'match') ?? unmappedFields([this.field])
    }
    try {
      return this.#inField(context, field, scoring, boost)
    } catch (error) {
      if (this.settings.lenient === true && error instanceof ApiError) return failedField(field.name, error)
      throw error
    }
  }

  #inField(context: SearchExecutionContext, field: FieldType, scoring: boolean, boost: number): Weight {
    checkTakesText(field, 'match')
    const { lenient, fuzzy } = this.settings
    const tokens = queryWords(context, field, this.value, this.settings.analyzer)
    if (tokens === undefined) {
      if (fuzzy !== undefined) return fuzzyWord(context, field, javaText(this.value), fuzzy, scoring, boost)
      // Elasticsearch rewrites a plain `match` to a `term`; with this option the value has become text on the way.
      const value = lenient === undefined ? this.value : javaText(this.value)
      return exactValue(context, field, value, { scoring, boost })
    }
    if (tokens.length === 0) return this.settings.zeroTermsQuery === 'all' ? matchAll(boost) : noTerms()
    const queries = fieldWords(context, field, fuzzy, scoring, boost)
    return wordsQuery(tokens, queries, this.settings, scoring)
  }
}

/** How the words of a text are searched in one field. */
export function fieldWords(
  context: SearchExecutionContext,
  field: FieldType,
  fuzzy: FuzzyOptions | undefined,
  scoring: boolean,
  boost: number,
): WordQueries {
  const name = storageName(field)
  const options = { scoring, boost }
  const near = (word: string, settings: FuzzyOptions) => fuzzyWord(context, field, word, settings, scoring, boost)
  return {
    term: (word) => {
      if (fuzzy !== undefined) return near(word, fuzzy)
      if (field.shape !== 'text') return exactValue(context, field, word, options)
      checkIndexed(field)
      return termQuery(context, name, Buffer.from(word), options)
    },
    // Words at one position are never fuzzy.
    synonyms: (words) => {
      const terms = words.map((word) => Buffer.from(word))
      return synonymQuery(context, name, terms, options)
    },
    phrase: (tokens) => phraseQuery(context, name, tokens, 0, scoring, boost),
  }
}

/** The words of a value for a text field; undefined for a field that is not analyzed. */
export function queryTokens(
  context: SearchExecutionContext,
  field: FieldType,
  value: unknown,
  analyzerName: string | undefined,
  clause = 'match',
): readonly QueryToken[] | undefined {
  checkAnalyzer(context, clause, analyzerName)
  if (field.shape !== 'text' && analyzerName === undefined) return undefined
  const analyzer = context.analyzer(analyzerName ?? field.searchAnalyzerName ?? field.analyzerName ?? 'standard')
  return analyzer?.tokens(javaText(value)) ?? []
}

/** The same, where keywords may be split into words too. */
export function queryWords(
  context: SearchExecutionContext,
  field: FieldType,
  value: unknown,
  analyzerName: string | undefined,
): readonly QueryToken[] | undefined {
  const byWhitespace = field.splitsQueries === true && analyzerName === undefined
  return queryTokens(context, field, value, byWhitespace ? 'whitespace' : analyzerName)
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
        if (member === 'query') value = reader.fieldValue()
        else if (!readMatchOption(reader, member, settings) && !readCommonOption(reader, member, options)) {
          throw doesNotSupport(reader, 'match', member)
        }
      },
      () => {
        if (!reader.is(NULL)) value = matchText(reader)
      },
      true,
    )
    if (value === undefined || field === undefined) throw reader.parsingError('No text specified for text query')
    return new MatchQuery(field, value, settings, options)
  },
}

/** The value of the short form: text, a number or a boolean. */
function matchText(reader: RequestReader): unknown {
  if (reader.isValue) return reader.fieldValue()
  throw reader.textExpected()
}

export function readMatchOption(
  reader: RequestReader,
  member: string,
  settings: MatchSettings,
  limits: FuzzyLimits = limitsOf('match'),
): boolean {
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
      settings.synonymPhrases = reader.boolean()
      return true
    default:
      return readFuzzyOption(reader, member, settings, limits)
  }
}

/** Options of fuzzy words have no effect without `fuzziness`. */
function readFuzzyOption(reader: RequestReader, member: string, settings: MatchSettings, limits: FuzzyLimits): boolean {
  const fuzzy = (settings.fuzzyDraft ??= newFuzzyOptions())
  switch (member) {
    case 'fuzziness':
      fuzzy.fuzziness = Fuzziness.read(reader)
      settings.fuzzy = fuzzy
      return true
    case 'prefix_length':
      fuzzy.prefixLength = atLeast(0, reader.integer(), limits.prefixLength)
      return true
    case 'max_expansions':
      fuzzy.maxExpansions = atLeast(1, reader.integer(), limits.maxExpansions)
      return true
    case 'fuzzy_transpositions':
      fuzzy.transpositions = reader.boolean()
      return true
    case 'fuzzy_rewrite':
      fuzzy.rewrite = reader.textOrNull()
      return true
    default:
      return false
  }
}

/** Error messages for numbers below the minimum. */
export interface FuzzyLimits {
  readonly prefixLength: string
  readonly maxExpansions: string
}

export const limitsOf = (clause: string): FuzzyLimits => ({
  prefixLength: `[${clause}] requires prefix length to be non-negative.`,
  maxExpansions: `[${clause}] requires maxExpansions to be positive.`,
})

export function atLeast(least: number, value: number, reason: string): number {
  if (value < least) throw illegalArgument(reason)
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
