/** `exists`: documents with a value in a field, or below an object. */
import { illegalArgument } from '../../../base/api-error.ts'
import { fieldNameMissing } from '../../../base/errors/query-errors.ts'
import { END_OBJECT, FIELD_NAME } from '../../../base/json/json-reader.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { KEPT_SOON } from '../../scoring/filter-cache.ts'
import { constantTexts, rewrittenToNone, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { BitSetScorer } from '../../scoring/scorers/bit-set-scorer.ts'
import { AllScorer, ConstantScoreScorer } from '../../scoring/scorers/constant-scorer.ts'
import { failingScorer } from '../../scoring/scorers/failing-scorer.ts'
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import { TermScorer } from '../../scoring/scorers/term-scorer.ts'
import { unionOf } from '../../scoring/union.ts'
import type { NumericDocValues, SegmentView } from '../../segment/segment-reader-api.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { metadataExists } from './metadata-field.ts'
import { runtimeQueryName } from './runtime-query.ts'

export class ExistsQuery extends QueryNode {
  override readonly kind = 'exists'
  readonly field: string

  constructor(field: string, options: ClauseOptions = newOptions()) {
    super(options)
    this.field = field
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    const metadata = metadataExists(context, this.field, boost)
    if (metadata !== undefined) return metadata
    const fields = matchingFields(context, this.field)
    if (fields.length === 0) return rewrittenToNone('exists')
    const unnamed = fields.find(({ ranksBy }) => ranksBy !== undefined && ranksBy.single === undefined)
    if (unnamed !== undefined) throw illegalArgument(`[${unnamed.type}] fields do not support [exists] queries`)
    return unionOf(
      fields.map((field) => ({
        scorer: (segment) => existsScorer(segment, field),
        asFilter: { key: () => `exists(${field.schema?.name};${field.name})`, keptAtUse: KEPT_SOON },
        ...constantTexts(1, (rewritten) => existsText(context, field, rewritten)),
      })),
      boost,
    )
  }
}

/** If every document has a value, the query is rewritten to match all. */
function existsText({ view }: SearchExecutionContext, field: FieldType, rewritten: boolean): string {
  if (field.isRuntime) return `${field.name}:${runtimeQueryName(field, 'Exists')}`
  const name = storageName(field)
  // The doc values of a flattened field have the values of all keys, so one key is a prefix of its terms.
  if (field.shape === 'flattened' && field.asDocValues !== undefined) {
    return `${name}:${Buffer.from(field.termValue('') as Uint8Array)}*`
  }
  const kept = field.hasDocValues || (field.shape === 'text' && field.schema?.norms === true)
  if (!kept) return `_field_names:${name}`
  const everywhere =
    rewritten &&
    view.segments.every(({ reader }) => {
      const docValues =
        reader.numericDocValues(name) ??
        reader.sortedSetDocValues(name) ??
        reader.geoDocValues(name) ??
        reader.binaryDocValues(name)
      return docValues?.docsWithValue === reader.docCount
    })
  return everywhere ? '*:*' : `FieldExistsQuery [field=${name}]`
}

/** The field itself, the fields that a pattern matches, or the leaves below an object. */
function matchingFields(context: SearchExecutionContext, pattern: string): FieldType[] {
  const { mapping } = context
  const names: string[] = []
  if (pattern.includes('*')) {
    const matches = namePattern(pattern)
    for (const name of mapping.fieldNames()) if (matches(name)) names.push(name)
  } else if (mapping.field(pattern) !== undefined) names.push(pattern)
  else for (const name of mapping.fieldNames()) if (name.startsWith(`${pattern}.`)) names.push(name)
  return names.map((name) => mapping.field(name)).filter((field) => field !== undefined)
}

const NO_TERM = -1

/** By doc values, else by norms, else by `_field_names`. */
function existsScorer(segment: SegmentView, mapped: FieldType): Scorer | undefined {
  const { reader } = segment
  // For one key of a flattened field the doc values of all keys cannot be used.
  const field = mapped.shape === 'flattened' ? (mapped.asDocValues ?? mapped) : mapped
  const name = storageName(field)
  const docValues =
    reader.numericDocValues(name) ??
    reader.sortedSetDocValues(name) ??
    reader.geoDocValues(name) ??
    reader.binaryDocValues(name)
  const { docCount } = reader
  if (docValues !== undefined && docValues.docsWithValue === docCount) return new AllScorer(docCount, 1)
  if (docValues !== undefined) {
    return failingScorer(docValues as NumericDocValues, segment, (values) => withValue(values, docCount))
  }
  const norms = reader.norms(name)
  if (norms !== undefined) {
    const present = reader.normsPresence(name)
    if (present !== undefined) return new BitSetScorer(present.slice(), docCount, 1)
    const bits = new Uint32Array((docCount + 31) >> 5)
    let cost = 0
    for (let doc = 0; doc < docCount; doc++) {
      if (norms[doc] === 0) continue
      bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
      cost++
    }
    return cost === 0 ? undefined : new BitSetScorer(bits, cost, 1)
  }
  const terms = reader.terms('_field_names')
  const ordinal = terms === undefined ? NO_TERM : terms.find(Buffer.from(name))
  if (terms === undefined || ordinal < 0) return undefined
  return new ConstantScoreScorer(new TermScorer(terms.postings(ordinal, false), undefined, undefined), 1)
}

function withValue(docValues: NumericDocValues, docCount: number): Scorer {
  const bits = new Uint32Array((docCount + 31) >> 5)
  for (let doc = 0; doc < docCount; doc++) if (docValues.has(doc)) bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
  return new BitSetScorer(bits, docValues.docsWithValue, 1)
}

export const existsClause: QueryClause = {
  name: 'exists',
  parse(reader) {
    const options = newOptions()
    let field: string | undefined
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (!reader.isValue) throw reader.parsingError(`[exists] unknown token [${reader.tokenName}] after [${member}]`)
      if (member === 'field') field = reader.text()
      else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'exists', member)
    }
    if (field === undefined) throw reader.parsingError('[exists] must be provided with a [field]')
    if (field === '') throw fieldNameMissing()
    return new ExistsQuery(field, options)
  },
}
