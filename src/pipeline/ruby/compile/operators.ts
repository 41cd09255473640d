/** Fast paths of operators on plain numbers and strings. Undefined means that the method must be called. */

import { RHash } from '../runtime/hash.ts'
import { RFloat, type Value } from '../runtime/model.ts'
import { RString } from '../runtime/string.ts'

type Quick = (left: Value, right: Value) => Value | undefined

const isSafe = Number.isSafeInteger

export const OPERATORS: Readonly<Record<string, Quick>> = Object.assign(Object.create(null) as Record<string, Quick>, {
  '+': (a: Value, b: Value) => {
    if (typeof a === 'number' && typeof b === 'number') {
      const sum = a + b
      return isSafe(sum) ? sum : undefined
    }
    return a instanceof RFloat && b instanceof RFloat ? new RFloat(a.value + b.value) : undefined
  },
  '-': (a: Value, b: Value) => {
    if (typeof a === 'number' && typeof b === 'number') {
      const difference = a - b
      return isSafe(difference) ? difference : undefined
    }
    return a instanceof RFloat && b instanceof RFloat ? new RFloat(a.value - b.value) : undefined
  },
  '*': (a: Value, b: Value) => {
    if (typeof a === 'number' && typeof b === 'number') {
      const product = a * b
      // -0 is not an integer.
      return isSafe(product) ? product + 0 : undefined
    }
    return a instanceof RFloat && b instanceof RFloat ? new RFloat(a.value * b.value) : undefined
  },
  '/': (a: Value, b: Value) => {
    if (typeof a === 'number' && typeof b === 'number')
      return b === 0 ? undefined : Math.floor(a / b) + 0 === Infinity ? undefined : quotient(a, b)
    return a instanceof RFloat && b instanceof RFloat ? new RFloat(a.value / b.value) : undefined
  },
  '%': (a: Value, b: Value) => {
    if (typeof a !== 'number' || typeof b !== 'number' || b === 0) return undefined
    const rest = a % b
    return (rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest) + 0
  },
  '<': (a: Value, b: Value) => (typeof a === 'number' && typeof b === 'number' ? a < b : undefined),
  '>': (a: Value, b: Value) => (typeof a === 'number' && typeof b === 'number' ? a > b : undefined),
  '<=': (a: Value, b: Value) => (typeof a === 'number' && typeof b === 'number' ? a <= b : undefined),
  '>=': (a: Value, b: Value) => (typeof a === 'number' && typeof b === 'number' ? a >= b : undefined),
  '==': (a: Value, b: Value) => {
    if (typeof a === 'number' && typeof b === 'number') return a === b
    if (a === null) return b === null
    if (b === null) return a instanceof RString || typeof a === 'number' || Array.isArray(a) ? false : undefined
    return a instanceof RString && b instanceof RString && a.encoding === b.encoding ? a.text === b.text : undefined
  },
  '[]': (a: Value, b: Value) => {
    if (Array.isArray(a) && typeof b === 'number') return a[b < 0 ? a.length + b : b] ?? null
    return a instanceof RHash && a.cls.isSingleton === false ? a.get(b) : undefined
  },
})

/**
 * The floored quotient. A division of doubles may round up to the next integer, which is detected by multiplying back.
 */
function quotient(a: number, b: number): number {
  const rest = a % b
  return (a - rest) / b - (rest !== 0 && rest < 0 !== b < 0 ? 1 : 0) + 0
}
