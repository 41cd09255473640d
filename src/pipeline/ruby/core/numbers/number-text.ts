/** Parses numbers: leniently for `to_i` and `to_f`, strictly for `Integer()` and `Float()`. */
import { argumentError } from '../../runtime/errors.ts'
import { charge } from '../../runtime/limits.ts'
import { inspectText } from '../../runtime/string.ts'
import { normal } from './integer-math.ts'

const PREFIXES: Readonly<Record<number, RegExp>> = { 2: /^0b/i, 8: /^0o?/i, 10: /^0d/i, 16: /^0x/i }

/** `to_i`: parses the longest valid prefix; 0 if there is none. */
export function parseIntegerLoosely(text: string, base: number): number | bigint {
  if (base < 0 || base === 1 || base > 36) throw argumentError(`invalid radix ${base}`)
  const match = /^[\s\0]*([+-]?)(.*)$/s.exec(text)!
  let rest = match[2]!
  let radix = base
  if (base === 0) {
    radix = /^0x/i.test(rest) ? 16 : /^0b/i.test(rest) ? 2 : /^0d/i.test(rest) ? 10 : /^0/.test(rest) ? 8 : 10
  }
  const prefix = PREFIXES[radix]
  if (prefix !== undefined) rest = /^0[a-z]/i.test(rest) ? rest.replace(prefix, '') : rest
  const digits = digitsOf(rest, radix)
  const value = digits === '' ? 0 : integerFrom(digits, radix)
  return match[1] === '-' ? negated(value) : value
}

function negated(value: number | bigint): number | bigint {
  return value === 0 ? 0 : -value
}

/** Leading digits with single underscores between them. */
function digitsOf(text: string, radix: number): string {
  const allowed = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, radix)
  let digits = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!.toLowerCase()
    if (char === '_' && digits !== '' && text[i - 1] !== '_' && allowed.includes((text[i + 1] ?? '!').toLowerCase()))
      continue
    if (!allowed.includes(char)) break
    digits += char
  }
  return digits
}

export function integerFrom(digits: string, radix: number): number | bigint {
  if (digits.length <= 10 || (radix === 10 && digits.length <= 15)) return Number.parseInt(digits, radix)
  charge(digits.length)
  if (radix === 10) return normal(BigInt(digits))
  if (radix === 16) return normal(BigInt(`0x${digits}`))
  let value = 0n
  for (const digit of digits) value = value * BigInt(radix) + BigInt(Number.parseInt(digit, radix))
  return normal(value)
}

/** `Integer("0x1f")` */
export function parseIntegerStrictly(text: string, base: number | undefined): number | bigint {
  const invalid = () => argumentError(`invalid value for Integer(): ${inspectText(text)}`)
  const match = /^\s*([+-]?)(0x|0b|0o|0d|0)?([\da-z]+(?:_[\da-z]+)*)?\s*$/i.exec(text)
  if (match === null || text.includes('\0')) throw invalid()
  const [, sign, prefix = '', digits = ''] = match
  const found = { '0x': 16, '0b': 2, '0o': 8, '0d': 10, '0': 8, '': 10 }[prefix.toLowerCase()]!
  let radix = base ?? found
  let plain = digits
  if (base !== undefined && base !== found && prefix !== '') {
    plain = prefix === '0' || base > 10 ? prefix + digits : invalidDigits(invalid)
    radix = base
  } else if (prefix === '0' && digits === '') plain = '0'
  else if (prefix.length === 2 && digits === '') throw invalid()
  if (prefix === '0' && digits.startsWith('_')) plain = digits.slice(1)
  plain = plain.replaceAll('_', '')
  if (plain === '' || digitsOf(plain, radix).length !== plain.length) throw invalid()
  const value = integerFrom(plain.toLowerCase(), radix)
  return sign === '-' ? negated(value) : value
}

function invalidDigits(error: () => Error): never {
  throw error()
}

/** `to_f` */
export function parseFloatLoosely(text: string): number {
  const match = /^\s*([+-]?)((?:\d+(?:_\d+)*)(?:\.\d+(?:_\d+)*)?(?:e[+-]?\d+(?:_\d+)*)?|\.\d+(?:e[+-]?\d+)?)/i.exec(
    text,
  )
  if (match === null) return 0
  return Number(`${match[1]}${match[2]!.replaceAll('_', '')}`)
}

export function parseFloatStrictly(text: string): number {
  const match = /^\s*([+-]?)(\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:e[+-]?\d+(?:_\d+)*)?)\s*$/i.exec(text)
  if (match !== null) return Number(`${match[1]}${match[2]!.replaceAll('_', '')}`)
  const dotted = /^\s*([+-]?\.\d+(?:e[+-]?\d+)?)\s*$/i.exec(text)
  if (dotted !== null) return Number(dotted[1])
  const hex = /^\s*([+-]?)0x([\da-f]+)(?:\.([\da-f]+))?(?:p([+-]?\d+))?\s*$/i.exec(text)
  if (hex !== null) {
    const fraction = hex[3] ?? ''
    const value = Number.parseInt(hex[2]! + fraction, 16) * 2 ** (Number(hex[4] ?? 0) - 4 * fraction.length)
    return hex[1] === '-' ? -value : value
  }
  throw argumentError(`invalid value for Float(): ${inspectText(text)}`)
}
