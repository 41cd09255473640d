/** `match_phrase_prefix` and `match_bool_prefix`: the last word may be the beginning of one. */
import { illegalArgument } from '../../base/api-error.ts'
import type { FieldType } from '../mapping/field-type.ts'
import { planBoolean } from './bool.ts'
import { type ClauseOptions, newOptions, parseTextClause, type QueryClause } from './clause.ts'
import { exactValue, termQuery, termScorer } from './exact-value.ts'
import { fuzzyWord } from './fuzzy.ts'
import { byPosition, type MatchSettings, parseZeroTerms, queryTokens, readMatchOption } from './match.ts'
import { matchAll } from './match-all.ts'
import { type PhrasePlace, planPhrase } from './match-phrase.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { multiplyBoost, NO_MATCH, type Query, type ShardQuery, type ShardQueryContext } from './query.ts'
import { expandTerms } from './term-expansion.ts'
import { prefixEnd } from './term-patterns.ts'

export interface PhrasePrefixSettings {
  slop?: number
  maxExpansions?: number
  analyzer?: string | undefined
  zeroTermsQuery?: 'none' | 'all'
}

export class MatchPhrasePrefixQuery implements Query {
  readonly kind = 'match_phrase_prefix'
  readonly boost: number
  readonly name: string | undefined
  readonly field: string
  readonly value: unknown
  readonly settings: Readonly<PhrasePrefixSettings>

  constructor(
    field: string,
    value: unknown,
    settings: PhrasePrefixSettings = {},
    options: ClauseOptions = newOptions(),
  ) {
    this.field = field
    this.value = value
    this.settings = settings
    this.boost = options.boost
    this.name = options.name
  }

  plan(context: ShardQueryContext, scoring: boolean, outerBoost: number): ShardQuery {
    const field = context.mapping.field(this.field)
    if (field === undefined) return NO_MATCH
    const boost = multiplyBoost(outerBoost, this.boost)
    const tokens = queryTokens(context, field, this.value, this.settings.analyzer)
    if (tokens === undefined) {
      throw illegalArgument(
        `Can only use phrase prefix queries on text fields - not on [${field.name}] which is of type [${field.type}]`,
      )
    }
    if (tokens.length === 0) return this.settings.zeroTermsQuery === 'all' ? matchAll(boost) : NO_MATCH
    const name = field.schema?.name ?? field.name
    const last = tokens[tokens.length - 1]!
    const endings = termsWithPrefix(context, name, Buffer.from(last.term), this.settings.maxExpansions ?? 50)
    if (endings.length === 0) return NO_MATCH
    const head = tokens.filter(({ position }) => position !== last.position)
    if (head.length === 0) {
      const words = endings.map((term) => termQuery(context, name, term, { scoring, boost }))
      return words.length === 1
        ? words[0]!
        : planBoolean({ must: [], filter: [], should: words, mustNot: [] }, 1, scoring)
    }
    const places: PhrasePlace[] = head.map(({ term, position }) => ({ position, terms: [Buffer.from(term)] }))
    places.push({ position: last.position, terms: endings })
    const scorer = scoring
      ? termScorer(
          context,
          name,
          places.flatMap(({ terms }) => terms),
          boost,
        )
      : undefined
    return planPhrase(name, places, this.settings.slop ?? 0, scorer)
  }
}

/** The first terms of the shard that start with the prefix. */
function termsWithPrefix(context: ShardQueryContext, field: string, prefix: Uint8Array, limit: number): Uint8Array[] {
  const found = new Map<string, Uint8Array>()
  const end = prefixEnd(prefix)
  for (const { reader } of context.view.segments) {
    const terms = reader.terms(field)
    if (terms === undefined) continue
    const place = (bytes: Uint8Array) => {
      const at = terms.find(bytes)
      return at < 0 ? -at - 1 : at
    }
    const to = end === undefined ? terms.termCount : place(end)
    for (let ordinal = place(prefix); ordinal < to; ordinal++) {
      const term = terms.term(ordinal).slice()
      found.set(Buffer.from(term).toString('latin1'), term)
      if (found.size >= limit) return [...found.values()]
    }
  }
  return [...found.values()]
}

export class MatchBoolPrefixQuery implements Query {
  readonly kind = 'match_bool_prefix'
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
    if (field === undefined) return NO_MATCH
    const boost = multiplyBoost(outerBoost, this.boost)
    const tokens = queryTokens(context, field, this.value, this.settings.analyzer)
    if (tokens === undefined) {
      return field.shape === 'term'
        ? prefixWord(field, String(this.value), boost)
        : exactValue(context, field, this.value, { scoring, boost })
    }
    if (tokens.length === 0) return NO_MATCH
    const words = byPosition(tokens)
    const parts = words.map((terms, at) => {
      if (at === words.length - 1) return prefixWord(field, terms[0]!, boost)
      const { fuzzy } = this.settings
      const name = field.schema?.name ?? field.name
      return fuzzy === undefined
        ? termQuery(context, name, Buffer.from(terms[0]!), { scoring, boost })
        : fuzzyWord(context, field, terms[0]!, fuzzy, scoring, boost)
    })
    if (parts.length === 1) return parts[0]!
    const { operator, minimumShouldMatch: minimum } = this.settings
    if (operator === 'and') return planBoolean({ must: parts, filter: [], should: [], mustNot: [] }, 0, scoring)
    const needed = minimum === undefined ? 1 : Math.max(1, minimumShouldMatch(parts.length, minimum))
    return planBoolean({ must: [], filter: [], should: parts, mustNot: [] }, needed, scoring)
  }
}

function prefixWord(field: FieldType, word: string, boost: number): ShardQuery {
  const prefix = Buffer.from(word)
  return expandTerms(field, { from: prefix, to: prefixEnd(prefix), matches: undefined }, boost)
}

export const matchPhrasePrefixClause: QueryClause = {
  name: 'match_phrase_prefix',
  parse(reader) {
    const settings: PhrasePrefixSettings = {}
    const { field, value, options } = parseTextClause(reader, 'match_phrase_prefix', (member) => {
      if (member === 'analyzer') settings.analyzer = reader.text()
      else if (member === 'slop') settings.slop = reader.integer()
      else if (member === 'max_expansions') settings.maxExpansions = reader.integer()
      else if (member === 'zero_terms_query') settings.zeroTermsQuery = parseZeroTerms(reader)
      else return false
      return true
    })
    return new MatchPhrasePrefixQuery(field, value, settings, options)
  },
}

export const matchBoolPrefixClause: QueryClause = {
  name: 'match_bool_prefix',
  parse(reader) {
    const settings: MatchSettings = {}
    const { field, value, options } = parseTextClause(reader, 'match_bool_prefix', (member) =>
      readMatchOption(reader, member, settings),
    )
    return new MatchBoolPrefixQuery(field, value, settings, options)
  },
}
