/** Every mapping type that exists. A type that is not in this list is answered as unknown. */
import { binaryType } from './field-types/binary.ts'
import { booleanType } from './field-types/boolean.ts'
import { completion } from './field-types/completion.ts'
import { dateTypes } from './field-types/date.ts'
import { flattened } from './field-types/flattened.ts'
import { geoPoint } from './field-types/geo-point.ts'
import { ipType } from './field-types/ip.ts'
import { keyword, wildcard } from './field-types/keyword.ts'
import { numberTypes } from './field-types/number.ts'
import { rangeTypes } from './field-types/range.ts'
import { matchOnlyText, textType } from './field-types/text.ts'
import type { LeafDefinition } from './leaf-mapper.ts'

const DEFINITIONS = new Map<string, LeafDefinition>()

/** Filled on first use, because the types and this list import each other. */
function definitions(): Map<string, LeafDefinition> {
  if (DEFINITIONS.size > 0) return DEFINITIONS
  const all: readonly LeafDefinition[] = [
    keyword,
    wildcard,
    textType,
    matchOnlyText,
    ...numberTypes,
    ...dateTypes,
    booleanType,
    ipType,
    geoPoint,
    binaryType,
    ...rangeTypes,
    flattened,
    completion,
  ]
  for (const definition of all) DEFINITIONS.set(definition.type, definition)
  return DEFINITIONS
}

export const leafDefinition = (type: string) => definitions().get(type)
