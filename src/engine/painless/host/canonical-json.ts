/**
 * Finds the members of a JSON object, and whether the bytes of a value are those that `writeJava` writes for it. Such a value can be
 * copied without being read.
 */
import { endOfString } from '../../../base/json/json-bytes.ts'
import { isSame } from '../../../base/json/known-names.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT } from '../../../base/json/punctuation.ts'
import { firstName, type MemberNames } from './member-names.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const SPACE = 0x20

/** Decimals of so many digits are printed as they are: a double has at least that precision. */
const EXACT_DIGITS = 15
/** Java prints doubles without an exponent below 10^7 … */
const PLAIN_INTEGER_DIGITS = 7
/** … and from 10^-3 on. */
const LEADING_ZEROS_MAX = 2

/** The numbers of a member in `Members.spans`: where its name begins with its quote, where its value begins and ends. */
export const SPAN = 3

export interface Members {
  readonly names: MemberNames
  /** `SPAN` numbers per member. The end of a value that cannot be copied is negative, less one. */
  readonly spans: number[]
}

/** Where the last value that was scanned ends. */
let valueEnd = 0

/**
 * The members of the object in `bytes[start, end)`. Undefined if it has comments, names with other characters than ASCII or with
 * escapes, or if it is no object. Values are not checked.
 */
export function scanMembers(bytes: Uint8Array, start: number, end: number): Members | undefined {
  const spans: number[] = []
  let at = skipSpace(bytes, start, end)
  if (bytes[at] !== OPEN_OBJECT) return undefined
  at = skipSpace(bytes, at + 1, end)
  let last = firstName()
  if (at < end && bytes[at] === CLOSE_OBJECT) at++
  else {
    for (;;) {
      const nameEnd = at < end && bytes[at] === QUOTE ? endOfName(bytes, at + 1, end) : -1
      if (nameEnd < 0) return undefined
      last = last.next(bytes, at + 1, nameEnd)
      const colon = skipSpace(bytes, nameEnd + 1, end)
      if (bytes[colon] !== COLON) return undefined
      const value = skipSpace(bytes, colon + 1, end)
      const isCanonical = scanValue(bytes, value, end)
      if (valueEnd <= value) return undefined
      // The name is copied together with the value.
      const isCopied = isCanonical && value === nameEnd + 2
      spans.push(at, value, isCopied ? valueEnd : -valueEnd - 1)
      at = skipSpace(bytes, valueEnd, end)
      if (at >= end) return undefined
      const separator = bytes[at++]
      if (separator === CLOSE_OBJECT) break
      if (separator !== COMMA) return undefined
      at = skipSpace(bytes, at, end)
    }
  }
  const names = last.names()
  return skipSpace(bytes, at, end) < end || !names.areDistinct ? undefined : { names, spans }
}

/** The end of a name; -1 if it has an escape or a character that is not ASCII. */
function endOfName(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) return at
    if (byte === BACKSLASH || byte < SPACE || byte >= 0x80) return -1
  }
  return -1
}

function skipSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at]! <= SPACE) at++
  return at
}

/** Moves `valueEnd` behind a value, or before it if there is none. Returns whether its bytes can be copied. */
function scanValue(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start]
  valueEnd = start
  if (first === QUOTE) return scanString(bytes, start, end)
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return scanNested(bytes, start, end)
  return scanPlain(bytes, start, end)
}

function scanString(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      valueEnd = at + 1
      return true
    }
    if (byte === BACKSLASH) {
      valueEnd = endOfString(bytes, at, end) + 1
      return false
    }
  }
  valueEnd = start
  return false
}

/** An object or an array. */
function scanNested(bytes: Uint8Array, start: number, end: number): boolean {
  let isCanonical = true
  let open = 0
  for (let at = start; at < end; ) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      if (!scanString(bytes, at, end)) isCanonical = false
      if (valueEnd <= at) break
      at = valueEnd
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      open++
      at++
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      at++
      if (--open > 0) continue
      valueEnd = at
      return isCanonical
    } else if (byte === COMMA || byte === COLON) at++
    else if (byte <= SPACE) {
      isCanonical = false
      at++
    } else {
      if (!scanPlain(bytes, at, end)) isCanonical = false
      if (valueEnd <= at) break
      at = valueEnd
    }
  }
  valueEnd = start
  return false
}

/** A number or a word. */
function scanPlain(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  for (; at < end; at++) {
    const byte = bytes[at]!
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= SPACE) break
    // A comment.
    if (byte === 0x2f) {
      valueEnd = start
      return false
    }
  }
  valueEnd = at
  const first = bytes[start]!
  if (first === MINUS || (first >= ZERO && first <= NINE)) return isCanonicalNumber(bytes, start, at)
  return isSame('true', bytes, start, at) || isSame('false', bytes, start, at) || isSame('null', bytes, start, at)
}

/** Whether Java prints the number as it is: an integer, or a double without an exponent and needless zeros. */
function isCanonicalNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start
  let at = first
  while (at < end && isDigit(bytes[at]!)) at++
  const integerDigits = at - first
  if (integerDigits === 0 || (integerDigits > 1 && bytes[first] === ZERO)) return false
  // -0 is a double.
  if (at === end) return integerDigits <= EXACT_DIGITS && !(first > start && bytes[first] === ZERO)
  if (bytes[at] !== POINT || integerDigits > PLAIN_INTEGER_DIGITS) return false
  const fraction = at + 1
  at = fraction
  while (at < end && isDigit(bytes[at]!)) at++
  const fractionDigits = at - fraction
  if (at < end || fractionDigits === 0 || integerDigits + fractionDigits > EXACT_DIGITS) return false
  if (bytes[end - 1] === ZERO) return fractionDigits === 1
  if (bytes[first] !== ZERO) return true
  let zeros = 0
  while (bytes[fraction + zeros] === ZERO) zeros++
  return zeros <= LEADING_ZEROS_MAX
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}
