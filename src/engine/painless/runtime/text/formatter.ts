/** `String.format`: java.util.Formatter. */

import { throwable } from '../../errors/java-throwable.ts'
import { type Boxed, JByte, JChar, JDouble, JFloat, JShort } from '../boxed.ts'
import { classOf } from '../class-of.ts'
import { hashCode } from '../equality.ts'
import type { JArray } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import type { JLocale } from '../lang/locale.ts'
import { checkString } from '../limits.ts'
import { BigDecimal } from '../math/big-decimal.ts'
import { BigInteger } from '../math/big-integer.ts'
import { registerStatics, staticMethod } from '../registry.ts'
import { Temporal } from '../time/temporal.ts'
import { formatDate } from './format-date.ts'
import { fixedDigits, roundedText } from './format-number.ts'

const SPECIFIER = /%(\d+\$|<)?([-#+ 0,(]*)(\d+)?(\.\d+)?([tT])?([a-zA-Z%])/y

interface Specifier {
  text: string
  flags: string
  width: number
  precision: number | undefined
  date: boolean
  letter: string
}

const failure = (name: string, message: string) => throwable(`java.util.${name}`, message)

export function format(pattern: string, args: readonly unknown[], locale = 'en'): string {
  let out = ''
  let ordinary = 0
  let last = -1
  for (let i = 0; i < pattern.length; ) {
    if (pattern[i] !== '%') {
      const next = pattern.indexOf('%', i)
      const end = next < 0 ? pattern.length : next
      out += pattern.slice(i, end)
      i = end
      continue
    }
    SPECIFIER.lastIndex = i
    const match = SPECIFIER.exec(pattern)
    if (match === null) throw failure('UnknownFormatConversionException', `Conversion = '${pattern[i + 1] ?? '%'}'`)
    i += match[0].length
    const spec: Specifier = {
      text: match[0],
      flags: match[2]!,
      width: Number(match[3] ?? 0),
      precision: match[4] === undefined ? undefined : Number(match[4].slice(1)),
      date: match[5] !== undefined,
      letter: match[6]!,
    }
    checkString(spec.width + (spec.precision ?? 0))
    checkFlags(spec, match[3] !== undefined)
    if (match[1] === '0$') throw failure('IllegalFormatArgumentIndexException', 'Illegal format argument index = 0')
    if (!spec.date && (spec.letter === '%' || spec.letter === 'n')) {
      out += spec.letter === 'n' ? '\n' : padded('%', spec)
      continue
    }
    if (!spec.date && !/[bBhHsScCdoxXeEfgGaA]/.test(spec.letter))
      throw failure('UnknownFormatConversionException', `Conversion = '${spec.letter}'`)
    const index = match[1] === '<' ? last : match[1] === undefined ? ordinary++ : Number(match[1].slice(0, -1)) - 1
    if (index < 0 || index >= args.length)
      throw failure('MissingFormatArgumentException', `Format specifier '${spec.text}'`)
    last = index
    out += converted(spec, args[index], locale)
  }
  checkString(out.length)
  return out
}

/** The flags that a conversion does not take, in the order in which Java looks for them. */
const BAD_FLAGS: Readonly<Record<string, string>> = {
  b: '#+ 0,(', h: '#+ 0,(', s: '+ 0,(#', c: '#+ 0,(', d: '#', o: ',( +', x: ',( +', e: ',', g: '#', a: '(,',
} // biome-ignore format: a list

/** Rejects combinations of flags, width and precision that a conversion does not take. */
function checkFlags(spec: Specifier, hasWidth: boolean): void {
  const { flags, text, precision } = spec
  const duplicate = [...flags].find((flag, i) => flags.indexOf(flag) !== i)
  if (duplicate !== undefined) throw failure('DuplicateFormatFlagsException', `Flags = '${duplicate}'`)
  const missing = () => failure('MissingFormatWidthException', text)
  const letter = spec.date ? 't' : spec.letter.toLowerCase()
  if (letter === 'n' && hasWidth) throw failure('IllegalFormatWidthException', String(spec.width))
  if (precision !== undefined && 'ctn%'.includes(letter))
    throw failure('IllegalFormatPrecisionException', String(precision))
  const isNumber = 'doxefga'.includes(letter)
  if (isNumber) {
    if (!hasWidth && /[-0]/.test(flags)) throw missing()
    if ((flags.includes('+') && flags.includes(' ')) || (flags.includes('-') && flags.includes('0')))
      throw failure(
        'IllegalFormatFlagsException',
        `Flags = '${[...'-#+ 0,('].filter((f) => flags.includes(f)).join('')}'`,
      )
    if (precision !== undefined && 'dox'.includes(letter))
      throw failure('IllegalFormatPrecisionException', String(precision))
  }
  const bad = [...(BAD_FLAGS[letter] ?? '')].find((flag) => flags.includes(flag))
  if (bad !== undefined)
    throw failure('FormatFlagsConversionMismatchException', `Conversion = ${spec.letter}, Flags = ${bad}`)
  if (!isNumber && !hasWidth && flags.includes('-') && letter !== 'n') throw missing()
}

function padded(text: string, spec: Specifier): string {
  if (text.length >= spec.width) return text
  return spec.flags.includes('-') ? text.padEnd(spec.width) : text.padStart(spec.width)
}

const mismatch = (spec: Specifier, value: unknown) =>
  failure('IllegalFormatConversionException', `${spec.letter} != ${classOf(value)}`)

function converted(spec: Specifier, value: unknown, locale: string): string {
  const upper = spec.letter !== spec.letter.toLowerCase()
  const text = spec.date ? dated(spec, value) : convert(spec, value, locale)
  return padded(upper && !spec.date ? text.toUpperCase() : text, spec)
}

function dated(spec: Specifier, value: unknown): string {
  if (value === null) return 'null'
  if (!(value instanceof Temporal) && typeof value !== 'bigint') throw mismatch(spec, value)
  return formatDate(spec.letter, value)
}

function convert(spec: Specifier, value: unknown, locale: string): string {
  switch (spec.letter.toLowerCase()) {
    case 'b':
      return cut(spec, value === null ? 'false' : typeof value === 'boolean' ? String(value) : 'true')
    case 's':
      return cut(spec, textOf(value))
    case 'h':
      return cut(spec, value === null ? 'null' : (hashCode(value) >>> 0).toString(16))
    case 'c':
      return character(spec, value)
    case 'd':
    case 'o':
    case 'x':
      return integer(spec, value, locale)
    default:
      return decimal(spec, value, locale)
  }
}

const cut = (spec: Specifier, text: string) => (spec.precision === undefined ? text : text.slice(0, spec.precision))

function character(spec: Specifier, value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof JChar || value instanceof JByte || value instanceof JShort)
    return String.fromCodePoint(value.value)
  if (typeof value !== 'number') throw mismatch(spec, value)
  if (value < 0 || value > 0x10ffff)
    throw failure('IllegalFormatCodePointException', `Code point = 0x${(value >>> 0).toString(16)}`)
  return String.fromCodePoint(value)
}

function integer(spec: Specifier, value: unknown, locale: string): string {
  if (value === null) return 'null'
  const whole = wholeOf(value)
  if (whole === undefined) throw mismatch(spec, value)
  const letter = spec.letter.toLowerCase()
  if (letter === 'd') return signed(spec, whole < 0n, grouped(spec, (whole < 0n ? -whole : whole).toString(), locale))
  const bits = typeof value === 'number' ? 32 : value instanceof JByte ? 8 : value instanceof JShort ? 16 : 64
  const unsigned = value instanceof BigInteger ? whole : BigInt.asUintN(bits, whole)
  const prefix = spec.flags.includes('#') ? (letter === 'x' ? '0x' : '0') : ''
  const digits = prefix + unsigned.toString(letter === 'x' ? 16 : 8)
  return spec.flags.includes('0') ? digits.padStart(spec.width, '0') : digits
}

function wholeOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return BigInt(value)
  if (value instanceof JByte || value instanceof JShort) return BigInt(value.value)
  return value instanceof BigInteger ? value.value : undefined
}

interface Separators {
  point: string
  group: string
}

const separators = new Map<string, Separators>()

function separatorsOf(locale: string): Separators {
  let own = separators.get(locale)
  if (own === undefined) {
    const parts = new Intl.NumberFormat(locale === '' ? 'en' : locale, { useGrouping: 'always' }).formatToParts(
      1234567.5,
    )
    const of = (type: string, fallback: string) => parts.find((part) => part.type === type)?.value ?? fallback
    own = { point: of('decimal', '.'), group: of('group', ',') }
    separators.set(locale, own)
  }
  return own
}

/** Digits with the separators of the locale, grouped if the flag is set. */
function grouped(spec: Specifier, digits: string, locale: string): string {
  const { point, group } = separatorsOf(locale)
  const [whole, fraction] = digits.split('.')
  const body = spec.flags.includes(',') ? whole!.replace(/\B(?=(\d{3})+$)/g, group) : whole!
  return fraction === undefined ? body : body + point + fraction
}

function signed(spec: Specifier, negative: boolean, digits: string): string {
  const { flags } = spec
  const before = negative
    ? flags.includes('(')
      ? '('
      : '-'
    : flags.includes('+')
      ? '+'
      : flags.includes(' ')
        ? ' '
        : ''
  const after = negative && flags.includes('(') ? ')' : ''
  const room = spec.width - before.length - after.length
  return before + (flags.includes('0') ? digits.padStart(room, '0') : digits) + after
}

function decimal(spec: Specifier, value: unknown, locale: string): string {
  if (value === null) return 'null'
  const big = value instanceof BigDecimal
  if (!big && !(value instanceof JDouble || value instanceof JFloat)) throw mismatch(spec, value)
  const letter = spec.letter.toLowerCase()
  const number = big ? Number((value as BigDecimal).toString_0()) : (value as Boxed).value
  if (!Number.isFinite(number)) {
    const name = Number.isNaN(number) ? 'NaN' : 'Infinity'
    return signed({ ...spec, flags: spec.flags.replace('0', '') }, number < 0, name)
  }
  if (letter === 'a') return staticMethod('java.lang.Double', 'toHexString', 1)!(number)
  const precision = spec.precision ?? 6
  const negative = number < 0 || Object.is(number, -0)
  if (letter === 'f') {
    const digits = big
      ? roundedText(abs((value as BigDecimal).unscaled), (value as BigDecimal).scaleValue, precision)
      : value instanceof JFloat
        ? fixedDigits(Number(textOf(value)), precision)
        : fixedDigits(number, precision)
    return signed(spec, negative, grouped(spec, digits, locale))
  }
  if (letter === 'e') return signed(spec, negative, scientific(number, precision, locale))
  const significant = precision === 0 ? 1 : precision
  const rounded = Math.abs(Number(number.toPrecision(Math.min(significant, 100))))
  if (rounded !== 0 && (rounded < 1e-4 || rounded >= 10 ** significant))
    return signed(spec, negative, scientific(number, significant - 1, locale))
  const whole = rounded === 0 ? 0 : Math.floor(Math.log10(rounded))
  const decimals = Math.max(0, significant - 1 - whole)
  return signed(spec, negative, grouped(spec, fixedDigits(number, decimals), locale))
}

const abs = (value: bigint) => (value < 0n ? -value : value)

/** One digit before the point, an exponent of at least two digits. */
function scientific(number: number, precision: number, locale: string): string {
  const { point } = separatorsOf(locale)
  const [shortest, exponentText] = Math.abs(number).toExponential().split('e')
  let exponent = Number(exponentText)
  const digits = BigInt(shortest!.replace('.', ''))
  let text = roundedText(digits, shortest!.length - (shortest!.includes('.') ? 2 : 1), precision)
  if (text.startsWith('10')) {
    exponent++
    text = roundedText(1n, 0, precision)
  }
  const sign = exponent < 0 ? '-' : '+'
  return `${text.replace('.', point)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

registerStatics('java.lang.String', {
  format_2: (pattern: string, args: JArray | null) => format(pattern, args?.items ?? [null]),
  format_3: (locale: JLocale | null, pattern: string, args: JArray | null) =>
    format(pattern, args?.items ?? [null], locale?.tag ?? ''),
})
