/** What the geo queries share: their field, and a walk over the points of a segment. */
import { queryShardError } from '../../base/errors/search-errors.ts'
import type { FieldType } from '../mapping/field-type.ts'
import type { GeoPoint } from '../values/geo-point.ts'
import { KEPT_SOON } from './filter-cache.ts'
import { type PointArea, pointsMatcher } from './points-matcher.ts'
import { constantTexts, type ShardQuery, type ShardQueryContext } from './query.ts'

/** Undefined where the field is missing and that is to be ignored. */
export function geoField(
  context: ShardQueryContext,
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

/** Refuses points that lie outside of the earth. */
export function checkPoint(context: ShardQueryContext, { lat, lon }: GeoPoint): void {
  const valid = lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180
  if (!valid) throw queryShardError(context.index, "couldn't validate latitude/ longitude values")
}

/**
 * Documents with a point in the area; `shown` is the query's text, and its text over the column. `key` says what decides about a
 * point.
 */
export function pointsQuery(
  field: FieldType,
  area: PointArea,
  score: number,
  shown: () => { text: string; column: string },
  key?: () => string,
): ShardQuery {
  const name = field.schema?.name ?? field.name
  return {
    ...constantTexts(
      score,
      () => shown().text,
      () => shown().column,
    ),
    matcher({ reader }) {
      const column = reader.geoColumn(name)
      return column === undefined ? undefined : pointsMatcher(column, area, reader.docCount, score)
    },
    asFilter: key && { key: () => `points(${name};${key()})`, keptAtUse: KEPT_SOON },
  }
}
