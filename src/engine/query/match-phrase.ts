/** `match_phrase`: words in their order, with up to `slop` moves. */
import { illegalArgument } from '../../base/api-error.ts'
import { type ClauseOptions, newOptions, parseTextClause, type QueryClause } from './clause.ts'
import { exactValue, termQuery, termScorer } from './exact-value.ts'
import { parseZeroTerms, queryTokens } from './match.ts'
import { matchAll } from './match-all.ts'
import { PhraseMatcher, type PhraseWord } from './phrase-matcher.ts'
import {
  multiplyBoost,
  NO_MATCH,
  type Query,
  type QueryToken,
  type ShardQuery,
  type ShardQueryContext,
} from './query.ts'
import type { TermScorer } from './similarity.ts'

export interface PhraseSettings {
  slop?: number
  analyzer?: string | undefined
  zeroTermsQuery?: 'none' | 'all'
}

export class MatchPhraseQuery implements Query {
  readonly kind = 'match_phrase'
  readonly boost: number
  readonly name: string | undefined
  readonly field: string
  readonly value: unknown
  readonly settings: Readonly<PhraseSettings>

  constructor(field: string, value: unknown, settings: PhraseSettings = {}, options: ClauseOptions = newOptions()) {
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
    if (tokens === undefined) return exactValue(context, field, this.value, { scoring, boost })
    if (tokens.length === 0) return this.settings.zeroTermsQuery === 'all' ? matchAll(boost) : NO_MATCH
    const name = field.schema?.name ?? field.name
    return phraseQuery(context, name, tokens, this.settings.slop ?? 0, scoring, boost)
  }
}

/** The documents with these words in order. */
export function phraseQuery(
  context: ShardQueryContext,
  field: string,
  tokens: readonly QueryToken[],
  slop: number,
  scoring: boolean,
  boost: number,
): ShardQuery {
  if (tokens.length === 1) return termQuery(context, field, Buffer.from(tokens[0]!.term), { scoring, boost })
  const places: PhrasePlace[] = []
  for (const { term, position } of tokens) {
    const same = places.find((place) => place.position === position)
    if (same === undefined) places.push({ position, terms: [Buffer.from(term)] })
    else same.terms.push(Buffer.from(term))
  }
  const scorer = scoring
    ? termScorer(
        context,
        field,
        places.flatMap(({ terms }) => terms),
        boost,
      )
    : undefined
  return planPhrase(field, places, slop, scorer)
}

/** One place of a phrase: the word, or words that may stand for it. */
export interface PhrasePlace {
  readonly position: number
  readonly terms: Uint8Array[]
}

/** Documents in which a term of each place stands where the phrase has it. */
export function planPhrase(
  field: string,
  places: readonly PhrasePlace[],
  slop: number,
  scorer: TermScorer | undefined,
): ShardQuery {
  const first = places[0]!.position
  return {
    matcher({ reader }) {
      const terms = reader.terms(field)
      if (terms === undefined) return undefined
      if (!terms.hasPositions) {
        throw illegalArgument(`field:[${field}] was indexed without position data; cannot run PhraseQuery`)
      }
      const words: PhraseWord[] = []
      for (const place of places) {
        const ordinals = place.terms.map((term) => terms.find(term)).filter((ordinal) => ordinal >= 0)
        if (ordinals.length === 0) return undefined
        const postings = ordinals.map((ordinal) => terms.postings(ordinal, true))
        words.push({ offset: place.position - first, postings, terms: ordinals })
      }
      return new PhraseMatcher(words, slop, scorer, scorer === undefined ? undefined : reader.norms(field))
    },
    words: (visitor) => visitor.phrase(field, places, slop, 1),
  }
}

export const matchPhraseClause: QueryClause = {
  name: 'match_phrase',
  parse(reader) {
    const settings: PhraseSettings = {}
    const { field, value, options } = parseTextClause(reader, 'match_phrase', (member) => {
      if (member === 'analyzer') settings.analyzer = reader.text()
      else if (member === 'slop') settings.slop = parseSlop(reader.integer())
      else if (member === 'zero_terms_query') settings.zeroTermsQuery = parseZeroTerms(reader)
      else return false
      return true
    })
    return new MatchPhraseQuery(field, value, settings, options)
  },
}

function parseSlop(slop: number): number {
  if (slop < 0) throw illegalArgument('No negative slop allowed.')
  return slop
}
