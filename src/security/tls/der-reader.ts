/** Reads the parts of DER that the subject of a certificate consists of. Node parses certificates before they get here. */
export interface DerValue {
  readonly tag: number
  readonly content: Buffer
}

/** The values inside a sequence or set, in order. Throws a `RangeError` if a value ends beyond the content. */
export function derValues(content: Buffer): DerValue[] {
  const values: DerValue[] = []
  for (let at = 0; at < content.length; ) {
    const tag = content.readUInt8(at)
    let length = content.readUInt8(at + 1)
    at += 2
    if (length >= LONG_LENGTH) {
      const bytes = length - LONG_LENGTH
      length = content.readUIntBE(at, bytes)
      at += bytes
    }
    if (at + length > content.length) throw new RangeError('a DER value is longer than its container')
    values.push({ tag, content: content.subarray(at, at + length) })
    at += length
  }
  return values
}

const LONG_LENGTH = 0x80

/** The object identifier in dotted form. */
export function dottedIdentifier(content: Buffer): string {
  const parts: number[] = []
  let part = 0
  for (const byte of content) {
    part = part * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      parts.push(part)
      part = 0
    }
  }
  const [first = 0, ...rest] = parts
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...rest].join('.')
}

/** The text of a string type; undefined for values of other types. */
export function derText({ tag, content }: DerValue): string | undefined {
  switch (tag) {
    case UTF8_STRING:
      return content.toString('utf8')
    case NUMERIC_STRING:
    case PRINTABLE_STRING:
    case IA5_STRING:
    case TELETEX_STRING:
      return content.toString('latin1')
    case BMP_STRING:
      return Buffer.from(content).swap16().toString('utf16le')
    default:
      return undefined
  }
}

const UTF8_STRING = 0x0c
const NUMERIC_STRING = 0x12
const PRINTABLE_STRING = 0x13
const TELETEX_STRING = 0x14
const IA5_STRING = 0x16
const BMP_STRING = 0x1e
