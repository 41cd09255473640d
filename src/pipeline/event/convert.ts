/** Value conversions of mutate and csv, with the rules of Ruby's numbers, including thousands separators. */
import { Double } from '../../base/json/json-writer.ts'
import { type FieldValue, isFields } from './fields.ts'
import { rubyStrip, rubyText } from './ruby-text.ts'
import { Timestamp } from './timestamp.ts'

export const CONVERSIONS = ['string', 'integer', 'float', 'boolean', 'integer_eu', 'float_eu'] as const
export type Conversion = (typeof CONVERSIONS)[number]

export class ConversionError extends Error {}

/** Arrays are converted element by element. Null and objects stay unchanged. */
export function convertValue(value: FieldValue, to: Conversion): FieldValue {
  if (Array.isArray(value)) return value.map((item) => (item === null ? item : convertOne(item, to)))
  return value === null || isFields(value) ? value : convertOne(value, to)
}

function convertOne(value: FieldValue, to: Conversion): FieldValue {
  switch (to) {
    case 'string':
      return rubyText(value)
    case 'integer':
      return toInteger(value, false)
    case 'integer_eu':
      return toInteger(value, true)
    case 'float':
      return toFloat(value, false)
    case 'float_eu':
      return toFloat(value, true)
    case 'boolean':
      return toBoolean(value)
  }
}

/** A number that prints as a float even when it is whole. */
export function floatOf(value: number): number | Double {
  return Number.isInteger(value) ? new Double(value) : value
}

/** The usual form of integers in logs: no white space, no separators, no fraction. */
const PLAIN_INTEGER = /^-?\d{1,15}$/

function toInteger(value: FieldValue, european: boolean): FieldValue {
  if (typeof value === 'string' && PLAIN_INTEGER.test(value)) return Number(value) + 0
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'bigint') return value
  if (typeof value === 'string') return integerOf(cleaned(value, european), value)
  return whole(numberOf(value))
}

function toFloat(value: FieldValue, european: boolean): FieldValue {
  if (typeof value === 'boolean') return new Double(value ? 1 : 0)
  if (typeof value === 'string') {
    const number = decimalOf(cleaned(value, european), value)
    return floatOf(number === 0 ? 0 : number)
  }
  return floatOf(numberOf(value))
}

/** A timestamp converts to seconds. */
function numberOf(value: FieldValue): number {
  if (value instanceof Timestamp) return value.ms / 1000
  if (value instanceof Double) return value.value
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  throw new ConversionError('only texts, numbers and booleans can become numbers')
}

/** The European form writes 1.234,5 for 1,234.5. */
function cleaned(text: string, european: boolean): string {
  const trimmed = rubyStrip(text)
  return european ? trimmed.replaceAll('.', '').replace(',', '.') : trimmed.replaceAll(',', '')
}

function integerOf(text: string, original: string): FieldValue {
  if (/^[+-]?\d+$/.test(text)) {
    const value = Number(text)
    return Number.isSafeInteger(value) ? value : BigInt(text.replace('+', ''))
  }
  return whole(decimalOf(text, original))
}

function decimalOf(text: string, original: string): number {
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text)
  const hex = /^([+-]?)0x([0-9a-f]+)(?:\.([0-9a-f]+))?(?:p([+-]?\d+))?$/i.exec(text)
  if (hex !== null) return hexNumber(hex[1]!, hex[2]!, hex[3] ?? '', Number(hex[4] ?? 0))
  throw new ConversionError(`invalid value for convert: ${JSON.stringify(original)}`)
}

/** Evaluates hexadecimal floats: `0x1.8p1` is 1.5 · 2^1. */
function hexNumber(sign: string, digits: string, fraction: string, exponent: number): number {
  const value = Number.parseInt(digits + fraction, 16) * 2 ** (exponent - 4 * fraction.length)
  return sign === '-' ? -value : value
}

function whole(value: number): FieldValue {
  const cut = Math.trunc(value)
  if (!Number.isFinite(cut)) throw new ConversionError('not a finite number')
  return Number.isSafeInteger(cut) ? cut + 0 : BigInt(cut)
}

const TRUE = /^(?:true|t|yes|y|1|1\.0)$/i
const FALSE = /^(?:false|f|no|n|0|0\.0|)$/i

/** A value that is neither true nor false stays unchanged. */
function toBoolean(value: FieldValue): FieldValue {
  const text = rubyText(value)
  return TRUE.test(text) ? true : FALSE.test(text) ? false : value
}

/** Ruby's `to_f`: the number at the start of a text, 0 if there is none. */
export function leadingNumber(text: string): number {
  const number = /^\s*[+-]?(?:\d[\d_]*)?(?:\.\d+)?(?:e[+-]?\d+)?/i.exec(text)![0].replaceAll('_', '')
  return Number.parseFloat(number) || 0
}
