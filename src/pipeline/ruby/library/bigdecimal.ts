/** BigDecimal */

import { normal } from '../core/numbers/integer-math.ts'
import { rational } from '../core/numbers/rational.ts'
import { ANY, define, Kernel, makeClass, NumericClass, StringClass, setClass } from '../runtime/classes.ts'
import { toFloat, toInt } from '../runtime/convert.ts'
import { kindOf } from '../runtime/dispatch.ts'
import { argumentError, raise, typeError } from '../runtime/errors.ts'
import { chargeBits } from '../runtime/limits.ts'
import { RFloat, type Value } from '../runtime/model.ts'
import { inspectText, RString, str } from '../runtime/string.ts'
import { RDecimal } from './decimal-value.ts'

const BigDecimalClass = makeClass('BigDecimal', NumericClass)
BigDecimalClass.allocate = null
setClass(RDecimal, BigDecimalClass)
/** Number of decimal places of a quotient. */
const QUOTIENT_DIGITS = 20

function parseDecimal(text: string, isStrict: boolean): RDecimal {
  const match = /^\s*([+-]?)(\d[\d_]*)?(?:\.(\d[\d_]*)?)?(?:[eEdD]([+-]?\d+))?/.exec(text)
  if (
    match === null ||
    (match[2] === undefined && match[3] === undefined) ||
    (isStrict && match[0].length !== text.trimEnd().length)
  ) {
    if (isStrict) throw argumentError(`invalid value for BigDecimal(): ${inspectText(text)}`)
    return new RDecimal(0n, 0)
  }
  const fraction = (match[3] ?? '').replaceAll('_', '')
  const digits = BigInt(`${(match[2] ?? '').replaceAll('_', '')}${fraction}` || '0')
  const exponent = Number(match[4] ?? 0)
  if (Math.abs(exponent) > 100_000) throw raise('FloatDomainError', 'exponent overflow')
  const scale = fraction.length - exponent
  const signed = match[1] === '-' ? -digits : digits
  return scale >= 0 ? new RDecimal(signed, scale) : new RDecimal(signed * 10n ** BigInt(-scale), 0)
}

export function decimalOf(value: Value): RDecimal {
  if (value instanceof RDecimal) return value
  if (value instanceof RString) return parseDecimal(value.text, true)
  if (typeof value === 'number' || typeof value === 'bigint') return new RDecimal(BigInt(value), 0)
  if (value instanceof RFloat) return parseDecimal(String(value.value), true)
  throw typeError(`can't convert ${kindOf(value)} into BigDecimal`)
}
define(Kernel, 'BigDecimal', [1, 3], (_self, [value]) => decimalOf(value!), 'private')
define<RString>(StringClass, 'to_d', 0, (self) => parseDecimal(self.text, false))
define(NumericClass, 'to_d', ANY, (self) => decimalOf(self))

function aligned(a: RDecimal, b: RDecimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale)
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale), scale]
}

function binary(op: string, compute: (a: RDecimal, b: RDecimal) => Value): void {
  define<RDecimal>(BigDecimalClass, op, 1, (self, [other]) => {
    if (other === null || other instanceof RString || typeof other === 'boolean' || Array.isArray(other))
      throw typeError(`${kindOf(other!)} can't be coerced into BigDecimal`)
    const right = decimalOf(other!)
    chargeBits((String(self.digits).length + String(right.digits).length) * 4)
    return compute(self, right)
  })
}
binary('+', (a, b) => {
  const [x, y, scale] = aligned(a, b)
  return new RDecimal(x + y, scale)
})
binary('-', (a, b) => {
  const [x, y, scale] = aligned(a, b)
  return new RDecimal(x - y, scale)
})
binary('*', (a, b) => new RDecimal(a.digits * b.digits, a.scale + b.scale))
for (const op of ['/', 'quo']) {
  binary(op, (a, b) => {
    if (b.digits === 0n) throw raise('ZeroDivisionError', 'divided by 0')
    const [x, y] = aligned(a, b)
    return new RDecimal((x * 10n ** BigInt(QUOTIENT_DIGITS)) / y, QUOTIENT_DIGITS)
  })
}
binary('%', (a, b) => {
  if (b.digits === 0n) throw raise('ZeroDivisionError', 'divided by 0')
  const [x, y, scale] = aligned(a, b)
  const rest = x % y
  return new RDecimal(rest !== 0n && rest < 0n !== y < 0n ? rest + y : rest, scale)
})
define<RDecimal>(BigDecimalClass, '** power', 1, (self, [by]) => {
  const power = toInt(by!)
  if (power < 0) return new RFloat(self.toNumber() ** power)
  chargeBits(String(self.digits).length * 4 * power)
  return new RDecimal(self.digits ** BigInt(power), self.scale * power)
})
define<RDecimal>(BigDecimalClass, '-@', 0, (self) => new RDecimal(-self.digits, self.scale))
define<RDecimal>(BigDecimalClass, '<=>', 1, (self, [other]) => {
  if (other === null || typeof other === 'boolean' || other instanceof RString || Array.isArray(other)) return null
  const [x, y] = aligned(self, decimalOf(other!))
  return x < y ? -1 : x > y ? 1 : 0
})
define<RDecimal>(BigDecimalClass, '== === eql?', 1, (self, [other]) => {
  if (other === null || typeof other === 'boolean' || other instanceof RString || Array.isArray(other)) return false
  const [x, y] = aligned(self, decimalOf(other!))
  return x === y
})
define<RDecimal>(BigDecimalClass, 'coerce', 1, (self, [other]) => [decimalOf(other!), self])
define<RDecimal>(BigDecimalClass, 'to_s', [0, 1], (self, [form]) =>
  str(form instanceof RString && /f/i.test(form.text) ? self.plainText() : self.scientificText()),
)
define<RDecimal>(BigDecimalClass, 'inspect', 0, (self) => str(self.scientificText()))
define<RDecimal>(BigDecimalClass, 'to_f', 0, (self) => new RFloat(self.toNumber()))
define<RDecimal>(BigDecimalClass, 'to_i to_int', 0, (self) => normal(self.digits / 10n ** BigInt(self.scale)))
define<RDecimal>(BigDecimalClass, 'to_r', 0, (self) => rational(normal(self.digits), normal(10n ** BigInt(self.scale))))
define<RDecimal>(BigDecimalClass, 'to_d', 0, (self) => self)
define<RDecimal>(BigDecimalClass, 'zero?', 0, (self) => self.digits === 0n)
define<RDecimal>(BigDecimalClass, 'nan? infinite?', 0, () => false)
define<RDecimal>(BigDecimalClass, 'finite?', 0, () => true)
define<RDecimal>(
  BigDecimalClass,
  'abs',
  0,
  (self) => new RDecimal(self.digits < 0n ? -self.digits : self.digits, self.scale),
)
define<RDecimal>(BigDecimalClass, 'negative?', 0, (self) => self.digits < 0n)
define<RDecimal>(BigDecimalClass, 'positive?', 0, (self) => self.digits > 0n)
define<RDecimal>(BigDecimalClass, 'hash', 0, (self) => Number(self.digits % 1_000_003n))

type Mode = 'round' | 'floor' | 'ceil' | 'truncate'
function rounded(self: RDecimal, places: number, mode: Mode): RDecimal {
  if (places >= self.scale) return self
  const unit = 10n ** BigInt(self.scale - places)
  const rest = ((self.digits % unit) + unit) % unit
  const low = self.digits - rest
  const isNegative = self.digits < 0n
  let up = false
  if (rest > 0n) {
    if (mode === 'ceil') up = true
    else if (mode === 'truncate') up = isNegative
    else if (mode === 'round') up = rest * 2n > unit || (rest * 2n === unit && !isNegative)
  }
  const digits = (up ? low + unit : low) / unit
  return places >= 0 ? new RDecimal(digits, places) : new RDecimal(digits * 10n ** BigInt(-places), 0)
}
for (const mode of ['round', 'floor', 'ceil', 'truncate'] as const) {
  define<RDecimal>(BigDecimalClass, mode, [0, 2], (self, [places]) => {
    const result = rounded(self, typeof places === 'number' ? places : 0, mode)
    return typeof places === 'number' && places !== 0 ? result : normal(result.digits / 10n ** BigInt(result.scale))
  })
}
define<RDecimal>(BigDecimalClass, 'to_digits', 0, (self) => str(self.plainText()))

export { toFloat }
