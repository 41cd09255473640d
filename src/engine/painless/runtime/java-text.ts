/** The text of Java values in `toString` and string concatenation. */
import { formatDouble, formatFloat } from '../../../base/json/json-writer.ts'
import { JavaThrowable } from '../errors/java-throwable.ts'
import { JByte, JChar, JDouble, JFloat, JShort } from './boxed.ts'
import { JObject } from './java-object.ts'

export const doubleText = (value: number): string => (Number.isFinite(value) ? formatDouble(value) : String(value))

export const floatText = (value: number): string => (Number.isFinite(value) ? formatFloat(value) : String(value))

/** Text of a boxed value or object. */
export function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
  }
  if (value === null || value === undefined) return 'null'
  if (value instanceof JDouble) return doubleText(value.value)
  if (value instanceof JObject) return value.toString_0()
  if (value instanceof JFloat) return floatText(value.value)
  if (value instanceof JChar) return String.fromCharCode(value.value)
  if (value instanceof JByte || value instanceof JShort) return String(value.value)
  if (value instanceof JavaThrowable)
    return value.detail === null ? value.javaClass : `${value.javaClass}: ${value.detail}`
  return 'null'
}
