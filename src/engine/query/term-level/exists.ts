/** `exists`: documents that have a value in a field, or below an object. */
import { illegalArgument } from '../../../base/api-error.ts'
import { END_OBJECT, FIELD_NAME } from '../../../base/json/json-reader.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { KEPT_SOON } from '../../scoring/filter-cache.ts'
import { BitSetMatcher } from '../../scoring/matchers/bit-set-matcher.ts'
import { AllMatcher, ConstantScoreMatcher } from '../../scoring/matchers/constant-matcher.ts'
import { failingMatcher } from '../../scoring/matchers/failing-matcher.ts'
import type { Matcher } from '../../scoring/matchers/matcher.ts'
import { TermMatcher } from '../../scoring/matchers/term-matcher.ts'
import { constantTexts, rewrittenToNone, type ShardQuery, type ShardQueryContext } from '../../scoring/query.ts'
import { unionOf } from '../../scoring/union.ts'
import type { NumberColumn, SegmentView } from '../../segment/segment-reader-api.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { metadataExists } from './metadata-field.ts'

export class ExistsQuery extends QueryNode {
  override readonly kind = 'exists'
  readonly field: string

  constructor(field: string, options: ClauseOptions = newOptions()) {
    super(options)
    this.field = field
  }

  protected override bind(context: ShardQueryContext, _scoring: boolean, boost: number): ShardQuery {
    const metadata = metadataExists(context, this.field, boost)
    if (metadata !== undefined) return metadata
    const fields = matchingFields(context, this.field)
    if (fields.length === 0) return rewrittenToNone('exists')
    return unionOf(
      fields.map((field) => ({
        ...constantTexts(1, (rewritten) => existsText(context, field, rewritten)),
        matcher: (segment) => existsMatcher(segment, field),
        asFilter: { key: () => `exists(${field.schema?.name};${field.name})`, keptAtUse: KEPT_SOON },
      })),
      boost,
    )
  }
}

/** Where every document has a value, the question is no longer asked. */
function existsText({ view }: ShardQueryContext, field: FieldType, rewritten: boolean): string {
  const name = storageName(field)
  const kept = field.hasDocValues || (field.shape === 'text' && field.schema?.norms === true)
  if (!kept) return `_field_names:${name}`
  const everywhere =
    rewritten &&
    view.segments.every(({ reader }) => {
      const column =
        reader.numberColumn(name) ?? reader.termColumn(name) ?? reader.geoColumn(name) ?? reader.binaryColumn(name)
      return column?.docsWithValue === reader.docCount
    })
  return everywhere ? '*:*' : `FieldExistsQuery [field=${name}]`
}

/** The field itself, the fields a pattern matches, or the leaves below an object. */
function matchingFields(context: ShardQueryContext, pattern: string): FieldType[] {
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

/** By column, else by norms, else by the list of field names each document keeps for the remaining kinds. */
function existsMatcher({ reader, live }: SegmentView, mapped: FieldType): Matcher | undefined {
  // One key of a flattened field: the column of all keys says nothing of it.
  const field = mapped.shape === 'flattened' ? (mapped.asColumn ?? mapped) : mapped
  const name = storageName(field)
  const column =
    reader.numberColumn(name) ?? reader.termColumn(name) ?? reader.geoColumn(name) ?? reader.binaryColumn(name)
  const { docCount } = reader
  if (column !== undefined && column.docsWithValue === docCount) return new AllMatcher(docCount, 1)
  if (column !== undefined) {
    return failingMatcher(column as NumberColumn, live, docCount, (values) => withValue(values, docCount))
  }
  const norms = reader.norms(name)
  if (norms !== undefined) {
    const present = reader.normsPresence(name)
    if (present !== undefined) return new BitSetMatcher(present.slice(), docCount, 1)
    const bits = new Uint32Array((docCount + 31) >> 5)
    let cost = 0
    for (let doc = 0; doc < docCount; doc++) {
      if (norms[doc] === 0) continue
      bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
      cost++
    }
    return cost === 0 ? undefined : new BitSetMatcher(bits, cost, 1)
  }
  const terms = reader.terms('_field_names')
  const ordinal = terms === undefined ? NO_TERM : terms.find(Buffer.from(name))
  if (terms === undefined || ordinal < 0) return undefined
  return new ConstantScoreMatcher(new TermMatcher(terms.postings(ordinal, false), undefined, undefined), 1)
}

function withValue(column: NumberColumn, docCount: number): Matcher {
  const bits = new Uint32Array((docCount + 31) >> 5)
  for (let doc = 0; doc < docCount; doc++) if (column.has(doc)) bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
  return new BitSetMatcher(bits, column.docsWithValue, 1)
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
    if (field === '') throw illegalArgument('field name is null or empty')
    return new ExistsQuery(field, options)
  },
}
