/** Parses character classes: `[a-z]`, unions `[a[bc]]`, intersections `[a-z&&[^b]]`, and escapes inside them. */
import { CharSet } from './char-set.ts'
import { CASE_INSENSITIVE, COMMENTS, UNICODE_CASE } from './flags.ts'
import { parseCharEscape, parseSetEscape } from './parse-escape.ts'
import type { PatternCursor } from './pattern-cursor.ts'

/** Maximum nesting of classes. No pattern written by a person is deeper. */
const MAX_DEPTH = 100

/** A set of one code point, extended by the case flags. */
export function literalSet(codePoint: number, flags: number): CharSet {
  return withCase(CharSet.range(codePoint, codePoint), flags)
}

function withCase(set: CharSet, flags: number): CharSet {
  if ((flags & CASE_INSENSITIVE) === 0) return set
  const unicode = (flags & UNICODE_CASE) !== 0
  if (!unicode && !touchesAsciiLetters(set)) return set
  return set.ignoringCase(unicode)
}

function touchesAsciiLetters(set: CharSet): boolean {
  for (let codePoint = 0x41; codePoint <= 0x5a; codePoint++) {
    if (set.has(codePoint) || set.has(codePoint + 0x20)) return true
  }
  return false
}

/** Parses a class whose opening bracket was consumed. */
export function parseClass(cursor: PatternCursor, flags: number, depth = 0): CharSet {
  if (depth > MAX_DEPTH) throw cursor.error('Character classes are nested too deeply')
  const negated = cursor.take('^')
  const set = parseMembers(cursor, flags, depth, true)
  if (!cursor.take(']')) throw cursor.error('Unclosed character class', cursor.pattern.length - 1)
  return negated ? set.negate() : set
}

/**
 * Parses members up to the closing bracket, which is not consumed, or up to `&&` on the right side of an intersection.
 */
function parseMembers(cursor: PatternCursor, flags: number, depth: number, isWhole: boolean): CharSet {
  let members: CharSet[] = []
  for (;;) {
    skipBlanks(cursor, flags)
    if (cursor.isDone) throw cursor.error('Unclosed character class', cursor.pattern.length - 1)
    if (cursor.looksAt('&&')) {
      if (!isWhole) break
      while (cursor.take('&&')) skipBlanks(cursor, flags)
      if (cursor.looksAt(']')) {
        if (members.length === 0) throw cursor.error('Bad class syntax', cursor.at - 1)
        break
      }
      const right = parseMembers(cursor, flags, depth, false)
      members = [members.length === 0 ? right : CharSet.union(members).and(right)]
      continue
    }
    if (cursor.looksAt(']') && (members.length > 0 || !isWhole)) break
    if (cursor.take('[')) members.push(parseClass(cursor, flags, depth + 1))
    else members.push(...parseMember(cursor, flags))
  }
  return CharSet.union(members)
}

function skipBlanks(cursor: PatternCursor, flags: number): void {
  if ((flags & COMMENTS) !== 0) cursor.skipComments()
}

/** Parses a code point, a range or an escape. A quotation yields many code points. */
function parseMember(cursor: PatternCursor, flags: number): CharSet[] {
  if (cursor.take('\\Q')) {
    const close = cursor.pattern.indexOf('\\E', cursor.at)
    const text = cursor.pattern.slice(cursor.at, close < 0 ? undefined : close)
    cursor.at = close < 0 ? cursor.pattern.length : close + 2
    return [...text].map((char) => literalSet(char.codePointAt(0)!, flags))
  }
  const first = parseEnd(cursor, flags)
  if (typeof first !== 'number') return [first]
  skipBlanks(cursor, flags)
  if (!cursor.looksAt('-') || cursor.looksAt('-]') || cursor.looksAt('-[')) return [literalSet(first, flags)]
  const start = cursor.at
  cursor.at++
  skipBlanks(cursor, flags)
  const last = parseEnd(cursor, flags)
  if (typeof last !== 'number') throw cursor.error('Illegal character range', cursor.at - 1)
  if (last < first) throw cursor.error('Illegal character range', Math.max(start, cursor.at - 1))
  return [withCase(CharSet.range(first, last), flags)]
}

function parseEnd(cursor: PatternCursor, flags: number): number | CharSet {
  if (!cursor.take('\\')) return cursor.next()
  return parseSetEscape(cursor, flags) ?? parseCharEscape(cursor)
}
