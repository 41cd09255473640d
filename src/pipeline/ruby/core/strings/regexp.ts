/** Regexp and MatchData. */

import { embedded } from '../../compile/literals.ts'
import { ANY, define, defineStatic, makeClass, setClass } from '../../runtime/classes.ts'
import { toInt, toText } from '../../runtime/convert.ts'
import { inspect, yield1 } from '../../runtime/dispatch.ts'
import { raise } from '../../runtime/errors.ts'
import { hashOf } from '../../runtime/hash.ts'
import { RRange, RSymbol, symbol as symbolOf, type Value } from '../../runtime/model.ts'
import { current, escapeRegexp, RMatch, RRegexp, regexpOf } from '../../runtime/regexp.ts'
import { charIndex, RString, str, unitIndex } from '../../runtime/string.ts'
import { itemsAt } from '../collections/array.ts'

export const RegexpClass = makeClass('Regexp')
export const MatchDataClass = makeClass('MatchData')
MatchDataClass.allocate = null
setClass(RRegexp, RegexpClass)
setClass(RMatch, MatchDataClass)
RegexpClass.constants.set('IGNORECASE', 1)
RegexpClass.constants.set('EXTENDED', 2)
RegexpClass.constants.set('MULTILINE', 4)

defineStatic(RegexpClass, 'new compile', [1, 3], (_self, [source, options]) => {
  if (source instanceof RRegexp) return source
  let flags = ''
  if (typeof options === 'number')
    flags = (options & 1 ? 'i' : '') + (options & 2 ? 'x' : '') + (options & 4 ? 'm' : '')
  else if (options instanceof RString) flags = options.text
  else if (options !== undefined && options !== null && options !== false) flags = 'i'
  return regexpOf(toText(source!), flags)
})
defineStatic(RegexpClass, 'escape quote', 1, (_self, [text]) =>
  str(escapeRegexp(text instanceof RSymbol ? text.name : toText(text!))),
)
defineStatic(RegexpClass, 'union', ANY, (_self, given) => {
  const parts = given.length === 1 && Array.isArray(given[0]) ? given[0] : given
  if (parts.length === 0) return regexpOf('(?!)')
  if (parts.length === 1 && parts[0] instanceof RRegexp) return parts[0]
  return regexpOf(
    parts
      .map((part) =>
        part instanceof RRegexp ? embedded(part) : escapeRegexp(part instanceof RSymbol ? part.name : toText(part)),
      )
      .join('|'),
  )
})
defineStatic(RegexpClass, 'last_match', [0, 1], (_self, [group]) => {
  const { match } = current.activation
  return group === undefined || match === null ? match : groupOf(match, group)
})

/** The text to search: a string or a symbol. Nil never matches. */
function subject(value: Value): string | undefined {
  if (value === null) return undefined
  return value instanceof RSymbol ? value.name : toText(value)
}
define<RRegexp>(RegexpClass, '=~', 1, (self, [value]) => {
  const text = subject(value!)
  const match = text === undefined ? null : self.search(text)
  current.activation.match = match
  return match === null ? null : charIndex(match.text, match.at)
})
define<RRegexp>(RegexpClass, '===', 1, (self, [value]) => {
  if (!(value instanceof RString) && !(value instanceof RSymbol)) {
    current.activation.match = null
    return false
  }
  const match = self.search(subject(value)!)
  current.activation.match = match
  return match !== null
})
define<RRegexp>(RegexpClass, 'match', [1, 2], (self, [value, from], block) => {
  const text = subject(value!)
  const match = text === undefined ? null : self.search(text, from === undefined ? 0 : unitIndex(text, toInt(from)))
  current.activation.match = match
  return match !== null && block !== null ? yield1(block, match) : match
})
define<RRegexp>(RegexpClass, 'match?', [1, 2], (self, [value]) => {
  const text = subject(value!)
  return text !== undefined && self.test(text)
})
define<RRegexp>(RegexpClass, 'source', 0, (self) => str(self.source))
define<RRegexp>(RegexpClass, 'to_s', 0, (self) => str(embedded(self)))
define<RRegexp>(RegexpClass, 'inspect', 0, (self) =>
  str(`/${self.source.replace(/(^|[^\\])\//g, '$1\\/')}/${self.flags}`),
)
define<RRegexp>(
  RegexpClass,
  'options',
  0,
  (self) => (self.ignoreCase ? 1 : 0) + (self.extended ? 2 : 0) + (self.multiline ? 4 : 0),
)
define<RRegexp>(RegexpClass, 'casefold?', 0, (self) => self.ignoreCase)
define<RRegexp>(RegexpClass, 'names', 0, (self) => self.names.map(str))
define<RRegexp>(RegexpClass, 'named_captures', 0, (self) =>
  hashOf(
    self.names.map(
      (name) => [str(name), self.compiled.groups.flatMap((group, i) => (group === name ? [i + 1] : []))] as const,
    ),
  ),
)
define<RRegexp>(
  RegexpClass,
  '== eql?',
  1,
  (self, [other]) => other instanceof RRegexp && other.source === self.source && other.flags === self.flags,
)
define<RRegexp>(RegexpClass, 'hash', 0, (self) => self.source.length)
define<RRegexp>(RegexpClass, 'hash_key', 0, (self) => str(`\0x${self.flags}/${self.source}`))
define<RRegexp>(RegexpClass, '~', 0, () => null)

function optional(text: string | undefined | null): Value {
  return text === undefined || text === null ? null : str(text)
}

function groupNumber(match: RMatch, group: Value): number {
  if (typeof group === 'number') {
    if (Math.abs(group) >= match.groups.length + (group < 0 ? 1 : 0))
      throw raise('IndexError', `index ${group} out of matches`)
    return group < 0 ? group + match.groups.length : group
  }
  const name = group instanceof RSymbol ? group.name : toText(group)
  const number = match.groupNumber(name)
  if (number === 0) throw raise('IndexError', `undefined group name reference: ${name}`)
  return number
}

function groupOf(match: RMatch, group: Value): Value {
  if (typeof group === 'number') return optional(match.groups[group < 0 ? group + match.groups.length : group])
  const name = group instanceof RSymbol ? group.name : toText(group)
  if (match.groupNumber(name) === 0) throw raise('IndexError', `undefined group name reference: ${name}`)
  return optional(match.named(name))
}
define<RMatch>(MatchDataClass, '[]', [1, 2], (self, args) => {
  if (args.length === 2 || args[0] instanceof RRange) return itemsAt(self.groups.map(optional), args)
  return groupOf(self, args[0]!)
})
define<RMatch>(MatchDataClass, 'to_a deconstruct', 0, (self) => self.groups.map(optional))
define<RMatch>(MatchDataClass, 'captures', 0, (self) => self.groups.slice(1).map(optional))
define<RMatch>(MatchDataClass, 'named_captures', ANY, (self) =>
  hashOf(self.regexp.names.map((name) => [str(name), optional(self.named(name))] as const)),
)
define<RMatch>(MatchDataClass, 'deconstruct_keys', 1, (self) =>
  hashOf(self.regexp.names.map((name) => [symbolOf(name), optional(self.named(name))] as const)),
)
define<RMatch>(MatchDataClass, 'names', 0, (self) => self.regexp.names.map(str))
define<RMatch>(MatchDataClass, 'pre_match', 0, (self) => str(self.pre))
define<RMatch>(MatchDataClass, 'post_match', 0, (self) => str(self.post))
define<RMatch>(MatchDataClass, 'to_s', 0, (self) => str(self.groups[0]!))
define<RMatch>(MatchDataClass, 'string', 0, (self) => {
  const text = str(self.text)
  text.frozen = true
  return text
})
define<RMatch>(MatchDataClass, 'regexp', 0, (self) => self.regexp)
define<RMatch>(MatchDataClass, 'size length', 0, (self) => self.groups.length)
define<RMatch>(MatchDataClass, 'values_at', ANY, (self, groups) => groups.map((group) => groupOf(self, group)))
define<RMatch>(MatchDataClass, 'begin', 1, (self, [group]) => offsetsOf(self, group!)[0])
define<RMatch>(MatchDataClass, 'end', 1, (self, [group]) => offsetsOf(self, group!)[1])
define<RMatch>(MatchDataClass, 'offset', 1, (self, [group]) => [...offsetsOf(self, group!)])
define<RMatch>(
  MatchDataClass,
  '==',
  1,
  (self, [other]) =>
    other instanceof RMatch && other.text === self.text && other.regexp === self.regexp && other.at === self.at,
)
define<RMatch>(MatchDataClass, 'inspect', 0, (self) => {
  const names = self.regexp.compiled.groups
  const groups = self.groups
    .slice(1)
    .map((group, i) => ` ${names[i] ?? i + 1}:${group === undefined ? 'nil' : inspect(str(group))}`)
  return str(`#<MatchData ${inspect(str(self.groups[0]!))}${groups.join('')}>`)
})

function offsetsOf(match: RMatch, group: Value): [Value, Value] {
  const number = groupNumber(match, group)
  if (number === 0) return [charIndex(match.text, match.at), charIndex(match.text, match.end)]
  return match.offset(number) ?? [null, null]
}
