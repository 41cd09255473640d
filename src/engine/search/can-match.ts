/**
 * Whether a shard can have a document that matches, without looking for one: Elasticsearch leaves out a shard only where the
 * rewriting of the query shows it, which it does for unmapped fields and for dates outside of what the shard holds.
 */
import { BoolQuery } from '../query/bool.ts'
import type { Query, ShardQueryContext } from '../query/query.ts'
import { RangeQuery } from '../query/range.ts'
import { planQuery } from './plan-query.ts'

export function canMatch(context: ShardQueryContext, query: Query): boolean {
  if (planQuery(context, query, false, 1).matches === 'none') return false
  if (query instanceof BoolQuery) return [...query.must, ...query.filter].every((clause) => canMatch(context, clause))
  return !(query instanceof RangeQuery) || holdsDates(context, query)
}

/** Whether the dates of some segment reach into the range; true for ranges of other types. */
function holdsDates({ mapping, view, nowMs }: ShardQueryContext, { field: name, settings }: RangeQuery): boolean {
  const field = mapping.field(name)
  if (field === undefined || (field.type !== 'date' && field.type !== 'date_nanos')) return true
  const { format, timeZone } = settings
  const { lower, upper } = field.rangeValues(settings.lower, settings.upper, { format, timeZone, nowMs })
  return view.segments.some(({ reader }) => {
    const column = reader.numberColumn(field.schema?.name ?? field.name)
    if (column === undefined) return false
    return (lower === undefined || column.max >= Number(lower)) && (upper === undefined || column.min <= Number(upper))
  })
}
