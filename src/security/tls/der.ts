/** The few parts of DER that certificates consist of. */
const BOOLEAN = 0x01
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_IDENTIFIER = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30
const SET = 0x31
const CONTEXT = 0x80
const CONSTRUCTED = 0x20

function encode(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

/** Up to 127 in one byte; beyond, the number of the bytes that follow comes first. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

export const sequence = (...parts: readonly Buffer[]) => encode(SEQUENCE, Buffer.concat(parts))
export const set = (...parts: readonly Buffer[]) => encode(SET, Buffer.concat(parts))
export const boolean = (value: boolean) => encode(BOOLEAN, Buffer.from([value ? 0xff : 0]))
export const octets = (content: Buffer) => encode(OCTET_STRING, content)
export const utf8 = (text: string) => encode(UTF8_STRING, Buffer.from(text))

/** A number that is not negative, most significant byte first. */
export function integer(bytes: Buffer): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = bytes.subarray(start)
  // A first bit that is set would be a sign.
  return encode(INTEGER, digits[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits)
}

export const bits = (content: Buffer, unusedBits = 0) =>
  encode(BIT_STRING, Buffer.concat([Buffer.from([unusedBits]), content]))

export function objectIdentifier(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]]
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const digits = [part % 128]
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128)) digits.unshift(0x80 | (left % 128))
    bytes.push(...digits)
  }
  return encode(OBJECT_IDENTIFIER, Buffer.from(bytes))
}

/** Years before 2050 have two digits. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '')
  return date.getUTCFullYear() < 2050
    ? encode(UTC_TIME, Buffer.from(digits.slice(2)))
    : encode(GENERALIZED_TIME, Buffer.from(digits))
}

/** `[n]` around other values. */
export const tagged = (number: number, ...parts: readonly Buffer[]) =>
  encode(CONTEXT | CONSTRUCTED | number, Buffer.concat(parts))

/** `[n]` in the place of another tag, around plain content. */
export const implicit = (number: number, content: Buffer) => encode(CONTEXT | number, content)
