/** convert: converts values to numbers, booleans, IP addresses or strings. */
import { ApiError, illegalArgument, notANumber } from '../../../base/api-error.ts'
import { JArrayList, JDouble, JFloat, JList, javaClassOf, javaString } from '../../../engine/painless/index.ts'
import { requireIp } from '../../../engine/values/ip.ts'
import { parseDouble, parseFloat32 } from '../../../engine/values/java-number.ts'
import { LONG_MAX, LONG_MIN } from '../../../engine/values/long.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'

type Conversion = (value: unknown) => unknown

const CONVERSIONS: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ['integer', (value) => number('integer', value, parseInteger)],
  ['long', (value) => number('long', value, parseJavaLong)],
  ['float', (value) => number('float', value, (text) => new JFloat(parseFloat32(text)))],
  ['double', (value) => number('double', value, (text) => new JDouble(parseDouble(text)))],
  ['boolean', toBoolean],
  ['ip', toIp],
  ['string', textOf],
  ['auto', toAny],
])

export const convert: ProcessorFactory = (reader) => {
  const field = reader.string('field')
  const type = reader.string('type')
  const target = reader.optionalString('target_field') ?? field
  const conversion = CONVERSIONS.get(type.toLowerCase())
  if (conversion === undefined) throw reader.error('type', `type [${type}] not supported, cannot convert field.`)
  const ignoresMissing = reader.boolean('ignore_missing', false)
  return (document) => {
    const value = document.find(field, ignoresMissing)
    if (value === undefined || (value === null && ignoresMissing)) return
    if (value === null)
      throw illegalArgument(`Field [${field}] is null, cannot be converted to type [${type.toLowerCase()}]`)
    document.set(target, value instanceof JList ? new JArrayList(value.items.map(conversion)) : conversion(value))
  }
}

function number(type: string, value: unknown, parse: (text: string) => unknown): unknown {
  const text = textOf(value)
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw illegalArgument(`unable to convert [${text}] to ${type}`, error)
  }
}

/** Integer.parseInt, or Integer.decode for a text with a prefix. */
function parseInteger(text: string): number {
  const value = parseWhole(text)
  if (value === undefined || (Number(value) | 0) !== Number(value)) throw notANumber(shownDigits(text, value))
  return Number(value)
}

function parseJavaLong(text: string): bigint {
  const value = parseWhole(text)
  if (value === undefined || value < LONG_MIN || value > LONG_MAX) throw notANumber(shownDigits(text, value))
  return value
}

const HEX = /^([+-]?)0[xX]([0-9a-fA-F]+)$/

function parseWhole(text: string): bigint | undefined {
  if (/^[+-]?\d{1,40}$/.test(text)) return BigInt(text.replace('+', ''))
  const hex = HEX.exec(text)
  return hex === null ? undefined : BigInt(`0x${hex[2]}`) * (hex[1] === '-' ? -1n : 1n)
}

const shownDigits = (text: string, value: bigint | undefined) =>
  value !== undefined && HEX.test(text) ? text.replace(/0[xX]/, '') : text

function toBoolean(value: unknown): boolean {
  const text = textOf(value)
  if (text.toLowerCase() === 'true') return true
  if (text.toLowerCase() === 'false') return false
  throw illegalArgument(`[${text}] is not a boolean value, cannot convert to boolean`)
}

function toIp(value: unknown): unknown {
  if (typeof value !== 'string') {
    const from = javaClassOf(value)
    const modules = `(${from} and java.lang.String are in module java.base of loader 'bootstrap')`
    throw new ApiError(400, 'class_cast_exception', `class ${from} cannot be cast to class java.lang.String ${modules}`)
  }
  requireIp(value)
  return value
}

/** List elements may be null. A null cannot be converted to a string. */
function textOf(value: unknown): string {
  if (value === null) {
    const reason = 'Cannot invoke "Object.toString()" because "value" is null'
    throw new ApiError(400, 'null_pointer_exception', reason)
  }
  return javaString(value)
}

/** Converts to the first type that accepts the text. Other texts stay unchanged. */
function toAny(value: unknown): unknown {
  if (typeof value !== 'string') return value
  for (const conversion of [
    toBoolean,
    CONVERSIONS.get('integer')!,
    CONVERSIONS.get('long')!,
    CONVERSIONS.get('float')!,
  ]) {
    try {
      return conversion(value)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
  return value
}
