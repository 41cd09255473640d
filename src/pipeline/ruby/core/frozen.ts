/** Immutable values. */

import { inspect } from '../runtime/dispatch.ts'
import { raise } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { RClass, RObject, type Value } from '../runtime/model.ts'
import { RString } from '../runtime/string.ts'

export function isFrozen(value: Value): boolean {
  if (Array.isArray(value)) return Object.isFrozen(value)
  if (value instanceof RString || value instanceof RHash || value instanceof RObject || value instanceof RClass)
    return value.frozen
  return true
}

/** Must be called by methods that change an array. */
export function changing(array: Value[]): Value[] {
  if (Object.isFrozen(array)) throw raise('FrozenError', `can't modify frozen Array: ${inspect(array)}`)
  return array
}
