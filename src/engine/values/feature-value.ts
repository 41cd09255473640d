/**
 * The number of a feature in a document: the upper bits of a positive float, which keep about three digits and sort like the
 * floats. Lucene has room for them in the place of a frequency.
 */
import { illegalArgument } from '../../base/api-error.ts'
import { formatFloat } from '../../base/json/json-writer.ts'

const SHIFT = 15
/** Smaller floats have fewer digits. */
const LEAST_NORMAL = 2 ** -126

const floats = new Float32Array(1)
const bits = new Int32Array(floats.buffer)

export function encodeFeature(value: number): number {
  floats[0] = value
  return bits[0]! >>> SHIFT
}

export function decodeFeature(encoded: number): number {
  bits[0] = encoded << SHIFT
  return floats[0]!
}

/** Only these numbers can be stored. */
export function checkFeature(value: number, feature: string, field: string): void {
  const what = `for feature ${feature} on field ${field}`
  if (!Number.isFinite(value)) throw illegalArgument(`featureValue must be finite, got: ${value} ${what}`)
  if (value >= LEAST_NORMAL) return
  throw illegalArgument(
    `featureValue must be a positive normal float, got: ${formatFloat(value)} ${what} which is less than the minimum positive normal float: 1.17549435E-38`,
  )
}
