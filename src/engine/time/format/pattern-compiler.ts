/** Compiles a java.time pattern (`yyyy-MM-dd['T'HH:mm]`) to nodes. */
import { illegalArgument } from '../../../base/api-error.ts'
import * as fields from './date-fields.ts'
import {
  anyDigits,
  digits,
  type FormatNode,
  NodeSequence,
  type OffsetNode,
  OPEN_WIDTH,
  type TextStyle,
  value,
} from './format-node.ts'

/** Two-digit years count from this year. */
const REDUCED_YEAR_BASE = 2000

const PLAIN_FIELDS: Readonly<Record<string, number>> = {
  G: fields.ERA,
  u: fields.YEAR,
  y: fields.YEAR_OF_ERA,
  Y: fields.WEEK_YEAR,
  Q: fields.QUARTER,
  q: fields.QUARTER,
  M: fields.MONTH,
  L: fields.MONTH,
  w: fields.WEEK,
  W: fields.WEEK_OF_MONTH,
  d: fields.DAY_OF_MONTH,
  D: fields.DAY_OF_YEAR,
  E: fields.DAY_OF_WEEK,
  e: fields.LOCAL_DAY_OF_WEEK,
  c: fields.LOCAL_DAY_OF_WEEK,
  F: fields.DAY_OF_WEEK_IN_MONTH,
  g: fields.JULIAN_DAY,
  a: fields.AM_PM,
  H: fields.HOUR,
  k: fields.CLOCK_HOUR,
  K: fields.HOUR_OF_AM_PM,
  h: fields.CLOCK_HOUR_OF_AM_PM,
  m: fields.MINUTE,
  s: fields.SECOND,
  S: fields.NANO,
  A: fields.MILLI_OF_DAY,
  n: fields.NANO,
  N: fields.NANO_OF_DAY,
}

interface OpenSection {
  sequence: NodeSequence
  pad: number
}

export function compilePattern(pattern: string): FormatNode[] {
  const sections: OpenSection[] = [{ sequence: new NodeSequence(), pad: 0 }]
  const add = (node: FormatNode) => {
    const section = sections.at(-1)!
    section.sequence.add(section.pad > 0 ? { kind: 'pad', node, width: section.pad } : node)
    section.pad = 0
  }
  const close = () => {
    const { sequence } = sections.pop()!
    add({ kind: 'optional', nodes: sequence.nodes })
  }

  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at]!
    if (/[A-Za-z]/.test(letter)) {
      let count = runLength(pattern, at)
      at += count - 1
      let shown = letter
      if (letter === 'p') {
        const next = pattern[at + 1]
        if (next === undefined || !/[A-Za-z]/.test(next)) {
          throw illegalArgument(`Pad letter 'p' must be followed by valid pad pattern: ${pattern}`)
        }
        sections.at(-1)!.pad = count
        shown = next
        count = runLength(pattern, at + 1)
        at += count
      }
      for (const node of letterNodes(shown, count)) add(node)
    } else if (letter === "'") {
      const { text, end } = quotedText(pattern, at)
      add({ kind: 'literal', text })
      at = end
    } else if (letter === '[') {
      sections.push({ sequence: new NodeSequence(), pad: 0 })
    } else if (letter === ']') {
      if (sections.length === 1) throw illegalArgument('Pattern invalid as it contains ] without previous [')
      close()
    } else if (letter === '{' || letter === '}' || letter === '#') {
      throw illegalArgument(`Pattern includes reserved character: '${letter}'`)
    } else {
      add({ kind: 'literal', text: letter })
    }
  }
  while (sections.length > 1) close()
  return sections[0]!.sequence.nodes
}

function runLength(pattern: string, at: number): number {
  let end = at + 1
  while (end < pattern.length && pattern[end] === pattern[at]) end++
  return end - at
}

/** Text in quotes; a doubled quote is one quote. `end` is the closing quote. */
function quotedText(pattern: string, start: number): { text: string; end: number } {
  let text = ''
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] !== "'") {
      text += pattern[at]
    } else if (pattern[at + 1] === "'") {
      text += "'"
      at++
    } else {
      return { text: text === '' ? "'" : text, end: at }
    }
  }
  throw illegalArgument(`Pattern ends with an incomplete string literal: ${pattern}`)
}

function letterNodes(letter: string, count: number): FormatNode[] {
  const field = PLAIN_FIELDS[letter]
  switch (letter) {
    case 'u':
    case 'y':
    case 'Y':
      return [yearNode(field!, count)]
    case 'Q':
    case 'q':
    case 'M':
    case 'L':
      return [nameOrNumber(letter, field!, count)]
    case 'E':
      return [textNode(field!, nameStyle(letter, count, 4), false, 1)]
    case 'e':
    case 'c':
      return [localDayOfWeek(letter, count)]
    case 'G':
      if (count <= 3) return [textNode(field!, 'short', false, 1)]
      return [textNode(field!, nameStyle(letter, count, 4), false, 1)]
    case 'a':
      if (count === 1) return [textNode(field!, 'short', false, 1)]
      throw tooMany(letter)
    case 'S':
      if (count > 9) throw illegalArgument(`The minimum width must be from 0 to 9 inclusive but was ${count}`)
      return [{ kind: 'fraction', field: field!, min: count, max: count, point: false }]
    case 'F':
    case 'W':
      if (count === 1) return [letter === 'W' ? digits(field!, 1) : anyDigits(field!)]
      throw tooMany(letter)
    case 'w':
    case 'd':
    case 'h':
    case 'H':
    case 'k':
    case 'K':
    case 'm':
    case 's':
      if (count === 1) return [letter === 'w' ? value(field!, 1, 2, 'not-negative') : anyDigits(field!)]
      if (count === 2) return [digits(field!, 2)]
      throw tooMany(letter)
    case 'D':
      if (count === 1) return [anyDigits(field!)]
      if (count <= 3) return [value(field!, count, 3, 'not-negative')]
      throw tooMany(letter)
    case 'g':
      return [value(field!, count, 19, 'normal')]
    case 'A':
    case 'n':
    case 'N':
      return [value(field!, count, 19, 'not-negative')]
    case 'V':
      if (count === 2) return [{ kind: 'zone-id' }]
      throw illegalArgument(`Pattern letter count must be 2: ${letter}`)
    case 'v':
    case 'z':
      return [zoneName(letter, count)]
    case 'O':
      if (count === 1) return [{ kind: 'localized-offset', style: 'short' }]
      if (count === 4) return [{ kind: 'localized-offset', style: 'full' }]
      throw illegalArgument(`Pattern letter count must be 1 or 4: ${letter}`)
    case 'X':
    case 'x':
    case 'Z':
      return [offsetNode(letter, count)]
    case 'B':
      throw illegalArgument('Unknown pattern letter: B')
    default:
      throw illegalArgument(`Unknown pattern letter: ${letter}`)
  }
}

function yearNode(field: number, count: number): FormatNode {
  if (count === 2) return { ...digits(field, 2), base: REDUCED_YEAR_BASE }
  if (count < 4) return value(field, count, 19, 'normal')
  if (count > 19) throw illegalArgument(`The minimum width must be from 1 to 19 inclusive but was ${count}`)
  return value(field, count, 19, 'exceeds-pad')
}

function nameOrNumber(letter: string, field: number, count: number): FormatNode {
  if (count === 1) return anyDigits(field)
  if (count === 2) return digits(field, 2)
  const standalone = letter === 'L' || letter === 'q'
  return textNode(field, nameStyle(letter, count, 4), standalone, 1)
}

function localDayOfWeek(letter: string, count: number): FormatNode {
  if (letter === 'c' && count === 2) throw illegalArgument('Invalid pattern "cc"')
  if (count <= 2) return digits(fields.LOCAL_DAY_OF_WEEK, count)
  return textNode(fields.DAY_OF_WEEK, nameStyle(letter, count, 4), letter === 'c', 1)
}

function nameStyle(letter: string, count: number, full: number): TextStyle {
  if (count < full) return 'short'
  if (count === full) return 'full'
  if (count === full + 1) return 'narrow'
  throw tooMany(letter)
}

/** Names, with digits if the field has no name for the value. */
function textNode(field: number, style: TextStyle, standalone: boolean, min: number): FormatNode {
  return {
    kind: 'text',
    field,
    style,
    standalone,
    number: { kind: 'value', field, min, max: 19, sign: 'normal', following: OPEN_WIDTH, base: undefined },
  }
}

function zoneName(letter: string, count: number): FormatNode {
  const generic = letter === 'v'
  if (generic && count !== 1 && count !== 4) {
    throw illegalArgument(`Wrong number of pattern letters: ${letter}`)
  }
  if (count > 4) throw tooMany(letter)
  return { kind: 'zone-name', style: count === 4 ? 'full' : 'short', generic }
}

function offsetNode(letter: string, count: number): FormatNode {
  if (count > 5) throw tooMany(letter)
  if (letter === 'Z') {
    if (count < 4) return offset('required', 'none', false, '+0000')
    return count === 4 ? { kind: 'localized-offset', style: 'full' } : offset('required', 'optional', true, 'Z')
  }
  const upper = letter === 'X'
  switch (count) {
    case 1:
      return offset('optional', 'none', false, upper ? 'Z' : '+00')
    case 2:
      return offset('required', 'none', false, upper ? 'Z' : '+0000')
    case 3:
      return offset('required', 'none', true, upper ? 'Z' : '+00:00')
    case 4:
      return offset('required', 'optional', false, upper ? 'Z' : '+0000')
    default:
      return offset('required', 'optional', true, upper ? 'Z' : '+00:00')
  }
}

export function offset(
  minutes: OffsetNode['minutes'],
  seconds: OffsetNode['seconds'],
  colon: boolean,
  zero: string,
): OffsetNode {
  return { kind: 'offset', minutes, seconds, colon, zero }
}

function tooMany(letter: string) {
  return illegalArgument(`Too many pattern letters: ${letter}`)
}
