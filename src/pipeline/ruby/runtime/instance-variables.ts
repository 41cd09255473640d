/** Instance variables. */
import { RException } from './errors.ts'
import { RClass, RObject, type Value } from './model.ts'

/** The instance variables of an object; undefined for values that cannot have any. */
export function variablesOf(self: Value): Map<string, Value> | undefined {
  return self instanceof RObject || self instanceof RClass || self instanceof RException ? self.ivars : undefined
}
