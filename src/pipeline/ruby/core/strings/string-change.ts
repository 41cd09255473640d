/** String methods that return a changed string, and those with `!` that change the string itself. */
import { ANY, define, StringClass } from '../../runtime/classes.ts'
import { toInt, toText } from '../../runtime/convert.ts'
import { noConversion } from '../../runtime/dispatch.ts'
import { argumentError, raise } from '../../runtime/errors.ts'
import { RRange, type Value } from '../../runtime/model.ts'
import { current, RRegexp } from '../../runtime/regexp.ts'
import { bytesOf, charLength, charSlice, charsOf, RString, textOfBytes, unitIndex } from '../../runtime/string.ts'
import { rangeBounds } from './range-bounds.ts'
import { like, sliceOf } from './string.ts'
import { succText } from './succ.ts'

type Change = (self: RString, args: Value[]) => string

/** Defines `name`, and `name!`, which returns nil if nothing changed. */
export function both(name: string, arity: Parameters<typeof define>[2], change: Change): void {
  define<RString>(StringClass, name, arity, (self, args) => like(change(self, args), self))
  define<RString>(StringClass, `${name}!`, arity, (self, args) => {
    const changed = change(self, args)
    // A frozen string is an error even if nothing changes.
    if (self.frozen) self.text = changed
    if (changed === self.text) return null
    self.text = changed
    return self
  })
}

both('upcase', ANY, ({ text }) => text.toUpperCase())
both('downcase', ANY, ({ text }) => lower(text))
both('capitalize', ANY, ({ text }) => {
  if (text === '') return ''
  const first = String.fromCodePoint(text.codePointAt(0)!)
  return titled(first) + lower(text.slice(first.length))
})
both('swapcase', ANY, ({ text }) =>
  Array.from(text, (char) => (char === char.toUpperCase() ? lower(char) : char.toUpperCase())).join(''),
)

/** JavaScript lowercases a final sigma to its own form, as Ruby does. */
function lower(text: string): string {
  return text.toLowerCase()
}

function titled(char: string): string {
  return char === 'ß' ? 'Ss' : char.toUpperCase()
}

both('strip', 0, ({ text }) => text.replace(/^[\0\t-\r ]+/, '').replace(/[\0\t-\r ]+$/, ''))
both('lstrip', 0, ({ text }) => text.replace(/^[\0\t-\r ]+/, ''))
both('rstrip', 0, ({ text }) => text.replace(/[\0\t-\r ]+$/, ''))
both('chomp', [0, 1], ({ text }, [end]) => {
  if (end === undefined) return text.replace(/(?:\r\n|\n|\r)$/, '')
  if (end === null) return text
  const suffix = toText(end)
  if (suffix === '') return text.replace(/(?:\r?\n)+$/, '')
  if (suffix === '\n') return text.replace(/(?:\r\n|\n|\r)$/, '')
  return text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
})
both('chop', 0, ({ text }) => (text.endsWith('\r\n') ? text.slice(0, -2) : charsOf(text).slice(0, -1).join('')))
both('reverse', 0, ({ text }) => charsOf(text).reverse().join(''))
both('succ', 0, ({ text }) => succText(text))
both('next', 0, ({ text }) => succText(text))
both('delete_prefix', 1, ({ text }, [prefix]) =>
  text.startsWith(toText(prefix!)) ? text.slice(toText(prefix!).length) : text,
)
both('delete_suffix', 1, ({ text }, [suffix]) =>
  toText(suffix!) !== '' && text.endsWith(toText(suffix!)) ? text.slice(0, -toText(suffix!).length) : text,
)
both('unicode_normalize', [0, 1], ({ text }, [form]) => {
  const name = form === undefined ? 'nfc' : ((form as { name?: string }).name ?? 'nfc')
  if (!/^nfk?[cd]$/.test(name)) throw argumentError(`Invalid normalization form ${name}.`)
  return text.normalize(name.toUpperCase())
})
// These return the string itself even if nothing changed.
for (const name of ['reverse!', 'succ!', 'next!']) {
  const change = StringClass.methods.get(name)!
  define<RString>(StringClass, name, 0, (self) => {
    change.call(self, [], null)
    return self
  })
}

define<RString>(StringClass, '<<', 1, (self, [other]) => {
  if (other instanceof RString) appended(self, other)
  else if (typeof other === 'number') self.text += String.fromCodePoint(other)
  else self.text += toText(other!)
  return self
})
define<RString>(StringClass, 'concat', ANY, (self, parts) => {
  const text = parts.map((part) => (typeof part === 'number' ? String.fromCodePoint(part) : toText(part))).join('')
  self.text += text
  return self
})

/** Bytes that are appended to a text string are decoded. */
function appended(self: RString, other: RString): void {
  if (self.encoding !== other.encoding && /[^\0-\x7f]/.test(other.text)) {
    if (self.text === '' || !/[^\0-\x7f]/.test(self.text)) self.encoding = other.encoding
    else if (self.encoding === 'ASCII-8BIT' || other.encoding === 'ASCII-8BIT') {
      throw raise(
        'Encoding::CompatibilityError',
        `incompatible character encodings: ${self.encoding} and ${other.encoding}`,
      )
    }
  }
  self.text += other.text
}

define<RString>(StringClass, 'prepend', ANY, (self, parts) => {
  self.text = parts.map(toText).join('') + self.text
  return self
})
define<RString>(StringClass, 'replace initialize_copy', 1, (self, [other]) => {
  self.text = toText(other!)
  if (other instanceof RString) self.encoding = other.encoding
  return self
})
define<RString>(StringClass, 'clear', 0, (self) => {
  self.text = ''
  return self
})
define<RString>(StringClass, 'insert', 2, (self, [at, part]) => {
  const length = charLength(self.text)
  let index = toInt(at!)
  if (index < 0) index += length + 1
  if (index < 0 || index > length) throw raise('IndexError', `index ${toInt(at!)} out of string`)
  const place = unitIndex(self.text, index)
  self.text = self.text.slice(0, place) + toText(part!) + self.text.slice(place)
  return self
})
define<RString>(StringClass, 'setbyte', 2, (self, [at, byte]) => {
  const bytes = bytesOf(self)
  bytes[toInt(at!)] = toInt(byte!)
  self.text = textOfBytes(bytes, self.encoding)
  return byte!
})
define<RString>(StringClass, 'slice!', [1, 2], (self, args) => {
  const part = sliceOf(self, args)
  if (part === null) return null
  if (self.frozen) self.text = ''
  replacePart(self, args, '')
  return part
})
define<RString>(StringClass, '[]=', [2, 3], (self, args) => {
  const value = args[args.length - 1]!
  if (!(value instanceof RString)) throw noConversion(value, 'String')
  replacePart(self, args.slice(0, -1), value.text)
  return value
})

/** Replaces the part that an index, a range, a string or an expression selects. */
function replacePart(self: RString, [first, second]: Value[], replacement: string): void {
  const { text } = self
  if (first instanceof RString) {
    const at = text.indexOf(first.text)
    if (at < 0) throw raise('IndexError', 'string not matched')
    self.text = text.slice(0, at) + replacement + text.slice(at + first.text.length)
    return
  }
  if (first instanceof RRegexp) {
    const match = first.search(text)
    current.activation.match = match
    if (match === null) throw raise('IndexError', 'regexp not matched')
    self.text = match.pre + replacement + match.post
    return
  }
  const length = charLength(text)
  let start: number
  let count: number
  if (first instanceof RRange) {
    const bounds = rangeBounds(first, length)
    if (bounds === null) throw raise('RangeError', `${toInt(first.from)}..${toInt(first.to)} out of range`)
    start = bounds.start
    count = bounds.length
  } else {
    start = toInt(first!)
    if (start < 0) start += length
    count = second === undefined ? 1 : toInt(second)
    if (start < 0 || start > length) throw raise('IndexError', `index ${toInt(first!)} out of string`)
    if (count < 0) throw raise('IndexError', `negative length ${count}`)
  }
  self.text = charSlice(text, 0, start) + replacement + charSlice(text, start + count, length)
}
