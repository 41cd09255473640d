/** Whole numbers and floating point numbers. */

import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { hasDecimalPart, outOfRange } from '../../../base/errors/value-errors.ts'
import { Double, Float, formatDouble, formatFloat } from '../../../base/json/json-writer.ts'
import { decimalFormat } from '../../values/decimal-format.ts'
import { nextHalfFloatDown, nextHalfFloatUp, roundToHalfFloat } from '../../values/half-float.ts'
import { parseDouble } from '../../values/java-number.ts'
import { javaText } from '../../values/java-text.ts'
import { LONG_MAX, LONG_MIN, parseLong } from '../../values/long.ts'
import {
  docValues,
  index,
  lenience,
  meta,
  type ParameterSite,
  parameter,
  script,
  store,
  timeSeriesDimension,
  timeSeriesMetric,
} from '../definition/parameter.ts'
import { FieldPlan, OP_DECIMAL, OP_INTEGER, OP_LONG, type PlanOp } from '../documents/field-plan.ts'
import * as traits from '../field-traits.ts'
import type { IndexValue, RangeBound, RangeOptions, RangeValues } from '../field-type.ts'
import type { BuildSite, BuiltField, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { BaseFieldType, commonPlan } from './base-field-type.ts'
import { boundInteger, listedInteger, termInteger } from './queried-integer.ts'

interface NumberKind {
  readonly type: string
  readonly traits: traits.NumberTraits
  readonly op: PlanOp
  readonly low: number
  readonly high: number
  readonly bits: number
  /** `a byte`, `an integer`, as in range errors. */
  readonly article: string
}

const KINDS: readonly NumberKind[] = [
  { type: 'byte', traits: traits.INT, op: OP_INTEGER, low: -128, high: 127, bits: 8, article: 'a byte' },
  { type: 'short', traits: traits.INT, op: OP_INTEGER, low: -32768, high: 32767, bits: 16, article: 'a short' },
  {
    type: 'integer',
    traits: traits.INT,
    op: OP_INTEGER,
    low: -2147483648,
    high: 2147483647,
    bits: 32,
    article: 'an integer',
  },
  { type: 'long', traits: traits.LONG, op: OP_LONG, low: -(2 ** 63), high: 2 ** 63, bits: 64, article: 'a long' },
  { type: 'half_float', traits: traits.HALF_FLOAT, op: OP_DECIMAL, low: 0, high: 0, bits: 16, article: '' },
  { type: 'float', traits: traits.FLOAT, op: OP_DECIMAL, low: 0, high: 0, bits: 32, article: '' },
  { type: 'double', traits: traits.DOUBLE, op: OP_DECIMAL, low: 0, high: 0, bits: 64, article: '' },
]

export const numberTypes: readonly LeafDefinition[] = KINDS.map((kind) => ({
  type: kind.type,
  traits: { family: 'number', number: kind.traits },
  mayHaveSubFields: true,
  parameters: numberParameters(
    (value) => readNumber(kind, value, false),
    (value) => (kind.op === OP_DECIMAL && kind.bits < 64 ? Number(formatFloat(value as number)) : value),
    kind.op === OP_DECIMAL ? (value) => (value === null ? 'null' : describeDecimal(kind, value as number)) : undefined,
    // Of the numbers, only longs and doubles can be computed by a script.
    kind.bits === 64,
  ),
  build: (leaf, site) => buildNumber(kind, leaf, site),
}))

const describeDecimal = (kind: NumberKind, value: number) =>
  kind.bits === 64 ? formatDouble(value) : formatFloat(value)

function numberParameters(
  readNull: (value: unknown, site: ParameterSite) => unknown,
  /** Plain numbers only, because a mapping is sent between threads as data. */
  printNull: (value: unknown) => unknown,
  describeNull: ((value: unknown) => string) | undefined,
  takesScript: boolean,
) {
  return [
    index(),
    docValues(),
    store(),
    lenience('ignore_malformed', false),
    lenience('coerce', true),
    parameter('null_value', null, readNull, { acceptsNull: true, print: printNull, describe: describeNull }),
    ...script(takesScript),
    meta(),
    timeSeriesDimension(),
    timeSeriesMetric(['gauge', 'counter']),
  ]
}

function buildNumber(kind: NumberKind, leaf: LeafMapper, site: BuildSite): BuiltField {
  const indexed = leaf.flag('index')
  const hasDocValues = leaf.flag('doc_values')
  const { limits } = site.context
  const coerce = leaf.isGiven('coerce') ? leaf.flag('coerce') : limits.coerce
  const schema = site.schema({
    docValues: hasDocValues ? (kind.op === OP_LONG ? 'long' : 'number') : 'none',
    ordered: indexed,
  })
  const nullValue = leaf.value('null_value') as number | bigint | null
  return {
    type: new NumberType(kind, leaf, site, schema, coerce, nullValue),
    plan: new FieldPlan({
      ...commonPlan(leaf, site, schema),
      op: kind.op,
      coerce,
      low: kind.low,
      high: kind.high,
      bits: kind.bits,
    }),
  }
}

/** A JSON value as a number of this type. Longs beyond 2^53 are bigints. */
function readNumber(kind: NumberKind, value: unknown, coerce: boolean): number | bigint {
  if (kind.op === OP_DECIMAL) return finite(kind.type, roundToBits(kind.bits, decimalOf(value)), value)
  if (kind.op === OP_LONG) return narrow(longOf(value, coerce))
  const number = typeof value === 'number' ? value : parseDouble(javaText(value))
  return wholeNumber(kind, number, javaText(value), coerce)
}

export function roundToBits(bits: number, value: number): number {
  return bits === 64 ? value : bits === 32 ? Math.fround(value) : roundToHalfFloat(value)
}

function decimalOf(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  return parseDouble(javaText(value))
}

/** A number as a field of this type would store it; open bounds stay open. */
export function asStored(type: string, value: number): number {
  const bits = type === 'half_float' ? 16 : type === 'float' ? 32 : 64
  return Number.isFinite(value) ? finite(type, roundToBits(bits, value), value) : value
}

/** Infinite values and NaN cannot be indexed. */
export function finite(type: string, rounded: number, given: unknown): number {
  if (Number.isFinite(rounded)) return rounded
  // The largest half floats are small floats: the message shows the value before rounding.
  const number = type === 'half_float' ? Math.fround(decimalOf(given)) : rounded
  const text = Number.isFinite(number) ? formatFloat(number) : String(number)
  throw illegalArgument(`[${type}] supports only finite values, but got [${text}]`)
}

function wholeNumber(kind: NumberKind, number: number, text: string, coerce: boolean): number {
  if (number < kind.low || number > kind.high) throw outOfRange(text, kind.article)
  if (!coerce && !Number.isInteger(number)) throw decimalPart(text)
  // The JVM casts NaN to zero.
  return Number.isNaN(number) ? 0 : Math.trunc(number)
}

export const decimalPart = (text: string): ApiError => hasDecimalPart(text)

/** Non-numbers and fractions are detected as a double; the integer itself is parsed digit by digit. */
function longOf(value: unknown, coerce: boolean): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  const text = javaText(value)
  if (!coerce && !Number.isInteger(parseDouble(text))) throw decimalPart(text)
  return parseLong(text, coerce)
}

/** A safe integer as a number, otherwise unchanged. */
export function narrow(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

class NumberType extends BaseFieldType {
  readonly #kind: NumberKind
  readonly #coerce: boolean
  readonly #nullValue: number | bigint | null

  constructor(
    kind: NumberKind,
    leaf: LeafMapper,
    site: BuildSite,
    schema: ReturnType<BuildSite['schema']>,
    coerce: boolean,
    nullValue: number | bigint | null,
  ) {
    super({
      leaf,
      site,
      shape: kind.op === OP_LONG ? 'long' : 'number',
      schema,
    })
    this.#kind = kind
    this.#coerce = coerce
    this.#nullValue = nullValue
  }

  override termValue(value: unknown, listed = false): IndexValue {
    const kind = this.#kind
    if (kind.op === OP_DECIMAL) {
      const rounded = roundToBits(kind.bits, decimalOf(value))
      if (listed) return finite(kind.type, rounded, value)
      return Number.isFinite(rounded) ? rounded : Number.NaN
    }
    const exact = listed ? listedInteger(value, kind.op === OP_LONG) : termInteger(value, kind.op === OP_LONG)
    if (exact === undefined || exact < lowest(kind) || exact > highest(kind)) return Number.NaN
    return narrow(exact)
  }

  override rangeValues(
    lower: RangeBound | undefined,
    upper: RangeBound | undefined,
    _options: RangeOptions,
  ): RangeValues {
    const kind = this.#kind
    if (kind.op === OP_DECIMAL) {
      return {
        lower: lower && orderedBound(decimalBound(kind.bits, decimalOf(lower.value), lower.inclusive, 1)),
        upper: upper && orderedBound(decimalBound(kind.bits, decimalOf(upper.value), upper.inclusive, -1)),
      }
    }
    return {
      lower: lower && clampLow(kind, boundInteger(lower, 1, kind.op === OP_LONG)),
      upper: upper && clampHigh(kind, boundInteger(upper, -1, kind.op === OP_LONG)),
    }
  }

  override formatDocValue(value: IndexValue, format: string | undefined): unknown {
    if (format !== undefined) return decimalFormat(format).format(value as number | bigint)
    return this.#kind.op === OP_DECIMAL ? new Double(value as number) : value
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    this.refuseFormat(format)
    if (value === null || value === '') return this.#nullValue === null ? undefined : this.#printed(this.#nullValue)
    if (typeof value === 'object' || typeof value === 'boolean') return undefined
    try {
      return this.#printed(readNumber(this.#kind, value, this.#coerce))
    } catch {
      return undefined
    }
  }

  #printed(number: number | bigint): unknown {
    if (this.#kind.op !== OP_DECIMAL) return number
    return this.#kind.bits === 64 ? new Double(number as number) : new Float(number as number)
  }
}

const lowest = (kind: NumberKind) => (kind.op === OP_LONG ? LONG_MIN : BigInt(kind.low))
const highest = (kind: NumberKind) => (kind.op === OP_LONG ? LONG_MAX : BigInt(kind.high))

/** Java sorts NaN after everything. */
const orderedBound = (bound: number) => (Number.isNaN(bound) ? Number.POSITIVE_INFINITY : bound)

function clampLow(kind: NumberKind, value: bigint): number | bigint {
  const low = lowest(kind)
  return narrow(value < low ? low : value)
}

function clampHigh(kind: NumberKind, value: bigint): number | bigint {
  const high = highest(kind)
  return narrow(value > high ? high : value)
}

/** The nearest value of the field's precision inside the bound. */
export function decimalBound(bits: number, value: number, inclusive: boolean, direction: 1 | -1): number {
  const rounded = roundToBits(bits, value)
  // A float bound is itself a float; only half floats are compared with the number as given.
  if (bits !== 16) return inclusive ? rounded : nextValue(bits, rounded, direction)
  if (inclusive && rounded === value) return rounded
  if (direction === 1 ? rounded > value : rounded < value) return rounded
  return nextValue(bits, rounded, direction)
}

const DOUBLE = new Float64Array(1)
const DOUBLE_BITS = new BigInt64Array(DOUBLE.buffer)
const SINGLE = new Float32Array(1)
const SINGLE_BITS = new Int32Array(SINGLE.buffer)

/** The neighbour of a value in the field's precision. */
function nextValue(bits: number, value: number, direction: 1 | -1): number {
  if (!Number.isFinite(value)) return value
  if (bits === 64) {
    DOUBLE[0] = value === 0 ? 0 : value
    if (value === 0) DOUBLE_BITS[0] = direction === 1 ? 1n : ((1n - 2n ** 63n) as bigint)
    else DOUBLE_BITS[0] = DOUBLE_BITS[0]! + (value > 0 === (direction === 1) ? 1n : -1n)
    return DOUBLE[0]!
  }
  if (bits === 32) {
    SINGLE[0] = value === 0 ? 0 : value
    if (value === 0) SINGLE_BITS[0] = direction === 1 ? 1 : -2147483647
    else SINGLE_BITS[0] = SINGLE_BITS[0]! + (value > 0 === (direction === 1) ? 1 : -1)
    return SINGLE[0]!
  }
  return direction === 1 ? nextHalfFloatUp(value) : nextHalfFloatDown(value)
}
