/** The state of the builder, which is also its address, and the request it stands for. */
import type { Json } from '../../api/lossless-json.ts'
import { DATE_TYPES, type Field, NUMBER_TYPES } from '../../documents/fields.ts'

export type Kind = 'terms' | 'date_histogram' | 'histogram' | 'range' | 'composite' | 'geotile_grid' | 'levels'

export const KINDS: readonly (readonly [kind: Kind, label: string])[] = [
  ['terms', 'Terms, most frequent first'],
  ['date_histogram', 'Time spans'],
  ['histogram', 'Spans of a number'],
  ['range', 'Given ranges of a number'],
  ['composite', 'Composite, paged to the end'],
  ['geotile_grid', 'Map tiles'],
  ['levels', 'Levels: nested and back'],
]

/** `host`, `@timestamp/1d`, `took/100`, `place/6`, `took/..100,100..500,500..` */
export interface Source {
  readonly field: string
  /** A calendar or fixed interval, a width, a precision, or ranges. */
  readonly step: string | undefined
  readonly order: 'asc' | 'desc'
}

export interface Metric {
  readonly op: MetricOp
  readonly field: string
}

export type MetricOp = 'avg' | 'sum' | 'min' | 'max' | 'cardinality' | 'value_count'

export const METRIC_OPS: readonly (readonly [op: MetricOp, label: string])[] = [
  ['avg', 'average'],
  ['sum', 'sum'],
  ['min', 'least'],
  ['max', 'most'],
  ['cardinality', 'different values of'],
  ['value_count', 'values of'],
]

export interface Plan {
  readonly index: string
  readonly kind: Kind
  readonly by: readonly Source[]
  readonly metrics: readonly Metric[]
  readonly size: number
  readonly text: string
  /** The nested path of levels. */
  readonly path: string
}

export function writeSource({ field, step, order }: Source): string {
  return `${order === 'desc' ? '-' : ''}${field}${step === undefined ? '' : `/${step}`}`
}

export function readSource(text: string): Source {
  const order = text.startsWith('-') ? 'desc' : 'asc'
  const bare = order === 'desc' ? text.slice(1) : text
  const slash = bare.lastIndexOf('/')
  return slash < 0
    ? { field: bare, step: undefined, order }
    : { field: bare.slice(0, slash), step: bare.slice(slash + 1), order }
}

export function readMetric(text: string): Metric | undefined {
  const colon = text.indexOf(':')
  const op = METRIC_OPS.find(([name]) => name === text.slice(0, colon))?.[0]
  return op === undefined ? undefined : { op, field: text.slice(colon + 1) }
}

export function metricName({ op, field }: Metric): string {
  return `${op} ${field}`
}

const CALENDAR: Readonly<Record<string, string>> = {
  '1d': 'day',
  '1w': 'week',
  '1M': 'month',
  '1q': 'quarter',
  '1y': 'year',
}

function interval(step: string): Record<string, string> {
  return CALENDAR[step] === undefined ? { fixed_interval: step } : { calendar_interval: CALENDAR[step] }
}

/** Derives the grouping of a source from its field. */
export function groupingOf(field: Field | undefined): 'terms' | 'date_histogram' | 'histogram' | 'geotile_grid' {
  if (field === undefined) return 'terms'
  if (DATE_TYPES.has(field.type)) return 'date_histogram'
  if (field.type === 'geo_point') return 'geotile_grid'
  return NUMBER_TYPES.has(field.type) ? 'histogram' : 'terms'
}

export function defaultStep(field: Field | undefined): string | undefined {
  const grouping = groupingOf(field)
  return grouping === 'date_histogram'
    ? '1d'
    : grouping === 'geotile_grid'
      ? '5'
      : grouping === 'histogram'
        ? undefined
        : undefined
}

/** The grouping of one source. Numbers without an interval are grouped by value. */
function sourceBody(
  { field, step, order }: Source,
  fields: ReadonlyMap<string, Field>,
  isComposite: boolean,
): Record<string, Json> {
  const grouping = groupingOf(fields.get(field))
  const ordered = isComposite ? { order } : {}
  if (grouping === 'date_histogram') return { date_histogram: { field, ...interval(step ?? '1d'), ...ordered } }
  if (grouping === 'geotile_grid') return { geotile_grid: { field, precision: Number(step ?? 5) } }
  if (grouping === 'histogram' && step !== undefined)
    return { histogram: { field, interval: Number(step), ...ordered } }
  return { terms: { field, ...ordered } }
}

export const BUCKETS = 'buckets'

function metricsBody(metrics: readonly Metric[]): Record<string, Json> | undefined {
  if (metrics.length === 0) return undefined
  return Object.fromEntries(metrics.map((metric) => [metricName(metric), { [metric.op]: { field: metric.field } }]))
}

/** The body of the request; for composite the body of the first page. */
export function requestBody(
  plan: Plan,
  query: Json,
  fields: ReadonlyMap<string, Field>,
  after?: Json,
): Record<string, Json> {
  const aggs = metricsBody(plan.metrics)
  const below = aggs === undefined ? {} : { aggs }
  const base = { size: 0, track_total_hits: true, query }
  const [first] = plan.by
  if (plan.kind === 'levels') return { ...base, aggs: levelsBody(plan, first) }
  if (first === undefined) return { ...base, aggs: aggs ?? {} }
  switch (plan.kind) {
    case 'terms':
      return { ...base, aggs: { [BUCKETS]: { terms: { field: first.field, size: plan.size }, ...below } } }
    case 'date_histogram':
      return {
        ...base,
        aggs: {
          [BUCKETS]: {
            date_histogram: { field: first.field, ...interval(first.step ?? '1d'), min_doc_count: 0 },
            ...below,
          },
        },
      }
    case 'histogram':
      return {
        ...base,
        aggs: {
          [BUCKETS]: {
            histogram: { field: first.field, interval: Number(first.step ?? 100), min_doc_count: 0 },
            ...below,
          },
        },
      }
    case 'range':
      return {
        ...base,
        aggs: { [BUCKETS]: { range: { field: first.field, ranges: rangesOf(first.step ?? '..100,100..') }, ...below } },
      }
    case 'geotile_grid':
      return {
        ...base,
        aggs: {
          [BUCKETS]: {
            geotile_grid: { field: first.field, precision: Number(first.step ?? 5), size: 10_000 },
            ...below,
          },
        },
      }
    case 'composite': {
      const sources = plan.by.map((source) => ({ [source.field]: sourceBody(source, fields, true) }))
      return {
        ...base,
        track_total_hits: after === undefined,
        ...(after === undefined ? { profile: true } : {}),
        aggs: {
          [BUCKETS]: { composite: { size: plan.size, sources, ...(after === undefined ? {} : { after }) }, ...below },
        },
      }
    }
  }
}

/** Groups nested objects, and counts the documents of each group. */
function levelsBody({ path, size }: Plan, source: Source | undefined): Record<string, Json> {
  const back = { [BACK]: { reverse_nested: {} } }
  const groups = source === undefined ? {} : { [BUCKETS]: { terms: { field: source.field, size }, aggs: back } }
  return { [DOWN]: { nested: { path }, aggs: { ...groups, [BACK]: { reverse_nested: {} } } } }
}

export const DOWN = 'down'
export const BACK = 'back'

export function rangesOf(text: string): { from?: number; to?: number }[] {
  return text.split(',').map((range) => {
    const [from, to] = range.split('..')
    return {
      ...(from === undefined || from === '' ? {} : { from: Number(from) }),
      ...(to === undefined || to === '' ? {} : { to: Number(to) }),
    }
  })
}
