/**
 * The documents of a bucket of a composite aggregation, as a query. OpenSearch counts a document once for each of its values
 * in a bucket; a query finds it once.
 */
import { parseDuration } from '../../base/duration.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { bucketAfter } from '../../service/search/date-values.ts'
import { numberOf } from './answer-tree.ts'
import { isObject, NUMBER_TYPES } from './field-types.ts'
import type { SearchScope } from './search-rewrite.ts'

export interface CompositeSource {
  readonly name: string
  readonly field: string
  /** Whether a document may have several values of the field in one bucket. */
  readonly repeats: boolean
  /** The values of a bucket with this key. Undefined when they cannot be told from the key. */
  query(key: unknown): JsonObject | undefined
}

/** Types whose values are kept as they are sent, equal ones included. Terms of others are distinct. */
const REPEATED: ReadonlySet<string> = new Set([...NUMBER_TYPES, 'boolean', 'date'])
const FORMAT = 'strict_date_time'

/** The sources of a composite aggregation; undefined when the buckets of one cannot be described. */
export function compositeSources(options: JsonObject, scope: SearchScope): CompositeSource[] | undefined {
  const { sources } = options
  if (!Array.isArray(sources)) return undefined
  const found: CompositeSource[] = []
  for (const item of sources) {
    const [name, definition] = isObject(item) ? (Object.entries(item)[0] ?? []) : []
    const source = name === undefined || !isObject(definition) ? undefined : sourceOf(name, definition, scope)
    if (source === undefined) return undefined
    found.push(source)
  }
  return found
}

function sourceOf(name: string, definition: JsonObject, scope: SearchScope): CompositeSource | undefined {
  const [kind, options] = Object.entries(definition)[0] ?? []
  if (!isObject(options) || typeof options['field'] !== 'string' || options['script'] !== undefined) return undefined
  const { field } = options
  const type = String(scope.field(field)?.['type'])
  const values = valuesOf(String(kind), options, type)
  if (values === undefined) return undefined
  return {
    name,
    field,
    repeats: kind !== 'terms' || REPEATED.has(type),
    query(key) {
      if (key === null) return { bool: { must_not: { exists: { field } } } }
      const value = values(key)
      return value && { [value.kind]: { [field]: value.argument } }
    },
  }
}

type Values = (key: unknown) => { readonly kind: 'term' | 'range'; readonly argument: unknown } | undefined

function valuesOf(kind: string, options: JsonObject, type: string): Values | undefined {
  switch (kind) {
    case 'terms':
      if (type === 'date_nanos') return undefined
      if (type !== 'date') return (key) => ({ kind: 'term', argument: key })
      return (key) => {
        const ms = numberOf(key)
        return ms === undefined
          ? undefined
          : { kind: 'range', argument: { gte: date(ms), lte: date(ms), format: FORMAT } }
      }
    case 'histogram': {
      const interval = numberOf(options['interval'])
      if (interval === undefined) return undefined
      return (key) => {
        const from = numberOf(key)
        return from === undefined ? undefined : { kind: 'range', argument: { gte: from, lt: from + interval } }
      }
    }
    case 'date_histogram':
      return dateValues(options)
    default:
      return undefined
  }
}

/** Dates are sent as texts: OpenSearch moves milliseconds by the time zone, and does not find those before 1970. */
const date = (ms: number) => new Date(ms).toISOString()

function dateValues({ calendar_interval, fixed_interval, time_zone, offset, format }: JsonObject): Values | undefined {
  // Keys with a format do not tell the beginning of their bucket.
  if (format !== undefined) return undefined
  const buckets = {
    calendarInterval: typeof calendar_interval === 'string' ? calendar_interval : undefined,
    fixedMs: durationOf(fixed_interval),
    zone: typeof time_zone === 'string' ? time_zone : undefined,
    offsetMs: offset === undefined ? 0 : durationOf(offset),
  }
  if (buckets.offsetMs === undefined) return undefined
  return (key) => {
    const from = numberOf(key)
    const to = from === undefined ? undefined : bucketAfter(from, buckets)
    if (from === undefined || to === undefined) return undefined
    return { kind: 'range', argument: { gte: date(from), lt: date(to), format: FORMAT } }
  }
}

function durationOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const ms = parseDuration(text.replace(/^[+-]/, ''), 'interval')
    return text.startsWith('-') ? -ms : ms
  } catch {
    return undefined
  }
}
