/** Integer */
import { ANY, define, defineStatic, IntegerClass } from '../../runtime/classes.ts'
import { optionsOf, toFloat, toInt } from '../../runtime/convert.ts'
import { comparedWith, equals, isNumber, kindOf, yield1 } from '../../runtime/dispatch.ts'
import { argumentError, raise, typeError } from '../../runtime/errors.ts'
import { step } from '../../runtime/limits.ts'
import { RFloat, RRange, symbol, type Value } from '../../runtime/model.ts'
import { RString, str } from '../../runtime/string.ts'
import { enumerator } from '../collections/iterate.ts'
import { floatDivmod, floatModulo, floatPower } from './float-math.ts'
import {
  absolute,
  add,
  bitwise,
  divide,
  gcd,
  type Int,
  integerOf,
  modulo,
  multiply,
  negate,
  normal,
  power,
  remainder,
  roundInteger,
  shift,
  subtract,
} from './integer-math.ts'
import { coerceBinary } from './numeric.ts'
import { RRational, rational } from './rational.ts'

type RoundMode = Parameters<typeof roundInteger>[2]

function binary(op: string, onInts: (a: Int, b: Int) => Value, onFloats: (a: number, b: number) => Value): void {
  define<Int>(IntegerClass, op, 1, (self, [other]) => {
    if (typeof other === 'number' || typeof other === 'bigint') return onInts(self, other)
    if (other instanceof RFloat) return onFloats(Number(self), other.value)
    return coerceBinary(self, op, other!)
  })
}

binary('+', add, (a, b) => new RFloat(a + b))
binary('-', subtract, (a, b) => new RFloat(a - b))
binary('*', multiply, (a, b) => new RFloat(a * b))
binary('/', divide, (a, b) => new RFloat(a / b))
binary('%', modulo, (a, b) => new RFloat(floatModulo(a, b)))
binary('modulo', modulo, (a, b) => new RFloat(floatModulo(a, b)))
binary('**', integerPower, (a, b) => floatPower(a, b))
define<Int>(IntegerClass, 'pow', [1, 2], (self, [other, mod]) => {
  if (mod === undefined) return IntegerClass.find('**')!.call(self, [other!], null)
  let [base, exponent, result] = [BigInt(self), BigInt(other as Int), 1n]
  const m = BigInt(mod as Int)
  base %= m
  for (; exponent > 0n; exponent >>= 1n, base = (base * base) % m) if (exponent & 1n) result = (result * base) % m
  return modulo(normal(result), normal(m))
})

function integerPower(a: Int, b: Int): Value {
  if (b >= 0) {
    // Ruby returns Infinity for results of more than 32 megabits.
    if (Math.log2(Math.abs(Number(a))) * Number(b) > 33_554_432)
      return new RFloat(a < 0 && BigInt(b) % 2n !== 0n ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY)
    return power(a, b)
  }
  if (a === 0) throw raise('ZeroDivisionError', 'divided by 0')
  const low = power(a, negate(b))
  return rational(low < 0 ? -1 : 1, absolute(low))
}

function comparison(op: string, test: (a: Int | number, b: Int | number) => boolean): void {
  define<Int>(IntegerClass, op, 1, (self, [other]) => {
    if (typeof other === 'number' || typeof other === 'bigint') return test(self, other)
    if (other instanceof RFloat) return test(self, other.value)
    if (other instanceof RRational) return test(Number(self), other.toNumber())
    throw argumentError(`comparison of Integer with ${comparedWith(other!)} failed`)
  })
}

comparison('<', (a, b) => a < b)
comparison('>', (a, b) => a > b)
comparison('<=', (a, b) => a <= b)
comparison('>=', (a, b) => a >= b)
define<Int>(IntegerClass, '<=>', 1, (self, [other]) => {
  if (!isNumber(other!)) return other instanceof RRational ? Math.sign(Number(self) - other.toNumber()) : null
  const right = other instanceof RFloat ? other.value : (other as Int)
  return self < right ? -1 : self > right ? 1 : self === right ? 0 : null
})

for (const op of ['&', '|', '^'] as const) {
  define<Int>(IntegerClass, op, 1, (self, [other]) => {
    if (typeof other === 'number' || typeof other === 'bigint') return bitwise(op, self, other)
    if (other instanceof RFloat) throw typeError(`can't convert Float into Integer for bitwise arithmetic`)
    throw typeError(`${kindOf(other!)} can't be coerced into Integer`)
  })
}
define<Int>(IntegerClass, '== ===', 1, (self, [other]) => equals(self, other!))
define<Int>(IntegerClass, '~', 0, (self) => normal(~BigInt(self)))
define<Int>(IntegerClass, '-@', 0, (self) => negate(self))
define<Int>(IntegerClass, '<<', 1, (self, [by]) => shift(self, integerArg(by!)))
define<Int>(IntegerClass, '>>', 1, (self, [by]) => shift(self, negate(integerArg(by!))))
define<Int>(IntegerClass, '[]', [1, 2], (self, [at, count]) => {
  if (at instanceof RRange) {
    const low = at.from === null ? 0 : toInt(at.from)
    const width = at.to === null ? undefined : toInt(at.to) - low + (at.isExclusive ? 0 : 1)
    const shifted = shift(self, -low)
    return width === undefined ? shifted : bitwise('&', shifted, subtract(shift(1, width), 1))
  }
  const shifted = shift(self, negate(integerArg(at!)))
  return bitwise('&', shifted, count === undefined ? 1 : subtract(shift(1, integerArg(count)), 1))
})

function wholeArg(value: Value): Int {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  throw typeError('not an integer')
}

function integerArg(value: Value): Int {
  return typeof value === 'bigint' ? value : toInt(value)
}

define<Int>(IntegerClass, 'div', 1, (self, [other]) => {
  if (other instanceof RFloat) {
    if (other.value === 0) throw raise('ZeroDivisionError', 'divided by 0')
    return integerOf(Math.floor(Number(self) / other.value))
  }
  if (typeof other !== 'number' && typeof other !== 'bigint') return coerceBinary(self, 'div', other!)
  return divide(self, other)
})
define<Int>(IntegerClass, 'divmod', 1, (self, [other]) => {
  if (other instanceof RFloat) return floatDivmod(Number(self), other.value)
  if (typeof other !== 'number' && typeof other !== 'bigint')
    throw typeError(`${kindOf(other!)} can't be coerced into Integer`)
  return [divide(self, other), modulo(self, other)]
})
define<Int>(IntegerClass, 'remainder', 1, (self, [other]) => {
  if (other instanceof RFloat) return new RFloat(Number(self) % other.value)
  if (typeof other !== 'number' && typeof other !== 'bigint')
    throw typeError(`${kindOf(other!)} can't be coerced into Integer`)
  return remainder(self, other)
})
define<Int>(IntegerClass, 'fdiv', 1, (self, [other]) => new RFloat(Number(self) / toFloat(other!)))
define<Int>(IntegerClass, 'gcd', 1, (self, [other]) => gcd(self, wholeArg(other!)))
define<Int>(IntegerClass, 'lcm', 1, (self, [other]) => {
  const right = wholeArg(other!)
  return self === 0 || right === 0 ? 0 : absolute(divide(multiply(self, right), gcd(self, right)))
})
define<Int>(IntegerClass, 'abs magnitude', 0, (self) => absolute(self))
define<Int>(IntegerClass, 'to_i to_int ord numerator', 0, (self) => self)
define<Int>(IntegerClass, 'denominator', 0, () => 1)
define<Int>(IntegerClass, 'to_f', 0, (self) => new RFloat(Number(self)))
define<Int>(IntegerClass, 'to_r', 0, (self) => rational(self, 1))
define<Int>(IntegerClass, 'rationalize', ANY, (self) => rational(self, 1))
define<Int>(IntegerClass, 'to_s inspect', [0, 1], (self, [base]) => {
  const radix = base === undefined ? 10 : toInt(base)
  if (radix < 2 || radix > 36) throw argumentError(`invalid radix ${radix}`)
  return str(self.toString(radix))
})
define<Int>(IntegerClass, 'chr', [0, 1], (self, args) => {
  const code = Number(self)
  if (code < 0 || code > 0x10ffff || (args.length === 0 && code > 255))
    throw raise('RangeError', `${self} out of char range`)
  if (args.length > 0) return str(String.fromCodePoint(code))
  const made = str(String.fromCharCode(code))
  made.encoding = code < 128 ? 'US-ASCII' : 'ASCII-8BIT'
  return made
})
define<Int>(IntegerClass, 'zero?', 0, (self) => self === 0)
define<Int>(IntegerClass, 'positive?', 0, (self) => self > 0)
define<Int>(IntegerClass, 'negative?', 0, (self) => self < 0)
define<Int>(IntegerClass, 'nonzero?', 0, (self) => (self === 0 ? null : self))
define<Int>(IntegerClass, 'even?', 0, (self) => BigInt(self) % 2n === 0n)
define<Int>(IntegerClass, 'odd?', 0, (self) => BigInt(self) % 2n !== 0n)
define<Int>(IntegerClass, 'integer? finite?', 0, () => true)
define<Int>(IntegerClass, 'nan?', 0, () => false)
IntegerClass.methods.delete('nan?')
define<Int>(IntegerClass, 'infinite?', 0, () => null)
define<Int>(IntegerClass, 'succ next', 0, (self) => add(self, 1))
define<Int>(IntegerClass, 'pred', 0, (self) => subtract(self, 1))
define<Int>(IntegerClass, 'size', 0, () => 8)
define<Int>(IntegerClass, 'hash', 0, (self) => (typeof self === 'number' ? self * 2 + 1 : self))
define<Int>(IntegerClass, 'bit_length', 0, (self) => {
  const value = BigInt(self)
  const positive = value < 0n ? ~value : value
  return positive === 0n ? 0 : positive.toString(2).length
})
define<Int>(IntegerClass, 'allbits?', 1, (self, [mask]) => bitwise('&', self, integerArg(mask!)) === integerArg(mask!))
define<Int>(IntegerClass, 'anybits?', 1, (self, [mask]) => bitwise('&', self, integerArg(mask!)) !== 0)
define<Int>(IntegerClass, 'nobits?', 1, (self, [mask]) => bitwise('&', self, integerArg(mask!)) === 0)
define<Int>(IntegerClass, 'digits', [0, 1], (self, [base]) => {
  if (self < 0) throw raise('Math::DomainError', 'out of domain')
  const radix = base === undefined ? 10 : toInt(base)
  if (radix < 2) throw argumentError(`invalid radix ${radix}`)
  const list: Value[] = []
  let rest: Int = self
  do {
    list.push(modulo(rest, radix))
    rest = divide(rest, radix)
  } while (rest !== 0)
  return list
})

export function halfMode(args: Value[]): RoundMode {
  const half = optionsOf(args)?.get(symbol('half'))
  if (half === undefined || half === null) return 'half-up'
  const name = half instanceof RString ? half.text : (half as { name?: string }).name
  if (name === 'up' || name === 'even' || name === 'down') return `half-${name}`
  throw argumentError(`invalid rounding mode: ${name}`)
}
define<Int>(IntegerClass, 'round', [0, 2], (self, args) =>
  roundInteger(self, typeof args[0] === 'number' ? args[0] : 0, halfMode(args)),
)
for (const [name, mode] of [
  ['floor', 'floor'],
  ['ceil', 'ceil'],
  ['truncate', 'truncate'],
] as const) {
  define<Int>(IntegerClass, name, [0, 1], (self, [digits]) =>
    roundInteger(self, digits === undefined ? 0 : toInt(digits), mode),
  )
}

define<Int>(IntegerClass, 'times', 0, (self, _args, block) => {
  if (block === null) return enumerator(self, 'times')
  for (let i = 0; i < self; i++) yield1(block, i)
  return self
})

function counting(name: string, direction: 1 | -1): void {
  define<Int>(IntegerClass, name, 1, (self, [limit], block) => {
    if (block === null) return enumerator(self, name, [limit!])
    if (!isNumber(limit!)) throw argumentError(`comparison of Integer with ${comparedWith(limit!)} failed`)
    const end = limit instanceof RFloat ? limit.value : (limit as Int)
    for (let i: Int = self; direction > 0 ? i <= end : i >= end; i = add(i, direction)) {
      step()
      yield1(block, i)
    }
    return self
  })
}
counting('upto', 1)
counting('downto', -1)

define<Int>(IntegerClass, 'coerce', 1, (self, [other]) =>
  typeof other === 'number' || typeof other === 'bigint'
    ? [other, self]
    : [new RFloat(toFloat(other!)), new RFloat(Number(self))],
)
defineStatic(IntegerClass, 'sqrt', 1, (_self, [value]) => {
  const big = BigInt(toInt(value!))
  if (big < 0n) throw raise('Math::DomainError', 'Numerical argument is out of domain - isqrt')
  let root = BigInt(Math.floor(Math.sqrt(Number(big))))
  while (root * root > big) root--
  while ((root + 1n) * (root + 1n) <= big) root++
  return normal(root)
})
