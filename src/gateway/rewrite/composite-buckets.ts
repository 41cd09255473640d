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
const REPEATED: ReadonlySet<string> = new Set([...NUMBER_TYPES, 'boolean', 'date', 'date_nanos'])
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
  const values = valuesOf(String(kind), options, type, scope)
  if (values === undefined) return undefined
  return {
    name,
    field,
    repeats: kind !== 'terms' || REPEATED.has(type),
    query(key) {
      if (key === null) return { bool: { must_not: { exists: { field } } } }
      return values(key)
    },
  }
}

type Values = (key: unknown) => JsonObject | undefined

function valuesOf(kind: string, options: JsonObject, type: string, scope: SearchScope): Values | undefined {
  const field = String(options['field'])
  switch (kind) {
    case 'terms':
      if (type !== 'date' && type !== 'date_nanos') return (key) => ({ term: { [field]: key } })
      return (key) => {
        const ms = numberOf(key)
        // Keys of nanoseconds are milliseconds, too.
        return ms === undefined
          ? undefined
          : { range: { [field]: { gte: date(ms), lt: date(ms + 1), format: FORMAT } } }
      }
    case 'histogram': {
      const interval = numberOf(options['interval'])
      if (interval === undefined) return undefined
      return (key) => {
        const from = numberOf(key)
        return from === undefined ? undefined : { range: { [field]: withinType(type, from, from + interval) } }
      }
    }
    case 'date_histogram':
      return dateValues(field, options, type === 'date_nanos')
    case 'geotile_grid':
      // `bounds` are those of whole tiles (tile-bounds.ts), so that a tile that has a bucket has all its points in it.
      return scope.hasScripts ? (key) => pointsInTile(field, key) : undefined
    default:
      return undefined
  }
}

/** The greatest value of types with less than 64 bits. */
const GREATEST: Readonly<Record<string, number>> = {
  byte: 127,
  short: 32_767,
  integer: 2_147_483_647,
  half_float: 65_504,
  float: 3.4028234663852886e38,
}

/** A range without bounds that the type cannot hold, which OpenSearch refuses. */
function withinType(type: string, gte: number, lt: number): JsonObject {
  const greatest = GREATEST[type] ?? Number.POSITIVE_INFINITY
  return { ...(gte < -greatest ? {} : { gte }), ...(lt > greatest ? {} : { lt }) }
}

/** Dates are sent as texts: OpenSearch moves milliseconds by the time zone, and does not find those before 1970. */
const date = (ms: number) => new Date(ms).toISOString()

/** The dates that nanoseconds in 64 bits reach. OpenSearch refuses others in a query of such a field. */
const NANOS_FROM_MS = 0
const NANOS_TO_MS = 9_223_372_036_854

function dateValues(field: string, options: JsonObject, isNanos: boolean): Values | undefined {
  const { calendar_interval, fixed_interval, time_zone, offset, format } = options
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
    const start = isNanos ? Math.max(from, NANOS_FROM_MS) : from
    const end = isNanos && to > NANOS_TO_MS ? {} : { lt: date(to) }
    return { range: { [field]: { gte: date(start), ...end, format: FORMAT } } }
  }
}

/** Finds points in a tile as the servers do, by the projection of their coordinates. */
const TILE_SCRIPT = `
  int zoom = params.zoom;
  long tiles = 1L << zoom;
  for (point in doc[params.field]) {
    double sine = Math.sin(Math.toRadians(point.lat));
    double row = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * tiles);
    double column = Math.floor((point.lon + 180) / 360 * tiles);
    if (Math.max(0, Math.min(tiles - 1, column)) == params.column && Math.max(0, Math.min(tiles - 1, row)) == params.row) {
      return true;
    }
  }
  return false;`

function pointsInTile(field: string, key: unknown): JsonObject | undefined {
  const [zoom, column, row] = String(key).split('/').map(Number)
  if (row === undefined || [zoom, column, row].some(Number.isNaN)) return undefined
  return { script: { script: { source: TILE_SCRIPT, params: { field, zoom, column, row } } } }
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
