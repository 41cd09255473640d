/** Float */
import { ANY, define, FloatClass } from '../../runtime/classes.ts'
import { toFloat, toInt } from '../../runtime/convert.ts'
import { comparedWith, equals, isNumber, toS } from '../../runtime/dispatch.ts'
import { argumentError, raise } from '../../runtime/errors.ts'
import { RFloat, type Value } from '../../runtime/model.ts'
import { str } from '../../runtime/string.ts'
import { type FloatRound, floatDivmod, floatModulo, floatPower, roundFloat, roundToInteger } from './float-math.ts'
import { halfMode } from './integer.ts'
import { integerOf, roundInteger } from './integer-math.ts'
import { coerceBinary } from './numeric.ts'
import { RRational, rationalFromFloat, rationalizeFloat } from './rational.ts'

for (const [name, value] of Object.entries({
  INFINITY: Number.POSITIVE_INFINITY,
  NAN: Number.NaN,
  EPSILON: Number.EPSILON,
  MAX: Number.MAX_VALUE,
  MIN: 2.2250738585072014e-308,
})) {
  FloatClass.constants.set(name, new RFloat(value))
}
FloatClass.constants.set('DIG', 15)

function binary(names: string, compute: (a: number, b: number) => Value): void {
  for (const op of names.split(' ')) {
    define<RFloat>(FloatClass, op, 1, (self, [other]) => {
      if (other instanceof RFloat) return compute(self.value, other.value)
      if (typeof other === 'number' || typeof other === 'bigint') return compute(self.value, Number(other))
      if (other instanceof RRational) return compute(self.value, other.toNumber())
      return coerceBinary(self, op, other!)
    })
  }
}
binary('+', (a, b) => new RFloat(a + b))
binary('-', (a, b) => new RFloat(a - b))
binary('*', (a, b) => new RFloat(a * b))
binary('/ fdiv quo', (a, b) => new RFloat(a / b))
binary('% modulo', (a, b) => new RFloat(floatModulo(a, b)))
binary('** pow', (a, b) => floatPower(a, b))
binary('divmod', (a, b) => floatDivmod(a, b))
binary('div', (a, b) => {
  if (b === 0) throw raise('ZeroDivisionError', 'divided by 0')
  return integerOf(Math.floor(a / b))
})
binary('remainder', (a, b) => new RFloat(a % b))

for (const [op, test] of [
  ['<', (a: number, b: number | bigint) => a < b],
  ['>', (a: number, b: number | bigint) => a > b],
  ['<=', (a: number, b: number | bigint) => a <= b],
  ['>=', (a: number, b: number | bigint) => a >= b],
] as const) {
  define<RFloat>(FloatClass, op, 1, (self, [other]) => {
    if (isNumber(other!)) return test(self.value, other instanceof RFloat ? other.value : (other as number | bigint))
    if (other instanceof RRational) return test(self.value, other.toNumber())
    throw argumentError(`comparison of Float with ${comparedWith(other!)} failed`)
  })
}
define<RFloat>(FloatClass, '<=>', 1, (self, [other]) => {
  if (!isNumber(other!)) return other instanceof RRational ? Math.sign(self.value - other.toNumber()) : null
  const right = other instanceof RFloat ? other.value : (other as number | bigint)
  return self.value < right ? -1 : self.value > right ? 1 : self.value === right ? 0 : null
})
define<RFloat>(FloatClass, '== ===', 1, (self, [other]) => equals(self, other!))
define<RFloat>(FloatClass, '-@', 0, (self) => new RFloat(-self.value))
define<RFloat>(FloatClass, 'to_f', 0, (self) => self)
define<RFloat>(FloatClass, 'to_i to_int', 0, (self) => integerOf(self.value))
define<RFloat>(FloatClass, 'to_s inspect', 0, (self) => str(toS(self)))
define<RFloat>(FloatClass, 'to_r', 0, (self) => rationalFromFloat(self.value))
define<RFloat>(FloatClass, 'rationalize', ANY, (self) => rationalizeFloat(self.value))
define<RFloat>(FloatClass, 'abs magnitude', 0, (self) => new RFloat(Math.abs(self.value)))
define<RFloat>(FloatClass, 'nan?', 0, (self) => Number.isNaN(self.value))
define<RFloat>(FloatClass, 'infinite?', 0, (self) =>
  self.value === Number.POSITIVE_INFINITY ? 1 : self.value === Number.NEGATIVE_INFINITY ? -1 : null,
)
define<RFloat>(FloatClass, 'finite?', 0, (self) => Number.isFinite(self.value))
define<RFloat>(FloatClass, 'zero?', 0, (self) => self.value === 0)
define<RFloat>(FloatClass, 'nonzero?', 0, (self) => (self.value === 0 ? null : self))
define<RFloat>(FloatClass, 'positive?', 0, (self) => self.value > 0)
define<RFloat>(FloatClass, 'negative?', 0, (self) => self.value < 0)
define<RFloat>(FloatClass, 'hash', 0, (self) => Math.trunc(self.value * 1000003) % 1e15)
define<RFloat>(FloatClass, 'coerce', 1, (self, [other]) => [new RFloat(toFloat(other!)), self])
define<RFloat>(FloatClass, 'next_float', 0, (self) => new RFloat(neighbour(self.value, 1)))
define<RFloat>(FloatClass, 'prev_float', 0, (self) => new RFloat(neighbour(self.value, -1)))

function neighbour(value: number, direction: 1 | -1): number {
  if (!Number.isFinite(value)) return value
  if (value === 0) return direction * Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(value > 0 ? direction : -direction))
  return view.getFloat64(0)
}

function rounding(name: string, modeOf: (args: Value[]) => FloatRound): void {
  define<RFloat>(FloatClass, name, [0, 2], (self, args) => {
    const digits = typeof args[0] === 'number' || args[0] instanceof RFloat ? toInt(args[0]) : 0
    const mode = modeOf(args)
    if (digits > 0) return new RFloat(roundFloat(self.value, digits, mode))
    if (digits === 0) return integerOf(roundToInteger(checkFinite(self.value), mode))
    const whole =
      mode === 'ceil' ? Math.ceil(self.value) : mode === 'floor' ? Math.floor(self.value) : Math.trunc(self.value)
    return roundInteger(integerOf(whole), digits, mode)
  })
}

function checkFinite(value: number): number {
  integerOf(value)
  return value
}
rounding('round', halfMode)
rounding('floor', () => 'floor')
rounding('ceil', () => 'ceil')
rounding('truncate', () => 'truncate')
