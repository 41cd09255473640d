/** java.lang.Character. */
import { illegalArgument } from '../../errors/java-throwable.ts'
import type { JChar } from '../boxed.ts'
import { boxChar } from '../boxing.ts'
import { compareTo } from '../equality.ts'
import { JArray } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { primitiveMethod, registerFields, registerPrimitive, registerStatics } from '../registry.ts'

const property = (pattern: RegExp) => (code: number) =>
  code >= 0 && code <= 0x10ffff && pattern.test(String.fromCodePoint(code))

const CODE_POINT_MAX = 0x10ffff

const isDigit = property(/\p{Nd}/u)
const isLetter = property(/\p{L}/u)
const isSpaceChar = property(/\p{Z}/u)
const NO_BREAK = new Set([0xa0, 0x2007, 0x202f])

const isWhitespace = (code: number) =>
  (code >= 9 && code <= 13) || (code >= 28 && code <= 31) || (isSpaceChar(code) && !NO_BREAK.has(code))

/** General categories in the numbering of Java's constants. */
const CATEGORIES: readonly (readonly [RegExp, number, string])[] = [
  [/\p{Lu}/u, 1, 'UPPERCASE_LETTER'],
  [/\p{Ll}/u, 2, 'LOWERCASE_LETTER'],
  [/\p{Lt}/u, 3, 'TITLECASE_LETTER'],
  [/\p{Lm}/u, 4, 'MODIFIER_LETTER'],
  [/\p{Lo}/u, 5, 'OTHER_LETTER'],
  [/\p{Mn}/u, 6, 'NON_SPACING_MARK'],
  [/\p{Me}/u, 7, 'ENCLOSING_MARK'],
  [/\p{Mc}/u, 8, 'COMBINING_SPACING_MARK'],
  [/\p{Nd}/u, 9, 'DECIMAL_DIGIT_NUMBER'],
  [/\p{Nl}/u, 10, 'LETTER_NUMBER'],
  [/\p{No}/u, 11, 'OTHER_NUMBER'],
  [/\p{Zs}/u, 12, 'SPACE_SEPARATOR'],
  [/\p{Zl}/u, 13, 'LINE_SEPARATOR'],
  [/\p{Zp}/u, 14, 'PARAGRAPH_SEPARATOR'],
  [/\p{Cc}/u, 15, 'CONTROL'],
  [/\p{Cf}/u, 16, 'FORMAT'],
  [/\p{Co}/u, 18, 'PRIVATE_USE'],
  [/\p{Cs}/u, 19, 'SURROGATE'],
  [/\p{Pd}/u, 20, 'DASH_PUNCTUATION'],
  [/\p{Ps}/u, 21, 'START_PUNCTUATION'],
  [/\p{Pe}/u, 22, 'END_PUNCTUATION'],
  [/\p{Pc}/u, 23, 'CONNECTOR_PUNCTUATION'],
  [/\p{Po}/u, 24, 'OTHER_PUNCTUATION'],
  [/\p{Sm}/u, 25, 'MATH_SYMBOL'],
  [/\p{Sc}/u, 26, 'CURRENCY_SYMBOL'],
  [/\p{Sk}/u, 27, 'MODIFIER_SYMBOL'],
  [/\p{So}/u, 28, 'OTHER_SYMBOL'],
  [/\p{Pi}/u, 29, 'INITIAL_QUOTE_PUNCTUATION'],
  [/\p{Pf}/u, 30, 'FINAL_QUOTE_PUNCTUATION'],
]

function generalCategory(code: number): number {
  if (code < 0 || code > CODE_POINT_MAX) return 0
  const text = String.fromCodePoint(code)
  return CATEGORIES.find(([pattern]) => pattern.test(text))?.[1] ?? 0
}

export function digitOf(code: number, radix: number): number {
  if (code < 0 || code > CODE_POINT_MAX) return -1
  const text = String.fromCodePoint(code)
  let value = /^[0-9a-zA-Z]$/.test(text) ? Number.parseInt(text, 36) : -1
  if (value < 0 && isDigit(code)) {
    let first = code
    while (first > code - 9 && isDigit(first - 1)) first--
    value = code - first
  }
  return value >= 0 && value < radix && radix >= 2 && radix <= 36 ? value : -1
}

function numericValue(code: number): number {
  const digit = digitOf(code, 36)
  return digit
}

export function textOfCodePoint(code: number): string {
  if (code < 0 || code > CODE_POINT_MAX)
    throw illegalArgument(`Not a valid Unicode code point: 0x${(code >>> 0).toString(16).toUpperCase()}`)
  return String.fromCodePoint(code)
}

function toChars(code: number): JArray {
  const text = textOfCodePoint(code)
  return new JArray(
    'char[]',
    Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)),
  )
}

/** Changes the case of one char. A char whose mapping has several characters stays as it is. */
function mapped(code: number, map: (text: string) => string): number {
  const text = map(String.fromCharCode(code))
  return text.length === 1 ? text.charCodeAt(0) : code
}

const onText =
  (key: string) =>
  (text: unknown, ...args: unknown[]) =>
    primitiveMethod('java.lang.String', key)!(textOf(text), ...args)

const identifierStart = property(/[\p{L}\p{Nl}\p{Sc}\p{Pc}]/u)
const ignorable = (code: number) =>
  (code >= 0 && code <= 8) || (code >= 14 && code <= 27) || (code >= 127 && code <= 159) || property(/\p{Cf}/u)(code)
const identifierPart = (code: number) =>
  identifierStart(code) || property(/[\p{Nd}\p{Mn}\p{Mc}]/u)(code) || ignorable(code)
const surrogate = (code: number) => code >= 0xd800 && code <= 0xdfff

registerFields('java.lang.Character', {
  ...Object.fromEntries(CATEGORIES.map(([, value, name]) => [name, value])),
  MIN_VALUE: 0,
  MAX_VALUE: 65535,
  MIN_RADIX: 2,
  MAX_RADIX: 36,
  MIN_CODE_POINT: 0,
  MAX_CODE_POINT: 0x10ffff,
  MIN_SUPPLEMENTARY_CODE_POINT: 0x10000,
  MIN_HIGH_SURROGATE: 0xd800,
  MAX_HIGH_SURROGATE: 0xdbff,
  MIN_LOW_SURROGATE: 0xdc00,
  MAX_LOW_SURROGATE: 0xdfff,
  MIN_SURROGATE: 0xd800,
  MAX_SURROGATE: 0xdfff,
  UNASSIGNED: 0,
  SIZE: 16,
  BYTES: 2,
})
registerStatics('java.lang.Character', {
  isDigit_1: isDigit,
  isLetter_1: isLetter,
  isLetterOrDigit_1: (c: number) => isLetter(c) || isDigit(c),
  isAlphabetic_1: property(/\p{Alphabetic}/u),
  isUpperCase_1: property(/\p{Uppercase}/u),
  isLowerCase_1: property(/\p{Lowercase}/u),
  isTitleCase_1: property(/\p{Lt}/u),
  isWhitespace_1: isWhitespace,
  isSpaceChar_1: isSpaceChar,
  isISOControl_1: (c: number) => (c >= 0 && c <= 31) || (c >= 127 && c <= 159),
  isIdeographic_1: property(/\p{Ideographic}/u),
  isMirrored_1: property(/\p{Bidi_Mirrored}/u),
  isDefined_1: (c: number) => generalCategory(c) !== 0,
  isIdentifierIgnorable_1: ignorable,
  isJavaIdentifierStart_1: identifierStart,
  isJavaIdentifierPart_1: identifierPart,
  isUnicodeIdentifierStart_1: property(/[\p{L}\p{Nl}]/u),
  isUnicodeIdentifierPart_1: (c: number) => property(/[\p{L}\p{Nl}\p{Pc}\p{Nd}\p{Mc}\p{Mn}]/u)(c) || ignorable(c),
  isBmpCodePoint_1: (c: number) => c >>> 16 === 0,
  isSupplementaryCodePoint_1: (c: number) => c >= 0x10000 && c <= 0x10ffff,
  isValidCodePoint_1: (c: number) => c >= 0 && c <= 0x10ffff,
  isSurrogate_1: surrogate,
  isHighSurrogate_1: (c: number) => c >= 0xd800 && c <= 0xdbff,
  isSurrogatePair_2: (a: number, b: number) => a >= 0xd800 && a <= 0xdbff && b >= 0xdc00 && b <= 0xdfff,
  highSurrogate_1: (c: number) => ((c - 0x10000) >>> 10) + 0xd800,
  lowSurrogate_1: (c: number) => (c & 0x3ff) + 0xdc00,
  toCodePoint_2: (a: number, b: number) => ((a - 0xd800) << 10) + (b - 0xdc00) + 0x10000,
  charCount_1: (c: number) => (c >= 0x10000 ? 2 : 1),
  codePointAt_2: onText('codePointAt_1'),
  codePointBefore_2: onText('codePointBefore_1'),
  codePointCount_3: onText('codePointCount_2'),
  compare_2: (a: number, b: number) => a - b,
  digit_2: digitOf,
  forDigit_2: (digit: number, radix: number) =>
    digit < 0 || digit >= radix || radix < 2 || radix > 36 ? 0 : digit.toString(36).charCodeAt(0),
  getNumericValue_1: numericValue,
  getType_1: generalCategory,
  hashCode_1: (c: number) => c,
  reverseBytes_1: (c: number) => ((c & 0xff) << 8) | (c >> 8),
  toChars_1: toChars,
  toLowerCase_1: (c: number) => mapped(c, (t) => t.toLowerCase()),
  toUpperCase_1: (c: number) => mapped(c, (t) => t.toUpperCase()),
  toTitleCase_1: (c: number) => mapped(c, (t) => t.toUpperCase()),
  toString_1: (c: number) => String.fromCharCode(c),
  valueOf_1: boxChar,
})
registerPrimitive('java.lang.Character', {
  charValue_0: (c: JChar) => c.value,
  compareTo_1: compareTo,
})
