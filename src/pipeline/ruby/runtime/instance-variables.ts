/** Instance variables. */
import { RException } from './errors.ts'
import { RClass, RObject, type Value } from './model.ts'

/** Where an object keeps its instance variables; undefined for values that have none. */
export function variablesOf(self: Value): Map<string, Value> | undefined {
  return self instanceof RObject || self instanceof RClass || self instanceof RException ? self.ivars : undefined
}
