/** `query_string`: queries in Lucene's syntax; also the `q` parameter. */

import { ApiError, parseFailure, queryValidation } from '../../../base/api-error.ts'
import { nestedByClient } from '../../../base/errors/overflow.ts'
import { queryShardError } from '../../../base/errors/search-errors.ts'
import { Fuzziness } from '../../request/fuzziness.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { noTerms, type Query, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { doesNotSupport, newOptions, type QueryClause } from '../clause.ts'
import { checkAnalyzer } from '../full-text/check-analyzer.ts'
import { atLeast } from '../full-text/enough-clauses.ts'
import { followCase, queryEachField } from '../full-text/field-leaves.ts'
import { type BoostedField, parseFieldAndBoost } from '../full-text/field-list.ts'
import { isMeaningless } from '../full-text/meaningless-text.ts'
import { MULTI_MATCH_TYPES, MultiMatchQuery, type MultiMatchType } from '../full-text/multi-match.ts'
import { FuzzyQuery } from '../multi-term/fuzzy.ts'
import { checkRegexLength } from '../multi-term/pattern-length.ts'
import { RegexpQuery } from '../multi-term/regexp.ts'
import { TermExpansionQuery } from '../multi-term/term-expansion.ts'
import { ExistsQuery } from '../term-level/exists.ts'
import { MatchAllQuery } from '../term-level/match-all.ts'
import { RangeQuery } from '../term-level/range.ts'
import type { RangeToken } from './query-string-lexer.ts'
import { parseError } from './query-string-lexer.ts'
import { type LeafQueries, QueryStringParser } from './query-string-parser.ts'
import { fuzzySettings, quotedFields, readStringQuery, StringQuery, type StringQuerySettings } from './string-query.ts'

export interface QueryStringSettings extends StringQuerySettings {
  defaultField?: BoostedField
  /** Fields are given by both options, which is an error. */
  namesTwice?: boolean
  phraseSlop?: number
  fuzziness?: Fuzziness
  allowLeadingWildcard?: boolean
  timeZone?: string | undefined
  type?: MultiMatchType
  tieBreaker?: number | undefined
  quoteAnalyzer?: string | undefined
  /** Whether special characters of the text are escaped. */
  escape?: boolean
  /** How the terms of patterns are scored. */
  rewrite?: string | null
}

export class QueryStringQuery extends StringQuery<QueryStringSettings> {
  override readonly kind = 'query_string'

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    if (this.settings.namesTwice === true) {
      const reason = '[query_string] cannot use [fields] parameter in conjunction with [default_field]'
      throw queryValidation(`Validation Failed: 1: ${reason};`)
    }
    if (this.text.trim() === '') return noTerms()
    checkAnalyzer(context, 'query_string', this.settings.analyzer)
    checkAnalyzer(context, 'query_string', this.settings.quoteAnalyzer, 'quote_analyzer')
    return nestedByClient(() => this.#parsed(context)?.plan(context, scoring, boost)) ?? noTerms()
  }

  #parsed(context: SearchExecutionContext): Query | undefined {
    const { defaultOperator, minimumShouldMatch } = this.settings
    const text = this.settings.escape === true ? escapeText(this.text) : this.text
    const { defaultField } = this.settings
    const comparesAlone = defaultField !== undefined && defaultField.name !== '*'
    let query: Query | undefined
    try {
      const leaves = new FieldLeaves(context, text, this.settings)
      query = new QueryStringParser(text, leaves, { and: defaultOperator === 'and', comparesAlone }).parse()
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'parse_exception') throw error
      throw queryShardError(context.index, `Failed to parse query [${this.text}]`, error)
    }
    return query !== undefined && minimumShouldMatch !== undefined ? atLeast(context, query, minimumShouldMatch) : query
  }
}

/** Escapes the special characters of the language. */
function escapeText(text: string): string {
  return text.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, '\\$&')
}

/** Leaves of the query string as queries on fields. */
class FieldLeaves implements LeafQueries {
  readonly #context: SearchExecutionContext
  readonly #text: string
  readonly #settings: Readonly<QueryStringSettings>
  readonly #lenient: boolean
  readonly #defaults: readonly BoostedField[]

  constructor(context: SearchExecutionContext, text: string, settings: Readonly<QueryStringSettings>) {
    this.#context = context
    this.#text = text
    this.#settings = settings
    const { fields } = settings
    const all = fields === undefined || fields.length === 0 || (fields.length === 1 && fields[0]!.name === '*')
    this.#lenient = settings.lenient ?? (all || context.limits.lenientQueryStrings === true)
    this.#defaults = all ? [{ name: '*', boost: 1 }] : fields
  }

  words(field: string | undefined, text: string, boost: number): Query | undefined {
    const { type, tieBreaker, analyzer, defaultOperator, phraseSlop, synonymPhrases } = this.#settings
    if (isMeaningless(this.#context, this.#fields(field), text, analyzer)) return undefined
    return new MultiMatchQuery(
      this.#fields(field),
      text,
      {
        type: type ?? 'best_fields',
        tieBreaker,
        analyzer,
        operator: defaultOperator ?? 'or',
        lenient: this.#lenient,
        slop: phraseSlop ?? 0,
        ...(synonymPhrases === undefined ? {} : { synonymPhrases }),
      },
      { ...newOptions(), boost },
    )
  }

  phrase(field: string | undefined, text: string, slop: number | undefined, boost: number): Query | undefined {
    const { tieBreaker, analyzer, quoteAnalyzer, phraseSlop, quoteFieldSuffix } = this.#settings
    const settings = {
      type: 'phrase',
      tieBreaker,
      analyzer: quoteAnalyzer ?? analyzer,
      lenient: this.#lenient,
      slop: slop ?? phraseSlop ?? 0,
    } as const
    const fields = quotedFields(this.#context, this.#fields(field), quoteFieldSuffix)
    if (isMeaningless(this.#context, fields, text, settings.analyzer)) return undefined
    return new MultiMatchQuery(fields, text, settings, { ...newOptions(), boost })
  }

  prefix(field: string | undefined, text: string, boost: number): Query | undefined {
    return this.#each(field, boost, (name) => this.#expansion('prefix', name, text))
  }

  wildcard(field: string | undefined, text: string, boost: number): Query | undefined {
    if (this.#settings.allowLeadingWildcard === false && /^[*?]/.test(text)) {
      throw parseError(this.#text, "'*' or '?' not allowed as first character in WildcardQuery")
    }
    return this.#each(field, boost, (name) => this.#expansion('wildcard', name, text))
  }

  regexp(field: string | undefined, text: string, boost: number): Query | undefined {
    checkRegexLength(text, this.#context)
    const { rewrite = null } = this.#settings
    return this.#each(field, boost, (name) => new RegexpQuery(name, this.#normalize(name, text), { rewrite }))
  }

  fuzzy(field: string | undefined, text: string, edits: string | undefined, boost: number): Query | undefined {
    const { fuzziness } = this.#settings
    const options = {
      ...fuzzySettings(this.#settings),
      fuzziness: edits === undefined ? (fuzziness ?? Fuzziness.auto) : Fuzziness.parse(edits),
    }
    return this.#each(field, boost, (name) => new FuzzyQuery(name, this.#normalize(name, text), options))
  }

  range(field: string | undefined, range: RangeToken, boost: number): Query | undefined {
    const bound = (name: string, text: string, inclusive: boolean) =>
      text === '*' || text === '' ? undefined : { value: this.#normalize(name, text), inclusive }
    return this.#each(
      field,
      boost,
      (name) =>
        new RangeQuery(name, {
          lower: bound(name, range.lower, range.lowerInclusive),
          upper: bound(name, range.upper, range.upperInclusive),
          timeZone: this.#settings.timeZone,
          isWritten: true,
        }),
    )
  }

  exists(field: string | undefined, boost: number): Query | undefined {
    const options = { ...newOptions(), boost }
    if (field !== undefined) return new ExistsQuery(field, options)
    if (this.#defaults.length === 1 && this.#defaults[0]!.name === '*') return new MatchAllQuery(options)
    return this.#each(field, boost, (name) => new ExistsQuery(name))
  }

  #fields(field: string | undefined): readonly BoostedField[] {
    return field === undefined ? this.#defaults : [{ name: field, boost: 1 }]
  }

  /** One query per field; if all fields are searched, those that cannot accept it are omitted. */
  #each(field: string | undefined, boost: number, make: (name: string) => Query): Query | undefined {
    const { type, tieBreaker } = this.#settings
    const adds = type === 'most_fields' || type === 'bool_prefix'
    const options = { lenient: this.#lenient, tieBreaker: tieBreaker ?? (adds ? 1 : 0), boost }
    return queryEachField(this.#context, this.#fields(field), options, make)
  }

  #expansion(kind: 'prefix' | 'wildcard', name: string, text: string): Query {
    const { rewrite = null } = this.#settings
    return new TermExpansionQuery(kind, name, this.#normalize(name, text), false, newOptions(), rewrite)
  }

  #normalize(name: string, text: string): string {
    return followCase(this.#context, name, text, this.#settings.analyzer)
  }
}

export const queryStringClause: QueryClause = {
  name: 'query_string',
  parse(reader) {
    const settings: QueryStringSettings = {}
    const { text, options } = readStringQuery(
      'query_string',
      reader,
      settings,
      (member) => readOwnOption(reader, member, settings),
      (member) => doesNotSupport(reader, 'query_string', member),
    )
    if (text === undefined) throw reader.parsingError('[query_string] must be provided with a [query]')
    if (settings.defaultField !== undefined && settings.fields === undefined) settings.fields = [settings.defaultField]
    else if (settings.defaultField !== undefined) settings.namesTwice = true
    return new QueryStringQuery(text, settings, options)
  },
}

function readOwnOption(reader: RequestReader, member: string, settings: QueryStringSettings): boolean {
  switch (member) {
    case 'default_field':
      settings.defaultField = parseFieldAndBoost(reader.text())
      return true
    case 'phrase_slop':
      settings.phraseSlop = reader.integer()
      return true
    case 'fuzziness':
      settings.fuzziness = Fuzziness.read(reader)
      return true
    case 'allow_leading_wildcard':
      settings.allowLeadingWildcard = reader.boolean()
      return true
    case 'time_zone':
      settings.timeZone = reader.text()
      return true
    case 'type':
      settings.type = parseType(reader.text())
      return true
    case 'tie_breaker':
      settings.tieBreaker = reader.float()
      return true
    case 'quote_analyzer':
      settings.quoteAnalyzer = reader.text()
      return true
    case 'escape':
      settings.escape = reader.boolean()
      return true
    case 'enable_position_increments':
      reader.boolean()
      return true
    case 'rewrite':
      settings.rewrite = reader.textOrNull()
      return true
    case 'fuzzy_rewrite':
    case 'max_determinized_states':
      reader.textOrNull()
      return true
    default:
      return false
  }
}

function parseType(text: string): MultiMatchType {
  const type = MULTI_MATCH_TYPES.find((known) => known === text.toLowerCase())
  if (type !== undefined) return type
  throw parseFailure(`failed to parse [query_string] query type [${text}]. unknown type.`)
}
