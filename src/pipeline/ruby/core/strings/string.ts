/** String: length, slices, case, padding, comparison. */
import { ANY, define, defineStatic, StringClass } from '../../runtime/classes.ts'
import { optionsOf, toInt, toText } from '../../runtime/convert.ts'
import { compareText, equals, inspect, send, truthy, yield1 } from '../../runtime/dispatch.ts'
import { argumentError, raise, typeError } from '../../runtime/errors.ts'
import { charge } from '../../runtime/limits.ts'
import { type RClass, RFloat, RRange, symbol, type Value } from '../../runtime/model.ts'
import { current, RRegexp } from '../../runtime/regexp.ts'
import { bytesOf, charLength, charSlice, charsOf, hasSurrogates, RString, str } from '../../runtime/string.ts'
import { enumerator, iterateRange } from '../collections/iterate.ts'
import { parseFloatLoosely, parseIntegerLoosely } from '../numbers/number-text.ts'
import { rationalOf } from '../numbers/rational.ts'
import { formatText } from './format.ts'
import { rangeBounds } from './range-bounds.ts'
import { succText } from './succ.ts'

StringClass.allocate = (cls) => {
  const made = str('')
  if (cls !== StringClass) made.cls = cls
  return made
}
define<RString>(StringClass, 'initialize', ANY, (self, [text]) => {
  if (text instanceof RString) {
    self.text = text.text
    self.encoding = text.encoding
  }
  return null
})
defineStatic(StringClass, 'try_convert', 1, (_self, [value]) => (value instanceof RString ? value : null))

/** A new string with the encoding of another one. */
export function like(text: string, self: RString): RString {
  const made = str(text)
  made.encoding = self.encoding
  return made
}

define<RString>(StringClass, 'to_s to_str', 0, (self) => self)
define<RString>(StringClass, 'inspect', 0, (self) => str(inspect(self)))
define<RString>(StringClass, 'dump', 0, (self) =>
  str(
    inspect(self).replace(
      /[^\0-\x7f]/gu,
      (char) =>
        `\\u${char.codePointAt(0)! > 0xffff ? `{${char.codePointAt(0)!.toString(16).toUpperCase()}}` : char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
    ),
  ),
)
define<RString>(StringClass, 'to_sym intern', 0, (self) => symbol(self.text))
define<RString>(StringClass, 'to_i', [0, 1], (self, [base]) => {
  if (base === undefined) {
    const { text } = self
    if (text.length < 15 && /^\d+$/.test(text)) return Number(text)
  }
  return parseIntegerLoosely(self.text, base === undefined ? 10 : toInt(base))
})
define<RString>(StringClass, 'to_f', 0, (self) => new RFloat(parseFloatLoosely(self.text)))
define<RString>(StringClass, 'to_r', 0, (self) =>
  rationalOf(/^\s*([+-]?\d+(?:\.\d+)?(?:\/\d+)?)/.exec(self.text)?.[1] ?? '0'),
)
define<RString>(StringClass, 'to_c', 0, () => {
  throw raise('NotImplementedError', 'complex numbers are not available in the ruby filter')
})
define<RString>(StringClass, 'hex', 0, (self) => parseIntegerLoosely(self.text, 16))
define<RString>(StringClass, 'oct', 0, (self) =>
  /^\s*[+-]?0[xbd]/i.test(self.text) ? parseIntegerLoosely(self.text, 0) : parseIntegerLoosely(self.text, 8),
)
define<RString>(StringClass, 'length size', 0, (self) => charLength(self.text))
define<RString>(StringClass, 'bytesize', 0, (self) => bytesOf(self).length)
define<RString>(StringClass, 'empty?', 0, (self) => self.text === '')
define<RString>(StringClass, '== ===', 1, (self, [other]) => equals(self, other!))
define<RString>(StringClass, 'eql?', 1, (self, [other]) => other instanceof RString && equals(self, other))
define<RString>(StringClass, '<=>', 1, (self, [other]) =>
  other instanceof RString ? compareText(self.text, other.text) : null,
)
define<RString>(StringClass, 'casecmp', 1, (self, [other]) => {
  if (!(other instanceof RString)) return null
  const fold = (text: string) => text.replace(/[A-Z]/g, (char) => char.toLowerCase())
  return compareText(fold(self.text), fold(other.text))
})
define<RString>(StringClass, 'casecmp?', 1, (self, [other]) => {
  if (!(other instanceof RString)) return null
  return foldCase(self.text) === foldCase(other.text)
})
function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ß', 'ss')
}

define<RString>(StringClass, '+', 1, (self, [other]) => {
  if (!(other instanceof RString)) return like(self.text + toText(other!), self)
  const made = like(self.text + other.text, self)
  if (self.encoding !== other.encoding && (self.text === '' || /[^\0-\x7f]/.test(other.text)))
    made.encoding = other.encoding
  return made
})
define<RString>(StringClass, '*', 1, (self, [count]) => {
  const times = toInt(count!)
  if (times < 0) throw argumentError('negative argument')
  charge(self.text.length * times)
  return like(self.text.repeat(times), self)
})
define<RString>(StringClass, '%', 1, (self, [args]) =>
  like(formatText(self.text, Array.isArray(args) ? args : [args!]), self),
)
define<RString>(StringClass, '=~', 1, (self, [pattern]) => {
  if (pattern instanceof RString) throw typeError('wrong argument type String (expected Regexp)')
  return send(pattern!, '=~', [self])
})
define<RString>(StringClass, '+@', 0, (self) => (self.frozen ? like(self.text, self) : self))
define<RString>(StringClass, '-@ dedup', 0, (self) => {
  if (self.frozen) return self
  const made = like(self.text, self)
  made.frozen = true
  return made
})
define<RString>(StringClass, 'hash', 0, (self) => {
  let hash = 5381
  for (let i = 0; i < self.text.length; i++) hash = (hash * 33 + self.text.charCodeAt(i)) % 9_007_199_254_740_881
  return hash
})

/** The part of a string that an index, a range, a string or an expression selects. */
export function sliceOf(self: RString, args: Value[]): RString | null {
  const [first, second] = args
  const { text } = self
  if (first instanceof RRegexp) {
    const match = first.search(text)
    current.activation.match = match
    if (match === null) return null
    const found =
      second === undefined
        ? match.groups[0]
        : typeof second === 'number'
          ? match.groups[second < 0 ? match.groups.length + second : second]
          : match.named((second as { name?: string }).name ?? toText(second))
    return found === undefined || found === null ? null : like(found, self)
  }
  if (first instanceof RString) return text.includes(first.text) ? like(first.text, self) : null
  const length = charLength(text)
  if (first instanceof RRange) {
    const bounds = rangeBounds(first, length)
    return bounds === null ? null : like(charSlice(text, bounds.start, bounds.length), self)
  }
  let start = toInt(first!)
  if (start < 0) start += length
  if (second === undefined) {
    if (start < 0 || start >= length) return null
    return like(charSlice(text, start, 1), self)
  }
  const count = toInt(second)
  if (start < 0 || start > length || count < 0) return null
  return like(charSlice(text, start, count), self)
}
define<RString>(StringClass, '[] slice', [1, 2], (self, args) => sliceOf(self, args))
define<RString>(StringClass, 'byteslice', [1, 2], (self, [first, second]) => {
  const bytes = bytesOf(self)
  const raw = str(bytes.toString('latin1'))
  const part = sliceOf(raw, second === undefined ? [first!] : [first!, second])
  if (part === null) return null
  part.encoding = 'ASCII-8BIT'
  return send(part, 'force_encoding', [str(self.encoding)])
})
define<RString>(StringClass, 'getbyte', 1, (self, [at]) => bytesOf(self).at(toInt(at!)) ?? null)
define<RString>(StringClass, 'chr', 0, (self) => like(charSlice(self.text, 0, 1), self))
define<RString>(StringClass, 'ord', 0, (self) => {
  if (self.text === '') throw argumentError('empty string')
  return self.text.codePointAt(0)!
})
define<RString>(StringClass, 'sum', [0, 1], (self) => bytesOf(self).reduce((sum, byte) => sum + byte, 0) % 65536)
define<RString>(StringClass, 'chars', 0, (self) => charsOf(self.text).map((char) => like(char, self)))
define<RString>(StringClass, 'bytes', 0, (self) => [...bytesOf(self)])
define<RString>(StringClass, 'codepoints', 0, (self) => Array.from(self.text, (char) => char.codePointAt(0)!))
define<RString>(StringClass, 'grapheme_clusters', 0, (self) =>
  [...new Intl.Segmenter().segment(self.text)].map(({ segment }) => like(segment, self)),
)

function each(name: string, items: (self: RString, args: Value[]) => Value[]): void {
  define<RString>(StringClass, name, ANY, (self, args, block) => {
    if (block === null) return enumerator(self, name, args)
    for (const item of items(self, args)) yield1(block, item)
    return self
  })
}
each('each_char', (self) => charsOf(self.text).map((char) => like(char, self)))
each('each_byte', (self) => [...bytesOf(self)])
each('each_codepoint', (self) => Array.from(self.text, (char) => char.codePointAt(0)!))
each('each_line', linesOf)
define<RString>(StringClass, 'lines', ANY, (self, args, block) => {
  const lines = linesOf(self, args)
  if (block !== null) for (const line of lines) yield1(block, line)
  return block === null ? lines : self
})

function linesOf(self: RString, args: Value[]): Value[] {
  const chomp = truthy(optionsOf(args)?.get(symbol('chomp')) ?? null)
  const separator = args[0] instanceof RString ? args[0].text : '\n'
  const lines: string[] = []
  let at = 0
  if (separator === '') {
    for (const part of self.text.match(/[\s\S]+?(?:\n\n+|$)/g) ?? [])
      lines.push(chomp ? part.replace(/\n+$/, '') : part)
    return lines.map((line) => like(line, self))
  }
  while (at < self.text.length) {
    const end = self.text.indexOf(separator, at)
    const next = end < 0 ? self.text.length : end + separator.length
    let line = self.text.slice(at, next)
    if (chomp && end >= 0) line = line.slice(0, -separator.length).replace(separator === '\n' ? /\r$/ : /(?!)/, '')
    lines.push(line)
    at = next
  }
  return lines.map((line) => like(line, self))
}

define<RString>(StringClass, 'start_with?', ANY, (self, prefixes) =>
  prefixes.some((prefix) => {
    if (prefix instanceof RRegexp) {
      const match = prefix.matchAt(self.text, 0)
      if (match !== null) current.activation.match = match
      return match !== null
    }
    return self.text.startsWith(toText(prefix))
  }),
)
define<RString>(StringClass, 'end_with?', ANY, (self, suffixes) =>
  suffixes.some((suffix) => self.text.endsWith(toText(suffix))),
)
define<RString>(StringClass, 'include?', 1, (self, [part]) => self.text.includes(toText(part!)))
define<RString>(StringClass, 'succ next', 0, (self) => like(succText(self.text), self))
define<RString>(StringClass, 'upto', [1, 2], (self, [limit, exclusive], block) => {
  if (block === null) return enumerator(self, 'upto', [limit!])
  iterateRange(new RRange(self, limit!, exclusive !== undefined && truthy(exclusive)), (item) => {
    yield1(block, item)
  })
  return self
})
define<RString>(
  StringClass,
  'between?',
  2,
  (self, [low, high]) => compareText(self.text, toText(low!)) >= 0 && compareText(self.text, toText(high!)) <= 0,
)
define<RString>(StringClass, 'ascii_only?', 0, (self) => !/[^\0-\x7f]/.test(self.text))
define<RString>(StringClass, 'freeze', 0, (self) => {
  self.frozen = true
  return self
})
define<RString>(StringClass, 'crypt', 1, () => {
  throw raise('NotImplementedError', 'crypt is not available in the ruby filter')
})

for (const [name, place] of [
  ['ljust', 'left'],
  ['rjust', 'right'],
  ['center', 'center'],
] as const) {
  define<RString>(StringClass, name, [1, 2], (self, [width, padding]) => {
    const fill = padding === undefined ? ' ' : toText(padding)
    if (fill === '') throw argumentError('zero width padding')
    const missing = toInt(width!) - charLength(self.text)
    if (missing <= 0) return like(self.text, self)
    charge(missing)
    const left = place === 'left' ? 0 : place === 'right' ? missing : Math.floor(missing / 2)
    return like(filled(fill, left) + self.text + filled(fill, missing - left), self)
  })
}
function filled(fill: string, width: number): string {
  return hasSurrogates(fill)
    ? charSlice(fill.repeat(width), 0, width)
    : fill.repeat(Math.ceil(width / fill.length)).slice(0, width)
}
define<RString>(StringClass, 'encoding', 0, (self) =>
  send(StringClass.constants.get(' encodings') as RClass, 'find', [str(self.encoding)]),
)
