/**
 * The field that a sort uses in an index that lacks its own (`unmapped_type`): no document has a value, and values of
 * `search_after` are read as the type reads them.
 */

import type { FieldType } from '../mapping/field-type.ts'
import { leafDefinition } from '../mapping/field-type-registry.ts'
import { LeafMapper, PLAIN_SCHEMA } from '../mapping/leaf-mapper.ts'
import { mappingLimits } from '../mapping/mapping-context.ts'

/** A name that no field of a document has, because errors show it. */
const NAME = '__anonymous_'

const CONTEXT = {
  analysis: { analyzer: () => undefined, normalizer: () => undefined },
  limits: mappingLimits({}),
}

/** Undefined for an unknown type. */
export function anonymousField(type: string): FieldType | undefined {
  const definition = leafDefinition(type)
  if (definition === undefined) return undefined
  const leaf = new LeafMapper({
    definition,
    name: NAME,
    path: NAME,
    given: new Map(),
    subFields: new Map(),
    copyTo: [],
  })
  definition.check?.(leaf, { name: NAME, type, context: CONTEXT })
  return definition.build(leaf, {
    path: NAME,
    nestedPath: undefined,
    sourcePath: NAME,
    copiedFrom: [],
    context: CONTEXT,
    schema: (shape) => ({ ...PLAIN_SCHEMA, ...shape, id: -1, name: NAME }),
  }).type
}
