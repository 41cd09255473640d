/** Options that geo queries and geo sorts share. */

import { illegalArgument } from '../../base/api-error.ts'
import { unknownGeoDistance } from '../../base/errors/value-errors.ts'
import type { RequestReader } from './request-reader.ts'

/** What becomes of a point that lies outside of the earth: it is refused, brought back, or taken as it is. */
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
