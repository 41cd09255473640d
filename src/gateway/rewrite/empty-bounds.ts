/**
 * `geo_bounds` in buckets that may have no documents. OpenSearch 2 fails with status 500 for such a bucket, unless one that it made later
 * has documents. The bounds are therefore computed within a histogram of one bucket, which exists only if there are documents. The
 * aggregation itself keeps its name, type and `meta`, but reads a field that no index has.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf, amendAggregations, changeAggregations, takeResult, withAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite } from './search-rewrite.ts'

const PREFIX = '_sandpiper_bounds_'
const BOUNDS = 'bounds'
/** A field that no index has. */
const NO_FIELD = '_sandpiper.constant'
/** Every document has this field, also a nested one. All values are in the first bucket. */
const ONE_BUCKET = { field: '_seq_no', interval: 9e18, min_doc_count: 1 }

/** Aggregations with one bucket for each bucket around them. */
const SINGLE: ReadonlySet<string> = new Set(['filter', 'nested', 'reverse_nested', 'missing', 'global', 'sampler'])
/** Aggregations whose buckets come from documents; those of `terms` only if `min_doc_count` is not 0. */
const FULL: ReadonlySet<string> = new Set([
  'histogram',
  'date_histogram',
  'composite',
  'geohash_grid',
  'geotile_grid',
  'rare_terms',
])

export const emptyBounds: Rewrite = (request) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ name, kind, options, definition, parents }) => {
    if (kind !== 'geo_bounds' || !mayBeEmpty(parents, aggregations) || isRead(name, aggregations)) return undefined
    const added = `${PREFIX}${name}`
    return {
      definition: { ...definition, geo_bounds: { field: NO_FIELD } },
      beside: { [added]: { histogram: ONE_BUCKET, aggs: { [BOUNDS]: { geo_bounds: options } } } },
      amend: (result, container) => ({ ...result, ...boundsOf(takeResult(container, added)) }),
    }
  })
  if (changed === undefined) return undefined
  return {
    request: withAggregations(request, changed.aggregations),
    amend: (answer) => amendAggregations(answer, changed),
  }
}

function mayBeEmpty(parents: readonly string[], aggregations: JsonObject): boolean {
  const nearest = parents.at(-1)
  if (nearest === undefined || parents.every((kind) => SINGLE.has(kind))) return false
  if (nearest === 'terms') return hasMember(aggregations, 'min_doc_count', (value) => Number(value) === 0)
  return !FULL.has(nearest)
}

/** Whether a pipeline aggregation may read a side of the bounds. */
function isRead(name: string, aggregations: JsonObject): boolean {
  return hasMember(aggregations, 'buckets_path', (value) => JSON.stringify(value).includes(name))
}

function hasMember(value: unknown, name: string, test: (value: unknown) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => hasMember(item, name, test))
  if (!isObject(value)) return false
  return Object.entries(value).some(([key, item]) => (key === name && test(item)) || hasMember(item, name, test))
}

/** The bounds in the only bucket of a histogram, if there is one. */
function boundsOf(histogram: JsonObject | undefined): JsonObject | undefined {
  const [bucket] = (histogram?.['buckets'] ?? []) as JsonObject[]
  return bucket && takeResult(bucket, BOUNDS)
}
