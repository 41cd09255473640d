/**
 * `multi_match` of type `cross_fields`: several fields taken for one. Each word is looked for in all of them and counts
 * where it scores best; so that a field in which the word is rare does not win for that alone, fields share
 * the word's document frequency.
 */
import type { FieldType } from '../mapping/field-type.ts'
import { planBoolean } from './bool.ts'
import { planDisMax } from './dis-max.ts'
import { byPosition, MatchQuery, type MatchSettings, queryTokens } from './match.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { multiplyBoost, NO_MATCH, type ShardQuery, type ShardQueryContext } from './query.ts'
import { fieldStatistics, inverseDocumentFrequency, TermScorer } from './similarity.ts'
import { TermMatcher } from './term-matcher.ts'

interface Field {
  readonly type: FieldType
  readonly name: string
  readonly boost: number
}

export function crossFields(
  context: ShardQueryContext,
  fields: readonly Field[],
  value: unknown,
  settings: MatchSettings & { tieBreaker: number },
  scoring: boolean,
  boost: number,
): ShardQuery {
  // Only fields whose words are made alike can be taken for one.
  const groups = new Map<string, Field[]>()
  for (const field of fields) {
    const { shape, searchAnalyzerName, analyzerName } = field.type
    const key =
      shape === 'text' ? (settings.analyzer ?? searchAnalyzerName ?? analyzerName ?? 'standard') : `:${field.name}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [field])
    else group.push(field)
  }
  const parts: ShardQuery[] = []
  for (const group of groups.values()) {
    const single = group.length === 1 ? group[0]! : undefined
    if (single !== undefined) {
      parts.push(
        new MatchQuery(single.name, value, settings).plan(context, scoring, multiplyBoost(boost, single.boost)),
      )
    } else parts.push(blendedGroup(context, group, value, settings, scoring, boost))
  }
  return parts.length === 1 ? parts[0]! : planDisMax(parts, settings.tieBreaker)
}

function blendedGroup(
  context: ShardQueryContext,
  fields: readonly Field[],
  value: unknown,
  settings: MatchSettings & { tieBreaker: number },
  scoring: boolean,
  boost: number,
): ShardQuery {
  const tokens = queryTokens(context, fields[0]!.type, value, settings.analyzer) ?? []
  if (tokens.length === 0) return NO_MATCH
  const words = byPosition(tokens).map((terms) =>
    planDisMax(
      terms.flatMap((term) => blendedWord(context, fields, Buffer.from(term), scoring, boost)),
      settings.tieBreaker,
    ),
  )
  if (words.length === 1) return words[0]!
  if (settings.operator === 'and') return planBoolean({ must: words, filter: [], should: [], mustNot: [] }, 0, scoring)
  const minimum = settings.minimumShouldMatch
  const needed = minimum === undefined ? 1 : Math.max(1, minimumShouldMatch(words.length, minimum))
  return planBoolean({ must: [], filter: [], should: words, mustNot: [] }, needed, scoring)
}

function blendedWord(
  context: ShardQueryContext,
  fields: readonly Field[],
  term: Uint8Array,
  scoring: boolean,
  boost: number,
): ShardQuery[] {
  const names = fields.map(({ type }) => type.schema?.name ?? type.name)
  const frequencies = blendFrequencies(context, names, term)
  return fields.map((field, i): ShardQuery => {
    const name = names[i]!
    const docFreq = frequencies[i]!
    if (docFreq === 0) return NO_MATCH
    const statistics = fieldStatistics(context.counted, name)
    const idf = inverseDocumentFrequency(docFreq, statistics.docCount)
    const scorer = scoring
      ? new TermScorer(multiplyBoost(boost, field.boost), idf, statistics, context.similarity(name))
      : undefined
    return {
      matcher({ reader }) {
        const terms = reader.terms(name)
        const ordinal = terms === undefined ? -1 : terms.find(term)
        if (terms === undefined || ordinal < 0) return undefined
        return new TermMatcher(terms.postings(ordinal, false), scorer, reader.norms(name))
      },
      words: (visitor) => visitor.term(name, term, field.boost),
    }
  })
}

/** The commonest field's frequency for all, one more for each field in which the word is rarer. */
function blendFrequencies(context: ShardQueryContext, fields: readonly string[], term: Uint8Array): number[] {
  const own = fields.map((field) => {
    let docFreq = 0
    for (const { reader } of context.counted) {
      const terms = reader.terms(field)
      const ordinal = terms === undefined ? -1 : terms.find(term)
      if (ordinal >= 0) docFreq += terms!.docFreq(ordinal)
    }
    return docFreq
  })
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
