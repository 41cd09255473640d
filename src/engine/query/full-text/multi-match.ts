/** `multi_match`: the same words in several fields. */

import { ApiError, parseFailure } from '../../../base/api-error.ts'
import { END_OBJECT, FIELD_NAME, START_ARRAY } from '../../../base/json/json-reader.ts'
import {
  boosted,
  failedField,
  multiplyBoost,
  type Query,
  type SearchExecutionContext,
  unmappedFields,
  type Weight,
} from '../../scoring/query.ts'
import { javaText } from '../../values/java-text.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { planDisMax } from '../compound/dis-max.ts'
import { checkAnalyzer } from './check-analyzer.ts'
import { crossFields } from './cross-fields.ts'
import { type BoostedField, parseFieldAndBoost, resolveFields } from './field-list.ts'
import { FieldsTextQuery } from './field-text-query.ts'
import { atLeast, type FuzzyLimits, MatchQuery, type MatchSettings, readMatchOption } from './match.ts'
import { MatchPhraseQuery } from './match-phrase.ts'
import { MatchBoolPrefixQuery, MatchPhrasePrefixQuery } from './match-prefix.ts'

export const MULTI_MATCH_TYPES = [
  'best_fields',
  'most_fields',
  'cross_fields',
  'phrase',
  'phrase_prefix',
  'bool_prefix',
] as const
export type MultiMatchType = (typeof MULTI_MATCH_TYPES)[number]

export interface MultiMatchSettings extends MatchSettings {
  type?: MultiMatchType
  tieBreaker?: number | undefined
  slop?: number
  maxExpansions?: number
}

export class MultiMatchQuery extends FieldsTextQuery<MultiMatchSettings> {
  override readonly kind = 'multi_match'

  /** Without fields, all fields are searched. A number is searched by its text. */
  constructor(fields: readonly BoostedField[], value: unknown, settings: MultiMatchSettings, options?: ClauseOptions) {
    super(fields, javaText(value), settings, options)
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    checkAnalyzer(context, this.kind, this.settings.analyzer)
    const all = this.fields.length === 0 || (this.fields.length === 1 && this.fields[0]!.name === '*')
    const { fields, metadata } = resolveFields(context, all ? [{ name: '*', boost: 1 }] : this.fields)
    if (fields.length + metadata.length === 0) return unmappedFields([])
    const settings = all && this.settings.lenient === undefined ? { ...this.settings, lenient: true } : this.settings
    const type = settings.type ?? 'best_fields'
    if (type === 'cross_fields' && fields.length > 0) {
      return crossFields(
        context,
        fields,
        this.value,
        { ...settings, tieBreaker: settings.tieBreaker ?? 0 },
        scoring,
        boost,
      )
    }
    const parts: Weight[] = []
    for (const { name, boost: own } of [...fields, ...metadata]) {
      try {
        const part = this.#fieldQuery(name, settings, type).plan(context, scoring, multiplyBoost(boost, own))
        parts.push(boosted(part, own))
      } catch (error) {
        if (settings.lenient !== true || !(error instanceof ApiError)) throw error
        parts.push(failedField(name, error))
      }
    }
    const summed = type === 'most_fields' || type === 'bool_prefix'
    return parts.length === 1 ? parts[0]! : planDisMax(parts, settings.tieBreaker ?? (summed ? 1 : 0), scoring)
  }

  #fieldQuery(name: string, settings: MultiMatchSettings, type: MultiMatchType): Query {
    const { analyzer, slop, maxExpansions, zeroTermsQuery } = settings
    const zeroTerms = zeroTermsQuery === undefined ? {} : { zeroTermsQuery }
    switch (type) {
      case 'phrase':
        return new MatchPhraseQuery(name, this.value, { analyzer, slop: slop ?? 0, ...zeroTerms })
      case 'phrase_prefix':
        return new MatchPhrasePrefixQuery(name, this.value, {
          analyzer,
          slop: slop ?? 0,
          maxExpansions: maxExpansions ?? 50,
          ...zeroTerms,
        })
      case 'bool_prefix':
        return new MatchBoolPrefixQuery(name, this.value, settings)
      default:
        return new MatchQuery(name, this.value, settings)
    }
  }
}

const LIMITS: FuzzyLimits = {
  prefixLength: 'No negative prefix length allowed.',
  maxExpansions: 'Max expansions must be strictly great than zero.',
}

export const multiMatchClause: QueryClause = {
  name: 'multi_match',
  parse(reader) {
    const options = newOptions()
    const settings: MultiMatchSettings = {}
    const fields: BoostedField[] = []
    let value: unknown
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (member === 'fields' && (reader.token === START_ARRAY || reader.isValue)) {
        reader.each(() => fields.push(parseFieldAndBoost(reader.text())))
      } else if (member === 'fields') throw doesNotSupport(reader, 'multi_match', member)
      else if (!reader.isValue) {
        throw reader.parsingError(`[multi_match] unknown token [${reader.tokenName}] after [${member}]`)
      } else if (member === 'query') value = reader.fieldValue()
      else if (member === 'type') settings.type = parseType(reader.text())
      else if (member === 'slop') settings.slop = atLeast(0, reader.integer(), 'No negative slop allowed.')
      else if (member === 'tie_breaker') settings.tieBreaker = reader.float()
      else if (member === 'max_expansions') settings.maxExpansions = atLeast(1, reader.integer(), LIMITS.maxExpansions)
      else if (!readMatchOption(reader, member, settings, LIMITS) && !readCommonOption(reader, member, options)) {
        throw doesNotSupport(reader, 'multi_match', member)
      }
    }
    if (value === undefined) throw reader.parsingError('No text specified for multi_match query')
    const { type, fuzzy, slop } = settings
    if (slop !== undefined && slop !== 0 && type === 'bool_prefix') {
      throw reader.parsingError('[slop] not allowed for type [bool_prefix]')
    }
    if (fuzzy !== undefined && (type === 'cross_fields' || type === 'phrase' || type === 'phrase_prefix')) {
      throw reader.parsingError(`Fuzziness not allowed for type [${type}]`)
    }
    return new MultiMatchQuery(fields, value, settings, options)
  },
}

function parseType(text: string): MultiMatchType {
  const type = MULTI_MATCH_TYPES.find((known) => known === text.toLowerCase())
  if (type !== undefined) return type
  throw parseFailure(`failed to parse [multi_match] query type [${text}]. unknown type.`)
}
