/**
 * `multi_match` of type `cross_fields`: several fields are treated as one. Each word is searched in all of them and
 * scores where it is best. So that a field in which the word is rare does not win for that alone, the fields share the
 * word's document frequency.
 */
import { ApiError } from '../../../base/api-error.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { withBoost } from '../../scoring/explanation.ts'
import {
  boosted,
  failedField,
  multiplyBoost,
  noTerms,
  type SearchExecutionContext,
  type Weight,
} from '../../scoring/query.ts'
import { type FieldStatistics, fieldStatistics, SimScorer } from '../../scoring/similarity.ts'
import { javaText } from '../../values/java-text.ts'
import { writtenAs } from '../compound/boolean-plan.ts'
import { planDisMax } from '../compound/dis-max.ts'
import { exactValue } from '../term-level/exact-value.ts'
import { matchAll } from '../term-level/match-all.ts'
import { checkIndexed } from '../term-level/searchable-field.ts'
import { documentFrequency, scoredTerm, totalFrequency } from '../term-level/term-query.ts'
import { termText } from '../term-level/term-text.ts'
import { MatchQuery, type MatchSettings, queryWords } from './match.ts'
import { joinWords, wordSections } from './words-query.ts'

interface Field {
  readonly type: FieldType
  readonly name: string
  readonly boost: number
}

export function crossFields(
  context: SearchExecutionContext,
  fields: readonly Field[],
  value: unknown,
  settings: MatchSettings & { tieBreaker: number },
  scoring: boolean,
  boost: number,
): Weight {
  // Fields can be searched as one only if they have the same analyzer.
  const groups = new Map<string, Field[]>()
  for (const field of fields) {
    const key = settings.analyzer ?? analyzerKey(field.type)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [field])
    else group.push(field)
  }
  const parts: Weight[] = []
  for (const group of groups.values()) {
    const single = group.length === 1 ? group[0]! : undefined
    if (single !== undefined) {
      const match = new MatchQuery(single.name, value, settings)
      parts.push(boosted(match.plan(context, scoring, multiplyBoost(boost, single.boost)), single.boost))
    } else parts.push(blendedGroup(context, group, value, settings, scoring, boost))
  }
  return parts.length === 1 ? parts[0]! : planDisMax(parts, settings.tieBreaker, scoring)
}

function blendedGroup(
  context: SearchExecutionContext,
  fields: readonly Field[],
  value: unknown,
  settings: MatchSettings & { tieBreaker: number },
  scoring: boolean,
  boost: number,
): Weight {
  const first = fields[0]!.type
  const tokens = queryWords(context, first, value, settings.analyzer) ?? wholeValue(value)
  if (tokens.length === 0) return settings.zeroTermsQuery === 'all' ? matchAll(boost) : noTerms()
  for (const { type } of fields) if (type.shape === 'text') checkIndexed(type)
  const inTerms = fields.filter(({ type }) => isSearchedByTerms(type))
  const others = fields.filter(({ type }) => !isSearchedByTerms(type))
  const words = wordSections(tokens).map((paths) => {
    const terms = paths.map((path) => path[0]!.term)
    const exact = others.flatMap(({ type, boost: own }) =>
      terms.map((term) => boosted(exactWord(context, type, term, settings, scoring, multiplyBoost(boost, own)), own)),
    )
    if (inTerms.length === 0) return planDisMax(exact, settings.tieBreaker, scoring)
    const best = blendedWord(context, inTerms, terms, settings.tieBreaker, scoring, boost)
    return exact.length === 0 ? best : planDisMax([...exact, best], settings.tieBreaker, scoring)
  })
  return joinWords(words, settings, scoring)
}

/** Fields with one key are searched as one: those whose text is split into words in the same way. */
function analyzerKey({ shape, searchAnalyzerName, analyzerName, normalizerName, splitsQueries }: FieldType): string {
  if (shape === 'text') return searchAnalyzerName ?? analyzerName ?? 'standard'
  return `whole values:${splitsQueries === true ? 'whitespace' : ''}:${normalizerName ?? ''}`
}

const wholeValue = (value: unknown) => [
  { term: javaText(value), position: 0, positionLength: 1, startOffset: 0, endOffset: 0, type: 'word' },
]

/** Texts and keywords; numbers, dates and others are searched by their values. */
function isSearchedByTerms({ shape, traits, schema, isRuntime }: FieldType): boolean {
  if (shape === 'text') return true
  return traits.family === 'keyword' && schema?.inverted !== 'none' && isRuntime !== true
}

function exactWord(
  context: SearchExecutionContext,
  field: FieldType,
  term: string,
  { lenient }: MatchSettings,
  scoring: boolean,
  boost: number,
): Weight {
  try {
    return exactValue(context, field, term, { scoring, boost })
  } catch (error) {
    if (lenient === true && error instanceof ApiError) return failedField(field.name, error)
    throw error
  }
}

/** One position of the text: its words, which are synonyms, in every field. */
function blendedWord(
  context: SearchExecutionContext,
  fields: readonly Field[],
  terms: readonly string[],
  tieBreaker: number,
  scoring: boolean,
  boost: number,
): Weight {
  const words = fields.flatMap((field) =>
    terms.map((term) => ({
      field,
      term: field.type.shape === 'text' ? Buffer.from(term) : (field.type.termValue(term) as Uint8Array),
    })),
  )
  const names = words.map(({ field }) => storageName(field.type))
  const statistics = blendStatistics(
    words.map(({ term }, i) => {
      const field = fieldStatistics(context.counted, names[i]!)
      return {
        field,
        docFreq: documentFrequency(context, names[i]!, term),
        totalFreq: totalFrequency(context, names[i]!, term),
      }
    }),
    context.counted.reduce((sum, { reader }) => sum + reader.docCount, 0),
  )
  const parts = words.map(({ field, term }, i): Weight => {
    const name = names[i]!
    const { docFreq, totalFreq, field: ofField } = statistics[i]!
    if (docFreq === 0) return boosted(scoredTerm(name, term, undefined, field.boost), field.boost)
    const own = multiplyBoost(boost, field.boost)
    const simScorer = scoring
      ? new SimScorer(own, [docFreq], ofField, context.similarity(name), [totalFreq])
      : undefined
    return boosted(scoredTerm(name, term, simScorer, field.boost), field.boost)
  })
  const shown = () =>
    words.map(({ field, term }, i) => withBoost(`${names[i]!}:${termText(term)}`, field.boost)).join(', ')
  const best = writtenAs(planDisMax(parts, tieBreaker, scoring), () => `blended(terms:[${shown()}])`)
  const times = (count: number) =>
    boosted(blendedWord(context, fields, terms, tieBreaker, scoring, multiplyBoost(boost, count)), count)
  return Object.assign(best, { repeated: { key: () => best.text(false), times } })
}

interface TermStatistics {
  readonly field: FieldStatistics
  readonly docFreq: number
  readonly totalFreq: number
}

/**
 * The document frequency of the most common word for all, plus one for each step to a rarer one. It never exceeds the
 * documents that have the field, nor the words of the smallest field with the word, so that idfs stay positive.
 */
function blendStatistics(own: readonly TermStatistics[], docCount: number): readonly TermStatistics[] {
  const found = own.filter(({ docFreq }) => docFreq > 0)
  if (own.length <= 1 || found.length === 0) return own
  const smallest = Math.min(...found.map(({ field }) => field.sumTotalTermFreq))
  const limit = Math.min(docCount, smallest)
  const byFrequency = [...found].sort((a, b) => b.docFreq - a.docFreq)
  const result = new Map<TermStatistics, TermStatistics>()
  let blended = Math.min(limit, byFrequency[0]!.docFreq)
  let previous = byFrequency[0]!.docFreq
  let total = 0
  for (const each of byFrequency) {
    if (previous > each.docFreq) blended++
    previous = each.docFreq
    const docFreq = Math.min(blended, each.field.docCount, limit)
    total += Math.max(each.totalFreq, docFreq)
    result.set(each, { ...each, docFreq })
  }
  const totalFreq = Math.min(total, smallest)
  return own.map((each) => {
    const adjusted = result.get(each)
    return adjusted === undefined ? each : { ...adjusted, totalFreq }
  })
}
