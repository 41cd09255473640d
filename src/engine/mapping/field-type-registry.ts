/** Every mapping type that exists. A type that is not in this list is answered as unknown. */

import { syntheticSourceKeep } from './definition/parameter.ts'
import { binaryType } from './field-types/binary.ts'
import { booleanType } from './field-types/boolean.ts'
import { completion } from './field-types/completion.ts'
import { constantKeyword } from './field-types/constant-keyword.ts'
import { dateTypes } from './field-types/date.ts'
import { flattened } from './field-types/flattened.ts'
import { geoPoint } from './field-types/geo-point.ts'
import { ipType } from './field-types/ip.ts'
import { keyword, wildcard } from './field-types/keyword.ts'
import { numberTypes } from './field-types/number.ts'
import { rangeTypes } from './field-types/range.ts'
import { scaledFloat } from './field-types/scaled-float.ts'
import { searchAsYouType } from './field-types/search-as-you-type.ts'
import { matchOnlyText, textType } from './field-types/text.ts'
import { tokenCount } from './field-types/token-count.ts'
import { unsignedLong } from './field-types/unsigned-long.ts'
import { version } from './field-types/version.ts'
import type { LeafDefinition } from './leaf-mapper.ts'

const DEFINITIONS = new Map<string, LeafDefinition>()

/** Filled on first use, because the types and this list import each other. */
function definitions(): Map<string, LeafDefinition> {
  if (DEFINITIONS.size > 0) return DEFINITIONS
  const all: readonly LeafDefinition[] = [
    keyword,
    wildcard,
    version,
    textType,
    matchOnlyText,
    searchAsYouType,
    ...numberTypes,
    unsignedLong,
    scaledFloat,
    ...dateTypes,
    booleanType,
    ipType,
    geoPoint,
    binaryType,
    ...rangeTypes,
    flattened,
    completion,
    constantKeyword,
    tokenCount,
  ]
  const ofAll = [syntheticSourceKeep()]
  for (const definition of all) {
    DEFINITIONS.set(definition.type, { ...definition, parameters: [...definition.parameters, ...ofAll] })
  }
  return DEFINITIONS
}

export const leafDefinition = (type: string) => definitions().get(type)
