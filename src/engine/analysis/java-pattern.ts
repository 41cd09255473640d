/**
 * Regular expressions of settings are written for `java.util.regex`. This turns one into a JavaScript RegExp.
 *
 * Rewritten: inline flags at the start, quoting with \Q…\E, possessive quantifiers (as greedy ones), POSIX and Java
 * property names, classes inside classes, and the escapes JavaScript lacks. Everything else means the same in both.
 */
import { ApiError } from '../../base/api-error.ts'

const POSIX: Readonly<Record<string, string>> = {
  Lower: 'a-z',
  Upper: 'A-Z',
  ASCII: '\\x00-\\x7F',
  Alpha: 'a-zA-Z',
  Digit: '0-9',
  Alnum: 'a-zA-Z0-9',
  Punct: '!-\\/:-@\\[-`\\{-~',
  Graph: '!-~',
  Print: ' -~',
  Blank: ' \\t',
  Cntrl: '\\x00-\\x1F\\x7F',
  XDigit: '0-9a-fA-F',
  Space: ' \\t\\n\\x0B\\f\\r',
  javaLowerCase: '\\p{Lowercase}',
  javaUpperCase: '\\p{Uppercase}',
  javaWhitespace: '\\s',
  javaLetter: '\\p{L}',
  javaDigit: '\\p{Nd}',
  javaLetterOrDigit: '\\p{L}\\p{Nd}',
  IsAlphabetic: '\\p{Alphabetic}',
  IsLetter: '\\p{L}',
  IsDigit: '\\p{Nd}',
  IsPunctuation: '\\p{P}',
  IsUppercase: '\\p{Uppercase}',
  IsLowercase: '\\p{Lowercase}',
  IsWhite_Space: '\\p{White_Space}',
}

const ESCAPES: Readonly<Record<string, string>> = {
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
  Z: '(?=\\n?(?![\\s\\S]))',
  h: '[ \\t\\xA0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]',
  R: '(?:\\r\\n|[\\n\\x0B\\f\\r\\x85\\u2028\\u2029])',
  a: '\\x07',
  e: '\\x1B',
}

const FLAGS: Readonly<Record<string, string>> = {
  CASE_INSENSITIVE: 'i',
  MULTILINE: 'm',
  DOTALL: 's',
  UNICODE_CASE: '',
  CANON_EQ: '',
  UNIX_LINES: '',
  LITERAL: '',
  COMMENTS: '',
  UNICODE_CHAR_CLASS: '',
}

/** Flags as settings write them: `CASE_INSENSITIVE|COMMENTS`. */
export function javaFlags(text: string | undefined): string {
  if (text === undefined) return ''
  let flags = ''
  for (const name of text.split('|')) {
    const known = FLAGS[name.trim()]
    if (known === undefined)
      throw new ApiError(400, 'illegal_argument_exception', `Unknown regex flag [${name.trim()}]`)
    flags += known
  }
  return flags
}

/** Always global, so that `lastIndex`, `matchAll` and `replaceAll` work. */
export function javaPattern(pattern: string, flags = ''): RegExp {
  let source = pattern
  let all = flags
  const inline = /^\(\?([imsuxdU]+)\)/.exec(source)
  if (inline !== null) {
    source = source.slice(inline[0].length)
    all += inline[1]!.replace(/[^ims]/g, '')
  }
  const { text, sets } = translate(source)
  const letters = uniqueLetters(all)
  // Nested classes and intersections need the v flag. Without u or v JavaScript forgives what Java allows: a lone brace.
  for (const mode of sets ? ['v'] : ['u', '']) {
    try {
      return new RegExp(text, `g${mode}${letters}`)
    } catch {
      // The next mode may read it.
    }
  }
  throw syntaxError(pattern)
}

const uniqueLetters = (flags: string) => [...new Set(flags)].join('')

/** Java's three commonest complaints, with a caret under the place. */
function syntaxError(pattern: string): ApiError {
  let problem = 'Unclosed group'
  let index = pattern.length
  if (/^[*+?]/.test(pattern)) {
    problem = `Dangling meta character '${pattern[0]}'`
    index = 0
  } else if (pattern.lastIndexOf('[') > pattern.lastIndexOf(']')) {
    problem = 'Unclosed character class'
    index = pattern.length - 1
  } else if (pattern.split(')').length > pattern.split('(').length) {
    problem = "Unmatched closing ')'"
    index = Math.max(0, pattern.indexOf(')') - 1)
  }
  const caret = index < pattern.length ? `\n${' '.repeat(index)}^` : ''
  return new ApiError(400, 'pattern_syntax_exception', `${problem} near index ${index}\n${pattern}${caret}`)
}

/** A quantifier at the end of a text; its first character is not escaped. */
const QUANTIFIER = /(?<!\\)(?:\\\\)*(?:[*+?]|\{\d+(?:,\d*)?\})$/

interface Translated {
  text: string
  /** Has classes inside classes. */
  sets: boolean
}

function translate(source: string): Translated {
  let text = ''
  let sets = false
  for (let i = 0; i < source.length; i++) {
    const char = source[i]!
    if (char === '\\') {
      const escaped = readEscape(source, i, false)
      text += escaped.text
      i = escaped.end - 1
    } else if (char === '[') {
      const group = readClass(source, i)
      text += group.text
      sets ||= group.sets
      i = group.end - 1
    } else if (char === '+' && QUANTIFIER.test(source.slice(0, i))) {
      // A possessive quantifier only forbids backtracking; without it the same texts match, more slowly.
    } else text += char
  }
  return { text, sets }
}

/** The escape at `at`, and where it ends. */
function readEscape(source: string, at: number, insideClass: boolean): { text: string; end: number } {
  const next = source[at + 1]
  if (next === undefined) return { text: '\\', end: at + 1 }
  if (next === 'Q') {
    const close = source.indexOf('\\E', at)
    const quoted = source.slice(at + 2, close < 0 ? undefined : close)
    return { text: quoted.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), end: close < 0 ? source.length : close + 2 }
  }
  if (next === 'p' || next === 'P') {
    const match = /^\{(\^?)([^}]+)\}/.exec(source.slice(at + 2))
    const name = match?.[2] ?? source[at + 2] ?? ''
    const text = property(name, (next === 'P') !== (match?.[1] === '^'), insideClass)
    return { text, end: at + 2 + (match === null ? 1 : match[0].length) }
  }
  if (next === 'x' && source[at + 2] === '{') {
    const close = source.indexOf('}', at)
    return { text: `\\u${source.slice(at + 2, close + 1)}`, end: close + 1 }
  }
  if (!insideClass && Object.hasOwn(ESCAPES, next)) return { text: ESCAPES[next]!, end: at + 2 }
  const meaningful = /[a-zA-Z0-9^$\\.*+?()[\]{}|/]/.test(next) || (next === '-' && insideClass)
  return { text: meaningful ? `\\${next}` : next, end: at + 2 }
}

/** A character class; Java knows unions (`[a[bc]]`) and intersections (`[a-z&&[^b]]`). */
function readClass(source: string, at: number): Translated & { end: number } {
  let i = at + 1
  const negated = source[i] === '^'
  if (negated) i++
  const operands: string[] = []
  let part = ''
  let sets = false
  for (let first = true; i < source.length; first = false) {
    const char = source[i]!
    if (char === ']' && !first) break
    if (char === '\\') {
      const escaped = readEscape(source, i, true)
      part += escaped.text
      i = escaped.end
    } else if (char === '[') {
      const inner = readClass(source, i)
      part += inner.text
      sets = true
      i = inner.end
    } else if (source.startsWith('&&', i)) {
      operands.push(part)
      part = ''
      i += 2
    } else {
      part += /[()[\]{}|/]/.test(char) ? `\\${char}` : char
      i++
    }
  }
  if (i >= source.length) return { text: source.slice(at), sets, end: source.length }
  const open = negated ? '[^' : '['
  if (operands.length === 0) return { text: `${open}${part}]`, sets, end: i + 1 }
  return { text: `${open}${[...operands, part].map((operand) => `[${operand}]`).join('&&')}]`, sets: true, end: i + 1 }
}

function property(name: string, negated: boolean, insideClass: boolean): string {
  const set = POSIX[name]
  if (set !== undefined) {
    if (insideClass && !negated) return set
    return `[${negated ? '^' : ''}${set}]`
  }
  const letter = negated ? 'P' : 'p'
  const plain = name.replace(/^(?:general_category|gc)=/, '')
  if (/^(?:Is|script=|sc=)/.test(name)) {
    const script = name.replace(/^(?:Is|script=|sc=)/, '')
    return /^[A-Z][a-z]?$/.test(script) ? `\\${letter}{${script}}` : `\\${letter}{Script=${script}}`
  }
  return `\\${letter}{${plain}}`
}

/** `$1` and `${name}` of Java replacements, with `\` as escape. */
export function javaReplacement(replacement: string): (match: RegExpExecArray) => string {
  const parts: (string | number | { name: string })[] = []
  let text = ''
  for (let i = 0; i < replacement.length; i++) {
    const char = replacement[i]!
    if (char === '\\') {
      i++
      text += replacement[i] ?? ''
    } else if (char === '$') {
      parts.push(text)
      text = ''
      const named = /^\{([a-zA-Z][a-zA-Z0-9]*)\}/.exec(replacement.slice(i + 1))
      if (named !== null) {
        parts.push({ name: named[1]! })
        i += named[0].length
      } else {
        const digit = /^\d/.exec(replacement.slice(i + 1))
        if (digit === null) throw new ApiError(400, 'illegal_argument_exception', 'Illegal group reference')
        parts.push(Number(digit[0]))
        i++
      }
    } else text += char
  }
  parts.push(text)
  return (match) =>
    parts
      .map((part) => {
        if (typeof part === 'string') return part
        return (typeof part === 'number' ? match[part] : match.groups?.[part.name]) ?? ''
      })
      .join('')
}
