/** `fuzzy`: terms similar to a word, and the fuzzy words of `match`. */

import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { END_ARRAY, NULL, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { hasTextTerms } from '../../mapping/field-traits.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { Fuzziness } from '../../request/fuzziness.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { planConstantScore } from '../../scoring/constant-weight.ts'
import {
  boosted,
  checkExpensive,
  matchNothing,
  multiplyBoost,
  rewrittenToNone,
  type SearchExecutionContext,
  type Weight,
} from '../../scoring/query.ts'
import { fieldStatistics, SimScorer } from '../../scoring/similarity.ts'
import {
  type ClauseOptions,
  doesNotSupport,
  newOptions,
  parseFieldClause,
  type QueryClause,
  readCommonOption,
} from '../clause.ts'
import { BooleanPlan, planAny, writtenAs } from '../compound/boolean-plan.ts'
import { QueryNode } from '../query-node.ts'
import { exactValue } from '../term-level/exact-value.ts'
import { checkSearchable, isWordlessMetadata, kindOf } from '../term-level/searchable-field.ts'
import { documentFrequency, scoredTerm, termQuery, totalFrequency } from '../term-level/term-query.ts'
import { termText } from '../term-level/term-text.ts'
import { EditAutomaton } from './edit-automaton.ts'
import { fuzzyTerms } from './fuzzy-terms.ts'
import { planTerms, rewriteMethod } from './rewrite-method.ts'
import { expandTerms, refuseKeyed } from './term-expansion.ts'
import { prefixEnd } from './term-patterns.ts'

export interface FuzzyOptions {
  fuzziness: Fuzziness
  prefixLength: number
  maxExpansions: number
  transpositions: boolean
  /** How the similar terms are scored. */
  rewrite?: string | null
}

export const newFuzzyOptions = (): FuzzyOptions => ({
  fuzziness: Fuzziness.auto,
  prefixLength: 0,
  maxExpansions: 50,
  transpositions: true,
})

export class FuzzyQuery extends QueryNode {
  override readonly kind = 'fuzzy'
  readonly field: string
  readonly value: string
  readonly settings: Readonly<FuzzyOptions>

  constructor(field: string, value: string, settings: FuzzyOptions, options: ClauseOptions = newOptions()) {
    super(options)
    this.field = field
    this.value = value
    this.settings = settings
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const field = context.mapping.field(this.field)
    if (field === undefined) {
      checkFuzzyMetadata(this.field)
      return rewrittenToNone('fuzzy')
    }
    return fuzzyWord(context, field, this.value, this.settings, scoring, boost)
  }
}

interface NearTerm {
  readonly bytes: Uint8Array
  readonly text: string
  readonly boost: number
  docFreq: number
}

/**
 * Documents with a term similar to the word. Nearer terms count more; all share the statistics of the most common, so
 * that a rare misspelling does not outscore the word itself.
 */
export function fuzzyWord(
  context: SearchExecutionContext,
  field: FieldType,
  word: string,
  settings: Readonly<FuzzyOptions>,
  scoring: boolean,
  boost: number,
): Weight {
  if (!hasTextTerms(field.traits)) throw notFuzzy(field.name, field.type, field.isRuntime)
  refuseKeyed(field, 'fuzzy')
  const method = rewriteMethod(settings.rewrite)
  if (settings.prefixLength < 0) throw illegalArgument('prefixLength cannot be negative.')
  if (settings.maxExpansions <= 0) throw illegalArgument('maxExpansions must be positive.')
  checkSearchable(field)
  checkExpensive(context, '[fuzzy] queries')
  const name = storageName(field)
  const maxEdits = settings.fuzziness.editsFor(word)
  const written = () => `${name}:${word}~${maxEdits}`
  if (maxEdits === 0) {
    // Lucene looks the word up, and replaces the query by one of the words that it found.
    const isLookedUp = method?.kind !== 'constant' && field.schema?.inverted !== 'none'
    const term = field.shape === 'text' ? Buffer.from(word) : (field.termValue(word) as Uint8Array)
    if (isLookedUp && documentFrequency({ counted: context.view.segments }, name, term) === 0)
      return writtenAs(matchNothing('empty BooleanQuery'), written)
    return exactValue(context, field, word, { scoring, boost })
  }
  if (field.schema?.inverted === 'none') {
    const automaton = new EditAutomaton(word, { ...settings, maxEdits })
    const matches = (term: Uint8Array) => automaton.distance(term) <= maxEdits
    const key = JSON.stringify([word, maxEdits, settings.prefixLength, settings.transpositions])
    const from = automaton.prefix.length === 0 ? undefined : automaton.prefix
    const to = from === undefined ? undefined : prefixEnd(from)
    return expandTerms(field, { from, to, matches, key }, boost, written())
  }
  if (method !== undefined) {
    const all = nearTerms(context, name, word, { ...settings, maxEdits, maxExpansions: Number.POSITIVE_INFINITY })
    const terms = all.sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    if (method.kind !== 'constant') {
      return writtenAs(planTerms(context, name, terms, method, scoring, boost), written)
    }
    if (terms.length === 0) return writtenAs(matchNothing('empty BooleanQuery'), written)
    const any = terms.map(({ bytes }) => termQuery(context, name, bytes, { scoring: false, boost: 1 }))
    return writtenAs(planConstantScore(planAny(any, undefined, false), boost), written)
  }
  // The best terms are chosen by distance, then ordered by their bytes.
  const near = nearTerms(context, name, word, { ...settings, maxEdits }).sort((a, b) =>
    Buffer.compare(a.bytes, b.bytes),
  )
  const statistics = fieldStatistics(context.counted, name)
  const docFreq = Math.max(...near.map((term) => term.docFreq))
  const similarity = context.similarity(name)
  const totals = [near.reduce((sum, term) => sum + totalFrequency(context, name, term.bytes), 0)]
  const weighted = (bytes: Uint8Array, weight: number): Weight => {
    const own = multiplyBoost(boost, weight)
    const simScorer = scoring ? new SimScorer(own, [docFreq], statistics, similarity, totals) : undefined
    const words: Weight['words'] = (visitor) => visitor.near(name, bytes, written(), weight)
    return boosted(Object.assign(scoredTerm(name, bytes, simScorer, weight), { words }), weight)
  }
  const parts = near.map((term): Weight => {
    const times = (weight: number) => weighted(term.bytes, weight)
    const repeated = { key: () => `${name}:${termText(term.bytes)}`, weight: term.boost, times }
    return Object.assign(times(term.boost), { repeated })
  })
  const plan = parts.length === 0 ? matchNothing('empty BooleanQuery') : planAny(parts, undefined, scoring)
  const whole = writtenAs(plan, written)
  return whole instanceof BooleanPlan ? whole : { ...whole, onlyField: undefined }
}

/** Most metadata fields do not support fuzzy queries. */
export function checkFuzzyMetadata(field: string): void {
  if (isWordlessMetadata(field)) throw notFuzzy(field, field)
}

const notFuzzy = (name: string, type: string, isRuntime = false): ApiError =>
  illegalArgument(
    `Can only use fuzzy queries on keyword and text fields - not on [${name}] which is ${kindOf({ type, isRuntime })}`,
  )

function nearTerms(
  context: SearchExecutionContext,
  field: string,
  word: string,
  settings: FuzzyOptions & { maxEdits: number },
): NearTerm[] {
  const found = new Map<string, NearTerm>()
  const length = [...word].length
  const automaton = new EditAutomaton(word, settings)
  for (const { reader } of context.view.segments) {
    const terms = reader.terms(field)
    if (terms === undefined) continue
    fuzzyTerms(terms, automaton, (ordinal, text, edits) => {
      const docFreq = terms.docFreq(ordinal)
      const known = found.get(text)
      if (known !== undefined) {
        known.docFreq += docFreq
        return
      }
      const shorter = Math.min([...text].length, length)
      // A term that shares no letter with the word is found and scores zero.
      const boost = edits === 0 ? 1 : Math.max(0, Math.fround(1 - Math.fround(edits / shorter)))
      found.set(text, { bytes: terms.term(ordinal).slice(), text, boost, docFreq })
    })
  }
  const best = [...found.values()].sort((a, b) => b.boost - a.boost || Buffer.compare(a.bytes, b.bytes))
  return best.slice(0, settings.maxExpansions)
}

/** Elasticsearch takes the bracket for the value, and what follows for another field. */
function listAsValue(reader: RequestReader): ApiError {
  const { name } = reader
  const token = reader.next()
  const found = token === END_ARRAY || token === START_OBJECT ? name : null
  return reader.parsingError(`[fuzzy] query doesn't support multiple fields, found [${name}] and [${found}]`)
}

export const fuzzyClause: QueryClause = {
  name: 'fuzzy',
  parse(reader) {
    const options = newOptions()
    const settings = newFuzzyOptions()
    let value: string | undefined
    const field = parseFieldClause(
      reader,
      'fuzzy',
      (member) => {
        if (reader.isStart || reader.is(NULL))
          throw reader.parsingError(`[fuzzy] unexpected token [${reader.tokenName}] after [${member}]`)
        if (member === 'value' || member === 'term') value = reader.textOrNull() ?? undefined
        else if (member === 'fuzziness') settings.fuzziness = Fuzziness.read(reader)
        else if (member === 'prefix_length') settings.prefixLength = reader.integer()
        else if (member === 'max_expansions') settings.maxExpansions = reader.integer()
        else if (member === 'transpositions') settings.transpositions = reader.boolean()
        else if (member === 'rewrite') settings.rewrite = reader.textOrNull()
        else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'fuzzy', member)
      },
      () => {
        if (reader.is(START_ARRAY)) throw listAsValue(reader)
        value = reader.textOrNull() ?? undefined
      },
      true,
    )
    if (field === undefined || field === '') throw illegalArgument('field name cannot be null or empty')
    if (value === undefined) throw illegalArgument('query value cannot be null')
    return new FuzzyQuery(field, value, settings, options)
  },
}
