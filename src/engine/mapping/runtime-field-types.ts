/** The fields that a set of runtime definitions stands for: one each, or for a composite one per sub-field. */

import type { RuntimeFields } from './definition/runtime-fields.ts'
import type { FieldType } from './field-type.ts'
import type { MappingContext } from './mapping-context.ts'
import { runtimeFieldType } from './runtime-field-type.ts'

/** Fields by name, the runtime fields themselves included. */
export type FieldLookup = (name: string) => FieldType | undefined

/** `lookup` finds the fields that scripts read. Throws what is wrong with a script. */
export function runtimeTypes(
  definitions: RuntimeFields,
  context: MappingContext,
  _lookup: FieldLookup,
): Map<string, FieldType> {
  const types = new Map<string, FieldType>()
  for (const [name, definition] of definitions) {
    if (definition === undefined) continue
    types.set(name, runtimeFieldType(name, definition, context))
  }
  return types
}
