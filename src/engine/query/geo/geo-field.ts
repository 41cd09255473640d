/** Shared code of geo queries: their field, and the iteration over the points of a segment. */

import { queryValidation } from '../../../base/api-error.ts'
import { queryShardError } from '../../../base/errors/search-errors.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import type { PointValidation } from '../../request/geo-options.ts'
import { KEPT_SOON } from '../../scoring/filter-cache.ts'
import { constantTexts, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { failingScorer } from '../../scoring/scorers/failing-scorer.ts'
import { type PointArea, pointsScorer } from '../../scoring/scorers/points-scorer.ts'
import { type GeoPoint, normalizePoint } from '../../values/geo-point.ts'
import { javaDouble } from '../../values/java-text.ts'
import { runtimeQuery, runtimeQueryName } from '../term-level/runtime-query.ts'

/** Undefined if the field is unmapped and `ignore_unmapped` is set. */
export function geoField(
  context: SearchExecutionContext,
  name: string,
  clause: string,
  ignoreUnmapped: boolean,
): FieldType | undefined {
  const field = context.mapping.field(name)
  if (field === undefined) {
    if (ignoreUnmapped) return undefined
    const what = clause === 'geo_shape' ? 'type for field' : 'geo field'
    throw queryShardError(context.index, `failed to find ${what} [${name}]`)
  }
  if (field.shape !== 'geo') {
    throw queryShardError(context.index, `Field [${name}] is of unsupported type [${field.type}] for [${clause}] query`)
  }
  return field
}

export function validPoint(
  context: SearchExecutionContext,
  point: GeoPoint,
  validation: PointValidation,
  clause: string,
): GeoPoint {
  const { lat, lon } = point
  const isLatitude = lat >= -90 && lat <= 90
  if ((isLatitude && lon >= -180 && lon <= 180) || validation === 'ignore_malformed') return point
  if (validation === 'coerce') return normalizePoint(point)
  const which = isLatitude ? 'longitude' : 'latitude'
  const reason = `[${clause}] center point ${which} is invalid: ${javaDouble(isLatitude ? lon : lat)};`
  const cause = queryValidation(`Validation Failed: 1: ${reason}`)
  throw queryShardError(context.index, "couldn't validate latitude/ longitude values", cause)
}

/**
 * Documents with a point in the area; `shown` is the query's text, and its text over the doc values. `key` identifies
 * the condition.
 */
export function pointsQuery(
  field: FieldType,
  area: PointArea,
  score: number,
  shown: () => { text: string; docValues: string },
  key?: () => string,
): Weight {
  const name = storageName(field)
  const query: Weight = {
    scorer(segment) {
      const { reader } = segment
      const docValues = reader.geoDocValues(name)
      const { docCount } = reader
      if (docValues === undefined) return undefined
      return failingScorer(docValues, segment, (points) => pointsScorer(points, area, docCount, score))
    },
    asFilter: key && { key: () => `points(${name};${key()})`, keptAtUse: KEPT_SOON },
    ...constantTexts(
      score,
      () => shown().text,
      () => shown().docValues,
    ),
  }
  if (!field.isRuntime) return query
  const className = runtimeQueryName(field, 'GeoShape')
  return runtimeQuery(query, () => `${field.name}:${className}`, score, className)
}
