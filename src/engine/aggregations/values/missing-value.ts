/** `missing`: the value that an aggregation gives to documents without one. */
import { illegalArgument } from '../../../base/api-error.ts'
import { type GeoPoint, parseGeoPoint } from '../../values/geo-point.ts'
import { requireIp } from '../../values/ip.ts'
import { javaText } from '../../values/java-text.ts'
import type { ValueFormat } from './value-format.ts'
import type { SourceType } from './value-source.ts'

/** A number for numbers, dates and booleans, a text for terms and addresses. */
export type MissingValue = number | string | GeoPoint

/**
 * Reads the scalar of the request as a value of the type. As in Elasticsearch the text of anything but a number counts: `true` is
 * no number. A value that cannot be read is an error even if every document has one.
 */
export function readMissing(
  value: unknown,
  type: SourceType,
  format: ValueFormat,
  nowMs: number,
): MissingValue | undefined {
  if (value === undefined) return undefined
  const text = javaText(value)
  switch (type) {
    case 'number':
    case 'date':
    case 'boolean':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : format.parse(text, nowMs)
    case 'geo':
      return parseGeoPoint(text, { ignoreZValue: true })
    case 'range':
      throw illegalArgument(
        "Can't apply missing values on a class org.elasticsearch.search.aggregations.support.ValuesSource$Range",
      )
    case 'ip':
      requireIp(text)
      return text
    default:
      return text
  }
}
