/** Diagnoses malformed strings and names: escapes, control characters, invalid UTF-8. */
import { continuationBytes, describe, EOF, type FaultySource } from './faulty-source.ts'

const ESCAPES = '"\\/bfnrt'
const ESCAPED = '"\\/\b\f\n\r\t'

/** Reads up to the closing quote. */
export function examineString(source: FaultySource): void {
  for (;;) {
    const byte = source.demand()
    if (byte === 0x22) return
    if (byte === 0x5c) readEscape(source)
    else if (byte < 0x20) throw source.unquoted(byte, 'string value')
    else if (byte >= 0x80) continuation(source, byte)
  }
}

/** Reads the name whose opening quote was just consumed. */
export function examineName(source: FaultySource): string {
  let text = ''
  if (source.at >= source.limit) throw source.end(`: was expecting closing '"' for name`)
  for (;;) {
    const next = source.next()
    if (next === EOF) throw source.end(' in field name')
    if (next === 0x22) return text
    if (next === 0x5c) text += String.fromCharCode(readEscape(source))
    else if (next < 0x20) throw source.unquoted(next, 'name')
    else if (next >= 0x80) text += String.fromCodePoint(nameCharacter(source, next))
    else text += String.fromCharCode(next)
  }
}

/** A multi-byte character in a string. The parser checks only that its continuation bytes have the right form. */
function continuation(source: FaultySource, lead: number): void {
  const count = continuationBytes(lead)
  if (count < 0) throw source.fail(`Invalid UTF-8 start byte 0x${lead.toString(16)}`, source.at)
  for (let i = 0; i < count; i++) {
    const byte = source.demand()
    if ((byte & 0xc0) !== 0x80) throw source.fail(`Invalid UTF-8 middle byte 0x${byte.toString(16)}`, source.at)
  }
}

/** Names are validated after they are complete, so their errors report the position after the name. */
function nameCharacter(source: FaultySource, lead: number): number {
  const count = continuationBytes(lead)
  const behind = endOfName(source)
  if (count < 0) throw source.fail(`Invalid UTF-8 start byte 0x${lead.toString(16)}`, behind)
  let code = lead & (0x3f >> count)
  for (let i = 0; i < count; i++) {
    const byte = source.next()
    if (byte === EOF || byte === 0x22) {
      throw source.fail('Unexpected end-of-input in field name', behind, { atEnd: true })
    }
    if ((byte & 0xc0) !== 0x80) {
      throw source.fail(`Invalid UTF-8 middle byte 0x${byte.toString(16)}`, behind)
    }
    code = (code << 6) | (byte & 0x3f)
  }
  return code <= 0x10ffff ? code : 0xfffd
}

function endOfName(source: FaultySource): number {
  let at = source.at
  while (at < source.limit && source.bytes[at] !== 0x22) at += source.bytes[at] === 0x5c ? 2 : 1
  return Math.min(at + 1, source.limit)
}

function readEscape(source: FaultySource): number {
  const byte = source.next()
  if (byte === EOF) throw source.end(' in character escape sequence')
  const at = ESCAPES.indexOf(String.fromCharCode(byte))
  if (at >= 0) return ESCAPED.charCodeAt(at)
  if (byte !== 0x75) {
    const code = source.decode(byte)
    throw source.fail(`Unrecognized character escape ${describe(code & 0xffff)}`, source.at - 1)
  }
  let unit = 0
  for (let i = 0; i < 4; i++) {
    const digit = source.next()
    if (digit === EOF) throw source.end(' in character escape sequence')
    const value = Number.parseInt(String.fromCharCode(digit), 16)
    if (Number.isNaN(value)) throw source.unexpected(digit, 'expected a hex-digit for character escape sequence')
    unit = unit * 16 + value
  }
  return unit
}
