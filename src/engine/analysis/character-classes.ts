/** Character classes of code points as in Java's `Character`. */

const LETTER = /^\p{L}$/u
const DIGIT = /^\p{Nd}$/u
const SPACE = /^[\p{Zs}\p{Zl}\p{Zp}]$/u
const PUNCTUATION = /^\p{P}$/u
const SYMBOL = /^\p{S}$/u

const matches = (pattern: RegExp) => (codePoint: number) => pattern.test(String.fromCodePoint(codePoint))

const isLetterBeyondAscii = matches(LETTER)
const isDigitBeyondAscii = matches(DIGIT)
const isSpaceBeyondAscii = matches(SPACE)

export function isLetter(codePoint: number): boolean {
  if (codePoint < 0x80) return (codePoint >= 0x61 && codePoint <= 0x7a) || (codePoint >= 0x41 && codePoint <= 0x5a)
  return isLetterBeyondAscii(codePoint)
}

export function isDigit(codePoint: number): boolean {
  if (codePoint < 0x80) return codePoint >= 0x30 && codePoint <= 0x39
  return isDigitBeyondAscii(codePoint)
}

const isPunctuation = matches(PUNCTUATION)
const isSymbol = matches(SYMBOL)

/** Java's isWhitespace, which excludes no-break spaces. */
export function isWhitespace(codePoint: number): boolean {
  if (codePoint < 0x80)
    return codePoint === 0x20 || (codePoint >= 9 && codePoint <= 13) || (codePoint >= 28 && codePoint <= 31)
  if (codePoint === 0xa0 || codePoint === 0x2007 || codePoint === 0x202f) return false
  return isSpaceBeyondAscii(codePoint)
}

/** The classes by their names in settings. */
export const CHARACTER_CLASSES: Readonly<Record<string, (codePoint: number) => boolean>> = {
  letter: isLetter,
  digit: isDigit,
  whitespace: isWhitespace,
  punctuation: isPunctuation,
  symbol: isSymbol,
}
