/** Sorts by numeric doc values. */
import { unparsableBoolean } from '../../base/errors/value-errors.ts'
import { Double, Float } from '../../base/json/json-writer.ts'
import type { FieldType } from '../mapping/field-type.ts'
import { storageName } from '../mapping/storage-name.ts'
import type { AfterValue } from '../request/search-after.ts'
import type { SortMode } from '../request/sort/sort-options.ts'
import { newValueBlock } from '../segment/doc-values/doc-values-block.ts'
import { RANGE_BLOCK_BITS } from '../segment/doc-values/doc-values-ranges.ts'
import type { NumericDocValues, OrderedIndex, SegmentView } from '../segment/segment-reader-api.ts'
import { LONG_MAX, LONG_MIN, UNSIGNED_SHIFT } from '../values/long.ts'
import { convertResolution, parseDateValue, printDateValue, type Resolution } from './date-sort-value.ts'
import { type AfterKind, afterNumber, afterUnsigned, truncated } from './search-after.ts'
import type { OrderedKey, SegmentKeys, SortKey, SortValue } from './sort-key.ts'

export interface NumberKeyOptions {
  /** Undefined sorts by a field that no document has. */
  readonly field: FieldType | undefined
  readonly integral: boolean
  /** Truncates fractions: a floating-point field is sorted as integers. */
  readonly truncates: boolean
  /** The sort value of a document without a value: the largest or smallest value of the type. */
  readonly lowest: number | bigint
  readonly highest: number | bigint
  /** Whether values have single precision: several are combined in double precision and then rounded. */
  readonly single: boolean
  readonly descending: boolean
  readonly mode: SortMode
  readonly missing: 'first' | 'last' | number | bigint
  readonly format: string | undefined
  /** Elasticsearch's name of the number type. */
  readonly kind: Exclude<AfterKind, 'SCORE' | 'DOC'>
  readonly resolution: Resolution
}

export class NumberKey implements SortKey {
  readonly needsScores = false
  readonly mayFail: boolean
  readonly valueType: NumberKeyOptions['kind']
  readonly #options: NumberKeyOptions
  readonly #sign: number
  /** Key and value of documents without a value. */
  readonly #missing: number | bigint

  constructor(options: NumberKeyOptions) {
    this.#options = options
    this.valueType = options.kind
    this.mayFail = options.resolution === 'multiply'
    this.#sign = options.descending ? -1 : 1
    this.#missing = missingValue(options)
  }

  segment(view: SegmentView): SegmentKeys {
    const { field, mode } = this.#options
    const name = storageName(field)
    const docValues = name === undefined ? undefined : view.reader.numericDocValues(name)
    const { resolution, integral, single, truncates, kind } = this.#options
    const isRounded = !integral && isShifted(field)
    if (docValues !== undefined && (!docValues.exact || resolution !== undefined || isRounded)) {
      if (!integral) return new RoundedKeys(docValues, this.#options, this.#sign, Number(this.#missing))
      return new LongKeys(docValues, mode, this.#sign, BigInt(this.#missing), resolution)
    }
    return new DoubleKeys({
      docValues,
      scaled: field?.decodeNumber === undefined ? undefined : field,
      mode,
      integral,
      single,
      kind,
      truncates,
      sign: this.#sign,
      missing: this.#missing,
      sparse: docValues !== undefined && docValues.docsWithValue < view.reader.docCount,
      ordered: name === undefined ? undefined : view.reader.orderedIndex(name),
    })
  }

  compare(a: SortValue, b: SortValue): number {
    // Numbers and bigints compare with each other.
    return a! < b! ? -this.#sign : a! > b! ? this.#sign : 0
  }

  format(value: SortValue): unknown {
    const { field, format, integral, kind, lowest, highest } = this.#options
    // The smallest nanosecond is an ordinary date; the other limits are not dates.
    if (format !== undefined && integral && (value === highest || (value === lowest && Number(lowest) !== 0)))
      return null
    if (format !== undefined && integral && field !== undefined) {
      return printDateValue(value as number | bigint, field, format, this.#options.resolution)
    }
    if (integral) return isShifted(field) ? field!.formatDocValue(value as number | bigint, undefined) : value
    return kind === 'FLOAT' ? new Float(Number(value)) : new Double(Number(value))
  }

  /** The inverse of `format`: the value of a hit leads back to the key of the hit. */
  after(value: AfterValue, position: number): SortValue {
    const { field, kind, format, resolution, integral } = this.#options
    const name = field?.name ?? null
    // Fractions are read as numbers, whatever the type of the field.
    if (!integral || field === undefined) {
      const number = afterNumber(value, position, name, kind)
      // Java sorts NaN after everything.
      return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number
    }
    if (isShifted(field)) return afterUnsigned(value, position, name)
    const { family } = field.traits
    if (family === 'date') {
      return afterNumber(value, position, name, kind, (text) => parseDateValue(text, field, format, resolution))
    }
    return afterNumber(value, position, name, kind, family === 'boolean' ? parseBoolean : undefined)
  }
}

/** Whether the stored number is the displayed one less 2^63. */
const isShifted = (field: FieldType | undefined) => field?.traits.number?.storedAs === 'shifted'

function parseBoolean(text: string): number {
  if (text === 'true') return 1
  if (text === 'false') return 0
  throw unparsableBoolean(text)
}

function missingValue({ field, single, integral, kind, missing, descending, lowest, highest }: NumberKeyOptions) {
  if (missing === 'first' || missing === 'last') return (missing === 'last') !== descending ? highest : lowest
  if (integral && isShifted(field)) return field!.termValue(missing) as number | bigint
  if (kind === 'INT') return Number(BigInt.asIntN(32, BigInt(missing)))
  return single ? Math.fround(Number(missing)) : missing
}

interface DoubleKeysOptions {
  readonly docValues: NumericDocValues | undefined
  /** The field, if its doc values are scaled; keys are the numbers that it displays. */
  readonly scaled: FieldType | undefined
  readonly mode: SortMode
  readonly integral: boolean
  /** Whether keys have single precision: several values are combined in double precision and then rounded. */
  readonly single: boolean
  /** Sums of integers wrap, as in Java. */
  readonly kind: AfterKind
  readonly truncates: boolean
  readonly sign: number
  readonly missing: number | bigint
  /** Whether some document of the segment has no value. */
  readonly sparse: boolean
  readonly ordered: OrderedIndex | undefined
}

/** Values of the current block; a thread reads one block at a time. */
const block = newValueBlock()
const one = new Int32Array(1)

class DoubleKeys implements SegmentKeys {
  readonly width = 1
  readonly comparable = true
  readonly inOrder: OrderedKey | undefined
  readonly #options: DoubleKeysOptions

  constructor(options: DoubleKeysOptions) {
    const { docValues, ordered, sparse, truncates, sign, scaled } = options
    this.#options = options
    const isPlain = docValues !== undefined && !docValues.multiValued && !sparse && !truncates
    const stored = scaled === undefined ? undefined : (key: number) => scaled.encodeNumber!(key)
    this.inOrder = isPlain && ordered !== undefined ? { index: ordered, descending: sign < 0, stored } : undefined
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
    const { docValues, sign, truncates, sparse, scaled } = this.#options
    const missing = sign * Number(this.#options.missing)
    if (docValues === undefined) {
      for (let i = 0; i < count; i++) out[i * stride + offset] = missing
      return
    }
    docValues.readBlock(docs, count, block)
    const { offsets, values } = block
    if (!docValues.multiValued && !sparse && !truncates && offsets[count] === count) {
      if (scaled !== undefined) for (let i = 0; i < count; i++) values[i] = scaled.decodeNumber!(values[i]!)
      for (let i = 0; i < count; i++) out[i * stride + offset] = sign * values[i]!
      return
    }
    for (let i = 0; i < count; i++) {
      const has = offsets[i + 1]! > offsets[i]!
      out[i * stride + offset] = has ? sign * this.#pick(values, offsets[i]!, offsets[i + 1]!) : missing
    }
  }

  value(doc: number): SortValue {
    const { docValues, missing } = this.#options
    if (docValues === undefined) return missing
    one[0] = doc
    docValues.readBlock(one, 1, block)
    if (block.offsets[1] === 0) return missing
    const value = this.#pick(block.values, 0, block.offsets[1]!)
    return this.#options.integral && Math.abs(value) === LONG_LIMIT ? truncated(value) : value
  }

  bound(value: SortValue, out: Float64Array, offset: number): void {
    const { missing, sign } = this.#options
    const nearest = Number(value)
    // A number beyond 2^53 may be rounded to the one used for missing values; no other value here is that large.
    const isBeside = typeof value === 'bigint' && value !== missing && nearest === Number(missing)
    out[offset] = sign * (isBeside ? nearest / 2 : nearest)
  }

  best(base: number, limit: number): number | undefined {
    const { docValues, mode, sign, truncates, sparse, scaled } = this.#options
    // A sum lies outside the bounds of its parts.
    if (mode === 'sum' || truncates) return undefined
    const missing = sign * Number(this.#options.missing)
    if (docValues === undefined) return missing
    const stored = sign > 0 ? leastIn(docValues, base, limit) : greatestIn(docValues, base, limit)
    const least = sign * (scaled === undefined ? stored : scaled.decodeNumber!(stored))
    return sparse ? Math.min(least, missing) : least
  }

  /** The sort value of a document. Averages of integers are rounded to integers. */
  #pick(values: Float64Array, start: number, end: number): number {
    const { mode, integral, single, truncates, scaled, kind } = this.#options
    if (scaled !== undefined) for (let at = start; at < end; at++) values[at] = scaled.decodeNumber!(values[at]!)
    // Fractions sorted as integers are truncated before they are added.
    if (truncates) for (let at = start; at < end; at++) values[at] = Math.trunc(values[at]!)
    const value = pickMode(values, start, end, mode)
    if (integral) return kind === 'INT' ? Math.round(value) | 0 : clamped(Math.round(value))
    return single ? Math.fround(value) : value
  }
}

function leastIn({ ranges, min }: NumericDocValues, base: number, limit: number): number {
  if (ranges === undefined) return min
  let least = Number.POSITIVE_INFINITY
  const last = (limit - 1) >> RANGE_BLOCK_BITS
  for (let i = base >> RANGE_BLOCK_BITS; i <= last; i++) if (ranges[i * 2]! < least) least = ranges[i * 2]!
  return least
}

function greatestIn({ ranges, max }: NumericDocValues, base: number, limit: number): number {
  if (ranges === undefined) return max
  let greatest = Number.NEGATIVE_INFINITY
  const last = (limit - 1) >> RANGE_BLOCK_BITS
  for (let i = base >> RANGE_BLOCK_BITS; i <= last; i++) {
    if (ranges[i * 2 + 1]! > greatest) greatest = ranges[i * 2 + 1]!
  }
  return greatest
}

/** Values of one document are in ascending order. */
function pickMode(values: Float64Array, start: number, end: number, mode: SortMode): number {
  if (mode === 'min' || end - start === 1) return values[start]!
  if (mode === 'max') return values[end - 1]!
  if (mode === 'median') {
    const middle = (start + end) >> 1
    if ((end - start) % 2 === 1) return values[middle]!
    return (values[middle - 1]! + values[middle]!) / 2
  }
  let sum = 0
  for (let at = start; at < end; at++) sum += values[at]!
  return mode === 'sum' ? sum : sum / (end - start)
}

/** The limit of a 64-bit integer, as a double. */
const LONG_LIMIT = 2 ** 63

/** Fractions read as integers may be beyond the largest. */
const clamped = (value: number) => Math.max(-LONG_LIMIT, Math.min(LONG_LIMIT, value))

/** The average of integers is an integer again, computed through a double, as in Elasticsearch. */
function meanOf(sum: bigint, count: number): bigint {
  const mean = BigInt(Math.round(Number(sum) / count))
  return mean > LONG_MAX ? LONG_MAX : mean < LONG_MIN ? LONG_MIN : mean
}

/**
 * For doc values with integers beyond 2^53, and dates in the other resolution: the high and low halves are two keys.
 */
class LongKeys implements SegmentKeys {
  readonly width = 2
  readonly #docValues: NumericDocValues
  readonly #mode: SortMode
  readonly #sign: number
  readonly #missing: bigint
  readonly #resolution: Resolution

  constructor(docValues: NumericDocValues, mode: SortMode, sign: number, missing: bigint, resolution: Resolution) {
    this.#resolution = resolution
    this.#docValues = docValues
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
    return this.#docValues.has(doc) ? this.#pick(doc) : this.#missing
  }

  bound(value: SortValue, out: Float64Array, offset: number): void {
    const exact = BigInt(value as number | bigint)
    out[offset] = this.#sign * Number(exact >> 32n)
    out[offset + 1] = this.#sign * Number(exact & 0xffffffffn)
  }

  #pick(doc: number): bigint {
    const start = this.#docValues.start(doc)
    const end = this.#docValues.end(doc)
    // Values ascend. The first one outside the range of the other resolution throws.
    const first = this.#at(start)
    if (this.#mode === 'min' || end - start === 1) return first
    if (this.#mode === 'max') return this.#at(end - 1)
    if (this.#mode === 'median') {
      const middle = (start + end) >> 1
      if ((end - start) % 2 === 1) return this.#at(middle)
      return meanOf(this.#at(middle - 1) + this.#at(middle), 2)
    }
    let sum = first
    for (let slot = start + 1; slot < end; slot++) sum += this.#at(slot)
    return this.#mode === 'sum' ? BigInt.asIntN(64, sum) : meanOf(BigInt.asIntN(64, sum), end - start)
  }

  #at(slot: number): bigint {
    return convertResolution(this.#docValues.bigAt(slot), this.#resolution)
  }
}

/** 64-bit integers sorted as doubles (`numeric_type: double`), with less precision. */
class RoundedKeys implements SegmentKeys {
  readonly width = 1
  readonly #docValues: NumericDocValues
  readonly #options: NumberKeyOptions
  readonly #sign: number
  readonly #missing: number

  constructor(docValues: NumericDocValues, options: NumberKeyOptions, sign: number, missing: number) {
    this.#docValues = docValues
    this.#options = options
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
    for (let i = 0; i < count; i++) out[i * stride + offset] = this.#sign * this.value(docs[i]!)
  }

  value(doc: number): number {
    if (!this.#docValues.has(doc)) return this.#missing
    const start = this.#docValues.start(doc)
    const values = new Float64Array(this.#docValues.end(doc) - start)
    const { field, resolution, mode } = this.#options
    for (let at = 0; at < values.length; at++) {
      const stored = this.#docValues.bigAt(start + at)
      values[at] = Number(isShifted(field) ? stored - UNSIGNED_SHIFT : convertResolution(stored, resolution))
    }
    return pickMode(values, 0, values.length, mode)
  }

  bound(value: SortValue, out: Float64Array, offset: number): void {
    out[offset] = this.#sign * Number(value)
  }
}
