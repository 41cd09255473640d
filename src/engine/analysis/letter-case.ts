/**
 * Case mapping of single code points, as in Java's `Character.toLowerCase`.
 *
 * JavaScript's string methods depend on context (final sigma) and may return two characters (İ). A search term must not
 * depend on either, or the same word would be indexed in two forms.
 */

const UNKNOWN = -1
const lowerOfBmp = new Int32Array(0x10000).fill(UNKNOWN)

export function lowerCodePoint(codePoint: number): number {
  if (codePoint > 0xffff) return singleOr(String.fromCodePoint(codePoint).toLowerCase(), codePoint)
  const known = lowerOfBmp[codePoint]!
  if (known !== UNKNOWN) return known
  // The only character whose lower case is longer than itself.
  const lower = codePoint === 0x130 ? 0x69 : singleOr(String.fromCharCode(codePoint).toLowerCase(), codePoint)
  lowerOfBmp[codePoint] = lower
  return lower
}

function upperCodePoint(codePoint: number): number {
  return singleOr(String.fromCodePoint(codePoint).toUpperCase(), codePoint)
}

function singleOr(mapped: string, codePoint: number): number {
  const first = mapped.codePointAt(0)!
  return mapped.length === (first > 0xffff ? 2 : 1) ? first : codePoint
}

const ONLY_ASCII = /^[\0-\x7f]*$/

export function lowerCase(text: string): string {
  return ONLY_ASCII.test(text) ? text.toLowerCase() : mapCodePoints(text, lowerCodePoint)
}

export function upperCase(text: string): string {
  return ONLY_ASCII.test(text) ? text.toUpperCase() : mapCodePoints(text, upperCodePoint)
}

export function mapCodePoints(text: string, map: (codePoint: number) => number): string {
  let out = ''
  for (let i = 0; i < text.length; ) {
    const codePoint = text.codePointAt(i)!
    out += String.fromCodePoint(map(codePoint))
    i += codePoint > 0xffff ? 2 : 1
  }
  return out
}
