/**
 * Formats of dates in composite aggregations. The gateway prints the keys, so that it knows where buckets begin, and refuses
 * an `after_key` that does not lead back to its bucket, as Elasticsearch does. OpenSearch would answer pages with the same
 * buckets again.
 */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { parseInZone, printInZone } from '../../service/search/date-values.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite } from './search-rewrite.ts'

interface FormattedSource {
  readonly format: string
  readonly zone: string | undefined
}

export const compositeDates: Rewrite = (request) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ kind, options, definition }) => {
    if (kind !== 'composite' || !Array.isArray(options['sources'])) return undefined
    const formatted = new Map<string, FormattedSource>()
    const sources = options['sources'].map((item: unknown) => withoutFormat(item, formatted))
    if (formatted.size === 0) return undefined
    const { after } = options
    const composite = { ...options, sources, ...(isObject(after) ? { after: parsedKey(after, formatted) } : {}) }
    return { definition: { ...definition, composite }, amend: (result) => withPrintedKeys(result, formatted) }
  })
  if (changed === undefined) return undefined
  return {
    request: withAggregations(request, changed.aggregations),
    amend: (answer) => amendAggregations(answer, changed),
  }
}

function withoutFormat(item: unknown, formatted: Map<string, FormattedSource>): unknown {
  const [name, definition] = isObject(item) ? (Object.entries(item)[0] ?? []) : []
  const histogram = isObject(definition) ? definition['date_histogram'] : undefined
  if (name === undefined || !isObject(histogram) || typeof histogram['format'] !== 'string') return item
  const { format, ...rest } = histogram
  const zone = typeof rest['time_zone'] === 'string' ? rest['time_zone'] : undefined
  formatted.set(name, { format: format as string, zone })
  return { [name]: { date_histogram: rest } }
}

function parsedKey(key: JsonObject, formatted: ReadonlyMap<string, FormattedSource>): JsonObject {
  return changedKey(key, formatted, (value, { format, zone }) =>
    typeof value === 'string' ? parseInZone(value, format, zone) : value,
  )
}

function withPrintedKeys(result: JsonObject, formatted: ReadonlyMap<string, FormattedSource>): JsonObject {
  const print = (value: unknown, { format, zone }: FormattedSource) =>
    typeof value === 'number' ? printInZone(value, format, zone) : value
  const { buckets, after_key: after } = result
  if (isObject(after)) {
    changedKey(after, formatted, checkRoundTrip)
    result['after_key'] = changedKey(after, formatted, print)
  }
  for (const bucket of Array.isArray(buckets) ? (buckets as JsonObject[]) : [])
    if (isObject(bucket['key'])) bucket['key'] = changedKey(bucket['key'], formatted, print)
  return result
}

function changedKey(
  key: JsonObject,
  formatted: ReadonlyMap<string, FormattedSource>,
  change: (value: unknown, source: FormattedSource) => unknown,
): JsonObject {
  const entries = Object.entries(key).map(([name, value]) => {
    const source = formatted.get(name)
    return [name, source === undefined ? value : change(value, source)]
  })
  return Object.fromEntries(entries) as JsonObject
}

/** A format with less precision than the key, such as `yyyy-MM` for days, leads back to another bucket. */
function checkRoundTrip(value: unknown, { format, zone }: FormattedSource): void {
  if (typeof value !== 'number') return
  const parsed = parseInZone(printInZone(value, format, zone), format, zone)
  if (parsed === value) return
  const shape = `DocValueFormat.DateTime(format[${format}] locale[en], ${zone ?? 'Z'}, MILLISECONDS)`
  const causedBy = illegalArgument(
    `Format [${shape}] created output it couldn't parse for value [${value}] of type [class java.lang.Long]. parsed value: ` +
      `[${parsed}(class java.lang.Long)]`,
  )
  throw new ApiError(400, 'search_phase_execution_exception', '', { causedBy })
}
