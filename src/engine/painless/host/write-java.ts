/** Writes Java values as JSON, without plain values in between. */
import type { JsonOutput } from '../../../base/json/json-output.ts'
import { formatDouble, writeJson } from '../../../base/json/json-writer.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT } from '../../../base/json/punctuation.ts'
import { JDouble } from '../runtime/boxed.ts'
import { JHashMap } from '../runtime/collections/hash-map.ts'
import { JList } from '../runtime/collections/list.ts'
import { fromJava } from './host-values.ts'

/** Deeper values may contain themselves, which `fromJava` finds out. */
const DEPTH_MAX = 100

/** Writes the value as `fromJava` converts it. Throws what `fromJava` throws. */
export function writeJava(value: unknown, out: JsonOutput, depth = 0): void {
  if (typeof value !== 'object' || value === null) writeJson(value, out)
  else if (value instanceof JHashMap && depth < DEPTH_MAX && value.hasTextKeys) writeMap(value, out, depth)
  else if (value instanceof JList && depth < DEPTH_MAX) writeList(value.items, out, depth)
  else if (value instanceof JDouble) out.addAscii(formatDouble(value.value))
  else writeJson(fromJava(value), out)
}

function writeMap(map: JHashMap, out: JsonOutput, depth: number): void {
  out.addByte(OPEN_OBJECT)
  let isFirst = true
  for (const { key, value } of map.entries()) {
    if (!isFirst) out.addByte(COMMA)
    isFirst = false
    out.addString(key as string)
    out.addByte(COLON)
    writeJava(value, out, depth + 1)
  }
  out.addByte(CLOSE_OBJECT)
}

function writeList(items: readonly unknown[], out: JsonOutput, depth: number): void {
  out.addByte(OPEN_ARRAY)
  for (let i = 0; i < items.length; i++) {
    if (i > 0) out.addByte(COMMA)
    writeJava(items[i], out, depth + 1)
  }
  out.addByte(CLOSE_ARRAY)
}
