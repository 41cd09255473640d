/** Decides whether a value of one type may be used as another, and makes the conversion explicit. */
import { isPrimitive, type Lookup } from '../api/lookup.ts'
import { classCast } from '../errors/java-throwable.ts'
import type { Ir } from './ir.ts'
import { BOX, isNumeric, NUMBER, OBJECT, STRING, UNBOX, widens } from './types.ts'

export interface CastMode {
  /** The cast is written in the script. */
  explicit?: boolean
  /** The value is an argument or a result: primitives are boxed and unboxed as needed. */
  internal?: boolean
}

/**
 * Converts a value to `expected`. Every conversion is a node, even one that changes nothing, because errors point to
 * it. Throws ClassCastException with the offset of the value.
 */
export function castTo(lookup: Lookup, value: Ir, expected: string, mode: CastMode = {}): Ir {
  if (value.type === expected) return value
  checkCast(lookup, value.type, expected, mode, value.at)
  // The first of several conversions has the position of its value, and the others have it too.
  const castAt = value.op === 'cast' ? value.castAt : value.at
  return { op: 'cast', child: value, explicit: mode.explicit === true, type: expected, at: value.at, castAt }
}

export function checkCast(lookup: Lookup, actual: string, expected: string, mode: CastMode, at: number): void {
  if (isLegal(lookup, actual, expected, mode)) return
  const error = classCast(`Cannot cast from [${actual}] to [${expected}].`)
  error.offset = at
  throw error
}

function isLegal(lookup: Lookup, actual: string, expected: string, mode: CastMode): boolean {
  if (actual === expected) return true
  if (expected === 'void' || actual === 'void') return false
  if (actual === 'def') return true
  if (actual === STRING && expected === 'char') return mode.explicit === true
  if (isPrimitive(actual)) return isLegalFromPrimitive(actual, expected, mode)
  const unboxed = UNBOX[actual]
  if (unboxed !== undefined && isPrimitive(expected))
    return mode.internal === true && convertible(unboxed, expected, mode)
  if (isPrimitive(expected))
    return mode.explicit === true && (actual === OBJECT || actual === NUMBER) && mode.internal === true
  return lookup.isAssignable(actual, expected) || (mode.explicit === true && lookup.isAssignable(expected, actual))
}

function isLegalFromPrimitive(actual: string, expected: string, mode: CastMode): boolean {
  if (expected === 'def') return true
  if (isPrimitive(expected)) return convertible(actual, expected, mode)
  if (actual === 'char' && expected === STRING) return mode.explicit === true
  if (mode.internal !== true) return false
  if (expected === OBJECT) return true
  if (expected === NUMBER) return isNumeric(actual) && actual !== 'char'
  const unboxed = UNBOX[expected]
  return unboxed !== undefined && convertible(actual, unboxed, mode)
}

function convertible(from: string, to: string, mode: CastMode): boolean {
  if (from === to) return true
  if (!isNumeric(from) || !isNumeric(to)) return false
  return mode.explicit === true || widens(from, to)
}

export const boxOf = (type: string): string => BOX[type] ?? type
