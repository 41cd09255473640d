/** Terms, numbers and ranges as Lucene prints them. */
import { formatDouble, formatFloat } from '../../../base/json/json-writer.ts'
import type { FieldType, IndexValue } from '../../mapping/field-type.ts'
import { notMatched } from '../../scoring/explanation.ts'
import { constantTexts, type Weight } from '../../scoring/query.ts'
import { formatIp } from '../../values/ip.ts'

/** A term as text; bytes that are not UTF-8 are printed as hex. */
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

/** A number of a field as its point index prints it. */
export function numberText(field: FieldType, value: IndexValue): string {
  const { family, number } = field.traits
  if (family === 'boolean') return Number(value) === 1 ? 'T' : 'F'
  if (number?.isWhole !== false || number.storedAs !== undefined || !Number.isFinite(value)) return String(value)
  return number.sortsAs === 'FLOAT' ? formatFloat(Number(value)) : formatDouble(Number(value))
}

/** A number as its doc values print it: floats as sortable integers. */
function docValuesText(field: FieldType, value: IndexValue): string {
  const { number } = field.traits
  if (number?.isWhole !== false || number.storedAs !== undefined || number.bytes === 2) return numberText(field, value)
  const view = new DataView(new ArrayBuffer(8))
  if (number.bytes === 4) {
    view.setFloat32(0, Number(value))
    const bits = view.getInt32(0)
    return String(bits ^ ((bits >> 31) & 0x7fffffff))
  }
  view.setFloat64(0, Number(value))
  const bits = view.getBigInt64(0)
  return String(bits ^ ((bits >> 63n) & 0x7fffffffffffffffn))
}

const LONG_MAX = (1n << 63n) - 1n

/** The smallest and largest value of the point index, used for open bounds. */
function limitsOf({ traits: { number } }: FieldType): readonly [low: IndexValue, high: IndexValue] {
  if (number?.sortsAs === 'INT') return [-0x80000000, 0x7fffffff]
  const isFraction = number?.isWhole === false && number.storedAs === undefined
  return isFraction ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : [-LONG_MAX - 1n, LONG_MAX]
}

/**
 * The texts of a numeric range over the index, over doc values, or over both. A range over doc values whose bounds have
 * nothing between them is rewritten to a query that matches nothing.
 */
export function numberRangeTexts(
  field: FieldType,
  lower: IndexValue | undefined,
  upper: IndexValue | undefined,
  score: number,
): Pick<Weight, 'text' | 'explain'> {
  const [low, high] = limitsOf(field)
  const [from, to] = [lower ?? low, upper ?? high]
  const range = (show: (field: FieldType, value: IndexValue) => string) =>
    `${field.name}:[${show(field, from)} TO ${show(field, to)}]`
  const index = () => range(numberText)
  if (!field.hasDocValues) return constantTexts(score, index)
  const docValues = () => range(docValuesText)
  const isEmpty = from > to
  const text = (rewritten: boolean) => {
    const shown = isEmpty && rewritten ? 'MatchNoDocsQuery("")' : docValues()
    return field.schema?.ordered === true ? withDocValues(index(), shown).text : shown
  }
  const texts = constantTexts(score, text, docValues)
  return isEmpty ? { ...texts, explain: () => notMatched('') } : texts
}

/** Addresses print as such in the point index, and as bytes in doc values. */
export function ipRangeText(field: FieldType, lower: Uint8Array | undefined, upper: Uint8Array | undefined) {
  const [low, high] = [lower ?? new Uint8Array(16), upper ?? new Uint8Array(16).fill(0xff)]
  return withDocValues(
    `${field.name}:[${formatIp(low)} TO ${formatIp(high)}]`,
    `${field.name}:[${bytesText(low)} TO ${bytesText(high)}]`,
  )
}

/** A query that may run over the index or over doc values of a field. */
export function withDocValues(index: string, docValues: string): { text: string; docValues: string } {
  return { text: `IndexOrDocValuesQuery(indexQuery=${index}, dvQuery=${docValues})`, docValues }
}
