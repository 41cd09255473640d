/** `geo_point`: latitude and longitude in any notation that Elasticsearch accepts. */
import { ApiError, illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { documentParsing } from '../../../base/errors/mapping-errors.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  INTEGER,
  type JsonReader,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
} from '../../../base/json/json-reader.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import { GEO } from '../../document/parsed-document.ts'
import { encodeLatitude, encodeLongitude } from '../../values/geo-encoding.ts'
import { type GeoPoint, normalizePoint, parseGeoPoint } from '../../values/geo-point.ts'
import { parseDouble } from '../../values/java-number.ts'
import { javaDouble } from '../../values/java-text.ts'
import {
  docValues,
  flag,
  index,
  lenience,
  meta,
  parameter,
  readBoolean,
  script,
  store,
  timeSeriesMetric,
} from '../definition/parameter.ts'
import { type EntrySink, FieldPlan, OP_GEO_POINT } from '../documents/field-plan.ts'
import { readDecimal } from '../documents/number-reader.ts'
import type { IndexValue } from '../field-type.ts'
import type { BuildSite, BuiltField, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { BaseFieldType, commonPlan } from './base-field-type.ts'

export const geoPoint: LeafDefinition = {
  type: 'geo_point',
  traits: { family: 'geo', takesArrays: true },
  mayHaveSubFields: true,
  parameters: [
    docValues(),
    index(),
    store(),
    lenience('ignore_malformed', false),
    flag('ignore_z_value', true, { updatable: true, printedWhenGiven: true }),
    parameter('null_value', null, (value) => checkRange(parseGeoPoint(value, { ignoreZValue: true }), ''), {
      acceptsNull: true,
      describe: (value) => `${formatDouble((value as GeoPoint).lat)}, ${formatDouble((value as GeoPoint).lon)}`,
    }),
    ...script(),
    meta(),
    parameter('time_series_dimension', false, refuseDimension),
    timeSeriesMetric(['position']),
  ],
  build: buildPoint,
}

function refuseDimension(value: unknown): boolean {
  if (!readBoolean(value)) return false
  throw illegalArgument('Parameter [time_series_dimension] cannot be set to geo_point')
}

function buildPoint(leaf: LeafMapper, site: BuildSite): BuiltField {
  const schema = site.schema({
    docValues: leaf.flag('doc_values') ? 'geo' : 'none',
    ordered: leaf.flag('index'),
  })
  return {
    type: new GeoPointType(leaf, site, schema),
    plan: new FieldPlan({
      ...commonPlan(leaf, site, schema),
      op: OP_GEO_POINT,
      // A third coordinate is rejected by a plan without room for it.
      high: leaf.flag('ignore_z_value') ? 3 : 2,
      takesArrays: true,
      takesObjects: true,
      errorForm: 'bare',
    }),
  }
}

/** Writes the points at the reader's current token: one in any notation, `[lon, lat]`, or several in an array. */
export function writePoint(plan: FieldPlan, sink: EntrySink): void {
  const { reader } = sink
  if (reader.token === NULL) {
    if (plan.hasNullValue) addPoint(plan, plan.nullValue as GeoPoint, sink)
    return
  }
  if (reader.token !== START_ARRAY) {
    writeOne(plan, sink)
    return
  }
  const first = reader.next()
  if (first === INTEGER || first === DECIMAL) {
    writeCoordinates(plan, sink)
    return
  }
  while ((reader.token as number) !== END_ARRAY) {
    if ((reader.token as number) !== NULL) writeOne(plan, sink)
    else if (plan.hasNullValue) addPoint(plan, plan.nullValue as GeoPoint, sink)
    reader.next()
  }
}

/**
 * `[lon, lat]`, with a height that may be ignored; after a height Elasticsearch reads on as if other points followed.
 * The reader must be at the first number. A non-number is an error even with ignore_malformed.
 */
function writeCoordinates(plan: FieldPlan, sink: EntrySink): void {
  const { reader } = sink
  const lon = coordinate(sink)
  reader.next()
  const lat = coordinate(sink)
  const token = reader.next()
  if (token !== END_ARRAY && token !== INTEGER && token !== DECIMAL) {
    throw parseFailure('field type does not accept > 3 dimensions')
  }
  if (token !== END_ARRAY && plan.high < 3) {
    throw parseFailure(
      `Exception parsing coordinates: found Z value [${formatDouble(reader.number())}] but [ignore_z_value] parameter is [false]`,
    )
  }
  addPoint(plan, accepted(plan, { lat, lon }), sink)
  if (token !== END_ARRAY) while (reader.next() !== END_ARRAY) writeOne(plan, sink)
}

function coordinate({ reader, places }: EntrySink): number {
  if (reader.token === INTEGER || reader.token === DECIMAL) return reader.number()
  if (reader.token === STRING) return parseDouble(reader.text())
  throw places.notNumeric(reader)
}

/** A point in any notation except array coordinates; an invalid one is reported with the field, or skipped. */
function writeOne(plan: FieldPlan, sink: EntrySink): void {
  const { reader } = sink
  const isObject = reader.token === START_OBJECT
  if (isObject && writePlainObject(plan, sink)) return
  const value = isObject ? unplain : reader.value()
  try {
    const point = parseGeoPoint(value, { ignoreZValue: plan.high === 3 })
    addPoint(plan, accepted(plan, point), sink)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (!plan.ignoreMalformed) {
      const problem = `failed to parse field [${plan.path}] of type [geo_point]`
      throw documentParsing(sink.places.ofToken(reader), problem, error)
    }
    sink.ignore(plan.path)
  }
}

/** What `writePlainObject` read of an object that was not plain. */
let unplain: Record<string, unknown> = {}

/**
 * `{lat, lon}` with two numbers in range, directly from the bytes: the notation of nearly every point. Reads the object
 * completely; returns false for anything else and leaves what it read behind.
 */
function writePlainObject(plan: FieldPlan, sink: EntrySink): boolean {
  const { reader } = sink
  let lat = Number.NaN
  let lon = Number.NaN
  let rest: Record<string, unknown> | undefined
  while (reader.next() !== END_OBJECT) {
    const isLat = isName(reader, LAT)
    const isLon = !isLat && isName(reader, LON)
    const name = isLat ? 'lat' : isLon ? 'lon' : reader.text()
    const token = reader.next()
    if (rest === undefined && (isLat || isLon) && (token === INTEGER || token === DECIMAL)) {
      const value = readDecimal(reader.bytes, reader.start, reader.end)
      if (isLat) lat = value
      else lon = value
      continue
    }
    rest ??= pointObject(lat, lon)
    rest[name] = reader.value()
  }
  if (rest === undefined && Math.abs(lat) <= 90 && Math.abs(lon) <= 180) {
    addPoint(plan, { lat, lon }, sink)
    return true
  }
  unplain = rest ?? pointObject(lat, lon)
  return false
}

function pointObject(lat: number, lon: number): Record<string, unknown> {
  return { ...(Number.isNaN(lat) ? {} : { lat }), ...(Number.isNaN(lon) ? {} : { lon }) }
}

/** Points outside the globe are rejected, or wrapped with ignore_malformed. */
function accepted(plan: FieldPlan, point: GeoPoint): GeoPoint {
  return plan.ignoreMalformed ? normalized(point) : checkRange(point, ` for ${plan.path}`)
}

function normalized(point: GeoPoint): GeoPoint {
  if (Number.isFinite(point.lat) && Number.isFinite(point.lon)) return normalizePoint(point)
  throw parseFailure('cannot normalize the point - not a number')
}

function checkRange(point: GeoPoint, where: string): GeoPoint {
  if (Number.isNaN(point.lat)) throw illegalArgument('invalid latitude NaN; must be between -90.0 and 90.0')
  if (!(point.lat >= -90 && point.lat <= 90)) {
    throw illegalArgument(`illegal latitude value [${javaDouble(point.lat)}]${where}`)
  }
  if (!(point.lon >= -180 && point.lon <= 180)) {
    throw illegalArgument(`illegal longitude value [${javaDouble(point.lon)}]${where}`)
  }
  return point
}

function addPoint(plan: FieldPlan, { lat, lon }: GeoPoint, sink: EntrySink): void {
  if (!plan.writes) return
  sink.out.add(plan.schema!, GEO, encodeLatitude(lat), encodeLongitude(lon), sink.doc)
  if (plan.inFieldNames) sink.name(plan)
}

const LAT = [0x6c, 0x61, 0x74] as const
const LON = [0x6c, 0x6f, 0x6e] as const

function isName(reader: JsonReader, name: readonly [number, number, number]): boolean {
  const { bytes, start } = reader
  if (reader.end - start !== 3) return false
  return bytes[start] === name[0] && bytes[start + 1] === name[1] && bytes[start + 2] === name[2]
}

class GeoPointType extends BaseFieldType {
  readonly #lenient: boolean

  constructor(leaf: LeafMapper, site: BuildSite, schema: ReturnType<BuildSite['schema']>) {
    super({
      leaf,
      site,
      shape: 'geo',
      schema,
    })
    this.#lenient = leaf.flag('ignore_malformed')
  }

  override termValue(_value: unknown): IndexValue {
    throw illegalArgument(
      `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${this.name}]`,
    )
  }

  override formatDocValue(value: IndexValue, _format: string | undefined): unknown {
    return value
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    if (format !== undefined && format !== 'geojson' && format !== 'wkt') {
      throw illegalArgument(`Unrecognized geometry format [${format}].`)
    }
    // The null_value is indexed but not shown.
    if (value === null) return undefined
    try {
      const point = parseGeoPoint(withNumbers(value), { ignoreZValue: true })
      return printPoint(this.#lenient ? normalized(point) : checkRange(point, ''), format)
    } catch (error) {
      if (error instanceof ApiError) return undefined
      throw error
    }
  }
}

/** `[lon, lat]` starts with a number; the following ones may be strings. */
function withNumbers(value: unknown): unknown {
  if (!Array.isArray(value) || typeof value[0] !== 'number') return value
  return value.map((item) => (typeof item === 'string' ? parseDouble(item) : item))
}

export function printPoint({ lat, lon }: GeoPoint, format: string | undefined): unknown {
  if (format === undefined || format === 'geojson') {
    return { coordinates: [new Double(lon), new Double(lat)], type: 'Point' }
  }
  return `POINT (${formatDouble(lon)} ${formatDouble(lat)})`
}
