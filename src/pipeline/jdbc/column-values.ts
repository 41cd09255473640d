/** Converts column values that drivers return as text. */
import { Double } from '../../base/json/json-writer.ts'
import type { FieldValue } from '../event/fields.ts'
import type { Zone } from '../time/zone.ts'
import { parseDatabaseTime } from './database-times.ts'

export function integerValue(text: string): FieldValue {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

/** Decimal numbers stay floats even if they are whole. */
export function decimalValue(text: string): FieldValue {
  const value = Number(text)
  return Number.isInteger(value) ? new Double(value) : value
}

export function timeValue(text: string, zone: Zone): FieldValue {
  return parseDatabaseTime(text, zone) ?? text
}
