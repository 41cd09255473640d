/** Methods of String and CharSequence. */
import { createHash } from 'node:crypto'
import { indexOutOfBounds, nullPointer, stringIndexOutOfBounds } from '../../errors/java-throwable.ts'
import { castFailure } from '../class-of.ts'
import { JIterable } from '../collections/iterable.ts'
import { compareStrings, compareTo } from '../equality.ts'
import { JArray, JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { checkString, spendMemory, spendSteps } from '../limits.ts'
import { registerConstructors, registerPrimitive, registerStatics } from '../registry.ts'
import { decodeBase64, encodeBase64 } from './base64.ts'
import type { JLocale } from './locale.ts'

const bounds = (begin: number, end: number, length: number) =>
  stringIndexOutOfBounds(`begin ${begin}, end ${end}, length ${length}`)

function required<T>(value: T | null, message: string): T {
  if (value === null) throw nullPointer(message)
  return value
}

export function substring(text: string, begin: number, end = text.length): string {
  if (begin < 0 || begin > end || end > text.length) throw bounds(begin, end, text.length)
  return text.slice(begin, end)
}

export function charAt(text: string, index: number): number {
  if (index < 0 || index >= text.length) throw stringIndexOutOfBounds(`String index out of range: ${index}`)
  return text.charCodeAt(index)
}

function codePointAt(text: string, index: number): number {
  charCheck(text, index)
  return text.codePointAt(index)!
}

function charCheck(text: string, index: number): void {
  if (index < 0 || index >= text.length)
    throw stringIndexOutOfBounds(`Index ${index} out of bounds for length ${text.length}`)
}

function codePointBefore(text: string, index: number): number {
  if (index < 1 || index > text.length)
    throw stringIndexOutOfBounds(`Index ${index} out of bounds for length ${text.length}`)
  const low = text.charCodeAt(index - 1)
  const pair = low >= 0xdc00 && low <= 0xdfff && index > 1 ? text.codePointAt(index - 2)! : low
  return pair > 0xffff ? pair : low
}

function codePointCount(text: string, begin: number, end: number): number {
  if (begin < 0 || begin > end || end > text.length) throw indexOutOfBounds()
  return [...text.slice(begin, end)].length
}

function offsetByCodePoints(text: string, index: number, count: number): number {
  if (index < 0 || index > text.length) throw indexOutOfBounds()
  const points = [...(count >= 0 ? text.slice(index) : text.slice(0, index))]
  if (Math.abs(count) > points.length) throw indexOutOfBounds()
  if (count >= 0) return index + points.slice(0, count).join('').length
  return index - points.slice(count).join('').length
}

/** As in Java, trim removes every character up to and including the space character. */
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}

/** Folds case per character like Java's equalsIgnoreCase: to upper case, then to lower case. */
const fold = (text: string): string => {
  let out = ''
  for (const c of text) out += foldCharacter(c)
  return out
}

function foldCharacter(c: string): string {
  const upper = c.toUpperCase()
  const lower = (upper.length === c.length ? upper : c).toLowerCase()
  return lower.length === c.length ? lower : c
}

function replace(text: string, target: unknown, by: unknown): string {
  const from = textOf(required(target, 'Cannot invoke "java.lang.CharSequence.toString()" because "target" is null'))
  const to = textOf(required(by, 'Cannot invoke "java.lang.CharSequence.toString()" because "replacement" is null'))
  const parts = text.split(from)
  const pieces = from === '' ? parts.length + 1 : parts.length - 1
  checkString(text.length + pieces * to.length)
  if (from === '') return to + parts.map((c) => c + to).join('')
  return parts.join(to)
}

/** Splits a text at the occurrences of a token into at most `limit` pieces. Empty pieces are kept. */
export function splitOnToken(text: string, token: string, limit: number): JArray {
  required(token, 'Cannot invoke "String.length()" because "token" is null')
  // An empty token would never advance the search.
  if (token.length === 0) return new JArray('java.lang.String[]', [text])
  const pieces: string[] = []
  let from = 0
  while (limit <= 0 || pieces.length < limit - 1) {
    const at = text.indexOf(token, from)
    if (at < 0) break
    pieces.push(text.slice(from, at))
    from = at + token.length
  }
  pieces.push(text.slice(from))
  spendMemory(pieces.length)
  return new JArray('java.lang.String[]', pieces)
}

function regionMatches(
  text: string,
  ignoreCase: boolean,
  at: number,
  other: string,
  from: number,
  length: number,
): boolean {
  if (from < 0 || at < 0 || at > text.length - length || from > other.length - length) return false
  const a = text.substr(at, Math.max(length, 0))
  const b = other.substr(from, Math.max(length, 0))
  return ignoreCase ? fold(a) === fold(b) : a === b
}

const hash = (algorithm: string) => (text: string) => {
  spendSteps(text.length)
  return createHash(algorithm).update(text, 'utf8').digest('hex')
}

const withLocale = (locale: JLocale) => (locale.tag === '' ? 'und' : locale.tag)

/** Creates integer streams without an import of their module, which would be a cycle. */
export const charStreams: { ints(values: Iterable<number>): JObject } = {
  ints: () => {
    throw new Error('streams are not loaded')
  },
}

const codeUnits = (text: string) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))

const nullArgument = (name: string, call: string) => `Cannot invoke "${call}" because "${name}" is null`

registerPrimitive('java.lang.String', {
  length_0: (s: string) => s.length,
  charAt_1: charAt,
  isEmpty_0: (s: string) => s.length === 0,
  substring_1: (s: string, begin: number) => substring(s, begin),
  substring_2: substring,
  subSequence_2: substring,
  indexOf_1: (s: string, part: string) => s.indexOf(required(part, nullArgument('str', 'String.coder()'))),
  indexOf_2: (s: string, part: string, from: number) =>
    s.indexOf(required(part, nullArgument('tgtStr', 'String.coder()')), from),
  lastIndexOf_1: (s: string, part: string) => s.lastIndexOf(required(part, nullArgument('tgtStr', 'String.coder()'))),
  lastIndexOf_2: (s: string, part: string, from: number) => (from < 0 ? -1 : s.lastIndexOf(part, from)),
  startsWith_1: (s: string, part: string) => s.startsWith(required(part, nullArgument('prefix', 'String.length()'))),
  startsWith_2: (s: string, part: string, from: number) =>
    from >= 0 && from <= s.length - part.length && s.startsWith(part, from),
  endsWith_1: (s: string, part: string) => s.endsWith(required(part, nullArgument('suffix', 'String.length()'))),
  contains_1: (s: string, part: unknown) =>
    s.includes(textOf(required(part, nullArgument('s', 'java.lang.CharSequence.toString()')))),
  contentEquals_1: (s: string, other: unknown) => s === textOf(other),
  equalsIgnoreCase_1: (s: string, other: string | null) =>
    other !== null && s.length === other.length && fold(s) === fold(other),
  compareTo_1: (s: string, other: unknown) =>
    compareTo(s, required(other, 'Cannot read field "value" because "anotherString" is null')),
  compareToIgnoreCase_1: (s: string, other: string) => compareStrings(fold(s), fold(other)),
  concat_1: (s: string, other: string) => {
    checkString(s.length + required(other, nullArgument('str', 'String.isEmpty()')).length)
    return s + other
  },
  replace_2: replace,
  toLowerCase_0: (s: string) => s.toLowerCase(),
  toUpperCase_0: (s: string) => s.toUpperCase(),
  toLowerCase_1: (s: string, locale: JLocale) => s.toLocaleLowerCase(withLocale(required(locale, ''))),
  toUpperCase_1: (s: string, locale: JLocale) => s.toLocaleUpperCase(withLocale(required(locale, ''))),
  trim_0: trim,
  toCharArray_0: (s: string) => {
    spendMemory(s.length)
    return new JArray('char[]', codeUnits(s))
  },
  getChars_4: (s: string, begin: number, end: number, array: JArray, at: number) => {
    const units = codeUnits(substring(s, begin, end))
    units.forEach((unit, i) => {
      array.items[at + i] = unit
    })
  },
  codePointAt_1: codePointAt,
  codePointBefore_1: codePointBefore,
  codePointCount_2: codePointCount,
  offsetByCodePoints_2: offsetByCodePoints,
  regionMatches_4: (s: string, at: number, other: string, from: number, length: number) =>
    regionMatches(s, false, at, other, from, length),
  regionMatches_5: regionMatches,
  splitOnToken_1: (s: string, token: string) => splitOnToken(s, token, -1),
  splitOnToken_2: splitOnToken,
  encodeBase64_0: encodeBase64,
  decodeBase64_0: decodeBase64,
  sha1_0: hash('sha1'),
  sha256_0: hash('sha256'),
  sha512_0: hash('sha512'),
  chars_0: (s: string) => charStreams.ints(codeUnits(s)),
  codePoints_0: (s: string) => charStreams.ints([...s].map((c) => c.codePointAt(0)!)),
})

function ofChars(array: JArray, from = 0, count = array.items.length): string {
  const { length } = array.items
  if (from < 0 || count < 0 || from > length - count)
    throw stringIndexOutOfBounds(`offset ${from}, count ${count}, length ${length}`)
  return String.fromCharCode(...(array.items.slice(from, from + count) as number[]))
}

function join(separator: unknown, parts: unknown): string {
  if (!(parts instanceof JIterable)) throw nullPointer()
  let text = ''
  let first = true
  for (const part of parts) {
    if (
      part !== null &&
      typeof part !== 'string' &&
      !(part instanceof JObject && part.$listed.startsWith('java.lang.String'))
    )
      throw notChars(part)
    text += first ? textOf(part) : textOf(separator) + textOf(part)
    first = false
  }
  checkString(text.length)
  return text
}

const notChars = (value: unknown) => castFailure(value, 'java.lang.CharSequence')

registerConstructors('java.lang.String', { 0: () => '' })
registerStatics('java.lang.String', {
  valueOf_1: (value: unknown) => (value instanceof JArray && value.type === 'char[]' ? ofChars(value) : textOf(value)),
  copyValueOf_1: (array: JArray) => ofChars(array),
  copyValueOf_3: ofChars,
  join_2: join,
})

export const charText = (code: number): string => String.fromCharCode(code)
