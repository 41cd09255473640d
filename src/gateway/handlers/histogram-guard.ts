/**
 * Refuses histograms with more buckets than the cluster allows before they are sent. OpenSearch makes the empty buckets of
 * all intervals between the first and the last value without counting them, until the heap is gone: one request with
 * seconds over months ends a node. `min` and `max` in the place of each histogram tell how many buckets there would be.
 */
import { parseDuration } from '../../base/duration.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import { parseNanos } from '../../service/search/date-values.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject } from '../exchange/exchange.ts'
import type { HistogramProbe } from '../exchange/known-requests.ts'
import { aggregationsOf } from '../rewrite/agg-tree.ts'
import { numberOf } from '../rewrite/answer-tree.ts'
import { reduceFailure, tooManyBuckets } from '../rewrite/errors.ts'
import type { SearchScope } from '../rewrite/search-rewrite.ts'
import { scopeOf } from './search-scope.ts'

const DAY_MS = 86_400_000
const CALENDAR_MS: Readonly<Record<string, number>> = {
  second: 1_000,
  '1s': 1_000,
  minute: 60_000,
  '1m': 60_000,
  hour: 3_600_000,
  '1h': 3_600_000,
  day: DAY_MS,
  '1d': DAY_MS,
  week: 7 * DAY_MS,
  '1w': 7 * DAY_MS,
  month: 28 * DAY_MS,
  '1M': 28 * DAY_MS,
  quarter: 90 * DAY_MS,
  '1q': 90 * DAY_MS,
  year: 365 * DAY_MS,
  '1y': 365 * DAY_MS,
}
/** Intervals of a day and longer are not probed: dates within a few thousand years stay below the limit. */
const ASKED_BELOW_MS = DAY_MS
/** Options that define the values of an aggregation. */
const VALUES = ['field', 'missing', 'script'] as const
const GROUPS = ['aggs', 'aggregations'] as const
const NOT_KINDS: ReadonlySet<string> = new Set([...GROUPS, 'meta'])
const DEFAULT_FORMAT = 'strict_date_optional_time||epoch_millis'

/** A histogram that shows empty buckets. */
interface Filled {
  readonly interval: number
  /** The range that always has buckets. */
  readonly extended: Range | undefined
  /** The range outside of which there are no buckets. */
  readonly hard: Range | undefined
  readonly isAsked: boolean
}

interface Range {
  readonly min: number
  readonly max: number
}

/** Counts the buckets that a group of aggregations would have, from the results of the probe. */
type Count = (results: JsonObject) => number

/** Undefined for searches without histograms that show empty buckets. */
export function histogramProbe(request: JsonObject, scope: SearchScope): HistogramProbe | undefined {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const found = { certain: 0 }
  const group = probeGroup(aggregations, scope, found, false)
  if (group === undefined) return found.certain === 0 ? undefined : { ...found, aggs: undefined, count: () => 0 }
  return { certain: found.certain, aggs: group.aggs, count: group.count }
}

/** The refusal of a search with too many buckets; undefined for all others. */
export async function refuseTooMany(
  exchange: Exchange,
  bridge: Bridge,
  request: JsonObject,
  probe: HistogramProbe,
): Promise<Answer | undefined> {
  const refusal = await tooManyError(exchange, bridge, request, probe, exchange.path)
  return refusal && exchange.answer(400, refusal)
}

/** The body of the refusal. `path` is that of a search over the same indices. */
export async function tooManyError(
  exchange: Exchange,
  bridge: Bridge,
  request: JsonObject,
  { certain, aggs, count }: HistogramProbe,
  path: string,
): Promise<JsonObject | undefined> {
  const limit = scopeOf(bridge.shadow.node, [], exchange.query).maxBuckets
  const refusal = () => ({ error: reduceFailure(tooManyBuckets(limit)), status: 400 })
  if (certain > limit) return refusal()
  if (aggs === undefined) return undefined
  const { query, pit, derived } = request
  const asked = {
    size: 0,
    track_total_hits: false,
    aggs,
    ...(query === undefined ? {} : { query }),
    ...(pit === undefined ? {} : { pit }),
    ...(derived === undefined ? {} : { derived }),
  }
  const uri = exchange.uriFor(path, SEARCH_ONLY)
  const { status, body } = await bridge.send(exchange, { method: 'POST', uri, body: encodeJson(asked) })
  if (status !== 200) return undefined
  const { aggregations } = JSON.parse(body.toString('utf8')) as { aggregations: JsonObject }
  return count(aggregations) > limit ? refusal() : undefined
}

/** Parameters that searches of the gateway's own for the same documents must not have. */
export const SEARCH_ONLY = {
  size: undefined,
  from: undefined,
  scroll: undefined,
  track_total_hits: undefined,
  typed_keys: undefined,
  rest_total_hits_as_int: undefined,
  request_cache: undefined,
  max_concurrent_searches: undefined,
  sort: undefined,
  terminate_after: undefined,
}

/**
 * The aggregations that the probe requests for a group, and the function that counts buckets in their results.
 * Aggregations around a histogram stay, because each of their buckets has a histogram of its own.
 */
function probeGroup(
  group: JsonObject,
  scope: SearchScope,
  found: { certain: number },
  keepsMetrics: boolean,
): { readonly aggs: JsonObject; readonly count: Count } | undefined {
  const aggs: JsonObject = {}
  const counts: Count[] = []
  const metrics: JsonObject = {}
  for (const [name, definition] of Object.entries(group)) {
    const kind = isObject(definition) ? Object.keys(definition).find((member) => !NOT_KINDS.has(member)) : undefined
    const options = kind === undefined ? undefined : (definition as JsonObject)[kind]
    if (kind === undefined || !isObject(definition) || !isObject(options)) continue
    if (options['buckets_path'] !== undefined) continue
    const filled = filledHistogram(kind, options, scope)
    if (filled?.extended !== undefined)
      found.certain = Math.max(found.certain, bucketsIn(clamp(filled.extended, filled.hard), filled.interval))
    if (filled?.isAsked === true) {
      const values = Object.fromEntries(
        VALUES.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])),
      )
      aggs[`${name} min`] = { min: values }
      aggs[`${name} max`] = { max: values }
      counts.push((results) => countOf(results, name, filled))
    }
    const nested = GROUPS.map((member) => definition[member]).find(isObject)
    const inner = nested && probeGroup(nested, scope, found, options['order'] !== undefined)
    if (inner !== undefined) {
      const { extended_bounds: _, ...rest } = options
      aggs[name] = { [kind]: filled === undefined ? options : { ...rest, min_doc_count: 1 }, aggs: inner.aggs }
      counts.push((results) => countInside(results[name], inner.count))
    } else if (filled === undefined) metrics[name] = definition
  }
  if (counts.length === 0) return undefined
  // Buckets may be ordered by the metrics in them.
  return {
    aggs: keepsMetrics ? { ...metrics, ...aggs } : aggs,
    count: (results) => counts.reduce((sum, count) => sum + count(results), 0),
  }
}

function countInside(result: unknown, count: Count): number {
  if (!isObject(result)) return 0
  const { buckets } = result
  const inner = Array.isArray(buckets) ? buckets : isObject(buckets) ? Object.values(buckets) : [result]
  return inner.reduce((sum: number, bucket) => sum + (isObject(bucket) ? count(bucket) : 0), 0)
}

function countOf(results: JsonObject, name: string, { interval, extended, hard }: Filled): number {
  const found = (end: string) => {
    const result = results[`${name} ${end}`]
    return isObject(result) ? numberOf(result['value']) : undefined
  }
  const [min, max] = [found('min'), found('max')]
  if (min === undefined || max === undefined) return 0
  const whole = { min: Math.min(min, extended?.min ?? min), max: Math.max(max, extended?.max ?? max) }
  return bucketsIn(clamp(whole, hard), interval)
}

function clamp({ min, max }: Range, hard: Range | undefined): Range {
  return hard === undefined ? { min, max } : { min: Math.max(min, hard.min), max: Math.min(max, hard.max) }
}

function bucketsIn({ min, max }: Range, interval: number): number {
  return max < min ? 0 : Math.floor((max - min) / interval) + 1
}

function filledHistogram(kind: string, options: JsonObject, scope: SearchScope): Filled | undefined {
  const isDate = kind === 'date_histogram'
  if ((!isDate && kind !== 'histogram') || (numberOrUndefined(options['min_doc_count']) ?? 0) > 0) return undefined
  const interval = isDate ? dateInterval(options) : numberOrUndefined(options['interval'])
  if (interval === undefined || !(interval > 0)) return undefined
  const read = isDate ? dateReader(options, scope) : numberOrUndefined
  const extended = rangeOf(options['extended_bounds'], read)
  const hard = rangeOf(options['hard_bounds'], read)
  const isBounded = hard !== undefined && bucketsIn(hard, interval) <= scope.maxBuckets
  return {
    interval,
    extended: extended && Number.isFinite(extended.max - extended.min) ? extended : undefined,
    hard,
    isAsked: !isBounded && (!isDate || interval < ASKED_BELOW_MS),
  }
}

/** A bound that is missing is infinite. One that cannot be read, such as date math, leaves the whole range open. */
function rangeOf(bounds: unknown, read: (value: unknown) => number | undefined): Range | undefined {
  if (!isObject(bounds)) return undefined
  const min = bounds['min'] === undefined || bounds['min'] === null ? -Infinity : read(bounds['min'])
  const max = bounds['max'] === undefined || bounds['max'] === null ? Infinity : read(bounds['max'])
  return min === undefined || max === undefined ? undefined : { min, max }
}

function numberOrUndefined(value: unknown): number | undefined {
  const number = numberOf(value) ?? (typeof value === 'string' ? Number(value) : Number.NaN)
  return Number.isNaN(number) ? undefined : number
}

function dateReader(options: JsonObject, scope: SearchScope): (value: unknown) => number | undefined {
  const mapped = typeof options['field'] === 'string' ? scope.field(options['field'])?.['format'] : undefined
  const format = String(options['format'] ?? mapped ?? DEFAULT_FORMAT)
  return (value) => {
    const number = numberOf(value)
    if (number !== undefined) return number
    if (typeof value !== 'string') return undefined
    try {
      return Number(parseNanos(value, format) / 1_000_000n)
    } catch {
      return undefined
    }
  }
}

function dateInterval({ fixed_interval, calendar_interval }: JsonObject): number | undefined {
  if (typeof calendar_interval === 'string') return CALENDAR_MS[calendar_interval]
  if (typeof fixed_interval !== 'string') return undefined
  try {
    return parseDuration(fixed_interval, 'fixed_interval')
  } catch {
    return undefined
  }
}
