/** `range`: documents with a value between bounds. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { fieldNameMissing, noRangeQueries } from '../../../base/errors/query-errors.ts'
import { FIELD_NAME, NULL, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import type { FieldType, RangeBound } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { checkExpensive, rewrittenToNone, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { numberRangeIdentity, numberRangeScorer } from '../../scoring/scorers/value-scorers.ts'
import type { ShardView } from '../../segment/segment-reader-api.ts'
import { compileDateFormat } from '../../time/format/date-format.ts'
import { requestTimeZone } from '../../time/zone/time-zone.ts'
import type { RangeRelation } from '../../values/range-value.ts'
import {
  type ClauseOptions,
  doesNotSupport,
  newOptions,
  parseFieldClause,
  type QueryClause,
  readCommonOption,
} from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { unwrappedErrors } from '../unwrapped-errors.ts'
import { numberFormat, termRange } from './exact-value.ts'
import { ExistsQuery } from './exists.ts'
import { metadataRange } from './metadata-field.ts'
import { rangeFieldQuery } from './range-field.ts'
import { runtimeQuery, runtimeQueryName, runtimeRangeText } from './runtime-query.ts'
import { checkIndexed, checkSearchable, METADATA_FIELDS } from './searchable-field.ts'
import { numberRangeTexts } from './term-text.ts'

export interface RangeSettings {
  lower?: RangeBound | undefined
  upper?: RangeBound | undefined
  format?: string | undefined
  timeZone?: string | undefined
  relation?: RangeRelation | undefined
  /**
   * Whether it is written in a query string: without bounds it still matches terms and points, not the existence of a
   * value.
   */
  isWritten?: boolean
}

export class RangeQuery extends QueryNode {
  override readonly kind = 'range'
  readonly field: string
  readonly settings: Readonly<RangeSettings>

  constructor(field: string, settings: RangeSettings, options: ClauseOptions = newOptions()) {
    super(options)
    this.field = field
    this.settings = settings
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const field = context.mapping.field(this.field)
    const { lower: from, upper: to, isWritten } = this.settings
    const isOpen = from === undefined && to === undefined && isWritten !== true
    // Only the existence of a value is required.
    if (isOpen && (field !== undefined || METADATA_FIELDS.has(this.field))) {
      return new ExistsQuery(this.field).plan(context, scoring, boost)
    }
    if (field === undefined) return this.#metadata(boost) ?? rewrittenToNone('range')
    const isDate = field.traits.family === 'date'
    const name = storageName(field)
    // Date bounds are parsed only if the shard has a value to compare them with; otherwise the query matches nothing.
    const isIndexedDate = isDate && (field.schema?.ordered === true || !field.hasDocValues)
    if (isIndexedDate && context.isCheck !== true && !hasIndex(context.view, name)) return rewrittenToNone('range')
    if (field.shape === 'range') {
      checkIndexed(field)
      const { lower, upper, relation, format, timeZone } = this.settings
      const options = { format, timeZone, nowMs: context.nowMs }
      return rangeFieldQuery(field, lower, upper, relation ?? 'intersects', boost, options)
    }
    if (field.isLookup === true) throw noRangeQueries(field.name, field.type)
    checkSearchable(field)
    const { lower, upper, upperExclusive } = this.#bounds(field, context, isDate, isIndexedDate)
    if (isIndexedDate && isBeyond(context.view, name, lower as number | undefined, upper as number | undefined))
      return rewrittenToNone('range')
    if (field.shape === 'number' || field.shape === 'long') {
      const query: Weight = {
        field: field.name,
        onlyField: field.name,
        scorer: (segment) =>
          numberRangeScorer(segment, name, lower as number | undefined, upper as number | undefined, boost),
        asFilter: numberRangeIdentity(name, lower as number | undefined, upper as number | undefined),
        ...numberRangeTexts(field, lower, upper, boost),
      }
      if (!field.isRuntime || field.traits.family === 'boolean') return query
      const shown = () => runtimeRangeText(field, lower, upper)
      return runtimeQuery(query, shown, boost, runtimeQueryName(field, 'Range'))
    }
    if (field.shape !== 'text' && field.shape !== 'term' && field.shape !== 'flattened') {
      throw noRangeQueries(field.name, field.type)
    }
    if (field.shape === 'text' || field.traits.hasWords === true) {
      checkExpensive(context, '[range] queries on [text] or [keyword] fields')
    }
    const lowerExclusive = this.settings.lower?.inclusive === false
    const range = { lower: lower as Uint8Array, upper: upper as Uint8Array, upperExclusive, lowerExclusive }
    return termRange(field, range, boost)
  }

  #metadata(score: number): Weight | undefined {
    const { lower, upper } = this.settings
    return metadataRange(
      this.field,
      {
        lower: lower?.value,
        lowerInclusive: lower?.inclusive ?? true,
        upper: upper?.value,
        upperInclusive: upper?.inclusive ?? true,
      },
      score,
    )
  }

  #bounds(field: FieldType, context: SearchExecutionContext, isDate: boolean, isIndexedDate: boolean) {
    const { lower, upper, format, timeZone } = this.settings
    try {
      const given = format ?? (isDate && !field.isRuntime ? numberFormat(lower?.value, upper?.value) : undefined)
      return field.rangeValues(lower, upper, { format: given, timeZone, nowMs: context.nowMs })
    } catch (error) {
      // Indexed dates are compared with the shard's values before the query is created, so that their errors are not
      // wrapped.
      if (isIndexedDate && error instanceof ApiError) unwrappedErrors.add(error)
      throw error
    }
  }
}

/**
 * Whether no document of the shard can lie between the bounds. As in Elasticsearch, the smallest and largest indexed values of
 * the shard decide, including those of deleted documents.
 */
function isBeyond(view: ShardView, field: string, lower?: number, upper?: number): boolean {
  let anyAboveLower = lower === undefined
  let anyBelowUpper = upper === undefined
  for (const { reader } of view.segments) {
    const index = reader.orderedIndex(field)
    if (index === undefined || index.length === 0) continue
    anyAboveLower ||= index.valueAt(index.length - 1) >= lower!
    anyBelowUpper ||= index.valueAt(0) <= upper!
  }
  return !anyAboveLower || !anyBelowUpper
}

function hasIndex(view: ShardView, field: string): boolean {
  return view.segments.some(({ reader }) => reader.orderedIndex(field) !== undefined)
}

export const rangeClause: QueryClause = {
  name: 'range',
  parse(reader) {
    const options = newOptions()
    const bounds: { from?: unknown; to?: unknown; includeLower: boolean; includeUpper: boolean } = {
      includeLower: true,
      includeUpper: true,
    }
    const settings: RangeSettings = {}
    // Elasticsearch reads tokens one by one, whatever they are part of: an array ends at its bracket, an object is not
    // entered.
    const bound = () => {
      if (reader.token === NULL) return undefined
      if (reader.token === START_ARRAY) {
        reader.skipChildren()
        return ']'
      }
      if (reader.token !== START_OBJECT) return reader.fieldValue()
      throw reader.next() === FIELD_NAME ? doesNotSupport(reader, 'range', reader.name) : reader.tokenAfterObject()
    }
    const field = parseFieldClause(reader, 'range', (member) => {
      switch (member) {
        case 'gt':
        case 'gte':
        case 'from':
          bounds.from = bound()
          if (member !== 'from') bounds.includeLower = member === 'gte'
          return
        case 'lt':
        case 'lte':
        case 'to':
          bounds.to = bound()
          if (member !== 'to') bounds.includeUpper = member === 'lte'
          return
        case 'include_lower':
          bounds.includeLower = reader.boolean()
          return
        case 'include_upper':
          bounds.includeUpper = reader.boolean()
          return
        case 'format':
          settings.format = reader.text()
          // An invalid format is an error, whether the field has dates or not.
          compileDateFormat(settings.format)
          return
        case 'time_zone':
          settings.timeZone = reader.text()
          requestTimeZone(settings.timeZone)
          return
        case 'relation':
          settings.relation = parseRelation(reader.text())
          return
        default:
          if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'range', member)
      }
    })
    if (field === undefined || field === '') throw fieldNameMissing()
    if (bounds.from !== undefined) settings.lower = { value: bounds.from, inclusive: bounds.includeLower }
    if (bounds.to !== undefined) settings.upper = { value: bounds.to, inclusive: bounds.includeUpper }
    return new RangeQuery(field, settings, options)
  },
}

function parseRelation(text: string): RangeRelation {
  const relation = text.toLowerCase()
  if (relation === 'intersects' || relation === 'contains' || relation === 'within') return relation
  if (relation === 'disjoint') throw illegalArgument('[range] query does not support relation [disjoint]')
  throw illegalArgument(`${text} is not a valid relation`)
}
