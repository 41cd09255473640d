/** Pieces of JSON text for filters that copy the rest of a document byte for byte. */

export const EMPTY = new Uint8Array(0)
export const COMMA = Buffer.from(',')
export const COLON = Buffer.from(':')
export const OPEN_OBJECT = Buffer.from('{')
export const CLOSE_OBJECT = Buffer.from('}')
export const OPEN_ARRAY = Buffer.from('[')
export const CLOSE_ARRAY = Buffer.from(']')

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** One past the closing quote of the string that opens at `start`. */
export function closingQuote(source: Uint8Array, start: number): number {
  let at = start + 1
  while (source[at] !== QUOTE) at += source[at] === BACKSLASH ? 2 : 1
  return at + 1
}
