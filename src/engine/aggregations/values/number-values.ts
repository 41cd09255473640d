/**
 * The numbers of a field in blocks, as aggregations use them: dates in milliseconds for any storage resolution, scaled
 * and unsigned numbers in their original form, and a substitute for missing values.
 */
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { NumericDocValues, SegmentReader, SegmentView, ValueBlock } from '../../segment/segment-reader-api.ts'
import type { ValueSource } from './value-source.ts'

export interface NumberValues {
  /** Values of `docs[0, count)`: entry i has those at [offsets[i], offsets[i + 1]), ascending. */
  readBlock(docs: Int32Array, count: number, into: ValueBlock): void
  readonly multiValued: boolean
  readonly min: number
  readonly max: number
  /** See `NumericDocValues`. */
  denseNumbers?(from: number, count: number, scratch: Float64Array): Float64Array | undefined
  readonly ranges?: Float64Array | undefined
  rangesForScan?(): Float64Array | undefined
  /** The number of values, if known. */
  readonly valueCount?: number | undefined
}

/** The values of a field in a segment; undefined if no document has one. */
export function numberValues(source: ValueSource, view: SegmentView): NumberValues | undefined {
  const { field, ofDocument } = source
  if (ofDocument !== undefined) return new DocumentNumbers(view.reader, ofDocument)
  const name = storageName(field)
  const docValues = name === undefined ? undefined : view.reader.numericDocValues(name)
  const values = docValues === undefined ? undefined : decoded(docValues, field!)
  if (source.missing === undefined) return values
  return new FilledValues(values, source.missing as number)
}

function decoded(docValues: NumericDocValues, field: FieldType): NumberValues {
  const decode = decoderOf(field)
  return decode === undefined ? docValues : new DecodedValues(docValues, decode)
}

/** Converts a stored value to the number it represents; undefined if it is already that number. */
export function decoderOf(field: FieldType): ((docValues: NumericDocValues, slot: number) => number) | undefined {
  switch (field.traits.number?.storedAs) {
    case 'nanoseconds':
      return (docValues, slot) => Number(floorDivide(docValues.bigAt(slot), 1_000_000n))
    case 'scaled':
      return (docValues, slot) => field.decodeNumber!(docValues.valueAt(slot))
    case 'shifted':
      return (docValues, slot) => Number(field.formatDocValue(docValues.bigAt(slot), undefined) as number | bigint)
    default:
      return undefined
  }
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient
}

class DecodedValues implements NumberValues {
  readonly #docValues: NumericDocValues
  readonly #decode: (docValues: NumericDocValues, slot: number) => number
  readonly multiValued: boolean
  readonly min = Number.NEGATIVE_INFINITY
  readonly max = Number.POSITIVE_INFINITY

  constructor(docValues: NumericDocValues, decode: (docValues: NumericDocValues, slot: number) => number) {
    this.#docValues = docValues
    this.#decode = decode
    this.multiValued = docValues.multiValued
  }

  readBlock(docs: Int32Array, count: number, into: ValueBlock): void {
    const docValues = this.#docValues
    let found = 0
    for (let i = 0; i < count; i++) {
      into.offsets[i] = found
      const doc = docs[i]!
      if (!docValues.has(doc)) continue
      const end = docValues.end(doc)
      for (let slot = docValues.start(doc); slot < end; slot++) {
        if (found === into.values.length) into.values = grown(into.values)
        into.values[found++] = this.#decode(docValues, slot)
      }
    }
    into.offsets[count] = found
  }
}

/** Metadata numbers that every document has. */
class DocumentNumbers implements NumberValues {
  readonly #reader: SegmentReader
  readonly #number: (reader: SegmentReader, doc: number) => number
  readonly multiValued = false
  readonly min = Number.NEGATIVE_INFINITY
  readonly max = Number.POSITIVE_INFINITY

  constructor(reader: SegmentReader, number: (reader: SegmentReader, doc: number) => number) {
    this.#reader = reader
    this.#number = number
  }

  readBlock(docs: Int32Array, count: number, into: ValueBlock): void {
    if (into.values.length < count) into.values = new Float64Array(count)
    for (let i = 0; i < count; i++) {
      into.offsets[i] = i
      into.values[i] = this.#number(this.#reader, docs[i]!)
    }
    into.offsets[count] = count
  }
}

function grown(values: Float64Array): Float64Array {
  const larger = new Float64Array(values.length * 2)
  larger.set(values)
  return larger
}

/** Substitutes missing values. */
class FilledValues implements NumberValues {
  readonly #values: NumberValues | undefined
  readonly #missing: number
  readonly #scratch: ValueBlock
  readonly multiValued: boolean
  readonly min: number
  readonly max: number

  constructor(values: NumberValues | undefined, missing: number) {
    this.#values = values
    this.#missing = missing
    this.#scratch = newValueBlock()
    this.multiValued = values?.multiValued ?? false
    this.min = Math.min(missing, values?.min ?? missing)
    this.max = Math.max(missing, values?.max ?? missing)
  }

  readBlock(docs: Int32Array, count: number, into: ValueBlock): void {
    if (this.#values === undefined) {
      for (let i = 0; i <= count; i++) into.offsets[i] = i
      into.values.fill(this.#missing, 0, count)
      return
    }
    const found = this.#scratch
    this.#values.readBlock(docs, count, found)
    const most = found.offsets[count]! + count
    if (into.values.length < most) into.values = new Float64Array(most * 2)
    let at = 0
    for (let i = 0; i < count; i++) {
      into.offsets[i] = at
      const start = found.offsets[i]!
      const end = found.offsets[i + 1]!
      if (start === end) into.values[at++] = this.#missing
      else for (let slot = start; slot < end; slot++) into.values[at++] = found.values[slot]!
    }
    into.offsets[count] = at
  }
}
