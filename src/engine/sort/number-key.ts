/** Sort by a column of numbers. */
import { illegalArgument } from '../../base/api-error.ts'
import { Double, Float } from '../../base/json/json-writer.ts'
import type { FieldType } from '../mapping/field-type.ts'
import type { NumberColumn, SegmentView } from '../segment/segment-reader-api.ts'
import { convertResolution, parseDateValue, printDateValue, type Resolution } from './date-sort-value.ts'
import { type AfterKind, type AfterValue, afterNumber } from './search-after.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'
import type { SortMode } from './sort-spec.ts'

export interface NumberKeyOptions {
  /** Undefined sorts by a field that no document has. */
  readonly field: FieldType | undefined
  readonly integral: boolean
  /** Fractions are cut off: a field of decimals is sorted as whole numbers. */
  readonly truncates: boolean
  /** What a document without a value sorts and prints as: the largest or smallest value of the type. */
  readonly lowest: number | bigint
  readonly highest: number | bigint
  readonly single: boolean
  readonly descending: boolean
  readonly mode: SortMode
  readonly missing: 'first' | 'last' | number | bigint
  readonly format: string | undefined
  /** What Elasticsearch calls the kind of number. */
  readonly kind: AfterKind
  readonly resolution: Resolution
}

export class NumberKey implements SortKey {
  readonly needsScores = false
  readonly #options: NumberKeyOptions
  readonly #sign: number
  /** Key and value of documents without one. */
  readonly #missing: number | bigint

  constructor(options: NumberKeyOptions) {
    this.#options = options
    this.#sign = options.descending ? -1 : 1
    this.#missing = missingValue(options)
  }

  segment(view: SegmentView): SegmentKeys {
    const { field, mode } = this.#options
    const name = field?.schema?.name ?? field?.name
    const column = name === undefined ? undefined : view.reader.numberColumn(name)
    if (column !== undefined && (!column.exact || this.#options.resolution !== undefined)) {
      return new LongKeys(column, mode, this.#sign, BigInt(this.#missing), this.#options.resolution)
    }
    return new DoubleKeys(column, mode, this.#options.integral, this.#options.truncates, this.#sign, this.#missing)
  }

  compare(a: SortValue, b: SortValue): number {
    // Numbers and bigints compare with one another.
    return a! < b! ? -this.#sign : a! > b! ? this.#sign : 0
  }

  format(value: SortValue): unknown {
    const { field, format, integral, single, lowest, highest } = this.#options
    if (format !== undefined && (value === highest || value === lowest)) return null
    if (format !== undefined && field !== undefined) {
      return printDateValue(value as number | bigint, field, format, this.#options.resolution)
    }
    if (field !== undefined && STORED_OTHERWISE.has(field.type)) return field.formatDocValue(value as number, undefined)
    if (integral) return value
    return single ? new Float(Number(value)) : new Double(Number(value))
  }

  after(value: AfterValue, position: number): SortValue {
    const { field, kind, format, resolution } = this.#options
    const name = field?.name ?? '__anonymous_'
    switch (field?.type) {
      case 'date':
      case 'date_nanos':
        return afterNumber(value, position, name, kind, (text) => parseDateValue(text, field, format, resolution))
      case 'boolean':
        return afterNumber(value, position, name, kind, parseBoolean)
      case 'scaled_float':
        return this.#besideScaled(Number(afterNumber(value, position, name, kind)), field)
      case 'unsigned_long':
        return value === null ? afterNumber(value, position, name, kind) : (field.termValue(value) as number | bigint)
      default:
        return afterNumber(value, position, name, kind)
    }
  }

  /** The column holds whole numbers; the bound is put between the last one seen and the first one to come. */
  #besideScaled(value: number, field: FieldType): number {
    if (!Number.isFinite(value)) return value
    const bound = { value, inclusive: false }
    if (this.#options.descending) return Number(field.rangeValues(undefined, bound, {}).upper) + 0.5
    return Number(field.rangeValues(bound, undefined, {}).lower) - 0.5
  }
}

/** Types whose column holds another number than the one that is shown. */
const STORED_OTHERWISE: ReadonlySet<string> = new Set(['scaled_float', 'unsigned_long'])

function parseBoolean(text: string): number {
  if (text === 'true') return 1
  if (text === 'false') return 0
  throw illegalArgument(`Cannot parse boolean [${text}], expected either [true] or [false]`)
}

function missingValue({ missing, descending, lowest, highest }: NumberKeyOptions): number | bigint {
  if (missing !== 'first' && missing !== 'last') return missing
  return (missing === 'last') !== descending ? highest : lowest
}

class DoubleKeys implements SegmentKeys {
  readonly width = 1
  readonly #column: NumberColumn | undefined
  readonly #mode: SortMode
  readonly #integral: boolean
  readonly #truncates: boolean
  readonly #sign: number
  readonly #missing: number | bigint

  constructor(
    column: NumberColumn | undefined,
    mode: SortMode,
    integral: boolean,
    truncates: boolean,
    sign: number,
    missing: number | bigint,
  ) {
    this.#column = column
    this.#mode = mode
    this.#integral = integral
    this.#truncates = truncates
    this.#sign = sign
    this.#missing = missing
  }

  fill(
    docs: Int32Array,
    count: number,
    _base: number,
    _scores: Float32Array,
    out: Float64Array,
    stride: number,
    offset: number,
  ): void {
    const column = this.#column
    const sign = this.#sign
    const missing = Number(this.#missing)
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!
      const value = column?.has(doc) ? this.#pick(column, doc) : missing
      out[i * stride + offset] = sign * value
    }
  }

  value(doc: number): SortValue {
    return this.#column?.has(doc) ? this.#pick(this.#column, doc) : this.#missing
  }

  bound(value: SortValue, out: Float64Array, offset: number): void {
    out[offset] = this.#sign * Number(value)
  }

  /** The value a document is sorted by; means of whole numbers are rounded, as the index would hold them. */
  #pick(column: NumberColumn, doc: number): number {
    const value = pickMode(column, doc, this.#mode)
    if (!this.#integral) return value
    return this.#truncates ? Math.trunc(value) : Math.round(value)
  }
}

/** Values of one document lie in ascending order. */
function pickMode(column: NumberColumn, doc: number, mode: SortMode): number {
  const start = column.start(doc)
  const end = column.end(doc)
  if (mode === 'min' || end - start === 1) return column.valueAt(start)
  if (mode === 'max') return column.valueAt(end - 1)
  if (mode === 'median') {
    const middle = (start + end) >> 1
    if ((end - start) % 2 === 1) return column.valueAt(middle)
    return (column.valueAt(middle - 1) + column.valueAt(middle)) / 2
  }
  let sum = 0
  for (let slot = start; slot < end; slot++) sum += column.valueAt(slot)
  return mode === 'sum' ? sum : sum / (end - start)
}

/** For columns with integers beyond 2^53: the high and the low half are two keys. */
class LongKeys implements SegmentKeys {
  readonly width = 2
  readonly #column: NumberColumn
  readonly #mode: SortMode
  readonly #sign: number
  readonly #missing: bigint
  readonly #resolution: Resolution

  constructor(column: NumberColumn, mode: SortMode, sign: number, missing: bigint, resolution: Resolution) {
    this.#resolution = resolution
    this.#column = column
    this.#mode = mode
    this.#sign = sign
    this.#missing = missing
  }

  fill(
    docs: Int32Array,
    count: number,
    _base: number,
    _scores: Float32Array,
    out: Float64Array,
    stride: number,
    offset: number,
  ): void {
    for (let i = 0; i < count; i++) this.bound(this.value(docs[i]!), out, i * stride + offset)
  }

  value(doc: number): bigint {
    if (!this.#column.has(doc)) return this.#missing
    return convertResolution(this.#pick(doc), this.#resolution)
  }

  bound(value: SortValue, out: Float64Array, offset: number): void {
    const exact = BigInt(value as number | bigint)
    out[offset] = this.#sign * Number(exact >> 32n)
    out[offset + 1] = this.#sign * Number(exact & 0xffffffffn)
  }

  #pick(doc: number): bigint {
    const column = this.#column
    const start = column.start(doc)
    const end = column.end(doc)
    if (this.#mode === 'min' || end - start === 1) return column.bigAt(start)
    if (this.#mode === 'max') return column.bigAt(end - 1)
    if (this.#mode === 'median') {
      const middle = (start + end) >> 1
      if ((end - start) % 2 === 1) return column.bigAt(middle)
      return (column.bigAt(middle - 1) + column.bigAt(middle)) / 2n
    }
    let sum = 0n
    for (let slot = start; slot < end; slot++) sum += column.bigAt(slot)
    return BigInt.asIntN(64, this.#mode === 'sum' ? sum : sum / BigInt(end - start))
  }
}
