/** The text of a value as `%{field}`, string conversions and grok see it if the field is not a string. */
import { Double, encodeJson, formatDouble } from '../../base/json/json-writer.ts'
import { type FieldValue, isFields, namesOf } from './fields.ts'
import { Timestamp } from './timestamp.ts'

export function textForm(value: FieldValue): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((item) => itemForm(item)).join(',')
  if (isFields(value)) return encodeJson(value).toString()
  return scalarForm(value)
}

function itemForm(item: FieldValue): string {
  if (item === null) return ''
  return isFields(item) ? javaForm(item) : textForm(item)
}

/** Objects inside arrays print like Java's maps and lists. */
function javaForm(value: FieldValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.map(javaForm).join(', ')}]`
  if (!isFields(value)) return typeof value === 'string' ? value : scalarForm(value)
  const members = namesOf(value).map((name) => `${name}=${javaForm(value[name]!)}`)
  return `{${members.join(', ')}}`
}

function scalarForm(value: FieldValue): string {
  if (typeof value === 'number') return Number.isInteger(value) ? wholeNumber(value) : formatDouble(value)
  if (value instanceof Double) return formatDouble(value.value)
  return value instanceof Timestamp ? value.toString() : String(value)
}

function wholeNumber(value: number): string {
  return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString()
}
