/** The functions of `function_score`: each computes a number for a document. */

import { ApiError, illegalArgument, parseFailure, parsingException } from '../../../base/api-error.ts'
import { parseDuration } from '../../../base/duration.ts'
import { formatDouble, formatFloat } from '../../../base/json/json-writer.ts'
import { checkDocValues } from '../../mapping/doc-values-access.ts'
import { inNanoseconds } from '../../mapping/field-traits.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { type Explanation, explained } from '../../scoring/explanation.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import type { NumericDocValues, SegmentView } from '../../segment/segment-reader-api.ts'
import { parseDistance } from '../../values/distance-unit.ts'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'
import { parseGeoPoint, QUERY_POINT } from '../../values/geo-point.ts'
import { parseDouble } from '../../values/java-number.ts'
import { javaText } from '../../values/java-text.ts'
import { haversineMeters } from '../../values/sloppy-math.ts'

/** Bound to a segment: the value of a document, and its explanation. */
export interface DocFunction {
  /** `score` is that of the query. */
  value(doc: number, score: number): number
  /** Replaces the scores of `docs[0, count)`, ascending, by the values, if that is faster than one by one. */
  values?(docs: Int32Array, count: number, scores: Float64Array): void
  /** Whether `values` does not read the scores. */
  readonly ignoresScore?: boolean
  /**
   * Whether the values of `docs[0, count)`, ascending, are known to be numbers from 0 to `limit`. `scores` are those of the query, unless
   * `ignoresScore`.
   */
  isWithin?(limit: number, docs: Int32Array, count: number, scores: Float64Array): boolean
  /** `query` explains the score. */
  explain(doc: number, score: number, query: Explanation): Explanation
}

export interface ScoreFunction {
  /** The function in the text of a query, if it is known. */
  readonly text?: string
  bind(context: SearchExecutionContext): (segment: SegmentView) => DocFunction
}

/** No function, only a weight. */
export const weightOnly: ScoreFunction = {
  bind: () => () => ({ value: () => 1, explain: () => explained(1, 'constant score 1.0 - no function provided') }),
}

const exception = (reason: string, status: number) => new ApiError(status, 'exception', reason)

export interface FieldValueFactor {
  field: string
  factor: number
  modifier: string
  missing: number | undefined
}

const MODIFIERS: Readonly<Record<string, (value: number) => number>> = {
  none: (value) => value,
  log: Math.log10,
  log1p: (value) => Math.log10(value + 1),
  log2p: (value) => Math.log10(value + 2),
  ln: Math.log,
  ln1p: Math.log1p,
  ln2p: (value) => Math.log1p(value + 1),
  square: (value) => value * value,
  sqrt: Math.sqrt,
  reciprocal: (value) => 1 / value,
}

export function isModifier(name: string): boolean {
  return Object.hasOwn(MODIFIERS, name)
}

/** `field_value_factor`: a number of the document, scaled. */
export function fieldValueFactor(settings: FieldValueFactor): ScoreFunction {
  const { field: name, factor, missing } = settings
  const modify = MODIFIERS[settings.modifier]!
  return {
    bind(context) {
      const field = context.mapping.field(name)
      if (field === undefined && missing === undefined) {
        throw exception(`Unable to find a field mapper for field [${name}]. No 'missing' value defined.`, 500)
      }
      if (field !== undefined) checkNumeric(context, field)
      return ({ reader }) => {
        const docValues = field === undefined ? undefined : reader.numericDocValues(storageName(field))
        const score = (doc: number) => {
          let value = missing ?? Number.NaN
          if (docValues?.has(doc)) value = shownNumber(field!, docValues.valueAt(docValues.start(doc)))
          else if (missing === undefined) throw exception(`Missing value for field [${name}]`, 500)
          const result = modify(value * factor)
          if (result < 0) {
            throw illegalArgument(
              `field value function must not produce negative scores, but got: [${result === Number.NEGATIVE_INFINITY ? '-Infinity' : formatDouble(result)}] for field value: ` +
                `[${formatDouble(value)}]`,
            )
          }
          return result
        }
        const otherwise = missing === undefined ? '' : `?:${formatDouble(missing)}`
        const scaled = `doc['${name}'].value${otherwise} * factor=${formatFloat(factor)}`
        const explain = (doc: number) =>
          explained(Math.fround(score(doc)), `field value function: ${settings.modifier}(${scaled})`)
        return { value: score, explain }
      }
    },
  }
}

/** Dates count in milliseconds, whatever their stored resolution. */
function shownNumber({ traits }: FieldType, value: number): number {
  return inNanoseconds(traits) ? Math.trunc(value / 1e6) : value
}

/** Only numbers can be factors. */
function checkNumeric({ index }: SearchExecutionContext, field: FieldType): void {
  checkDocValues(field, index)
  if (field.shape === 'number' || field.shape === 'long') return
  throw illegalArgument(`field [${field.name}] of type [${field.type}] has no numeric values`)
}

export type DecayShape = 'gauss' | 'exp' | 'linear'

export interface Decay {
  shape: DecayShape
  field: string
  origin: unknown
  scale: unknown
  offset: unknown
  /** As given: a value that is not a number is reported for each index. */
  decay: unknown
  multiValueMode: 'min' | 'max' | 'avg' | 'sum'
  /** The name of an unknown member. Elasticsearch parses the members on each shard, so the error is reported there. */
  unsupported: string | undefined
}

/** `gauss`, `exp`, `linear`: 1 at the origin, `decay` at the distance `scale`. */
export function decayFunction(settings: Decay): ScoreFunction {
  return {
    bind(context) {
      const field = context.mapping.field(settings.field)
      if (field === undefined) {
        throw parsingException(`unknown field [${settings.field}]`, {
          details: { line: 1, col: 0 },
        })
      }
      if (settings.unsupported !== undefined)
        throw new ApiError(400, 'parse_exception', `parameter [${settings.unsupported}] not supported!`)
      const decay = decayNumber(settings.decay, 'decay')
      if (decay <= 0 || decay >= 1) {
        throw illegalArgument('function_score : decay must be in the range [0..1].')
      }
      const { scale, offset, distances, show } = decayAxis(context, field, settings)
      if (!(scale > 0)) throw illegalArgument('function_score : scale must be > 0.0.')
      if (offset < 0) throw illegalArgument('function_score : offset must be > 0.0')
      const shape = decayCurve(settings.shape, scale, decay)
      return (segment) => {
        const read = distances(segment)
        const value = (doc: number) => {
          const all = read(doc).map(([distance]) => distance)
          if (all.length === 0) return 1
          const beyond = all.map((distance) => Math.max(0, distance - offset))
          return shape.at(fold(beyond, settings.multiValueMode))
        }
        const explain = (doc: number) => {
          const inside = read(doc).map(([, shown]) => `Math.max(${shown} - ${formatDouble(offset)}(=offset), 0)`)
          const list = `[${inside.length === 0 ? '0.0' : inside.join(', ')}]`
          const score = Math.fround(value(doc))
          return explained(score, `Function for field ${settings.field}:`, [
            explained(score, shape.text(`${settings.multiValueMode.toUpperCase()}${show}${list}`)),
          ])
        }
        return { value, explain }
      }
    },
  }
}

function fold(values: readonly number[], mode: Decay['multiValueMode']): number {
  if (mode === 'min') return Math.min(...values)
  if (mode === 'max') return Math.max(...values)
  const sum = values.reduce((total, value) => total + value, 0)
  return mode === 'sum' ? sum : sum / values.length
}

interface DecayCurve {
  at(distance: number): number
  text(distance: string): string
}

function decayCurve(shape: DecayShape, scale: number, decay: number): DecayCurve {
  if (shape === 'gauss') {
    const processed = (0.5 * scale ** 2) / Math.log(decay)
    return {
      at: (distance) => Math.exp((0.5 * distance ** 2) / processed),
      text: (distance) => `exp(-0.5*pow(${distance},2.0)/${formatDouble(-processed)})`,
    }
  }
  if (shape === 'exp') {
    const processed = Math.log(decay) / scale
    return {
      at: (distance) => Math.exp(processed * distance),
      text: (distance) => `exp(- ${distance} * ${formatDouble(-processed)})`,
    }
  }
  const processed = scale / (1 - decay)
  return {
    at: (distance) => Math.max(0, (processed - distance) / processed),
    text: (distance) => `max(0.0, ((${formatDouble(processed)} - ${distance})/${formatDouble(processed)})`,
  }
}

/** A number of a decay. With a non-finite one no score would be a number. */
function decayNumber(value: unknown, option: string): number {
  if (value === null || typeof value === 'boolean' || typeof value === 'object') {
    throw new ApiError(400, 'json_parse_exception', `[${option}] is not numeric, but [${javaText(value)}]`)
  }
  return checkFinite(typeof value === 'number' ? value : parseDouble(javaText(value)), option)
}

export function checkFinite(value: number, option: string): number {
  if (!Number.isFinite(value)) throw illegalArgument(`[${option}] must be a finite number, but was [${value}]`)
  return value
}

/** The distance of a document's value, and its explanation. */
type Distance = readonly [distance: number, shown: string]

interface DecayAxis {
  readonly scale: number
  readonly offset: number
  readonly distances: (segment: SegmentView) => (doc: number) => Distance[]
  /** The text between the mode and the list of distances. */
  readonly show: string
}

function decayAxis(context: SearchExecutionContext, field: FieldType, settings: Decay): DecayAxis {
  if (field.shape === 'geo') {
    checkDocValues(field, context.index)
    return geoAxis(field, settings)
  }
  const isDate = field.traits.family === 'date'
  if (settings.scale === undefined || (settings.origin === undefined && !isDate)) {
    const what = isDate
      ? '[scale] must be set for date fields.'
      : 'both [scale] and [origin] must be set for numeric fields.'
    throw parseFailure(what)
  }
  const length = (value: unknown, option: string) =>
    isDate ? parseDuration(String(value), `DecayFunctionParser.${option}`) : decayNumber(value, option)
  const now = { nowMs: context.nowMs }
  const dateOrigin = () =>
    Number(field.rangeValues({ value: settings.origin ?? 'now', inclusive: true }, undefined, now).lower)
  const origin = isDate ? shownNumber(field, dateOrigin()) : decayNumber(settings.origin, 'origin')
  checkDocValues(field, context.index)
  if (field.shape !== 'number' && field.shape !== 'long') {
    throw illegalArgument(`field [${field.name}] is of type [${field.type}], but only numeric types are supported.`)
  }
  return {
    scale: length(settings.scale, 'scale'),
    offset: settings.offset === undefined ? 0 : length(settings.offset, 'offset'),
    distances: ({ reader }) => {
      const docValues = reader.numericDocValues(storageName(field))
      return (doc) =>
        numbersOf(docValues, doc, field).map((value) => [
          Math.abs(value - origin),
          `Math.abs(${formatDouble(value)}(=doc value) - ${formatDouble(origin)}(=origin)))`,
        ])
    },
    show: '',
  }
}

function numbersOf(docValues: NumericDocValues | undefined, doc: number, field: FieldType): number[] {
  const values: number[] = []
  if (!docValues?.has(doc)) return values
  for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) {
    values.push(shownNumber(field, docValues.valueAt(slot)))
  }
  return values
}

const point = (lat: number, lon: number) => `${formatDouble(lat)}, ${formatDouble(lon)}`

function geoAxis(field: FieldType, settings: Decay): DecayAxis {
  if (settings.scale === undefined || settings.origin === undefined) {
    throw parseFailure('[origin] and [scale] must be set for geo fields.')
  }
  const origin = parseGeoPoint(settings.origin, QUERY_POINT)
  checkFinite(origin.lat, 'origin')
  checkFinite(origin.lon, 'origin')
  return {
    scale: checkFinite(parseDistance(String(settings.scale)), 'scale'),
    offset: settings.offset === undefined ? 0 : checkFinite(parseDistance(String(settings.offset)), 'offset'),
    distances: ({ reader }) => {
      const docValues = reader.geoDocValues(storageName(field))
      return (doc) => {
        const all: Distance[] = []
        if (!docValues?.has(doc)) return all
        for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) {
          const lat = decodeLatitude(docValues.latitudeAt(slot))
          const lon = decodeLongitude(docValues.longitudeAt(slot))
          const shown = `arcDistance(${point(lat, lon)}(=doc value),${point(origin.lat, origin.lon)}(=origin))`
          all.push([haversineMeters(origin.lat, origin.lon, lat, lon), shown])
        }
        return all
      }
    },
    show: ' of: ',
  }
}
