/** `match_phrase_prefix` and `match_bool_prefix`: the last word may be a prefix. */

import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { graphPaths, isGraph } from '../../analysis/token-graph.ts'
import { hasTextTerms } from '../../mapping/field-traits.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import {
  matchNothing,
  noTerms,
  type QueryToken,
  type SearchExecutionContext,
  unmappedFields,
  type Weight,
} from '../../scoring/query.ts'
import { javaText } from '../../values/java-text.ts'
import { parseTextClause, type QueryClause } from '../clause.ts'
import { planAny, writtenAs } from '../compound/boolean-plan.ts'
import { expandTerms } from '../multi-term/term-expansion.ts'
import { prefixEnd } from '../multi-term/term-patterns.ts'
import { exactValue } from '../term-level/exact-value.ts'
import { matchAll } from '../term-level/match-all.ts'
import { metadataValue } from '../term-level/metadata-field.ts'
import { checkSearchable, checkTakesText, kindOf, METADATA_FIELDS } from '../term-level/searchable-field.ts'
import { createSimScorer, termQuery } from '../term-level/term-query.ts'
import { checkAnalyzer } from './check-analyzer.ts'
import { FieldTextQuery } from './field-text-query.ts'
import { graphPhrase } from './graph-phrase.ts'
import {
  atLeast,
  fieldWords,
  limitsOf,
  type MatchSettings,
  parseZeroTerms,
  queryTokens,
  queryWords,
  readMatchOption,
} from './match.ts'
import { checkPositions, phrasePlaces, phraseText, planPhrase } from './phrase-query.ts'
import { hasSidePath, joinWords, renumbered, sectionQuery, wordSections } from './words-query.ts'

export interface PhrasePrefixSettings {
  slop?: number
  maxExpansions?: number
  analyzer?: string | undefined
  zeroTermsQuery?: 'none' | 'all'
}

export class MatchPhrasePrefixQuery extends FieldTextQuery<PhrasePrefixSettings> {
  override readonly kind = 'match_phrase_prefix'

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    checkAnalyzer(context, this.kind, this.settings.analyzer)
    const field = context.mapping.field(this.field)
    if (field === undefined) {
      if (METADATA_FIELDS.has(this.field)) throw notPhrasePrefix({ name: this.field, type: this.field })
      return unmappedFields([this.field])
    }
    const tokens = queryTokens(context, field, this.value, this.settings.analyzer)
    if (tokens === undefined || field.shape !== 'text') throw notPhrasePrefix(field)
    if (tokens.length === 0) return this.settings.zeroTermsQuery === 'all' ? matchAll(boost) : noTerms()
    const name = storageName(field)
    if (!isGraph(tokens)) return phrasePrefix(context, name, tokens, scoring, boost, this.settings)
    const slop = this.settings.slop ?? 0
    if (slop === 0) {
      checkPositions(context, name)
      const limit = this.settings.maxExpansions ?? 50
      const endings = (word: Uint8Array) => termsWithPrefix(context, name, [word], limit)
      return graphPhrase(context, name, tokens, scoring, boost, endings)
    }
    const ways = graphPaths(tokens).map((path) =>
      phrasePrefix(context, name, renumbered(path), scoring, boost, this.settings),
    )
    return planAny(ways, undefined, scoring)
  }
}

/** The words in a row, the last of which is the beginning of a word. */
function phrasePrefix(
  context: SearchExecutionContext,
  name: string,
  tokens: readonly QueryToken[],
  scoring: boolean,
  boost: number,
  { slop = 0, maxExpansions = 50 }: PhrasePrefixSettings,
): Weight {
  const places = phrasePlaces(tokens)
  const last = places.pop()!
  const written = () => {
    const open = last.terms.map((term) => Buffer.concat([term, Buffer.from('*')]))
    return phraseText(name, [...places, { ...last, terms: open }], slop)
  }
  if (places.length > 0) checkPositions(context, name)
  const endings = termsWithPrefix(context, name, last.terms, maxExpansions)
  if (endings.length === 0) {
    const none = matchNothing('No terms supplied for org.elasticsearch.common.lucene.search.MultiPhrasePrefixQuery')
    return writtenAs(none, written)
  }
  const isEnding = (term: Uint8Array) =>
    last.terms.some((start) => Buffer.compare(start, term.subarray(0, start.length)) === 0)
  if (places.length === 0) {
    const any = endings.map((term) => termQuery(context, name, term, { scoring, boost }))
    const plan = planAny(any, undefined, scoring)
    const words: Weight['words'] = (visitor) => {
      if (!visitor.asWritten) plan.words?.(visitor)
      else visitor.phrase(name, [{ position: last.position, terms: endings }], 0, boost, isEnding)
    }
    return Object.assign(writtenAs(plan, written), { words })
  }
  const whole = [...places, { position: last.position, terms: endings }]
  const all = whole.flatMap(({ terms }) => terms)
  const simScorer = scoring ? createSimScorer(context, name, all, boost) : undefined
  const words: Weight['words'] = (visitor) => visitor.phrase(name, whole, slop, 1, isEnding)
  return writtenAs({ ...planPhrase(name, whole, slop, simScorer), words }, written)
}

/** The first terms of the shard that start with one of the prefixes. */
function termsWithPrefix(
  context: SearchExecutionContext,
  field: string,
  prefixes: readonly Uint8Array[],
  limit: number,
): Uint8Array[] {
  const found = new Map<string, Uint8Array>()
  const lists = prefixes.flatMap((prefix) => context.view.segments.map(({ reader }) => ({ prefix, reader })))
  for (const { prefix, reader } of lists) {
    const terms = reader.terms(field)
    if (terms === undefined) continue
    const end = prefixEnd(prefix)
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

function notPhrasePrefix(
  field: Pick<FieldType, 'name' | 'type'> & Partial<Pick<FieldType, 'traits' | 'isRuntime'>>,
): ApiError {
  checkTakesText(field, 'match_phrase_prefix')
  return illegalArgument(
    `Can only use phrase prefix queries on text fields - not on [${field.name}] which is ${kindOf(field)}`,
  )
}

export class MatchBoolPrefixQuery extends FieldTextQuery<MatchSettings> {
  override readonly kind = 'match_bool_prefix'

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    checkAnalyzer(context, this.kind, this.settings.analyzer)
    const field = context.mapping.field(this.field)
    if (field === undefined) {
      const found = metadataValue(context, this.field, this.value, { scoring, boost }, 'match_bool_prefix')
      return found ?? unmappedFields([this.field])
    }
    checkTakesText(field, 'match_bool_prefix')
    const tokens = queryWords(context, field, this.value, this.settings.analyzer)
    if (tokens === undefined) {
      const text = javaText(this.value)
      return hasTextTerms(field.traits)
        ? prefixWord(field, text, boost)
        : exactValue(context, field, text, { scoring, boost })
    }
    if (tokens.length === 0) return noTerms()
    const sections = wordSections(tokens)
    const queries = fieldWords(context, field, this.settings.fuzzy, scoring, boost)
    const endOffset = javaText(this.value).length
    const parts = sections.map((paths, at) => {
      const isLast = at === sections.length - 1
      if (isLast && hasSidePath(paths)) {
        const ways = paths.map((path) =>
          phrasePrefix(context, storageName(field), renumbered(path), scoring, boost, {}),
        )
        return planAny(ways, undefined, scoring)
      }
      const [[token], ...others] = paths as [readonly [QueryToken], ...(readonly QueryToken[])[]]
      // Of several words at the last position, none is taken as a prefix.
      const isPrefix = isLast && others.length === 0 && token.endOffset === endOffset
      return isPrefix ? prefixWord(field, token.term, boost) : sectionQuery(paths, queries, this.settings, scoring)
    })
    return joinWords(parts, this.settings, scoring, isGraph(tokens))
  }
}

function prefixWord(field: FieldType, word: string, boost: number): Weight {
  checkSearchable(field)
  const prefix = Buffer.from(word)
  return expandTerms(
    field,
    { from: prefix, to: prefixEnd(prefix), matches: undefined },
    boost,
    `${storageName(field)}:${word}*`,
  )
}

export const matchPhrasePrefixClause: QueryClause = {
  name: 'match_phrase_prefix',
  parse(reader) {
    const settings: PhrasePrefixSettings = {}
    const { field, value, options } = parseTextClause(reader, 'match_phrase_prefix', (member) => {
      if (member === 'analyzer') settings.analyzer = reader.text()
      else if (member === 'slop') settings.slop = atLeast(0, reader.integer(), 'No negative slop allowed.')
      else if (member === 'max_expansions')
        settings.maxExpansions = atLeast(1, reader.integer(), 'No negative maxExpansions allowed.')
      else if (member === 'zero_terms_query') settings.zeroTermsQuery = parseZeroTerms(reader)
      else return false
      return true
    })
    return new MatchPhrasePrefixQuery(field, value, settings, options)
  },
}

/** Options of `match` that do not apply here. */
const WORDS_ONLY: ReadonlySet<string> = new Set(['zero_terms_query', 'lenient', 'auto_generate_synonyms_phrase_query'])

export const matchBoolPrefixClause: QueryClause = {
  name: 'match_bool_prefix',
  parse(reader) {
    const settings: MatchSettings = {}
    const { field, value, options } = parseTextClause(reader, 'match_bool_prefix', (member) =>
      WORDS_ONLY.has(member) ? false : readMatchOption(reader, member, settings, limitsOf('match_bool_prefix')),
    )
    return new MatchBoolPrefixQuery(field, value, settings, options)
  },
}
