/** Diagnoses malformed numbers, and words other than `true`, `false` and `null`. */
import { describe, EOF, type FaultySource } from './faulty-source.ts'
import type { JsonSyntaxError } from './json-syntax-error.ts'

/** Maximum digits of a number. */
export const NUMBER_LENGTH_MAX = 1000

const TOKEN_LENGTH_MAX = 256
export const VALUE_LIST = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"

export function examineNumber(source: FaultySource, first: number, start: number, isRoot: boolean): void {
  let byte = first
  if (byte === 0x2d) {
    byte = source.demand()
    if (byte < 0x30 || byte > 0x39) throw badNumberStart(source, byte, true)
  }
  if (byte === 0x30 && isDigit(source.bytes[source.at], source.at < source.limit)) {
    throw source.fail('Invalid numeric value: Leading zeroes not allowed', source.at)
  }
  let next = digits(source)
  if (next === 0x2e) {
    const before = source.at
    next = digits(source)
    if (source.at - before <= (next === EOF ? 0 : 1)) {
      throw badNumber(source, next === EOF ? 0x2e : next, 'Decimal point not followed by a digit')
    }
  }
  if (next !== EOF && (next | 0x20) === 0x65) {
    next = source.demand()
    if (next === 0x2b || next === 0x2d) next = source.demand()
    if (!isDigit(next, true)) throw badNumber(source, next, 'Exponent indicator not followed by a digit')
    next = digits(source)
  }
  if (next !== EOF) {
    if (isRoot && next > 0x20) {
      throw source.unexpected(next, 'Expected space separating root-level values')
    }
    source.at--
  }
  const length = countDigits(source, start)
  if (length > NUMBER_LENGTH_MAX) {
    throw source.overLimit(
      `Number value length (${length}) exceeds the maximum allowed (${NUMBER_LENGTH_MAX}, from ` +
        '`StreamReadConstraints.getMaxNumberLength()`)',
    )
  }
  source.begin('VALUE_NUMBER', start)
}

function countDigits(source: FaultySource, start: number): number {
  let count = 0
  for (let i = start; i < source.at; i++) if (isDigit(source.bytes[i], true)) count++
  return count
}

/** Reads digits. Returns the byte after them, which is consumed. */
function digits(source: FaultySource): number {
  let byte = source.next()
  while (isDigit(byte, byte !== EOF)) byte = source.next()
  return byte
}

export function badNumberStart(source: FaultySource, byte: number, negative: boolean): JsonSyntaxError {
  let shown = byte
  if (byte === 0x49) {
    const second = source.next()
    if (second === EOF) return source.end(' in a Number value')
    if (second === 0x4e) return notStandard(source, negative ? '-INF' : '+INF', 3)
    if (second === 0x6e) return notStandard(source, negative ? '-Infinity' : '+Infinity', 3)
    shown = second
  }
  if (!negative) {
    return badNumber(
      source,
      0x2b,
      'JSON spec does not allow numbers to have plus signs: enable ' +
        '`JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow',
    )
  }
  return badNumber(source, shown, 'expected digit (0-9) to follow minus sign, for valid numeric value')
}

function badNumber(source: FaultySource, byte: number, comment: string): JsonSyntaxError {
  return source.fail(`Unexpected character (${describe(byte)}) in numeric value: ${comment}`, source.at - 1)
}

/** The first `matched` characters of `word` were already read. */
function matchWord(source: FaultySource, word: string, matched: number): JsonSyntaxError | undefined {
  for (let i = matched; i < word.length; i++) {
    if (source.at >= source.limit || source.bytes[source.at] !== word.charCodeAt(i))
      return badToken(source, word.slice(0, i))
    source.at++
  }
  const next = source.at < source.limit ? source.bytes[source.at]! : 0
  if (next < 0x30 || next === 0x5d || next === 0x7d) return undefined
  const at = source.at++
  const code = source.decode(next)
  source.at = at
  return isIdentifierPart(code) ? badToken(source, word) : undefined
}

export function examineWord(source: FaultySource, word: string, start: number): void {
  const error = matchWord(source, word, 1)
  if (error !== undefined) throw error
  source.begin(word === 'null' ? 'VALUE_NULL' : `VALUE_${word.toUpperCase()}`, start)
}

export function notStandard(source: FaultySource, word: string, matched: number): JsonSyntaxError {
  return (
    matchWord(source, word, matched) ??
    source.fail(
      `Non-standard token '${word}': enable \`JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS\` to allow`,
      source.at,
    )
  )
}

/** Reads the rest of the word for the message. */
export function badToken(source: FaultySource, matched: string): JsonSyntaxError {
  let text = matched
  while (source.at < source.limit) {
    const code = source.decode(source.next())
    if (!isIdentifierPart(code)) break
    text += String.fromCharCode(code)
    if (text.length >= TOKEN_LENGTH_MAX) {
      text += '...'
      break
    }
  }
  return source.fail(`Unrecognized token '${text}': was expecting ${VALUE_LIST}`, source.at)
}

function isDigit(byte: number | undefined, there: boolean): boolean {
  return there && byte! >= 0x30 && byte! <= 0x39
}

const IDENTIFIER_START = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}]$/u
const IDENTIFIER_PART = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}\p{Cf}]$/u

export function isIdentifierStart(code: number): boolean {
  return IDENTIFIER_START.test(String.fromCharCode(code))
}

function isIdentifierPart(code: number): boolean {
  if (code <= 8 || (code >= 0x0e && code <= 0x1b) || (code >= 0x7f && code <= 0x9f)) return true
  return IDENTIFIER_PART.test(String.fromCharCode(code))
}
