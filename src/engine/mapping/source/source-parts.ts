/** Pieces of JSON text for filters that copy the rest of a document byte for byte. */
import { endOfString } from '../../../base/json/json-bytes.ts'

export const EMPTY = new Uint8Array(0)
export const COMMA = Buffer.from(',')
export const COLON = Buffer.from(':')
export const OPEN_OBJECT = Buffer.from('{')
export const CLOSE_OBJECT = Buffer.from('}')
export const OPEN_ARRAY = Buffer.from('[')
export const CLOSE_ARRAY = Buffer.from(']')

/** One past the closing quote of the string that opens at `start`. */
export function closingQuote(source: Uint8Array, start: number): number {
  return endOfString(source, start + 1, source.length) + 1
}
