/** Integer, Long, Short and Byte. */
import { numberFormat } from '../../errors/java-throwable.ts'
import { boxByte, boxShort } from '../boxing.ts'
import { compareTo, longHash } from '../equality.ts'
import * as numbers from '../numbers.ts'
import { registerFields, registerPrimitive, registerStatics } from '../registry.ts'

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'
const RADIX_MIN = 2
const RADIX_MAX = 36

const inputString = (text: string, radix: number) =>
  numberFormat(`For input string: "${text}"${radix === 10 ? '' : ` under radix ${radix}`}`)

/** The value of a digit. As in Java, digits of any script are allowed. */
function digitValue(c: string): number {
  const plain = DIGITS.indexOf(c.toLowerCase())
  if (plain >= 0) return plain
  return /\p{Nd}/u.test(c) ? decimalDigit(c.codePointAt(0)!) : -1
}

/** The value of a Unicode decimal digit. Decimal digits are encoded in runs of ten that start with zero. */
function decimalDigit(code: number): number {
  let first = code
  while (first > code - 9 && /\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--
  return code - first
}

export function parseInteger(text: string | null, radix: number, bits: number, name?: string): bigint {
  if (text === null) throw numberFormat('Cannot parse null string')
  if (radix < RADIX_MIN) throw numberFormat(`radix ${radix} less than Character.MIN_RADIX`)
  if (radix > RADIX_MAX) throw numberFormat(`radix ${radix} greater than Character.MAX_RADIX`)
  const digits = /^[+-]/.test(text) ? text.slice(1) : text
  if (digits === '') throw inputString(text, radix)
  let value = 0n
  const base = BigInt(radix)
  for (const c of digits) {
    const digit = digitValue(c)
    if (digit < 0 || digit >= radix || value > 1n << 70n) throw inputString(text, radix)
    value = value * base + BigInt(digit)
  }
  if (text.startsWith('-')) value = -value
  if (BigInt.asIntN(bits, value) !== value) {
    if (name !== undefined) throw numberFormat(`Value out of range. Value:"${text}" Radix:${radix}`)
    throw inputString(text, radix)
  }
  return value
}

function decode(text: string, bits: number): bigint {
  if (text === '') throw numberFormat('Zero length string')
  const [, sign, prefix, digits] = /^([+-]?)(0[xX]|#|0(?=.))?([\s\S]*)$/.exec(text)!
  if (/^[+-]/.test(digits!)) throw numberFormat('Sign character in wrong position')
  const radix = prefix === undefined ? 10 : prefix === '0' ? 8 : 16
  return parseInteger((sign === '-' ? '-' : '') + digits, radix, bits)
}

function parseUnsigned(text: string | null, radix: number, bits: number): bigint {
  if (text === null) throw numberFormat('Cannot parse null string')
  if (text.startsWith('-')) throw numberFormat(`Illegal leading minus sign on unsigned string ${text}.`)
  const value = parseInteger(text, radix, 80)
  if (BigInt.asUintN(bits, value) !== value)
    throw numberFormat(`String value ${text} exceeds range of unsigned ${bits === 32 ? 'int' : 'long'}.`)
  return BigInt.asIntN(bits, value)
}

const radixText = (value: bigint | number, radix: number) =>
  value.toString(radix < RADIX_MIN || radix > RADIX_MAX ? 10 : radix)

const unsignedInt = (value: number) => value >>> 0
const unsignedLong = (value: bigint) => BigInt.asUintN(64, value)
const sign = (a: number | bigint, b: number | bigint) => (a < b ? -1 : a > b ? 1 : 0)

const reverseBits = (value: bigint, bits: number) => {
  const text = BigInt.asUintN(bits, value).toString(2).padStart(bits, '0')
  return BigInt.asIntN(bits, BigInt(`0b${[...text].reverse().join('')}`))
}

const reverseBytes = (value: bigint, bits: number) => {
  const text = BigInt.asUintN(bits, value)
    .toString(16)
    .padStart(bits / 4, '0')
  return BigInt.asIntN(bits, BigInt(`0x${text.match(/../g)!.reverse().join('')}`))
}

const bitCount = (value: bigint) => value.toString(2).replaceAll('0', '').length
const leadingZeros = (value: bigint) => (value === 0n ? 64 : 64 - value.toString(2).length)
const trailingZeros = (value: bigint) => (value === 0n ? 64 : /0*$/.exec(value.toString(2))![0].length)
const rotate = (value: bigint, by: number) => {
  const n = BigInt(by & 63)
  const u = unsignedLong(value)
  return BigInt.asIntN(64, (u << n) | (u >> (64n - n)))
}

registerFields('java.lang.Integer', { MAX_VALUE: 2147483647, MIN_VALUE: -2147483648, SIZE: 32, BYTES: 4 })
registerStatics('java.lang.Integer', {
  parseInt_1: (s: string) => Number(parseInteger(s, 10, 32)),
  parseInt_2: (s: string, radix: number) => Number(parseInteger(s, radix, 32)),
  parseUnsignedInt_1: (s: string) => Number(parseUnsigned(s, 10, 32)),
  parseUnsignedInt_2: (s: string, radix: number) => Number(parseUnsigned(s, radix, 32)),
  decode_1: (s: string) => Number(decode(s, 32)),
  valueOf_1: (n: number) => n,
  valueOf_2: (s: string, radix: number) => Number(parseInteger(s, radix, 32)),
  toString_1: String,
  toString_2: radixText,
  toHexString_1: (n: number) => unsignedInt(n).toString(16),
  toOctalString_1: (n: number) => unsignedInt(n).toString(8),
  toBinaryString_1: (n: number) => unsignedInt(n).toString(2),
  toUnsignedString_1: (n: number) => String(unsignedInt(n)),
  toUnsignedString_2: (n: number, radix: number) => radixText(unsignedInt(n), radix),
  toUnsignedLong_1: (n: number) => BigInt(unsignedInt(n)),
  compare_2: sign,
  compareUnsigned_2: (a: number, b: number) => sign(unsignedInt(a), unsignedInt(b)),
  divideUnsigned_2: (a: number, b: number) =>
    numbers.longToInt(numbers.longDivide(BigInt(unsignedInt(a)), BigInt(unsignedInt(b)))),
  remainderUnsigned_2: (a: number, b: number) =>
    numbers.longToInt(numbers.longRemainder(BigInt(unsignedInt(a)), BigInt(unsignedInt(b)))),
  hashCode_1: (n: number) => n,
  max_2: (a: number, b: number) => Math.max(a, b),
  min_2: (a: number, b: number) => Math.min(a, b),
  signum_1: (n: number) => Math.sign(n),
  bitCount_1: (n: number) => bitCount(BigInt(unsignedInt(n))),
  highestOneBit_1: (n: number) => (n === 0 ? 0 : (1 << (31 - Math.clz32(n))) | 0),
  lowestOneBit_1: (n: number) => n & -n,
  numberOfLeadingZeros_1: (n: number) => Math.clz32(n),
  numberOfTrailingZeros_1: (n: number) => (n === 0 ? 32 : 31 - Math.clz32(n & -n)),
  reverse_1: (n: number) => Number(reverseBits(BigInt(n), 32)),
  reverseBytes_1: (n: number) => Number(reverseBytes(BigInt(n), 32)),
  rotateLeft_2: (n: number, by: number) => (n << (by & 31)) | (by % 32 === 0 ? 0 : n >>> (32 - (by & 31))),
  rotateRight_2: (n: number, by: number) => (by % 32 === 0 ? n : (n >>> (by & 31)) | (n << (32 - (by & 31)))),
})

registerFields('java.lang.Long', { MAX_VALUE: numbers.LONG_MAX, MIN_VALUE: numbers.LONG_MIN, SIZE: 64, BYTES: 8 })
registerStatics('java.lang.Long', {
  parseLong_1: (s: string) => parseInteger(s, 10, 64),
  parseLong_2: (s: string, radix: number) => parseInteger(s, radix, 64),
  parseUnsignedLong_1: (s: string) => parseUnsigned(s, 10, 64),
  parseUnsignedLong_2: (s: string, radix: number) => parseUnsigned(s, radix, 64),
  decode_1: (s: string) => decode(s, 64),
  valueOf_1: (n: bigint) => n,
  valueOf_2: (s: string, radix: number) => parseInteger(s, radix, 64),
  toString_1: String,
  toString_2: radixText,
  toHexString_1: (n: bigint) => unsignedLong(n).toString(16),
  toOctalString_1: (n: bigint) => unsignedLong(n).toString(8),
  toBinaryString_1: (n: bigint) => unsignedLong(n).toString(2),
  toUnsignedString_1: (n: bigint) => String(unsignedLong(n)),
  toUnsignedString_2: (n: bigint, radix: number) => radixText(unsignedLong(n), radix),
  compare_2: sign,
  compareUnsigned_2: (a: bigint, b: bigint) => sign(unsignedLong(a), unsignedLong(b)),
  divideUnsigned_2: (a: bigint, b: bigint) => numbers.longDivide(unsignedLong(a), unsignedLong(b)),
  remainderUnsigned_2: (a: bigint, b: bigint) =>
    BigInt.asIntN(64, numbers.longRemainder(unsignedLong(a), unsignedLong(b))),
  hashCode_1: longHash,
  max_2: (a: bigint, b: bigint) => (a > b ? a : b),
  min_2: (a: bigint, b: bigint) => (a < b ? a : b),
  sum_2: (a: bigint, b: bigint) => BigInt.asIntN(64, a + b),
  signum_1: (n: bigint) => sign(n, 0n),
  bitCount_1: (n: bigint) => bitCount(unsignedLong(n)),
  highestOneBit_1: (n: bigint) => (n === 0n ? 0n : BigInt.asIntN(64, 1n << BigInt(63 - leadingZeros(unsignedLong(n))))),
  lowestOneBit_1: (n: bigint) => BigInt.asIntN(64, n & -n),
  numberOfLeadingZeros_1: (n: bigint) => leadingZeros(unsignedLong(n)),
  numberOfTrailingZeros_1: (n: bigint) => trailingZeros(unsignedLong(n)),
  reverse_1: (n: bigint) => reverseBits(n, 64),
  reverseBytes_1: (n: bigint) => reverseBytes(n, 64),
  rotateLeft_2: (n: bigint, by: number) => rotate(n, by),
  rotateRight_2: (n: bigint, by: number) => rotate(n, -by),
})

for (const [name, bits, box] of [
  ['Short', 16, boxShort],
  ['Byte', 8, boxByte],
] as const) {
  const owner = `java.lang.${name}`
  registerFields(owner, { MAX_VALUE: 2 ** (bits - 1) - 1, MIN_VALUE: -(2 ** (bits - 1)), SIZE: bits, BYTES: bits / 8 })
  const parse = (s: string, radix: number) => Number(parseInteger(s, radix, bits, name))
  registerStatics(owner, {
    [`parse${name}_1`]: (s: string) => parse(s, 10),
    [`parse${name}_2`]: parse,
    decode_1: (s: string) => box(Number(decode(s, bits))),
    valueOf_1: box,
    valueOf_2: (s: string, radix: number) => box(parse(s, radix)),
    toString_1: String,
    compare_2: (a: number, b: number) => a - b,
    hashCode_1: (n: number) => n,
    toUnsignedInt_1: (n: number) => n & (2 ** bits - 1),
    toUnsignedLong_1: (n: number) => BigInt(n & (2 ** bits - 1)),
    reverseBytes_1: (n: number) => Number(reverseBytes(BigInt(n), bits)),
  })
  registerPrimitive(owner, { compareTo_1: compareTo })
}
registerPrimitive('java.lang.Integer', { compareTo_1: compareTo })
registerPrimitive('java.lang.Long', { compareTo_1: compareTo })
