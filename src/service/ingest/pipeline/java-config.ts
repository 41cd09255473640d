/** Converts the values of a definition to the Java values of documents. */
import { Double } from '../../../base/json/json-writer.ts'
import { JArrayList, JDouble, JHashMap } from '../../../engine/painless/index.ts'
import { javaInteger } from '../document/document-json.ts'

export function javaOf(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (value instanceof Double) return new JDouble(value.value)
  if (typeof value === 'number') return Number.isInteger(value) ? javaInteger(value) : new JDouble(value)
  if (typeof value === 'bigint') return javaInteger(value)
  if (Array.isArray(value)) return new JArrayList(value.map(javaOf))
  if (typeof value !== 'object') return value
  const map = new JHashMap()
  for (const [name, member] of Object.entries(value)) map.put_2(name, javaOf(member))
  return map
}
