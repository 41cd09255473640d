/**
 * `combined_fields`: searches several text fields as if they were one. The frequencies of a word and the lengths of all
 * fields are added, weighted by field; the document frequency is the maximum over the fields.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { formatFloat } from '../../../base/json/json-writer.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_NUMBER, ACCEPTS_STRING, ACCEPTS_STRING_ARRAY } from '../../request/request-reader.ts'
import { explainScore } from '../../scoring/explain-weight.ts'
import { explained, notMatched } from '../../scoring/explanation.ts'
import { noTerms, type SearchExecutionContext, unmappedFields, type Weight } from '../../scoring/query.ts'
import { FrequencyScorer } from '../../scoring/scorers/frequency-scorer.ts'
import { fieldStatistics, LENGTH_OF_NORM, SimScorer } from '../../scoring/similarity.ts'
import { encodeLength } from '../../segment/postings/norm-encoding.ts'
import type { SegmentReader } from '../../segment/segment-reader-api.ts'
import { commonMembers, newOptions, type QueryClause } from '../clause.ts'
import { matchAll } from '../term-level/match-all.ts'
import { documentFrequency, termFrequency } from '../term-level/term-query.ts'
import { termText } from '../term-level/term-text.ts'
import { type BoostedField, parseFieldAndBoost, resolveFields } from './field-list.ts'
import { FieldsTextQuery } from './field-text-query.ts'
import { parseOperator, queryTokens } from './match.ts'
import { wordsQuery } from './words-query.ts'

export interface CombinedFieldsSettings {
  operator?: 'or' | 'and'
  minimumShouldMatch?: string
  zeroTermsQuery?: 'none' | 'all'
  synonymPhrases?: boolean
}

/** A field with its name in the index. */
interface WeightedField {
  readonly name: string
  readonly weight: number
}

const notCombined = (name: string, type: string) =>
  illegalArgument(`Field [${name}] of type [${type}] does not support [combined_fields] queries`)

class CombinedFieldsQuery extends FieldsTextQuery<CombinedFieldsSettings> {
  override readonly kind = 'combined_fields'

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    if (this.fields.length === 0) {
      throw illegalArgument('In [combined_fields] query, at least one field must be provided')
    }
    const { fields, metadata } = resolveFields(context, this.fields)
    for (const { name } of metadata) throw notCombined(name, name)
    if (fields.length === 0) return unmappedFields([])
    const [first] = fields
    for (const { type } of fields) {
      if (type.shape !== 'text') {
        throw notCombined(type.name, type.type)
      }
      if (
        (type.searchAnalyzerName ?? type.analyzerName) !== (first!.type.searchAnalyzerName ?? first!.type.analyzerName)
      ) {
        throw illegalArgument('All fields in [combined_fields] query must have the same search analyzer')
      }
    }
    const tokens = queryTokens(context, first!.type, this.value, undefined) ?? []
    if (tokens.length === 0) return this.settings.zeroTermsQuery === 'all' ? matchAll(boost) : noTerms()
    const weighted = fields
      .map(({ type, boost: weight }) => ({ name: storageName(type), weight: Math.fround(weight) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const words = (terms: readonly string[]) =>
      combinedTerm(
        context,
        weighted,
        terms.map((term) => Buffer.from(term)),
        scoring,
        boost,
      )
    const queries = {
      term: (word: string) => words([word]),
      synonyms: words,
      phrase: (path: readonly { readonly term: string }[]) => words(path.map(({ term }) => term)),
    }
    return wordsQuery(tokens, queries, { ...this.settings, synonymPhrases: false }, scoring)
  }
}

function combinedTerm(
  context: SearchExecutionContext,
  fields: readonly WeightedField[],
  terms: readonly Uint8Array[],
  scoring: boolean,
  boost: number,
): Weight {
  const simScorer = scoring ? combinedSimScorer(context, fields, terms, boost) : undefined
  const text = () => {
    const names = fields.map(({ name, weight }) => (weight === 1 ? name : `${name}^${formatFloat(weight)}`))
    return `CombinedFieldQuery((${names.join(' ')})(${terms.map(termText).join(' ')}))`
  }
  return {
    scorer({ reader }) {
      const parts = fields.flatMap(({ name, weight }) => {
        const inverted = reader.terms(name)
        if (inverted === undefined) return []
        const ordinals = terms.map((term) => inverted.find(term)).filter((ordinal) => ordinal >= 0)
        return ordinals.map((ordinal) => ({ postings: inverted.postings(ordinal, false), weight }))
      })
      if (parts.length === 0) return undefined
      const norm = simScorer === undefined ? () => 1 : combinedNorm(reader, fields)
      return new FrequencyScorer(parts, (freq, doc) => simScorer?.score(Math.fround(freq), norm(doc)) ?? 0)
    },
    words(visitor) {
      for (const { name, weight } of fields) for (const term of terms) visitor.term(name, term, weight)
    },
    text,
    explain({ reader }, doc) {
      let freq = 0
      for (const { name, weight } of fields) {
        for (const term of terms) freq += weight * termFrequency(reader, name, term, doc)
      }
      if (freq === 0 || simScorer === undefined) return notMatched('no matching term')
      const counted = explained(Math.fround(freq), `termFreq=${formatFloat(Math.fround(freq))}`)
      const score = explainScore(simScorer, counted, combinedNorm(reader, fields)(doc))
      return explained(score.value, `weight(${text()} in ${doc}), result of:`, [score])
    },
  }
}

/** The statistics of all fields combined. */
function combinedSimScorer(
  context: SearchExecutionContext,
  fields: readonly WeightedField[],
  terms: readonly Uint8Array[],
  boost: number,
): SimScorer | undefined {
  let docCount = 0
  let sumTotalTermFreq = 0
  let docFreq = 0
  for (const { name, weight } of fields) {
    const own = fieldStatistics(context.counted, name)
    docCount = Math.max(docCount, own.docCount)
    sumTotalTermFreq += weight * own.sumTotalTermFreq
    for (const term of terms) docFreq = Math.max(docFreq, documentFrequency(context, name, term))
  }
  if (docFreq === 0) return undefined
  const statistics = { docCount, sumTotalTermFreq: Math.trunc(sumTotalTermFreq) }
  return new SimScorer(boost, [docFreq], statistics, context.similarity(fields[0]!.name))
}

/** The weighted sum of all field lengths, rounded to an encodable length. */
function combinedNorm(reader: SegmentReader, fields: readonly WeightedField[]): (doc: number) => number {
  const norms = fields.map(({ name, weight }) => ({ norms: reader.norms(name), weight }))
  // Without norms all lengths are equal.
  if (norms.every(({ norms: bytes }) => bytes === undefined)) return () => 1
  return (doc) => {
    let length = 0
    for (const { norms: bytes, weight } of norms) {
      if (bytes !== undefined && bytes[doc] !== 0) length += weight * LENGTH_OF_NORM[bytes[doc]!]!
    }
    return encodeLength(Math.round(length))
  }
}

export const combinedFieldsClause: QueryClause = {
  name: 'combined_fields',
  parse(reader) {
    const options = newOptions()
    const settings: CombinedFieldsSettings = {}
    const fields: BoostedField[] = []
    let value: string | undefined
    reader.parseObject('combined_fields', [
      {
        query: {
          accepts: ACCEPTS_STRING,
          parse: () => {
            value = reader.text()
          },
        },
        fields: {
          accepts: ACCEPTS_STRING_ARRAY,
          parse: () =>
            reader.each(() => {
              const field = parseFieldAndBoost(reader.text())
              if (field.boost < 1) throw illegalArgument('[combined_fields] requires field boosts to be >= 1.0')
              fields.push(field)
            }),
        },
        operator: {
          accepts: ACCEPTS_STRING,
          parse: () => {
            settings.operator = parseOperator(reader.text())
          },
        },
        minimum_should_match: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            settings.minimumShouldMatch = reader.text()
          },
        },
        auto_generate_synonyms_phrase_query: {
          accepts: ACCEPTS_BOOLEAN,
          parse: () => {
            settings.synonymPhrases = reader.boolean()
          },
        },
        zero_terms_query: {
          accepts: ACCEPTS_STRING,
          parse: () => {
            const text = reader.text()
            const known = text.toLowerCase()
            if (known !== 'none' && known !== 'all') {
              throw illegalArgument(`Unsupported [zero_terms_query] value [${text}]`)
            }
            settings.zeroTermsQuery = known
          },
        },
      },
      commonMembers(reader, options),
    ])
    if (value === undefined) throw requiredMember('query')
    return new CombinedFieldsQuery(fields, value, settings, options)
  },
}
