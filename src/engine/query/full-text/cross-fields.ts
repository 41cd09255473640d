/**
 * `multi_match` of type `cross_fields`: several fields are treated as one. Each word is searched in all of them and
 * scores where it is best. So that a field in which the word is rare does not win for that alone, the fields share the
 * word's document frequency.
 */
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { boosted, multiplyBoost, noTerms, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { fieldStatistics, SimScorer } from '../../scoring/similarity.ts'
import { writtenAs } from '../compound/boolean-plan.ts'
import { planDisMax } from '../compound/dis-max.ts'
import { checkIndexed } from '../term-level/searchable-field.ts'
import { documentFrequency, scoredTerm, totalFrequency } from '../term-level/term-query.ts'
import { MatchQuery, type MatchSettings, queryTokens } from './match.ts'
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
    const { shape, searchAnalyzerName, analyzerName } = field.type
    const key =
      shape === 'text' ? (settings.analyzer ?? searchAnalyzerName ?? analyzerName ?? 'standard') : `:${field.name}`
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
  const tokens = queryTokens(context, fields[0]!.type, value, settings.analyzer) ?? []
  if (tokens.length === 0) return noTerms()
  for (const { type } of fields) checkIndexed(type)
  const words = wordSections(tokens).map((paths) => {
    const terms = paths.map((path) => path[0]!.term)
    const best = planDisMax(
      terms.flatMap((term) => blendedWord(context, fields, Buffer.from(term), scoring, boost)),
      settings.tieBreaker,
      scoring,
    )
    const shown = terms.flatMap((term) => fields.map(({ type }) => `${storageName(type)}:${term}`))
    return writtenAs(best, () => `blended(terms:[${shown.join(', ')}])`)
  })
  return joinWords(words, settings, scoring)
}

function blendedWord(
  context: SearchExecutionContext,
  fields: readonly Field[],
  term: Uint8Array,
  scoring: boolean,
  boost: number,
): Weight[] {
  const names = fields.map(({ type }) => storageName(type))
  const frequencies = blendFrequencies(context, names, term)
  return fields.map((field, i): Weight => {
    const name = names[i]!
    const docFreq = frequencies[i]!
    if (docFreq === 0) return scoredTerm(name, term, undefined, field.boost)
    const own = multiplyBoost(boost, field.boost)
    const statistics = fieldStatistics(context.counted, name)
    const totals = [totalFrequency(context, name, term)]
    const simScorer = scoring ? new SimScorer(own, [docFreq], statistics, context.similarity(name), totals) : undefined
    return boosted(scoredTerm(name, term, simScorer, field.boost), field.boost)
  })
}

/** The frequency of the most common field for all, plus one for each field in which the word is rarer. */
function blendFrequencies(context: SearchExecutionContext, fields: readonly string[], term: Uint8Array): number[] {
  const own = fields.map((field) => documentFrequency(context, field, term))
  const smallest = Math.min(...fields.map((field) => fieldStatistics(context.counted, field).sumTotalTermFreq))
  const docs = context.counted.reduce((sum, { reader }) => sum + reader.docCount, 0)
  const limit = Math.min(docs, smallest)
  const order = own.map((_, i) => i).sort((a, b) => own[b]! - own[a]!)
  let blended = Math.min(limit, own[order[0]!]!)
  let previous = own[order[0]!]!
  const result = own.map(() => 0)
  for (const i of order) {
    if (own[i] === 0) break
    if (previous > own[i]!) blended++
    result[i] = Math.min(limit, blended)
    previous = own[i]!
  }
  return result
}
