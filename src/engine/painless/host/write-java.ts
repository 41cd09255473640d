/** Writes Java values as JSON, without plain values in between. */
import type { JsonOutput } from '../../../base/json/json-output.ts'
import { formatDouble, writeJson } from '../../../base/json/json-writer.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT } from '../../../base/json/punctuation.ts'
import { JDouble } from '../runtime/boxed.ts'
import { JHashMap } from '../runtime/collections/hash-map.ts'
import { JList } from '../runtime/collections/list.ts'
import { fromJava } from './host-values.ts'
import { JsonMap } from './json-map.ts'

/** Deeper values may contain themselves, which `fromJava` finds out. */
const DEPTH_MAX = 100

/** Writes the value as `fromJava` converts it. Throws what `fromJava` throws. */
export function writeJava(value: unknown, out: JsonOutput, depth = 0): void {
  if (typeof value !== 'object' || value === null) writeJson(value, out)
  else if (value instanceof JsonMap && depth < DEPTH_MAX && value.isJson) writeJsonMap(value, out, depth)
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
    writeMember(key as string, value, out, depth)
  }
  out.addByte(CLOSE_OBJECT)
}

/** Neighbouring members that did not change are copied together, with the commas between them. */
function writeJsonMap(map: JsonMap, out: JsonOutput, depth: number): void {
  const { memberCount, added } = map
  out.addByte(OPEN_OBJECT)
  let member = 0
  while (member < memberCount) {
    if (member > 0) out.addByte(COMMA)
    let end = map.copyEnd(member)
    if (end < 0) {
      writeMember(map.nameOf(member), map.valueOfMember(member), out, depth)
      member++
      continue
    }
    const start = map.copyStart(member++)
    while (member < memberCount && map.copyStart(member) === end + 1 && map.copyEnd(member) >= 0) {
      end = map.copyEnd(member++)
    }
    out.addRange(map.json, start, end)
  }
  for (let i = 0; i < added.length; i += 2) {
    if (i + memberCount > 0) out.addByte(COMMA)
    writeMember(added[i] as string, added[i + 1], out, depth)
  }
  out.addByte(CLOSE_OBJECT)
}

function writeMember(name: string, value: unknown, out: JsonOutput, depth: number): void {
  out.addString(name)
  out.addByte(COLON)
  writeJava(value, out, depth + 1)
}

function writeList(items: readonly unknown[], out: JsonOutput, depth: number): void {
  out.addByte(OPEN_ARRAY)
  for (let i = 0; i < items.length; i++) {
    if (i > 0) out.addByte(COMMA)
    writeJava(items[i], out, depth + 1)
  }
  out.addByte(CLOSE_ARRAY)
}
