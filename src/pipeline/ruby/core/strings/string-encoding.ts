/** String: encodings and bytes. */
import { ANY, define, defineStatic, makeClass, StringClass, setClass } from '../../runtime/classes.ts'
import { optionsOf, toText } from '../../runtime/convert.ts'
import { toS, truthy, yield1 } from '../../runtime/dispatch.ts'
import { argumentError, raise } from '../../runtime/errors.ts'
import { RHash } from '../../runtime/hash.ts'
import { RBasic, type RProc, RSymbol, symbol, type Value } from '../../runtime/model.ts'
import {
  bytesOf,
  canEncode,
  type Encoding,
  isBroken,
  isValid,
  type RString,
  str,
  textOfBytes,
} from '../../runtime/string.ts'
import { errorClass } from '../exception.ts'
import { like } from './string.ts'

class REncoding extends RBasic {
  readonly name: Encoding
  constructor(name: Encoding) {
    super()
    this.name = name
  }
}

const EncodingClass = makeClass('Encoding')
EncodingClass.allocate = null
setClass(REncoding, EncodingClass)
StringClass.constants.set(' encodings', EncodingClass)
errorClass('CompatibilityError', 'EncodingError', EncodingClass)
errorClass('UndefinedConversionError', 'EncodingError', EncodingClass)
errorClass('InvalidByteSequenceError', 'EncodingError', EncodingClass)
errorClass('ConverterNotFoundError', 'EncodingError', EncodingClass)

const NAMES: readonly Encoding[] = [
  'UTF-8',
  'ASCII-8BIT',
  'US-ASCII',
  'ISO-8859-1',
  'ISO-8859-2',
  'ISO-8859-15',
  'Windows-1250',
  'Windows-1251',
  'Windows-1252',
  'UTF-16',
  'UTF-16LE',
  'UTF-16BE',
  'UTF-32',
  'UTF-32LE',
  'UTF-32BE',
  'Shift_JIS',
  'EUC-JP',
  'GBK',
  'KOI8-R',
]
const ALIASES: Readonly<Record<string, Encoding>> = {
  BINARY: 'ASCII-8BIT',
  ASCII: 'US-ASCII',
  'ISO8859-1': 'ISO-8859-1',
  LATIN1: 'ISO-8859-1',
  CP1252: 'Windows-1252',
  CP1251: 'Windows-1251',
  CP1250: 'Windows-1250',
  UTF8: 'UTF-8',
  'ANSI_X3.4-1968': 'US-ASCII',
  SJIS: 'Shift_JIS',
}
const encodings = new Map(NAMES.map((name) => [name, new REncoding(name)]))
for (const [name, encoding] of encodings) {
  EncodingClass.constants.set(name.toUpperCase().replaceAll('-', '_'), encoding)
  if (!/^\p{Lu}+$/u.test(name)) EncodingClass.constants.set(name.replaceAll('-', '_'), encoding)
}
EncodingClass.constants.set('BINARY', encodings.get('ASCII-8BIT')!)
EncodingClass.constants.set('ASCII', encodings.get('US-ASCII')!)
EncodingClass.constants.set('CP1252', encodings.get('Windows-1252')!)

export function encodingOf(value: Value): Encoding {
  if (value instanceof REncoding) return value.name
  const text = toText(value)
  const upper = text.toUpperCase()
  const found = NAMES.find((name) => name.toUpperCase() === upper) ?? ALIASES[upper]
  if (found === undefined) throw argumentError(`unknown encoding name - ${text}`)
  return found
}

defineStatic(EncodingClass, 'find', 1, (_self, [name]) => encodings.get(encodingOf(name!))!)
defineStatic(EncodingClass, 'default_external default_internal', 0, () => encodings.get('UTF-8')!)
defineStatic(EncodingClass, 'default_external= default_internal=', 1, (_self, [value]) => value!)
defineStatic(EncodingClass, 'list', 0, () => [...encodings.values()])
define<REncoding>(EncodingClass, 'name to_s', 0, (self) => str(self.name))
define<REncoding>(EncodingClass, 'inspect', 0, (self) => str(`#<Encoding:${self.name}>`))

define<RString>(StringClass, 'force_encoding', 1, (self, [name]) => {
  const encoding = encodingOf(name!)
  if (encoding === self.encoding) return self
  const text = textOfBytes(bytesOf(self), encoding)
  self.encoding = encoding
  self.text = text
  return self
})
define<RString>(StringClass, 'valid_encoding?', 0, (self) => isValid(self))
define<RString>(StringClass, 'b', 0, (self) => {
  const made = str(bytesOf(self).toString('latin1'))
  made.encoding = 'ASCII-8BIT'
  return made
})

/** Replaces invalid bytes. */
function scrubbed(text: string, replace: (bytes: string) => string): string {
  return isBroken(text)
    ? text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\udc80-\udcff]/g, (char) =>
        char.length === 2 ? char : replace(char),
      )
    : text
}
function scrub(self: RString, args: Value[], block: RProc | null): string {
  const replacement =
    args[0] === undefined || args[0] === null ? (self.encoding === 'UTF-8' ? '\ufffd' : '?') : toText(args[0])
  return scrubbed(self.text, (byte) => {
    if (block === null) return replacement
    const raw = str(String.fromCharCode(byte.charCodeAt(0) - 0xdc00))
    raw.encoding = 'ASCII-8BIT'
    return toS(yield1(block, raw))
  })
}
define<RString>(StringClass, 'scrub', [0, 1], (self, args, block) => like(scrub(self, args, block), self))
define<RString>(StringClass, 'scrub!', [0, 1], (self, args, block) => {
  self.text = scrub(self, args, block)
  return self
})

define<RString>(StringClass, 'encode', ANY, (self, args) => encoded(self, args))
define<RString>(StringClass, 'encode!', ANY, (self, args) => {
  const made = encoded(self, args)
  self.encoding = made.encoding
  self.text = made.text
  return self
})
define<RString>(StringClass, 'unicode_normalized?', [0, 1], (self) => self.text.normalize() === self.text)

function isReplace(value: Value | undefined): boolean {
  return value instanceof RSymbol && value.name === 'replace'
}

function encoded(self: RString, args: Value[]): RString {
  const options = optionsOf(args)
  const [first, second] = args.filter((arg) => !(arg instanceof RHash))
  const to = first === undefined ? 'UTF-8' : encodingOf(first)
  const from = second === undefined ? self.encoding : encodingOf(second)
  const source = from === self.encoding ? self.text : textOfBytes(bytesOf(self), from)
  const given = options?.get(symbol('replace'))
  const fallback = options?.get(symbol('fallback'))
  const replacement = given === undefined || given === null ? (to.startsWith('UTF') ? '\ufffd' : '?') : toText(given)
  const replacesInvalid = isReplace(options?.get(symbol('invalid')))
  const replacesUndefined = isReplace(options?.get(symbol('undef')))
  // The text is not checked if the encoding stays the same and nothing is to be replaced.
  if (to === from && !replacesInvalid) return finished(source, to, options)
  let text = ''
  for (const char of source) {
    const code = char.codePointAt(0)!
    if (code >= 0xdc80 && code <= 0xdcff) {
      if (!replacesInvalid)
        throw raise(
          'Encoding::InvalidByteSequenceError',
          `"\\x${(code - 0xdc00).toString(16).toUpperCase()}" on ${from}`,
        )
      text += replacement
    } else if (from === 'ASCII-8BIT' && code > 127 && to !== 'ASCII-8BIT') {
      if (!replacesUndefined)
        throw raise(
          'Encoding::UndefinedConversionError',
          `"\\x${code.toString(16).toUpperCase()}" from ASCII-8BIT to ${to}`,
        )
      text += replacement
    } else if (canEncode(char, to)) text += char
    else if (fallback instanceof RHash && fallback.get(str(char)) !== undefined) text += toS(fallback.get(str(char))!)
    else if (replacesUndefined) text += replacement
    else
      throw raise(
        'Encoding::UndefinedConversionError',
        `U+${code.toString(16).toUpperCase().padStart(4, '0')} from UTF-8 to ${to}`,
      )
  }
  return finished(text, to, options)
}

function finished(text: string, encoding: Encoding, options: RHash | undefined): RString {
  let result = text
  if (truthy(options?.get(symbol('universal_newline')) ?? null)) result = result.replace(/\r\n?/g, '\n')
  if (truthy(options?.get(symbol('crlf_newline')) ?? null)) result = result.replace(/\n/g, '\r\n')
  const xml = options?.get(symbol('xml'))
  if (xml instanceof RSymbol) {
    result = result.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    if (xml.name === 'attr') result = `"${result.replaceAll('"', '&quot;')}"`
  }
  const made = str(result)
  made.encoding = encoding
  return made
}
