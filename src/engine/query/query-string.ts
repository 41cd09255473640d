/** `query_string`: queries in Lucene's syntax; also the `q` parameter. */
import { ApiError } from '../../base/api-error.ts'
import { queryShardError } from '../../base/errors/search-errors.ts'
import { END_OBJECT, FIELD_NAME, START_ARRAY } from '../../base/json/json-reader.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from './clause.ts'
import { ExistsQuery } from './exists.ts'
import { followCase, queryEachField } from './field-leaves.ts'
import { type BoostedField, parseFieldAndBoost } from './field-list.ts'
import { Fuzziness } from './fuzziness.ts'
import { FuzzyQuery, newFuzzyOptions } from './fuzzy.ts'
import { parseOperator } from './match.ts'
import { MatchAllQuery } from './match-all.ts'
import { MULTI_MATCH_TYPES, MultiMatchQuery, type MultiMatchType } from './multi-match.ts'
import { noTerms, type Query, type ShardQuery, type ShardQueryContext } from './query.ts'
import { QueryNode } from './query-node.ts'
import type { RangeToken } from './query-string-lexer.ts'
import { parseError } from './query-string-lexer.ts'
import { type LeafQueries, QueryStringParser } from './query-string-parser.ts'
import { RangeQuery } from './range.ts'
import { RegexpQuery } from './regexp.ts'
import { TermExpansionQuery } from './term-expansion.ts'

export interface QueryStringSettings {
  fields?: readonly BoostedField[]
  defaultOperator?: 'or' | 'and'
  analyzer?: string | undefined
  lenient?: boolean
  minimumShouldMatch?: string | undefined
  phraseSlop?: number
  fuzziness?: Fuzziness
  fuzzyPrefixLength?: number
  fuzzyMaxExpansions?: number
  allowLeadingWildcard?: boolean
  timeZone?: string | undefined
  type?: MultiMatchType
  tieBreaker?: number | undefined
}

export class QueryStringQuery extends QueryNode {
  override readonly kind = 'query_string'
  readonly text: string
  readonly settings: Readonly<QueryStringSettings>

  constructor(text: string, settings: QueryStringSettings = {}, options: ClauseOptions = newOptions()) {
    super(options)
    this.text = text
    this.settings = settings
  }

  protected override bind(context: ShardQueryContext, scoring: boolean, boost: number): ShardQuery {
    const { defaultOperator, minimumShouldMatch } = this.settings
    if (this.text.trim() === '') return noTerms()
    let query: Query | undefined
    try {
      const leaves = new FieldLeaves(context, this.text, this.settings)
      query = new QueryStringParser(this.text, leaves, { and: defaultOperator === 'and', minimumShouldMatch }).parse()
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'parse_exception') throw error
      throw queryShardError(context.index, `Failed to parse query [${this.text}]`, error)
    }
    return query?.plan(context, scoring, boost) ?? noTerms()
  }
}

/** Leaves of the query string as queries on fields. */
class FieldLeaves implements LeafQueries {
  readonly #context: ShardQueryContext
  readonly #text: string
  readonly #settings: Readonly<QueryStringSettings>
  readonly #lenient: boolean
  readonly #defaults: readonly BoostedField[]

  constructor(context: ShardQueryContext, text: string, settings: Readonly<QueryStringSettings>) {
    this.#context = context
    this.#text = text
    this.#settings = settings
    const { fields } = settings
    const all = fields === undefined || fields.length === 0 || (fields.length === 1 && fields[0]!.name === '*')
    this.#lenient = settings.lenient ?? all
    this.#defaults = all ? [{ name: '*', boost: 1 }] : fields
  }

  words(field: string | undefined, text: string, boost: number): Query | undefined {
    const { type, tieBreaker, analyzer, defaultOperator, phraseSlop } = this.#settings
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
      },
      { ...newOptions(), boost },
    )
  }

  phrase(field: string | undefined, text: string, slop: number | undefined, boost: number): Query | undefined {
    const { tieBreaker, analyzer, phraseSlop } = this.#settings
    const settings = {
      type: 'phrase',
      tieBreaker,
      analyzer,
      lenient: this.#lenient,
      slop: slop ?? phraseSlop ?? 0,
    } as const
    return new MultiMatchQuery(this.#fields(field), text, settings, { ...newOptions(), boost })
  }

  prefix(field: string | undefined, text: string, boost: number): Query | undefined {
    return this.#each(field, boost, (name) => new TermExpansionQuery('prefix', name, this.#normalize(name, text)))
  }

  wildcard(field: string | undefined, text: string, boost: number): Query | undefined {
    if (this.#settings.allowLeadingWildcard === false && /^[*?]/.test(text)) {
      throw parseError(this.#text, "'*' or '?' not allowed as first character in WildcardQuery")
    }
    return this.#each(field, boost, (name) => new TermExpansionQuery('wildcard', name, this.#normalize(name, text)))
  }

  regexp(field: string | undefined, text: string, boost: number): Query | undefined {
    return this.#each(field, boost, (name) => new RegexpQuery(name, this.#normalize(name, text)))
  }

  fuzzy(field: string | undefined, text: string, edits: string | undefined, boost: number): Query | undefined {
    const { fuzziness, fuzzyPrefixLength, fuzzyMaxExpansions } = this.#settings
    const options = {
      ...newFuzzyOptions(),
      fuzziness: edits === undefined ? (fuzziness ?? Fuzziness.auto) : Fuzziness.parse(edits),
      prefixLength: fuzzyPrefixLength ?? 0,
      maxExpansions: fuzzyMaxExpansions ?? 50,
    }
    return this.#each(field, boost, (name) => new FuzzyQuery(name, this.#normalize(name, text), options))
  }

  range(field: string | undefined, range: RangeToken, boost: number): Query | undefined {
    const bound = (text: string, inclusive: boolean) =>
      text === '*' || text === '' ? undefined : { value: text, inclusive }
    return this.#each(
      field,
      boost,
      (name) =>
        new RangeQuery(name, {
          lower: bound(range.lower, range.lowerInclusive),
          upper: bound(range.upper, range.upperInclusive),
          timeZone: this.#settings.timeZone,
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

  /** One query per field; where the fields are everything, those that cannot take it are left out. */
  #each(field: string | undefined, boost: number, make: (name: string) => Query): Query | undefined {
    const options = { lenient: this.#lenient, tieBreaker: this.#settings.tieBreaker ?? 0, boost }
    return queryEachField(this.#context, this.#fields(field), options, make)
  }

  #normalize(name: string, text: string): string {
    return followCase(this.#context, name, text, this.#settings.analyzer)
  }
}

export const queryStringClause: QueryClause = {
  name: 'query_string',
  parse(reader) {
    const options = newOptions()
    const settings: QueryStringSettings = {}
    let text: string | undefined
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === START_ARRAY) {
        if (member !== 'fields') throw doesNotSupport(reader, 'query_string', member)
        const fields: BoostedField[] = []
        reader.each(() => fields.push(parseFieldAndBoost(reader.text())))
        settings.fields = fields
        continue
      }
      if (!reader.isValue)
        throw reader.parsingError(`[query_string] unknown token [${reader.tokenName}] after [${member}]`)
      switch (member) {
        case 'query':
          text = reader.text()
          break
        case 'default_field':
          settings.fields = [parseFieldAndBoost(reader.text())]
          break
        case 'default_operator':
          settings.defaultOperator = parseOperator(reader.text())
          break
        case 'analyzer':
          settings.analyzer = reader.text()
          break
        case 'lenient':
          settings.lenient = reader.boolean()
          break
        case 'minimum_should_match':
          settings.minimumShouldMatch = reader.text()
          break
        case 'phrase_slop':
          settings.phraseSlop = reader.integer()
          break
        case 'fuzziness':
          settings.fuzziness = Fuzziness.parse(reader.text())
          break
        case 'fuzzy_prefix_length':
          settings.fuzzyPrefixLength = reader.integer()
          break
        case 'fuzzy_max_expansions':
          settings.fuzzyMaxExpansions = reader.integer()
          break
        case 'allow_leading_wildcard':
          settings.allowLeadingWildcard = reader.boolean()
          break
        case 'time_zone':
          settings.timeZone = reader.text()
          break
        case 'type':
          settings.type = parseType(reader.text())
          break
        case 'tie_breaker':
          settings.tieBreaker = reader.float()
          break
        case 'analyze_wildcard':
        case 'enable_position_increments':
        case 'escape':
        case 'auto_generate_synonyms_phrase_query':
        case 'fuzzy_transpositions':
          reader.boolean()
          break
        case 'quote_analyzer':
        case 'quote_field_suffix':
        case 'rewrite':
        case 'fuzzy_rewrite':
        case 'max_determinized_states':
          reader.textOrNull()
          break
        default:
          if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'query_string', member)
      }
    }
    if (text === undefined) throw reader.parsingError('[query_string] must be provided with a [query]')
    return new QueryStringQuery(text, settings, options)
  },
}

function parseType(text: string): MultiMatchType {
  const type = MULTI_MATCH_TYPES.find((known) => known === text.toLowerCase())
  if (type !== undefined) return type
  throw new ApiError(400, 'parse_exception', `failed to parse [query_string] query type [${text}]. unknown type.`)
}
