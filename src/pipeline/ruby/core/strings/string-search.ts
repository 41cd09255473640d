/** String: searching, replacing, splitting. */
import { define, StringClass } from '../../runtime/classes.ts'
import { toInt, toText } from '../../runtime/convert.ts'
import { kindOf, toS, yield1 } from '../../runtime/dispatch.ts'
import { argumentError, typeError } from '../../runtime/errors.ts'
import type { Activation } from '../../runtime/frame.ts'
import { RHash } from '../../runtime/hash.ts'
import { charge, spend } from '../../runtime/limits.ts'
import type { RProc, Value } from '../../runtime/model.ts'
import { current, escapeRegexp, type RMatch, RRegexp, regexpOf } from '../../runtime/regexp.ts'
import { charIndex, charLength, charsOf, RString, str, unitIndex } from '../../runtime/string.ts'
import { enumerator } from '../collections/iterate.ts'
import { like } from './string.ts'

/** A search pattern: an expression, or a literal string. */
export function patternOf(value: Value): RRegexp {
  if (value instanceof RRegexp) return value
  if (value instanceof RString) return regexpOf(escapeRegexp(value.text))
  throw typeError(`wrong argument type ${kindOf(value)} (expected Regexp)`)
}

define<RString>(StringClass, 'match', [1, 2], (self, [pattern, from], block) => {
  const regexp = pattern instanceof RString ? regexpOf(pattern.text) : patternOf(pattern!)
  const match = regexp.search(self.text, from === undefined ? 0 : unitIndex(self.text, toInt(from)))
  current.activation.match = match
  return match !== null && block !== null ? yield1(block, match) : match
})
define<RString>(StringClass, 'match?', [1, 2], (self, [pattern, from]) => {
  const regexp = pattern instanceof RString ? regexpOf(pattern.text) : patternOf(pattern!)
  return from === undefined
    ? regexp.test(self.text)
    : regexp.search(self.text, unitIndex(self.text, toInt(from))) !== null
})

define<RString>(StringClass, 'index', [1, 2], (self, [pattern, from]) => {
  const { text } = self
  let start = from === undefined ? 0 : toInt(from)
  if (start < 0) start += charLength(text)
  if (start < 0 || start > charLength(text)) return null
  const unit = unitIndex(text, start)
  if (pattern instanceof RRegexp) {
    const match = pattern.search(text, unit)
    current.activation.match = match
    return match === null ? null : charIndex(text, match.at)
  }
  const at = text.indexOf(toText(pattern!), unit)
  return at < 0 ? null : charIndex(text, at)
})
define<RString>(StringClass, 'byteindex', [1, 2], (self, [pattern]) => {
  const at = self.text.indexOf(toText(pattern!))
  return at < 0 ? null : Buffer.byteLength(self.text.slice(0, at))
})
define<RString>(StringClass, 'rindex', [1, 2], (self, [pattern, from]) => {
  const { text } = self
  let start = from === undefined ? charLength(text) : toInt(from)
  if (start < 0) start += charLength(text)
  if (start < 0) return null
  const unit = unitIndex(text, start)
  if (pattern instanceof RRegexp) {
    for (let at = Math.min(unit, text.length); at >= 0; at--) {
      spend(1)
      const match = pattern.matchAt(text, at)
      if (match !== null) {
        current.activation.match = match
        return charIndex(text, at)
      }
    }
    return null
  }
  const at = text.lastIndexOf(toText(pattern!), unit)
  return at < 0 ? null : charIndex(text, at)
})

define<RString>(StringClass, 'partition', 1, (self, [pattern]) => {
  const { text } = self
  if (pattern instanceof RRegexp) {
    const match = pattern.search(text)
    current.activation.match = match
    return match === null
      ? [like(text, self), str(''), str('')]
      : [like(match.pre, self), like(match.groups[0]!, self), like(match.post, self)]
  }
  const separator = toText(pattern!)
  const at = text.indexOf(separator)
  return at < 0
    ? [like(text, self), str(''), str('')]
    : [like(text.slice(0, at), self), like(separator, self), like(text.slice(at + separator.length), self)]
})
define<RString>(StringClass, 'rpartition', 1, (self, [pattern]) => {
  const { text } = self
  if (pattern instanceof RRegexp) {
    for (let at = text.length; at >= 0; at--) {
      const match = pattern.matchAt(text, at)
      if (match !== null) {
        current.activation.match = match
        return [like(match.pre, self), like(match.groups[0]!, self), like(match.post, self)]
      }
    }
    return [str(''), str(''), like(text, self)]
  }
  const separator = toText(pattern!)
  const at = text.lastIndexOf(separator)
  return at < 0
    ? [str(''), str(''), like(text, self)]
    : [like(text.slice(0, at), self), like(separator, self), like(text.slice(at + separator.length), self)]
})

/** Iterates over all matches of a pattern. */
export function* matchesOf(regexp: RRegexp, text: string): Generator<RMatch> {
  let at = 0
  while (at <= text.length) {
    const match = regexp.search(text, at)
    if (match === null) return
    yield match
    at = match.end > match.at ? match.end : match.end + (isPair(text, match.end) ? 2 : 1)
  }
}

function isPair(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xd800 && code <= 0xdbff
}

define<RString>(StringClass, 'scan', 1, (self, [pattern], block) => {
  const regexp = patternOf(pattern!)
  const { activation } = current
  const { text } = self
  const list: Value[] = []
  let last: RMatch | null = null
  for (const match of matchesOf(regexp, text)) {
    last = match
    const item: Value =
      match.groups.length === 1
        ? like(match.groups[0]!, self)
        : match.groups.slice(1).map((group) => (group === undefined ? null : like(group, self)))
    if (block === null) list.push(item)
    else {
      activation.match = match
      yield1(block, item)
    }
  }
  activation.match = last
  return block === null ? list : self
})

/** Expands a replacement template with `\1`, `\k<name>`, `\0`, `\&` and `\\`. */
function expanded(template: string, match: RMatch): string {
  if (!template.includes('\\')) return template
  return template.replace(/\\(?:(\d)|k<([^>]+)>|([&`'\\]))/g, (whole, digit?: string, name?: string, sign?: string) => {
    if (digit !== undefined) return match.groups[Number(digit)] ?? ''
    if (name !== undefined) return (/^\d+$/.test(name) ? match.groups[Number(name)] : match.named(name)) ?? ''
    if (sign === '&') return match.groups[0]!
    if (sign === '`') return match.pre
    if (sign === "'") return match.post
    return sign === '\\' ? '\\' : whole
  })
}

type Replacer = (match: RMatch) => string

function replacerOf(self: RString, args: Value[], block: RProc | null, activation: Activation): Replacer {
  const replacement = args[1]
  if (replacement instanceof RHash) {
    return (match) => {
      const key = like(match.groups[0]!, self)
      const value = replacement.get(key)
      if (value !== undefined) return toS(value)
      return replacement.defaultProc !== null
        ? toS(replacement.defaultProc.call([replacement, key], null))
        : toS(replacement.defaultValue)
    }
  }
  if (replacement !== undefined) {
    const template = toText(replacement)
    return (match) => expanded(template, match)
  }
  return (match) => {
    activation.match = match
    return toS(yield1(block!, like(match.groups[0]!, self)))
  }
}

/** `sub` and `gsub`. Undefined if nothing matched. */
function substituted(self: RString, args: Value[], block: RProc | null, isGlobal: boolean): string | undefined {
  const { activation } = current
  const { text } = self
  const [pattern, replacement] = args
  // The most common form: a string replaces a string.
  if (
    pattern instanceof RString &&
    replacement instanceof RString &&
    !replacement.text.includes('\\') &&
    pattern.text !== ''
  ) {
    const isFound = text.includes(pattern.text)
    activation.match = isFound ? activation.match : null
    if (!isFound) return undefined
    spend(1 + (text.length >> 4))
    return isGlobal
      ? text.split(pattern.text).join(replacement.text)
      : text.replace(pattern.text, () => replacement.text)
  }
  const regexp = patternOf(pattern!)
  const replace = replacerOf(self, args, block, activation)
  let out = ''
  let at = 0
  let last: RMatch | null = null
  for (const match of matchesOf(regexp, text)) {
    last = match
    out += text.slice(at, match.at) + replace(match)
    at = match.end
    if (out.length > 100_000) charge(1000)
    if (!isGlobal) break
  }
  activation.match = last
  return last === null ? undefined : out + text.slice(at)
}

for (const [name, isGlobal] of [
  ['sub', false],
  ['gsub', true],
] as const) {
  define<RString>(StringClass, name, [1, 2], (self, args, block) => {
    if (args.length === 1 && block === null) return noReplacement(self, name, args)
    return like(substituted(self, args, block, isGlobal) ?? self.text, self)
  })
  define<RString>(StringClass, `${name}!`, [1, 2], (self, args, block) => {
    if (args.length === 1 && block === null) return noReplacement(self, `${name}!`, args)
    const changed = substituted(self, args, block, isGlobal)
    if (self.frozen) self.text = changed ?? ''
    if (changed === undefined) return null
    self.text = changed
    return self
  })
}

function noReplacement(self: RString, name: string, args: Value[]): Value {
  if (name.startsWith('sub')) throw argumentError('wrong number of arguments (given 1, expected 2)')
  return enumerator(self, name, args)
}

define<RString>(StringClass, 'split', [0, 2], (self, [pattern, limit], block) => {
  const parts = splitText(self.text, pattern ?? null, limit === undefined ? 0 : toInt(limit)).map((part) =>
    like(part, self),
  )
  if (block === null) return parts
  for (const part of parts) yield1(block, part)
  return self
})

function splitText(text: string, pattern: Value, limit: number): string[] {
  if (text === '') return []
  if (limit === 1) return [text]
  let parts: string[]
  if (pattern === null || (pattern instanceof RString && pattern.text === ' ')) parts = splitBlanks(text, limit)
  else if (pattern instanceof RString)
    parts = pattern.text === '' ? splitChars(text, limit) : splitPlain(text, pattern.text, limit)
  else if (pattern instanceof RRegexp) parts = splitRegexp(text, pattern, limit)
  else parts = splitPlain(text, toText(pattern), limit)
  spend(parts.length)
  if (limit === 0) while (parts.length > 0 && parts[parts.length - 1] === '') parts.pop()
  return parts
}

function splitBlanks(text: string, limit: number): string[] {
  const trimmed = text.replace(/^[\0\t-\r ]+/, '')
  if (limit <= 0) {
    const parts = trimmed.split(/[\0\t-\r ]+/)
    return limit === 0 && trimmed === '' ? [] : parts
  }
  const parts: string[] = []
  let rest = trimmed
  while (parts.length < limit - 1) {
    const match = /[\0\t-\r ]+/.exec(rest)
    if (match === null) break
    parts.push(rest.slice(0, match.index))
    rest = rest.slice(match.index + match[0].length)
  }
  parts.push(rest)
  return parts
}

function splitChars(text: string, limit: number): string[] {
  const chars = charsOf(text)
  if (limit > 0)
    return chars.length <= limit - 1 ? [...chars, ''] : [...chars.slice(0, limit - 1), chars.slice(limit - 1).join('')]
  return limit < 0 ? [...chars, ''] : chars
}

function splitPlain(text: string, separator: string, limit: number): string[] {
  if (limit <= 0) return text.split(separator)
  const parts: string[] = []
  let at = 0
  while (parts.length < limit - 1) {
    const found = text.indexOf(separator, at)
    if (found < 0) break
    parts.push(text.slice(at, found))
    at = found + separator.length
  }
  parts.push(text.slice(at))
  return parts
}

function splitRegexp(text: string, regexp: RRegexp, limit: number): string[] {
  const parts: string[] = []
  let at = 0
  let count = 1
  for (const match of matchesOf(regexp, text)) {
    if (limit > 0 && count >= limit) break
    // An empty match splits between characters, but not before the first or after the last one.
    if (match.end === match.at) {
      if (match.at >= text.length) break
      if (match.at === at) continue
    }
    parts.push(text.slice(at, match.at))
    for (const group of match.groups.slice(1)) if (group !== undefined) parts.push(group)
    at = match.end
    count++
  }
  parts.push(text.slice(at))
  return parts
}
