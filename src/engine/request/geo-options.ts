/** Options common to geo queries and geo sorts. */

import { illegalArgument } from '../../base/api-error.ts'
import { unknownGeoDistance } from '../../base/errors/value-errors.ts'
import type { RequestReader } from './request-reader.ts'

/** How a point outside the earth is handled: rejected, wrapped, or taken as it is. */
export type PointValidation = 'strict' | 'coerce' | 'ignore_malformed'

export function readValidation(reader: RequestReader): PointValidation {
  const text = reader.text()
  const word = text.toLowerCase()
  if (word === 'strict' || word === 'coerce' || word === 'ignore_malformed') return word
  throw illegalArgument(`operator needs to be either [COERCE, IGNORE_MALFORMED, STRICT], but not [${text}]`)
}

export function checkDistanceType(text: string): void {
  const type = text.toLowerCase()
  if (type === 'arc' || type === 'plane') return
  throw unknownGeoDistance(text)
}
