/** RoundingMode and MathContext. */
import { arithmetic, illegalArgument } from '../../errors/java-throwable.ts'
import { type JEnum, simpleEnum } from '../java-enum.ts'
import { JObject } from '../java-object.ts'
import { registerConstructors, registerFields } from '../registry.ts'

export const MODES = simpleEnum('java.math.RoundingMode', [
  'UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_DOWN', 'HALF_EVEN', 'UNNECESSARY',
]) // biome-ignore format: a list

export const HALF_UP = MODES[4]!
export const UNNECESSARY = MODES[7]!

/** `value / divisor` rounded to a whole number. */
export function divideRounded(value: bigint, divisor: bigint, mode: JEnum): bigint {
  const quotient = value / divisor
  const rest = value % divisor
  if (rest === 0n) return quotient
  const negative = value < 0n !== divisor < 0n
  const away = quotient + (negative ? -1n : 1n)
  const twice = (rest < 0n ? -rest : rest) * 2n
  const size = divisor < 0n ? -divisor : divisor
  switch (mode.name) {
    case 'UP':
      return away
    case 'DOWN':
      return quotient
    case 'CEILING':
      return negative ? quotient : away
    case 'FLOOR':
      return negative ? away : quotient
    case 'HALF_UP':
      return twice >= size ? away : quotient
    case 'HALF_DOWN':
      return twice > size ? away : quotient
    case 'HALF_EVEN':
      return twice > size || (twice === size && quotient % 2n !== 0n) ? away : quotient
    default:
      throw arithmetic('Rounding necessary')
  }
}

export class MathContext extends JObject {
  readonly precision: number
  readonly mode: JEnum

  constructor(precision: number, mode: JEnum = HALF_UP) {
    super()
    if (precision < 0) throw illegalArgument('Digits < 0')
    this.precision = precision
    this.mode = mode
  }

  get $class(): string {
    return 'java.math.MathContext'
  }

  getPrecision_0(): number {
    return this.precision
  }

  getRoundingMode_0(): JEnum {
    return this.mode
  }

  override toString_0(): string {
    return `precision=${this.precision} roundingMode=${this.mode.name}`
  }
}

const HALF_EVEN = MODES[6]!
registerConstructors('java.math.MathContext', {
  1: (precision: number) => new MathContext(precision),
  2: (precision: number, mode: JEnum) => new MathContext(precision, mode),
})
registerFields('java.math.MathContext', {
  DECIMAL32: new MathContext(7, HALF_EVEN),
  DECIMAL64: new MathContext(16, HALF_EVEN),
  DECIMAL128: new MathContext(34, HALF_EVEN),
  UNLIMITED: new MathContext(0, HALF_UP),
})
