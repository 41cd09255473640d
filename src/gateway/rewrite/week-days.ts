/**
 * The letters `e` and `c` in formats of dates, which stand for the number of the day in the week. Elasticsearch counts from Sunday, OpenSearch
 * from Monday, so that a search that shows dates in such a format is refused. Dates of sort values and of composite keys are printed by the
 * gateway.
 */
import { aggregationsOf, changeAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import { notInCluster } from './not-in-cluster.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

const DATES: ReadonlySet<unknown> = new Set(['date', 'date_nanos'])
const QUOTED = /'[^']*'/g
const NAME = /^(t_)?[a-z0-9]{4,}(_[a-z0-9]+)*$/
const DAY_NUMBERS: ReadonlySet<string> = new Set(['e', 'ee', 'c'])

export const weekDays: Rewrite = (request, scope) => {
  for (const member of ['fields', 'docvalue_fields']) for (const item of [request[member]].flat()) check(item, scope)
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  changeAggregations(aggregations, ({ options }) => {
    check(options, scope)
    return undefined
  })
  return undefined
}

function check(item: unknown, scope: SearchScope): void {
  if (!isObject(item) || typeof item['format'] !== 'string' || typeof item['field'] !== 'string') return
  const { format, field } = item
  if (countsWeekDays(format) && DATES.has(scope.field(field)?.['type']))
    throw notInCluster(`the number of the day in the week in the format [${format}]`)
}

/** A letter that is repeated is one part of a format; `eee` and more letters are the name of the day. */
function countsWeekDays(format: string): boolean {
  return format
    .split('||')
    .filter((pattern) => !NAME.test(pattern))
    .flatMap((pattern) => pattern.replace(QUOTED, ' ').match(/([a-z])\1*/gi) ?? [])
    .some((part) => DAY_NUMBERS.has(part))
}
