/**
 * Encodes several values as one term whose bytes sort like the values: numbers as eight bytes, terms with an end mark
 * that no term contains. Buckets of several fields are thus merged, ordered and counted like those of one.
 */

/** A value of one field inside a compound key. */
export type KeyPart = number | Uint8Array

const TERM = 1
const NUMBER = 2

export function encodeKey(parts: readonly KeyPart[]): Uint8Array {
  const bytes: number[] = []
  for (const part of parts) {
    if (typeof part === 'number') pushNumber(bytes, part)
    else pushTerm(bytes, part)
  }
  return Uint8Array.from(bytes)
}

const double = new DataView(new ArrayBuffer(8))

/** The bits of a double, transformed so that smaller numbers have smaller bytes. */
function pushNumber(bytes: number[], value: number): void {
  double.setFloat64(0, value)
  const negative = double.getUint8(0) >= 0x80
  bytes.push(NUMBER)
  for (let i = 0; i < 8; i++) {
    const byte = double.getUint8(i)
    bytes.push(negative ? byte ^ 0xff : i === 0 ? byte ^ 0x80 : byte)
  }
}

/** A zero inside a term is followed by 0xff; two zeros end the term. */
function pushTerm(bytes: number[], term: Uint8Array): void {
  bytes.push(TERM)
  for (const byte of term) {
    bytes.push(byte)
    if (byte === 0) bytes.push(0xff)
  }
  bytes.push(0, 0)
}

export function decodeKey(key: Uint8Array): KeyPart[] {
  const parts: KeyPart[] = []
  let at = 0
  while (at < key.length) {
    if (key[at++] === NUMBER) {
      const negative = key[at]! < 0x80
      for (let i = 0; i < 8; i++) {
        const byte = key[at + i]!
        double.setUint8(i, negative ? byte ^ 0xff : i === 0 ? byte ^ 0x80 : byte)
      }
      parts.push(double.getFloat64(0))
      at += 8
      continue
    }
    const term: number[] = []
    while (key[at] !== 0 || key[at + 1] !== 0) {
      term.push(key[at]!)
      at += key[at] === 0 ? 2 : 1
    }
    parts.push(Uint8Array.from(term))
    at += 2
  }
  return parts
}
