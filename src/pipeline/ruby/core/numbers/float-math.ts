/** Float arithmetic that differs from JavaScript. */
import { raise } from '../../runtime/errors.ts'
import { RFloat, type Value } from '../../runtime/model.ts'
import { integerOf } from './integer-math.ts'

/** The remainder with the sign of the divisor. */
export function floatModulo(a: number, b: number): number {
  if (b === 0) throw raise('ZeroDivisionError', 'divided by 0')
  const rest = a % b
  return rest !== 0 && rest < 0 !== b < 0 && Number.isFinite(b) ? rest + b : rest !== 0 && rest < 0 !== b < 0 ? b : rest
}

export function floatDivmod(a: number, b: number): Value[] {
  if (b === 0) throw raise('ZeroDivisionError', 'divided by 0')
  return [integerOf(Math.floor(a / b)), new RFloat(floatModulo(a, b))]
}

export function floatPower(a: number, b: number): Value {
  if (a < 0 && !Number.isInteger(b) && Number.isFinite(b)) return new RFloat(Number.NaN)
  return new RFloat(a ** b)
}

export type FloatRound = 'half-up' | 'half-even' | 'half-down' | 'floor' | 'ceil' | 'truncate'

/** Rounds to a number of decimal places, based on the exact decimal value of the float. */
export function roundFloat(value: number, digits: number, mode: FloatRound): number {
  if (!Number.isFinite(value) || digits >= 17 || value === 0) return value
  if (mode.startsWith('half') && digits > 0) return roundHalf(value, digits, mode)
  const factor = 10 ** digits
  const scaled = value * factor
  if (!Number.isFinite(scaled)) return value
  if (mode === 'floor' || (mode === 'truncate' && value > 0)) return checked(Math.floor(scaled), factor, value, 'floor')
  if (mode === 'ceil' || mode === 'truncate') return checked(Math.ceil(scaled), factor, value, 'ceil') + 0
  return roundHalf(value, digits, mode)
}

/** The product may have been rounded up to an integer. */
function checked(whole: number, factor: number, value: number, mode: 'floor' | 'ceil'): number {
  if (mode === 'floor') {
    if ((whole + 1) / factor <= value) return (whole + 1) / factor
    return whole / factor > value ? (whole - 1) / factor : whole / factor
  }
  if ((whole - 1) / factor >= value) return (whole - 1) / factor
  return whole / factor < value ? (whole + 1) / factor : whole / factor
}

function roundHalf(value: number, digits: number, mode: FloatRound): number {
  const factor = 10 ** digits
  const scaled = value * factor
  if (!Number.isFinite(scaled)) return value
  const magnitude = Math.abs(scaled)
  let whole = Math.floor(magnitude + 0.5)
  if (mode === 'half-up') {
    if (whole - 0.5 > magnitude) whole--
    // As in Ruby, a product that was rounded to less than one half is one half: 1.005 becomes 1.01.
    if ((whole + 0.5) / factor <= Math.abs(value)) whole++
  } else if (magnitude + 0.5 === whole) {
    if (mode === 'half-down' || whole % 2 !== 0) whole--
  }
  const result = whole / factor
  return Number.isFinite(result) ? (value < 0 ? -result : result) : value
}

/** Rounds to an integer. */
export function roundToInteger(value: number, mode: FloatRound): number {
  switch (mode) {
    case 'floor':
      return Math.floor(value)
    case 'ceil':
      return Math.ceil(value)
    case 'truncate':
      return Math.trunc(value)
    default: {
      const magnitude = Math.abs(value)
      let whole = Math.floor(magnitude)
      const rest = magnitude - whole
      if (rest > 0.5 || (rest === 0.5 && (mode === 'half-up' || (mode === 'half-even' && whole % 2 === 1)))) whole++
      return value < 0 ? -whole : whole
    }
  }
}
