/** Rational: exact fractions, the results of `2 ** -1`, `Date - Date` and `to_r`. */
import { define, Kernel, makeClass, NumericClass, setClass } from '../../runtime/classes.ts'
import { toFloat, toInt } from '../../runtime/convert.ts'
import { comparedWith, kindOf } from '../../runtime/dispatch.ts'
import { argumentError, raise, typeError } from '../../runtime/errors.ts'
import { RBasic, RFloat, type Value } from '../../runtime/model.ts'
import { inspectText, RString, str } from '../../runtime/string.ts'
import { absolute, add, divide, gcd, type Int, multiply, negate, normal, power, subtract } from './integer-math.ts'

export class RRational extends RBasic {
  readonly numerator: Int
  readonly denominator: Int
  constructor(numerator: Int, denominator: Int) {
    super()
    this.numerator = numerator
    this.denominator = denominator
  }

  toNumber(): number {
    const [n, d] = [Number(this.numerator), Number(this.denominator)]
    if (Number.isSafeInteger(n) && Number.isSafeInteger(d)) return n / d
    const whole = divide(this.numerator, this.denominator)
    const rest = subtract(this.numerator, multiply(whole, this.denominator))
    const scaled = divide(multiply(rest, 1_000_000_000_000_000_000n), this.denominator)
    return Number(whole) + Number(scaled) / 1e18
  }
}

export const RationalClass = makeClass('Rational', NumericClass)
RationalClass.allocate = null
setClass(RRational, RationalClass)

export function rational(numerator: Int, denominator: Int): RRational {
  if (denominator === 0) throw raise('ZeroDivisionError', 'divided by 0')
  const shared = gcd(numerator, denominator)
  const sign: Int = denominator < 0 ? -1 : 1
  return new RRational(multiply(divide(numerator, shared), sign), absolute(divide(denominator, shared)))
}

/** `1.5r`, `"3/4"` */
export function rationalOf(text: string): RRational {
  const [top = '0', bottom = '1'] = text.split('/')
  const [whole = '0', fraction = ''] = top.split('.')
  const exponent = /[eE]([+-]?\d+)$/.exec(top)
  if (exponent !== null) {
    const base = rationalOf(top.slice(0, exponent.index))
    const shift = Number(exponent[1])
    return shift >= 0
      ? rational(multiply(base.numerator, power(10, shift)), base.denominator)
      : rational(base.numerator, multiply(base.denominator, power(10, -shift)))
  }
  const scale = power(10, fraction.length)
  return rational(normal(BigInt(whole.replace('+', '') + fraction || '0')), multiply(scale, normal(BigInt(bottom))))
}

export function rationalFromFloat(value: number): RRational {
  if (!Number.isFinite(value)) throw raise('FloatDomainError', String(value))
  let shift = 0
  let scaled = value
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    shift++
  }
  return rational(normal(BigInt(scaled)), power(2, shift))
}

/** The simplest fraction that has the same decimal form as the float. */
export function rationalizeFloat(value: number): RRational {
  const text = String(Math.abs(value))
  const exact = rationalOf(text)
  return value < 0 ? rational(negate(exact.numerator), exact.denominator) : exact
}

/** Converts a number to a fraction; undefined for floats and values that are not numbers. */
function asRational(value: Value): RRational | undefined {
  if (value instanceof RRational) return value
  return typeof value === 'number' || typeof value === 'bigint' ? new RRational(value, 1) : undefined
}

function binary(
  op: string,
  exact: (a: RRational, b: RRational) => Value,
  inexact: (a: number, b: number) => number,
): void {
  define<RRational>(RationalClass, op, 1, (self, [other]) => {
    const right = asRational(other!)
    if (right !== undefined) return exact(self, right)
    if (other instanceof RFloat) return new RFloat(inexact(self.toNumber(), other.value))
    throw typeError(`${other === null ? 'nil' : 'String'} can't be coerced into Rational`)
  })
}
binary(
  '+',
  (a, b) =>
    rational(
      add(multiply(a.numerator, b.denominator), multiply(b.numerator, a.denominator)),
      multiply(a.denominator, b.denominator),
    ),
  (a, b) => a + b,
)
binary(
  '-',
  (a, b) =>
    rational(
      subtract(multiply(a.numerator, b.denominator), multiply(b.numerator, a.denominator)),
      multiply(a.denominator, b.denominator),
    ),
  (a, b) => a - b,
)
binary(
  '*',
  (a, b) => rational(multiply(a.numerator, b.numerator), multiply(a.denominator, b.denominator)),
  (a, b) => a * b,
)
binary(
  '/',
  (a, b) => rational(multiply(a.numerator, b.denominator), multiply(a.denominator, b.numerator)),
  (a, b) => a / b,
)
binary(
  '%',
  (a, b) => {
    const quotient = divide(multiply(a.numerator, b.denominator), multiply(a.denominator, b.numerator))
    return rational(
      subtract(multiply(a.numerator, b.denominator), multiply(multiply(quotient, b.numerator), a.denominator)),
      multiply(a.denominator, b.denominator),
    )
  },
  (a, b) => a % b,
)
define<RRational>(RationalClass, '**', 1, (self, [by]) => {
  if (typeof by !== 'number') return new RFloat(self.toNumber() ** toFloat(by!))
  return by >= 0
    ? rational(power(self.numerator, by), power(self.denominator, by))
    : rational(power(self.denominator, -by), power(self.numerator, -by))
})
define<RRational>(RationalClass, '-@', 0, (self) => new RRational(negate(self.numerator), self.denominator))
define<RRational>(RationalClass, '<=>', 1, (self, [other]) => {
  const right = asRational(other!)
  if (right === undefined) return other instanceof RFloat ? Math.sign(self.toNumber() - other.value) : null
  const difference = subtract(multiply(self.numerator, right.denominator), multiply(right.numerator, self.denominator))
  return difference < 0 ? -1 : difference > 0 ? 1 : 0
})
define<RRational>(RationalClass, '==', 1, (self, [other]) => {
  const right = asRational(other!)
  if (right === undefined) return other instanceof RFloat && self.toNumber() === other.value
  return self.numerator === right.numerator && self.denominator === right.denominator
})
define<RRational>(RationalClass, 'hash_key', 0, (self) => str(`\0q${self.numerator}/${self.denominator}`))
define<RRational>(RationalClass, 'coerce', 1, (self, [other]) => {
  if (other instanceof RFloat) return [other, new RFloat(self.toNumber())]
  const left = asRational(other!)
  if (left === undefined) throw typeError(`${comparedWith(other!)} can't be coerced into Rational`)
  return [left, self]
})
define<RRational>(RationalClass, 'numerator', 0, (self) => self.numerator)
define<RRational>(RationalClass, 'denominator', 0, (self) => self.denominator)
define<RRational>(RationalClass, 'to_f', 0, (self) => new RFloat(self.toNumber()))
define<RRational>(RationalClass, 'to_i truncate', [0, 1], (self) =>
  self.numerator < 0
    ? negate(divide(negate(self.numerator), self.denominator))
    : divide(self.numerator, self.denominator),
)
define<RRational>(RationalClass, 'to_r', 0, (self) => self)
define<RRational>(RationalClass, 'to_s', 0, (self) => str(`${self.numerator}/${self.denominator}`))
define<RRational>(RationalClass, 'inspect', 0, (self) => str(`(${self.numerator}/${self.denominator})`))
define<RRational>(RationalClass, 'zero?', 0, (self) => self.numerator === 0)
define<RRational>(RationalClass, 'positive?', 0, (self) => self.numerator > 0)
define<RRational>(RationalClass, 'negative?', 0, (self) => self.numerator < 0)
define<RRational>(RationalClass, 'abs', 0, (self) => new RRational(absolute(self.numerator), self.denominator))

/** Rounds half away from zero. */
function rounding(name: string, whole: (self: RRational) => Int): void {
  define<RRational>(RationalClass, name, [0, 2], (self, [digits]) => {
    if (digits === undefined || typeof digits !== 'number') return whole(self)
    const places = toInt(digits)
    const scale = power(10, Math.abs(places))
    const scaled =
      places >= 0
        ? rational(multiply(self.numerator, scale), self.denominator)
        : rational(self.numerator, multiply(self.denominator, scale))
    const rounded = whole(scaled)
    return places > 0 ? rational(rounded, scale) : multiply(rounded, scale)
  })
}
rounding('floor', (self) => divide(self.numerator, self.denominator))
rounding('ceil', (self) => negate(divide(negate(self.numerator), self.denominator)))
rounding('round', (self) => {
  const twice = add(multiply(absolute(self.numerator), 2), self.denominator)
  const magnitude = divide(twice, multiply(self.denominator, 2))
  return self.numerator < 0 ? negate(magnitude) : magnitude
})

define(
  Kernel,
  'Rational',
  [1, 2],
  (_self, [top, bottom]) => {
    const first = fractionOf(top!)
    if (bottom === undefined) return first
    const second = fractionOf(bottom)
    return rational(multiply(first.numerator, second.denominator), multiply(first.denominator, second.numerator))
  },
  'private',
)

function fractionOf(value: Value): RRational {
  if (value instanceof RRational) return value
  if (value instanceof RFloat) return rationalFromFloat(value.value)
  if (typeof value === 'number' || typeof value === 'bigint') return new RRational(value, 1)
  if (value instanceof RString) {
    if (!/^\s*[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?:\/\d+)?\s*$/.test(value.text))
      throw argumentError(`invalid value for convert(): ${inspectText(value.text)}`)
    return rationalOf(value.text.trim())
  }
  throw typeError(`can't convert ${kindOf(value)} into Rational`)
}
