/** Emits character classes in JavaScript syntax: as ASCII ranges, or with the properties of the `u` flag. */
import { caseVariants } from './case-variants.ts'
import type { ClassName, ClassNode } from './regex-tree.ts'

/** The word characters of Ruby's `\b`. */
export const UNICODE_WORD = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]'

const UNICODE: Readonly<Record<ClassName, string>> = {
  w: 'A-Za-z0-9_',
  d: '0-9',
  s: ' \\t\\r\\n\\f\\v',
  h: '0-9A-Fa-f',
  alnum: '\\p{Alphabetic}\\p{Nd}',
  alpha: '\\p{Alphabetic}',
  ascii: '\\x00-\\x7f',
  blank: '\\p{Zs}\\t',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}',
  lower: '\\p{Lowercase}',
  print: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}\\p{Z}',
  punct: '\\p{P}\\$\\+<=>\\^`\\|~',
  space: '\\p{White_Space}',
  upper: '\\p{Uppercase}',
  word: '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}',
  xdigit: '0-9A-Fa-f',
}

const ASCII: Readonly<Record<ClassName, RegExp>> = {
  w: /\w/,
  d: /\d/,
  s: /[ \t\r\n\f\v]/,
  h: /[0-9A-Fa-f]/,
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  ascii: /[\0-\x7f]/,
  blank: /[ \t]/,
  cntrl: /[\0-\x1f\x7f]/,
  digit: /\d/,
  graph: /[\x21-\x7e]/,
  lower: /[a-z]/,
  print: /[\x20-\x7e]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\r\n\f\v]/,
  upper: /[A-Z]/,
  word: /\w/,
  xdigit: /[0-9A-Fa-f]/,
}

const ASCII_COUNT = 128

/** The class restricted to ASCII, enumerated character by character and written as ranges. */
export function asciiClass(set: ClassNode, ignoreCase: boolean): string {
  if (set.type === 'named' && 'wd'.includes(set.name)) return `\\${set.negated ? set.name.toUpperCase() : set.name}`
  const cache = ignoreCase ? written.ignoringCase : written.plain
  let text = cache.get(set)
  if (text === undefined) {
    text = shorter(asciiMembers(set, ignoreCase))
    cache.set(set, text)
  }
  return text
}

/** The ASCII characters that a class contains. */
export function asciiMembers(set: ClassNode, ignoreCase: boolean): readonly boolean[] {
  const cache = ignoreCase ? counted.ignoringCase : counted.plain
  let members = cache.get(set)
  if (members === undefined) {
    members = countMembers(set, ignoreCase)
    cache.set(set, members)
  }
  return members
}

const counted = { plain: new WeakMap<ClassNode, boolean[]>(), ignoringCase: new WeakMap<ClassNode, boolean[]>() }

function countMembers(set: ClassNode, ignoreCase: boolean): boolean[] {
  const member = new Array<boolean>(ASCII_COUNT).fill(false)
  for (let code = 0; code < ASCII_COUNT; code++) member[code] = holds(set, code, ignoreCase)
  return member
}

const written = { plain: new WeakMap<ClassNode, string>(), ignoringCase: new WeakMap<ClassNode, string>() }

/** A long list is written as the negation of the shorter complement. */
function shorter(member: readonly boolean[]): string {
  const positive = rangesOf(member, true)
  if (positive === '') return '[]'
  const negative = rangesOf(member, false)
  if (negative === '') return '[^]'
  return negative.length < positive.length ? `[^${negative}]` : `[${positive}]`
}

function rangesOf(member: readonly boolean[], wanted: boolean): string {
  let text = ''
  for (let from = 0; from < ASCII_COUNT; from++) {
    if (member[from] !== wanted) continue
    let to = from
    while (to + 1 < ASCII_COUNT && member[to + 1] === wanted) to++
    text += charText(from) + (to === from ? '' : (to > from + 1 ? '-' : '') + charText(to))
    from = to
  }
  return text
}

function holds(set: ClassNode, code: number, ignoreCase: boolean): boolean {
  switch (set.type) {
    case 'range':
      return inRange(set, code) || (ignoreCase && inRange(set, otherAsciiCase(code)))
    case 'named':
      return variantsOf(code, ignoreCase).some((one) => ASCII[set.name].test(String.fromCharCode(one))) !== set.negated
    case 'property': {
      const property = propertyOf(set.name)
      const holdsOne = (one: number) => property.test(String.fromCharCode(one))
      return variantsOf(code, ignoreCase).some(holdsOne) !== set.negated
    }
    case 'union':
      return set.items.some((item) => holds(item, code, ignoreCase)) !== set.negated
    case 'intersection':
      return set.items.every((item) => holds(item, code, ignoreCase)) !== set.negated
  }
}

const variantsOf = (code: number, ignoreCase: boolean) => (ignoreCase ? [code, otherAsciiCase(code)] : [code])

const properties = new Map<string, RegExp>()

function propertyOf(name: string): RegExp {
  let found = properties.get(name)
  if (found === undefined) {
    found = new RegExp(`^\\p{${name}}$`, 'u')
    properties.set(name, found)
  }
  return found
}

const unicodeNames = new Map<ClassName, RegExp>()

function unicodeNamed(name: ClassName): RegExp {
  let found = unicodeNames.get(name)
  if (found === undefined) {
    found = new RegExp(`^[${UNICODE[name]}]$`, 'u')
    unicodeNames.set(name, found)
  }
  return found
}

/** Whether a class has any code point. */
export function classHas(set: ClassNode, code: number, ignoreCase: boolean): boolean {
  switch (set.type) {
    case 'range':
      return ignoreCase ? caseVariants(code).some((one) => inRange(set, one)) : inRange(set, code)
    case 'named':
    case 'property': {
      const members = set.type === 'named' ? unicodeNamed(set.name) : propertyOf(set.name)
      const codes = ignoreCase ? caseVariants(code) : [code]
      return codes.some((one) => members.test(String.fromCodePoint(one))) !== set.negated
    }
    case 'union':
      return set.items.some((item) => classHas(item, code, ignoreCase)) !== set.negated
    case 'intersection':
      return set.items.every((item) => classHas(item, code, ignoreCase)) !== set.negated
  }
}

/** Whether a class has names or properties whose members may have another case, which JavaScript's classes do not ignore. */
export function hasCasedNames(set: ClassNode): boolean {
  if (set.type === 'named') return set.name === 'upper' || set.name === 'lower'
  if (set.type === 'property') return true
  return set.type !== 'range' && set.items.some(hasCasedNames)
}

function inRange({ from, to }: { from: number; to: number }, code: number): boolean {
  return code >= from && code <= to
}

function otherAsciiCase(code: number): number {
  if (code >= 65 && code <= 90) return code + 32
  return code >= 97 && code <= 122 ? code - 32 : code
}

/**
 * The `v` flag has nested classes, but the V8 of Node 20 evaluates negated ones incorrectly. A class that does not fit
 * in one pair of brackets is written with alternatives and look-aheads; each of them still matches one character.
 */
export function unicodeClass(set: ClassNode, ignoreCase: boolean): string {
  const simple = simpleText(set, ignoreCase)
  if (simple !== undefined) return `[${simple}]`
  switch (set.type) {
    case 'named':
      return `[^${UNICODE[set.name]}]`
    case 'union': {
      const inside = set.items.map((item) => simpleText(item, ignoreCase))
      const others = set.items.filter((_, i) => inside[i] === undefined)
      const brackets = inside.join('')
      if (others.length === 0) return `[${set.negated ? '^' : ''}${brackets}]`
      const ways = others.map((item) => unicodeClass(item, ignoreCase))
      if (brackets !== '') ways.unshift(`[${brackets}]`)
      return set.negated ? `(?:(?!${ways.join('|')})[^])` : `(?:${ways.join('|')})`
    }
    case 'intersection': {
      const ways = set.items.map((item) => `(?=${unicodeClass(item, ignoreCase)})`).join('')
      return set.negated ? `(?:(?!${ways})[^])` : `(?:${ways}[^])`
    }
    default:
      return `[${simple ?? ''}]`
  }
}

/** The members that may share brackets with others; undefined if the class needs brackets of its own. */
function simpleText(set: ClassNode, ignoreCase: boolean): string | undefined {
  switch (set.type) {
    case 'range':
      return rangeText(set.from, set.to, ignoreCase)
    case 'named':
      return set.negated ? undefined : UNICODE[set.name]
    case 'property':
      return `\\${set.negated ? 'P' : 'p'}{${set.name}}`
    case 'union': {
      if (set.negated) return undefined
      const parts = set.items.map((item) => simpleText(item, ignoreCase))
      return parts.includes(undefined) ? undefined : parts.join('')
    }
    case 'intersection':
      return undefined
  }
}

function rangeText(from: number, to: number, ignoreCase: boolean): string {
  let text = charText(from) + (to === from ? '' : `-${charText(to)}`)
  if (!ignoreCase) return text
  for (let code = from; code <= to && code < from + 0x200; code++) {
    for (const other of caseVariants(code)) if (other < from || other > to) text += charText(other)
  }
  return text
}

function charText(code: number): string {
  if (code > 0xffff) return `\\u{${code.toString(16)}}`
  const char = String.fromCharCode(code)
  return /[A-Za-z0-9]/.test(char) ? char : `\\u${code.toString(16).padStart(4, '0')}`
}
