/** `format`, `sprintf` and `String#%`. */
import { toFloat, toInt } from '../../runtime/convert.ts'
import { inspect, toS } from '../../runtime/dispatch.ts'
import { argumentError, raise } from '../../runtime/errors.ts'
import { RHash } from '../../runtime/hash.ts'
import { charge } from '../../runtime/limits.ts'
import { RFloat, symbol, type Value } from '../../runtime/model.ts'
import { charLength, RString } from '../../runtime/string.ts'
import { parseFloatStrictly } from '../numbers/number-text.ts'
import { RRational } from '../numbers/rational.ts'
import { toInteger } from '../numbers/to-integer.ts'

interface Directive {
  flags: string
  width: number | undefined
  precision: number | undefined
  value: Value | undefined
}

export function formatText(template: string, args: Value[]): string {
  const reader = new Arguments(args)
  let out = ''
  let at = 0
  while (at < template.length) {
    const percent = template.indexOf('%', at)
    if (percent < 0) return out + template.slice(at)
    out += template.slice(at, percent)
    at = percent + 1
    const directive: Directive = { flags: '', width: undefined, precision: undefined, value: undefined }
    for (;;) {
      const char = template[at]
      if (char === undefined) throw argumentError('incomplete format specifier; use %% (double %) instead')
      at++
      if (' #+-0'.includes(char)) directive.flags += char
      else if (char >= '1' && char <= '9') {
        const digits = /\d+/y
        digits.lastIndex = at - 1
        const number = digits.exec(template)![0]
        at += number.length - 1
        if (template[at] === '$') {
          directive.value = reader.at(Number(number) - 1)
          at++
        } else directive.width = checkedWidth(Number(number))
      } else if (char === '*') {
        const width = toInt(reader.next())
        if (width < 0) directive.flags += '-'
        directive.width = checkedWidth(Math.abs(width))
      } else if (char === '.') {
        const digits = /\d*/y
        digits.lastIndex = at
        const number = digits.exec(template)![0]
        at += number.length
        if (template[at] === '*') {
          at++
          directive.precision = toInt(reader.next())
        } else directive.precision = checkedWidth(Number(number))
      } else if (char === '<' || char === '{') {
        const close = char === '<' ? '>' : '}'
        const end = template.indexOf(close, at)
        if (end < 0) throw argumentError('malformed name - unmatched parenthesis')
        const value = reader.named(template.slice(at, end))
        at = end + 1
        if (char === '{') {
          out += padded(toS(value), directive, false)
          break
        }
        directive.value = value
      } else {
        out += directiveText(char, directive, reader)
        break
      }
    }
  }
  return out
}

function checkedWidth(width: number): number {
  charge(width)
  return width
}

/** Provides the arguments in order, by number, or by name. */
class Arguments {
  readonly #args: Value[]
  #at = 0

  constructor(args: Value[]) {
    this.#args = args
  }

  next(): Value {
    if (this.#at >= this.#args.length) throw argumentError('too few arguments')
    return this.#args[this.#at++]!
  }

  at(index: number): Value {
    if (index >= this.#args.length) throw argumentError('too few arguments')
    return this.#args[index]!
  }

  named(name: string): Value {
    const hash = this.#args[0]
    if (!(hash instanceof RHash)) throw argumentError('one hash required')
    const value = hash.get(symbol(name))
    if (value !== undefined) return value
    if (hash.defaultProc !== null) return hash.defaultProc.call([hash, symbol(name)], null)
    if (hash.defaultValue !== null) return hash.defaultValue
    throw raise('KeyError', `key<${name}> not found`, { key: symbol(name), receiver: hash })
  }
}

function directiveText(kind: string, directive: Directive, reader: Arguments): string {
  const take = () => directive.value ?? reader.next()
  switch (kind) {
    case '%':
      return '%'
    case '\n':
    case '\0':
      return `%${kind}`
    case 's':
      return padded(cut(toS(take()), directive), directive, false)
    case 'p':
      return padded(cut(inspect(take()), directive), directive, false)
    case 'c': {
      const value = take()
      return padded(value instanceof RString ? characterIn(value.text) : characterOf(toInt(value)), directive, false)
    }
    case 'd':
    case 'i':
    case 'u':
      return integerText(integerArgument(take()), 10, '', directive)
    case 'x':
      return integerText(integerArgument(take()), 16, '0x', directive)
    case 'X':
      return integerText(integerArgument(take()), 16, '0X', directive).toUpperCase()
    case 'o':
      return integerText(integerArgument(take()), 8, '0', directive)
    case 'b':
      return integerText(integerArgument(take()), 2, '0b', directive)
    case 'B':
      return integerText(integerArgument(take()), 2, '0B', directive)
    case 'f':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return floatText(kind, floatArgument(take()), directive)
    default:
      throw argumentError(`malformed format string - %${kind}`)
  }
}

function characterIn(text: string): string {
  const chars = Array.from(text)
  if (chars.length !== 1) throw argumentError('%c requires a character')
  return chars[0]!
}

function characterOf(code: number): string {
  if (code < 0 || code > 0x10ffff) throw argumentError('invalid character')
  return String.fromCodePoint(code)
}

function cut(text: string, { precision }: Directive): string {
  return precision === undefined ? text : Array.from(text).slice(0, precision).join('')
}

function padded(text: string, { width, flags }: Directive, withZeros: boolean): string {
  if (width === undefined) return text
  const missing = width - charLength(text)
  if (missing <= 0) return text
  if (flags.includes('-')) return text + ' '.repeat(missing)
  if (!withZeros || !flags.includes('0')) return ' '.repeat(missing) + text
  const sign = /^[+\- ]?(?:0[xXbB])?/.exec(text)![0]
  return sign + '0'.repeat(missing) + text.slice(sign.length)
}

function integerArgument(value: Value): bigint {
  if (value instanceof RFloat) {
    const whole = Math.trunc(value.value)
    if (!Number.isFinite(whole)) throw raise('FloatDomainError', String(value.value))
    return BigInt(whole)
  }
  if (value instanceof RRational) return BigInt(Math.floor(value.toNumber()))
  return BigInt(toInteger(value, undefined) as number | bigint)
}

function floatArgument(value: Value): number {
  return value instanceof RString ? parseFloatStrictly(value.text) : toFloat(value)
}

function integerText(value: bigint, base: number, prefix: string, directive: Directive): string {
  const { flags, precision } = directive
  const hasSign = flags.includes('+') || flags.includes(' ')
  let sign = value < 0n ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  let digits: string
  if (value < 0n && base !== 10 && !hasSign) {
    // A negative number is printed as the tail of an infinite sequence of the highest digit.
    sign = ''
    digits = `..${complement(value, base)}`
    if (precision !== undefined || (flags.includes('0') && directive.width !== undefined)) {
      const top = (base - 1).toString(base)
      digits = digits.slice(2).padStart(precision ?? directive.width!, top)
    }
  } else {
    digits = (value < 0n ? -value : value).toString(base)
    if (precision !== undefined) digits = digits.padStart(precision, '0')
  }
  const shownPrefix = flags.includes('#') && prefix !== '' && (value !== 0n || base === 8) ? prefix : ''
  return padded(sign + shownPrefix + digits, directive, precision === undefined)
}

function complement(value: bigint, base: number): string {
  const bits = base === 16 ? 4n : base === 8 ? 3n : 1n
  let width = bits
  while (-(1n << (width - 1n)) > value) width += bits
  const text = (value + (1n << width)).toString(base)
  const top = (base - 1).toString(base)
  const rest = text.replace(new RegExp(`^${top}+`), '')
  return top + rest
}

function floatText(kind: string, value: number, directive: Directive): string {
  const { flags, precision = 6 } = directive
  const sign = value < 0 || Object.is(value, -0) ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const magnitude = Math.abs(value)
  if (!Number.isFinite(value))
    return padded(
      (Number.isNaN(value) ? sign.replace('-', '') : sign) + (Number.isNaN(value) ? 'NaN' : 'Inf'),
      directive,
      false,
    )
  let text: string
  if (kind === 'f') text = fixed(magnitude, precision)
  else if (kind === 'e' || kind === 'E') text = exponential(magnitude, precision)
  else if (kind === 'a' || kind === 'A') text = `0x${magnitude.toString(16)}p+0`
  else text = general(magnitude, precision, flags.includes('#'))
  if (precision === 0 && flags.includes('#') && !text.includes('.')) text += '.'
  const result = padded(sign + text, directive, true)
  return kind === 'E' || kind === 'G' ? result.toUpperCase() : result
}

/** Ruby rounds by the digits that a number is printed with, up to this many significant ones. */
const PRINTED_DIGITS_MAX = 14

/**
 * Exact digits of any number, except in the middle between two results: there the even digit is taken, as in Ruby, which looks at the digits
 * the number is printed with (0.15 and not 0.1499…). JavaScript's toFixed is limited to 1e21 and to 100 digits.
 */
export function fixed(value: number, precision: number): string {
  const middle = middleOf(value, (exponent) => precision + exponent)
  if (middle !== undefined) return middle.toFixed(precision)
  if (value < 1e21 && precision <= 100) return value.toFixed(precision)
  const whole = BigInt(Math.floor(value))
  return precision === 0
    ? whole.toString()
    : `${whole}.${(value % 1).toFixed(Math.min(precision, 100)).slice(2).padEnd(precision, '0')}`
}

/**
 * If the printed number has one digit more than wanted, a five: the nearer number with the even digit. `digitsAfter`
 * says how many digits behind the first are wanted, for the exponent of that digit.
 */
function middleOf(value: number, digitsAfter: (exponent: number) => number): number | undefined {
  const [digits = '', power = ''] = value.toExponential().split('e')
  const kept = digitsAfter(Number(power)) + 1
  const plain = digits.replace('.', '')
  // Without a digit to keep only one half itself is in the middle.
  if (kept < 1) return kept === 0 && value === 0.5 ? 0 : undefined
  if (kept > PRINTED_DIGITS_MAX || plain.length !== kept + 1 || !plain.endsWith('5')) return undefined
  const lower = BigInt(plain.slice(0, -1) || '0')
  const even = lower % 2n === 0n ? lower : lower + 1n
  return Number(`${even}e${Number(power) - kept + 1}`)
}

function exponential(value: number, precision: number): string {
  const number = middleOf(value, () => precision) ?? value
  const [mantissa, exponent] = number.toExponential(Math.min(precision, 100)).split('e') as [string, string]
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
}

function general(given: number, precision: number, keepsZeros: boolean): string {
  const digits = Math.min(precision === 0 ? 1 : precision, 100)
  const value = middleOf(given, () => digits - 1) ?? given
  const exponent = value === 0 ? 0 : Number(value.toExponential(digits - 1).split('e')[1])
  const text =
    exponent < -4 || exponent >= digits
      ? exponential(value, digits - 1)
      : value.toFixed(Math.max(0, digits - 1 - exponent))
  if (keepsZeros) return text
  return text.includes('.') ? text.replace(/\.?0+(?=e|$)/, '') : text
}
