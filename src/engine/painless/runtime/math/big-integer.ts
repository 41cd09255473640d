/** java.math.BigInteger. */
import { arithmetic, numberFormat } from '../../errors/java-throwable.ts'
import { JArray, JObject } from '../java-object.ts'
import { spendMemory, spendSteps } from '../limits.ts'
import { registerConstructors, registerFields, registerStatics } from '../registry.ts'

/** The maximum number of bits of a result. Java's limit is 2^31. */
const BITS_MAX = 4_000_000n

const byZero = () => arithmetic('BigInteger divide by zero')

export class BigInteger extends JObject {
  readonly value: bigint

  constructor(value: bigint) {
    super()
    this.value = value
  }

  get $class(): string {
    return 'java.math.BigInteger'
  }

  get #magnitude(): bigint {
    return this.value < 0n ? -this.value : this.value
  }

  #of(value: bigint): BigInteger {
    spendMemory(2)
    return new BigInteger(value)
  }

  abs_0(): BigInteger {
    return this.#of(this.#magnitude)
  }

  negate_0(): BigInteger {
    return this.#of(-this.value)
  }

  not_0(): BigInteger {
    return this.#of(~this.value)
  }

  add_1(other: BigInteger): BigInteger {
    return this.#of(this.value + other.value)
  }

  subtract_1(other: BigInteger): BigInteger {
    return this.#of(this.value - other.value)
  }

  and_1(other: BigInteger): BigInteger {
    return this.#of(this.value & other.value)
  }

  or_1(other: BigInteger): BigInteger {
    return this.#of(this.value | other.value)
  }

  xor_1(other: BigInteger): BigInteger {
    return this.#of(this.value ^ other.value)
  }

  andNot_1(other: BigInteger): BigInteger {
    return this.#of(this.value & ~other.value)
  }

  max_1(other: BigInteger): BigInteger {
    return this.value >= other.value ? this : other
  }

  min_1(other: BigInteger): BigInteger {
    return this.value <= other.value ? this : other
  }

  signum_0(): number {
    return this.value === 0n ? 0 : this.value < 0n ? -1 : 1
  }

  testBit_1(bit: number): boolean {
    if (bit < 0) throw negativeBit()
    return ((this.value >> BigInt(bit)) & 1n) === 1n
  }

  setBit_1(bit: number): BigInteger {
    return this.#of(this.value | this.#bit(bit))
  }

  clearBit_1(bit: number): BigInteger {
    return this.#of(this.value & ~this.#bit(bit))
  }

  flipBit_1(bit: number): BigInteger {
    return this.#of(this.value ^ this.#bit(bit))
  }

  shiftLeft_1(by: number): BigInteger {
    return by < 0 ? this.#of(this.value >> BigInt(-by)) : this.#of(this.value << this.#shift(by))
  }

  shiftRight_1(by: number): BigInteger {
    return this.shiftLeft_1(-by)
  }

  bitLength_0(): number {
    return (this.value < 0n ? ~this.value : this.value).toString(2).replace(/^0$/, '').length
  }

  bitCount_0(): number {
    return (this.value < 0n ? ~this.value : this.value).toString(2).replaceAll('0', '').length
  }

  intValue_0(): number {
    return Number(BigInt.asIntN(32, this.value))
  }

  longValue_0(): bigint {
    return BigInt.asIntN(64, this.value)
  }

  shortValue_0(): number {
    return Number(BigInt.asIntN(16, this.value))
  }

  byteValue_0(): number {
    return Number(BigInt.asIntN(8, this.value))
  }

  doubleValue_0(): number {
    return Number(this.value)
  }

  floatValue_0(): number {
    return Math.fround(Number(this.value))
  }

  intValueExact_0(): number {
    return Number(this.#exact(32, 'int'))
  }

  longValueExact_0(): bigint {
    return this.#exact(64, 'long')
  }

  shortValueExact_0(): number {
    return Number(this.#exact(16, 'short'))
  }

  byteValueExact_0(): number {
    return Number(this.#exact(8, 'byte'))
  }

  #bit(bit: number): bigint {
    if (bit < 0) throw negativeBit()
    return 1n << this.#shift(bit)
  }

  #shift(by: number): bigint {
    if (BigInt(by) > BITS_MAX) throw arithmetic('BigInteger would overflow supported range')
    spendMemory(by >> 4)
    return BigInt(by)
  }

  #exact(bits: number, name: string): bigint {
    if (BigInt.asIntN(bits, this.value) !== this.value) throw arithmetic(`BigInteger out of ${name} range`)
    return this.value
  }

  multiply_1(other: BigInteger): BigInteger {
    const bits = BigInt(this.#magnitude.toString(16).length + other.#magnitude.toString(16).length) * 4n
    if (bits > BITS_MAX) throw arithmetic('BigInteger would overflow supported range')
    spendMemory(Number(bits) >> 4)
    return this.#of(this.value * other.value)
  }

  divide_1(other: BigInteger): BigInteger {
    if (other.value === 0n) throw byZero()
    return this.#of(this.value / other.value)
  }

  remainder_1(other: BigInteger): BigInteger {
    if (other.value === 0n) throw byZero()
    return this.#of(this.value % other.value)
  }

  divideAndRemainder_1(other: BigInteger): JArray {
    return new JArray('java.math.BigInteger[]', [this.divide_1(other), this.remainder_1(other)])
  }

  mod_1(other: BigInteger): BigInteger {
    if (other.value <= 0n) throw arithmetic('BigInteger: modulus not positive')
    return this.#of(((this.value % other.value) + other.value) % other.value)
  }

  pow_1(exponent: number): BigInteger {
    if (exponent < 0) throw arithmetic('Negative exponent')
    const bits = BigInt(this.#magnitude.toString(2).length) * BigInt(exponent)
    if (this.#magnitude > 1n && bits > BITS_MAX) throw arithmetic('BigInteger would overflow supported range')
    spendMemory(Number(bits > BITS_MAX ? 0n : bits) >> 4)
    return this.#of(this.value ** BigInt(exponent))
  }

  modPow_2(exponent: BigInteger, modulus: BigInteger): BigInteger {
    if (modulus.value <= 0n) throw arithmetic('BigInteger: modulus not positive')
    let base = this.mod_1(modulus).value
    let power = exponent.value
    if (power < 0n) {
      base = this.modInverse_1(modulus).value
      power = -power
    }
    let result = 1n % modulus.value
    for (; power > 0n; power >>= 1n) {
      spendSteps(Number(modulus.value.toString(16).length))
      if ((power & 1n) === 1n) result = (result * base) % modulus.value
      base = (base * base) % modulus.value
    }
    return this.#of(result)
  }

  modInverse_1(modulus: BigInteger): BigInteger {
    if (modulus.value <= 0n) throw arithmetic('BigInteger: modulus not positive')
    let [a, b] = [this.mod_1(modulus).value, modulus.value]
    let [x, y] = [1n, 0n]
    while (b !== 0n) {
      const quotient = a / b
      ;[a, b] = [b, a % b]
      ;[x, y] = [y, x - quotient * y]
    }
    if (a !== 1n) throw arithmetic('BigInteger not invertible.')
    return this.#of(((x % modulus.value) + modulus.value) % modulus.value)
  }

  gcd_1(other: BigInteger): BigInteger {
    let a = this.#magnitude
    let b = other.#magnitude
    while (b !== 0n) [a, b] = [b, a % b]
    return this.#of(a)
  }

  getLowestSetBit_0(): number {
    if (this.value === 0n) return -1
    return /0*$/.exec(this.#magnitude.toString(2))![0].length
  }

  toString_1(radix: number): string {
    return this.value.toString(radix < 2 || radix > 36 ? 10 : radix)
  }

  toByteArray_0(): JArray {
    const size = Math.floor(this.bitLength_0() / 8) + 1
    const bytes = Array.from({ length: size }, (_, i) =>
      Number(BigInt.asIntN(8, this.value >> BigInt(8 * (size - 1 - i)))),
    )
    return new JArray('byte[]', bytes)
  }

  compareTo_1(other: BigInteger): number {
    return this.value < other.value ? -1 : this.value > other.value ? 1 : 0
  }

  override equals_1(other: unknown): boolean {
    return other instanceof BigInteger && other.value === this.value
  }

  /** Computed from the magnitude in words of 32 bits, most significant first. */
  override hashCode_0(): number {
    const words = this.#magnitude.toString(16)
    const padded = words.padStart(Math.ceil(words.length / 8) * 8, '0').match(/.{8}/g)!
    let hash = 0
    for (const word of padded) hash = (Math.imul(31, hash) + Number.parseInt(word, 16)) | 0
    return Math.imul(hash, this.signum_0()) | 0
  }

  override toString_0(): string {
    return this.value.toString()
  }

  toJsonValue(): bigint {
    return this.value
  }
}

const negativeBit = () => arithmetic('Negative bit address')

function parse(text: string, radix = 10): BigInteger {
  if (text.length > 0 && (radix < 2 || radix > 36)) throw numberFormat('Radix out of range')
  if (text.length === 0) throw numberFormat('Zero length BigInteger')
  const digits = text.replace(/^[+-]/, '')
  if (digits.length === 0) throw numberFormat('Zero length BigInteger')
  const allowed = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, radix)
  let value = 0n
  spendMemory(text.length)
  for (const c of digits) {
    const digit = allowed.indexOf(c.toLowerCase())
    if (digit < 0) {
      if (/[+-]/.test(c)) throw numberFormat('Illegal embedded sign character')
      throw numberFormat(`For input string: "${digits}"${radix === 10 ? '' : ` under radix ${radix}`}`)
    }
    value = value * BigInt(radix) + BigInt(digit)
  }
  return new BigInteger(text.startsWith('-') ? -value : value)
}

registerConstructors('java.math.BigInteger', { 1: (text: string) => parse(text), 2: parse })
registerFields('java.math.BigInteger', {
  ZERO: new BigInteger(0n),
  ONE: new BigInteger(1n),
  TEN: new BigInteger(10n),
  TWO: new BigInteger(2n),
})
registerStatics('java.math.BigInteger', { valueOf_1: (value: bigint) => new BigInteger(value) })
