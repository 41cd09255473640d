/**
 * Names of members as strings. Documents share few names, so that most are recognized by their bytes and no string is
 * built.
 */
import type { JsonReader } from './json-reader.ts'

const SLOTS = 512
const LENGTH_MAX = 64

export class KnownNames {
  /** The name that came last with a hash. */
  readonly #names: string[] = new Array<string>(SLOTS).fill('')

  /** The name at the reader, whose token is FIELD_NAME. */
  of(reader: JsonReader): string {
    const { bytes, start, end, nameHash } = reader
    const slot = nameHash & (SLOTS - 1)
    const known = this.#names[slot]!
    if (isSame(known, bytes, start, end)) return known
    const name = reader.text()
    // Only ASCII names, whose characters are their bytes. One byte per character means ASCII.
    if (name.length === end - start && name.length <= LENGTH_MAX) this.#names[slot] = name
    return name
  }
}

/** Whether `bytes[start, end)` are the characters of an ASCII text. */
export function isSame(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  const { length } = text
  if (length !== end - start) return false
  for (let i = 0; i < length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false
  return true
}
