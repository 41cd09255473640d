/** Every mapping type that exists. A type that is not in this list is answered as unknown. */
import { booleanType } from './field-types/boolean.ts'
import { dateTypes } from './field-types/date.ts'
import { keyword, wildcard } from './field-types/keyword.ts'
import { numberTypes } from './field-types/number.ts'
import { matchOnlyText, textType } from './field-types/text.ts'
import type { LeafDefinition } from './leaf-mapper.ts'

const DEFINITIONS = new Map<string, LeafDefinition>()

/** Filled on first use, because the types and this list import each other. */
function definitions(): Map<string, LeafDefinition> {
  if (DEFINITIONS.size === 0) {
    for (const definition of [keyword, wildcard, textType, matchOnlyText, ...numberTypes, ...dateTypes, booleanType]) {
      DEFINITIONS.set(definition.type, definition)
    }
  }
  return DEFINITIONS
}

export const leafDefinition = (type: string) => definitions().get(type)
