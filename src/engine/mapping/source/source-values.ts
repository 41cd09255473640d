/** Reads values of a parsed `_source` by path: dots lead into objects, and arrays are searched. */

import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import type { FieldType } from '../field-type.ts'

export type SourceObject = Record<string, unknown>

export function isObject(value: unknown): value is SourceObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Double)
}

/**
 * Every value at `path`, arrays not yet flattened. A document may write `{"a": {"b": 1}}` or `{"a.b": 1}`, or both;
 * values inside objects come first.
 */
export function valuesAt(source: SourceObject, path: string): unknown[] {
  const found: unknown[] = []
  collect(source, path, found)
  return found
}

function collect(value: unknown, path: string, found: unknown[]): void {
  if (Array.isArray(value)) {
    for (const element of value) collect(element, path, found)
    return
  }
  if (!isObject(value)) return
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot)
    if (Object.hasOwn(value, head)) collect(value[head], path.slice(dot + 1), found)
  }
  if (Object.hasOwn(value, path)) found.push(value[path])
}

/**
 * A value in the form that its field type accepts: `1.0` is a text of three characters to some types, and the number
 * one to others.
 */
export function valueFor(type: FieldType, value: unknown): unknown {
  const isText = type.shape === 'text' || type.shape === 'term'
  return isText && value instanceof Double ? formatDouble(value.value) : plainNumbers(value)
}

function plainNumbers(value: unknown): unknown {
  if (value instanceof Double) return value.value
  if (Array.isArray(value)) return value.map(plainNumbers)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainNumbers(member)]))
}
