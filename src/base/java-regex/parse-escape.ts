/** Parses escapes for single code points and for sets. */
import { HORIZONTAL_SPACE, namedProperty, shorthand, VERTICAL_SPACE } from './char-properties.ts'
import type { CharSet } from './char-set.ts'
import { CASE_INSENSITIVE, UNICODE_CHARACTER_CLASS } from './flags.ts'
import type { PatternCursor } from './pattern-cursor.ts'

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['r', 0x0d],
  ['f', 0x0c],
  ['a', 0x07],
  ['e', 0x1b],
])

/**
 * The set of an escape such as `\d`, `\H` or `\p{L}`. Returns undefined, consuming nothing, for any other escape. The
 * backslash was consumed.
 */
export function parseSetEscape(cursor: PatternCursor, flags: number): CharSet | undefined {
  const letter = cursor.pattern[cursor.at]
  if (letter === undefined) return undefined
  const lower = letter.toLowerCase()
  const negated = letter !== lower
  if ('dsw'.includes(lower)) {
    cursor.at++
    return maybeNegated(shorthand(lower, (flags & UNICODE_CHARACTER_CLASS) !== 0), negated)
  }
  if (lower === 'h' || lower === 'v') {
    cursor.at++
    return maybeNegated(lower === 'h' ? HORIZONTAL_SPACE : VERTICAL_SPACE, negated)
  }
  if (lower !== 'p') return undefined
  cursor.at++
  return maybeNegated(parseProperty(cursor, flags), negated)
}

const maybeNegated = (set: CharSet, negated: boolean) => (negated ? set.negate() : set)

function parseProperty(cursor: PatternCursor, flags: number): CharSet {
  const { pattern } = cursor
  let name: string
  if (cursor.take('{')) {
    const close = pattern.indexOf('}', cursor.at)
    if (close < 0) throw cursor.error('Unclosed character family', pattern.length)
    name = pattern.slice(cursor.at, close)
    if (name === '') throw cursor.error('Empty character family', close)
    cursor.at = close + 1
  } else {
    const codePoint = cursor.next()
    if (codePoint < 0) throw cursor.error('Unknown character property name {\0}')
    name = String.fromCodePoint(codePoint)
  }
  const set = namedProperty(name, (flags & UNICODE_CHARACTER_CLASS) !== 0, (flags & CASE_INSENSITIVE) !== 0)
  if (set !== undefined) return set
  const at = cursor.at - 1
  if (name.includes('=')) {
    const [key, value] = [name.slice(0, name.indexOf('=')), name.slice(name.indexOf('=') + 1)]
    throw cursor.error(`Unknown Unicode property {name=<${key}>, value=<${value}>}`, at)
  }
  throw cursor.error(`Unknown character property name {${name}}`, at)
}

/** The code point of an escape such as `\n`, `\x41` or `\.`. The backslash was consumed. */
export function parseCharEscape(cursor: PatternCursor): number {
  const start = cursor.at
  const letter = cursor.pattern[start]
  if (letter === undefined) throw cursor.error('Unexpected internal error', cursor.pattern.length)
  const control = CONTROLS.get(letter)
  if (control !== undefined) {
    cursor.at++
    return control
  }
  if (letter === '0') return octal(cursor)
  if (letter === 'x') return hexadecimal(cursor)
  if (letter === 'u') return unicode(cursor)
  if (letter === 'c') {
    cursor.at++
    if (cursor.isDone) throw cursor.error('Illegal control escape sequence', cursor.at - 1)
    return cursor.next() ^ 64
  }
  if (/[a-zA-Z0-9]/.test(letter)) throw cursor.error('Illegal/unsupported escape sequence', start)
  return cursor.next()
}

function octal(cursor: PatternCursor): number {
  const digits = /^[0-3]?[0-7]{1,2}/.exec(cursor.pattern.slice(cursor.at + 1, cursor.at + 4))?.[0]
  if (digits === undefined) throw cursor.error('Illegal octal escape sequence', cursor.at + 1)
  cursor.at += 1 + digits.length
  return Number.parseInt(digits, 8)
}

function hexadecimal(cursor: PatternCursor): number {
  const { pattern, at } = cursor
  const braced = /^x\{([0-9a-fA-F]+)\}/.exec(pattern.slice(at, at + 24))
  if (braced !== null) {
    const codePoint = Number.parseInt(braced[1]!, 16)
    if (codePoint > 0x10ffff) throw cursor.error('Hexadecimal codepoint is too big', at + braced[0].length - 2)
    cursor.at += braced[0].length
    return codePoint
  }
  const plain = /^x([0-9a-fA-F]{2})/.exec(pattern.slice(at, at + 3))
  if (plain === null) {
    const isCut = /^x[0-9a-fA-F]/.test(pattern.slice(at, at + 2))
    throw cursor.error('Illegal hexadecimal escape sequence', at + (isCut ? 2 : 1))
  }
  cursor.at += 3
  return Number.parseInt(plain[1]!, 16)
}

function unicode(cursor: PatternCursor): number {
  const { pattern, at } = cursor
  const unit = /^u([0-9a-fA-F]{4})/.exec(pattern.slice(at, at + 5))
  if (unit === null) {
    const digits = /^[0-9a-fA-F]*/.exec(pattern.slice(at + 1, at + 5))![0].length
    throw cursor.error('Illegal Unicode escape sequence', Math.min(at + 2 + digits, pattern.length))
  }
  cursor.at += 5
  const high = Number.parseInt(unit[1]!, 16)
  if (high < 0xd800 || high > 0xdbff) return high
  const low = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(pattern.slice(cursor.at, cursor.at + 6))
  if (low === null) return high
  cursor.at += 6
  return 0x10000 + ((high - 0xd800) << 10) + (Number.parseInt(low[1]!, 16) - 0xdc00)
}
