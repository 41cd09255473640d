/**
 * `bounds` of map tiles and geohashes. Elasticsearch counts all points of the cells that overlap the bounds; OpenSearch counts those within
 * the bounds. It gets the box of these cells. In a composite aggregation with `missing_bucket`, OpenSearch leaves out documents
 * with all points outside, which Elasticsearch counts as missing: that is refused.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { boxOfGeohashes, boxOfTiles } from '../../service/search/tile-values.ts'
import { aggregationsOf, changeAggregations, withAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import { notInCluster } from './not-in-cluster.ts'
import type { Rewrite } from './search-rewrite.ts'

const GRID = 'geotile_grid'
const PRECISION = 7
const GEOHASH_GRID = 'geohash_grid'
const GEOHASH_PRECISION = 5

export const tileBounds: Rewrite = (request) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ kind, options, definition }) => {
    if (kind === GRID) {
      const grid = withTiles(options)
      return grid === options ? undefined : { definition: { ...definition, [GRID]: grid } }
    }
    if (kind === GEOHASH_GRID) {
      const grid = withGeohashes(options)
      return grid === options ? undefined : { definition: { ...definition, [GEOHASH_GRID]: grid } }
    }
    if (kind !== 'composite' || !Array.isArray(options['sources'])) return undefined
    const given = options['sources'] as unknown[]
    const sources = given.map(sourceWithTiles)
    if (sources.every((source, i) => source === given[i])) return undefined
    return { definition: { ...definition, composite: { ...options, sources } } }
  })
  return changed && { request: withAggregations(request, changed.aggregations) }
}

function sourceWithTiles(item: unknown): unknown {
  const [name, definition] = isObject(item) ? (Object.entries(item)[0] ?? []) : []
  const grid = isObject(definition) ? definition[GRID] : undefined
  if (name === undefined || !isObject(grid) || grid['bounds'] === undefined) return item
  if (grid['missing_bucket'] === true)
    throw notInCluster('[missing_bucket] together with [bounds] in a composite aggregation')
  const changed = withTiles(grid)
  return changed === grid ? item : { [name]: { [GRID]: changed } }
}

function withTiles(grid: JsonObject): JsonObject {
  const { bounds, precision } = grid
  const box = isObject(bounds) ? boxOfTiles(bounds, precision === undefined ? PRECISION : Number(precision)) : undefined
  return box === undefined ? grid : { ...grid, bounds: { ...box } }
}

function withGeohashes(grid: JsonObject): JsonObject {
  const { bounds, precision = GEOHASH_PRECISION } = grid
  const box = isObject(bounds) ? boxOfGeohashes(bounds, precision as number | string) : undefined
  return box === undefined ? grid : { ...grid, bounds: { ...box } }
}
