/** The list of mapping types. Other types are rejected as unknown. */

import { syntheticSourceKeep } from './definition/parameter.ts'
import { binaryType } from './field-types/binary.ts'
import { booleanType } from './field-types/boolean.ts'
import { completion } from './field-types/completion.ts'
import { constantKeyword } from './field-types/constant-keyword.ts'
import { dateTypes } from './field-types/date.ts'
import { rankFeature, rankFeatures } from './field-types/features/rank-feature.ts'
import { sparseVector } from './field-types/features/sparse-vector.ts'
import { flattened } from './field-types/flattened.ts'
import { geoPoint } from './field-types/geo-point.ts'
import { ipType } from './field-types/ip.ts'
import { join } from './field-types/join/join.ts'
import { keyword, wildcard } from './field-types/keyword.ts'
import { numberTypes } from './field-types/number.ts'
import { rangeTypes } from './field-types/range.ts'
import { scaledFloat } from './field-types/scaled-float.ts'
import { searchAsYouType } from './field-types/search-as-you-type.ts'
import { matchOnlyText, textType } from './field-types/text.ts'
import { tokenCount } from './field-types/token-count.ts'
import { unsignedLong } from './field-types/unsigned-long.ts'
import { denseVector } from './field-types/vector/dense-vector.ts'
import { version } from './field-types/version.ts'
import type { LeafDefinition } from './leaf-mapper.ts'

const TYPES: readonly LeafDefinition[] = [
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
  join,
  geoPoint,
  binaryType,
  ...rangeTypes,
  flattened,
  completion,
  constantKeyword,
  denseVector,
  sparseVector,
  rankFeature,
  rankFeatures,
  tokenCount,
]

/** Parameters that every type accepts. */
const SHARED_PARAMETERS = [syntheticSourceKeep()]

const DEFINITIONS = new Map<string, LeafDefinition>(
  TYPES.map((type) => [type.type, { ...type, parameters: [...type.parameters, ...SHARED_PARAMETERS] }]),
)

export const leafDefinition = (type: string) => DEFINITIONS.get(type)
