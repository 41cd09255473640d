/** Terms, numbers and ranges as Lucene prints them in the text of a query. */
import { formatDouble, formatFloat } from '../../../base/json/json-writer.ts'
import type { FieldType, IndexValue } from '../../mapping/field-type.ts'
import { formatIp } from '../../values/ip.ts'

/** A term's text; bytes that are no text are shown as such. */
export function termText(term: Uint8Array): string {
  try {
    return STRICT_UTF8.decode(term)
  } catch {
    return bytesText(term)
  }
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function bytesText(bytes: Uint8Array): string {
  return `[${[...bytes].map((byte) => byte.toString(16)).join(' ')}]`
}

/** A number of a field as its point index shows it. */
export function numberText(field: FieldType, value: IndexValue): string {
  switch (field.type) {
    case 'float':
    case 'half_float':
      return Number.isFinite(value) ? formatFloat(Number(value)) : String(value)
    case 'double':
      return Number.isFinite(value) ? formatDouble(Number(value)) : String(value)
    case 'boolean':
      return Number(value) === 1 ? 'T' : 'F'
    default:
      return String(value)
  }
}

/** A number as its doc values keeps it: floats in an order of whole numbers. */
function docValuesText(field: FieldType, value: IndexValue): string {
  if (field.type !== 'float' && field.type !== 'double') return numberText(field, value)
  const view = new DataView(new ArrayBuffer(8))
  if (field.type === 'float') {
    view.setFloat32(0, Number(value))
    const bits = view.getInt32(0)
    return String(bits ^ ((bits >> 31) & 0x7fffffff))
  }
  view.setFloat64(0, Number(value))
  const bits = view.getBigInt64(0)
  return String(bits ^ ((bits >> 63n) & 0x7fffffffffffffffn))
}

const LONG_MAX = (1n << 63n) - 1n
const LIMITS: Readonly<Record<string, readonly [low: IndexValue, high: IndexValue]>> = {
  byte: [-0x80000000, 0x7fffffff],
  short: [-0x80000000, 0x7fffffff],
  integer: [-0x80000000, 0x7fffffff],
  float: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  half_float: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  double: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
}
const LONG_LIMITS: readonly [IndexValue, IndexValue] = [-LONG_MAX - 1n, LONG_MAX]

/** The text of a range of numbers, and the text of the same range over the doc values. */
export function numberRangeText(
  field: FieldType,
  lower: IndexValue | undefined,
  upper: IndexValue | undefined,
): { text: string; docValues: string } {
  const [low, high] = LIMITS[field.type] ?? LONG_LIMITS
  const range = (show: (field: FieldType, value: IndexValue) => string) =>
    `${field.name}:[${show(field, lower ?? low)} TO ${show(field, upper ?? high)}]`
  return withDocValues(range(numberText), range(docValuesText))
}

/** Addresses show themselves in the point index, and their bytes in the doc values. */
export function ipRangeText(field: FieldType, lower: Uint8Array | undefined, upper: Uint8Array | undefined) {
  const [low, high] = [lower ?? new Uint8Array(16), upper ?? new Uint8Array(16).fill(0xff)]
  return withDocValues(
    `${field.name}:[${formatIp(low)} TO ${formatIp(high)}]`,
    `${field.name}:[${bytesText(low)} TO ${bytesText(high)}]`,
  )
}

/** A query that may run over the index or over the doc values of a field. */
export function withDocValues(index: string, docValues: string): { text: string; docValues: string } {
  return { text: `IndexOrDocValuesQuery(indexQuery=${index}, dvQuery=${docValues})`, docValues }
}
