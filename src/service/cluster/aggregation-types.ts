/** `_nodes/aggregations`: the available aggregations and the value types each supports. */
import { aggregationNames } from '../../engine/aggregations/aggregation-kinds.ts'
import type { JsonObject } from '../metadata/metadata.ts'

const NUMBERS = ['boolean', 'counter', 'date', 'numeric']
const TERMS = ['boolean', 'date', 'ip', 'keyword', 'numeric']
const ANYTHING = ['boolean', 'counter', 'date', 'geopoint', 'ip', 'keyword', 'numeric', 'range']

/** Aggregations that do not use field values, or have rules of their own, are `other`. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  ...of(NUMBERS, 'avg', 'extended_stats', 'max', 'min', 'percentile_ranks', 'percentiles', 'range', 'stats', 'sum'),
  ...of(TERMS, 'rare_terms', 'significant_terms', 'terms'),
  ...of(ANYTHING, 'cardinality', 'value_count'),
  ...of(['counter', 'numeric'], 'median_absolute_deviation', 'variable_width_histogram'),
  ...of(['geopoint', 'position'], 'geo_bounds', 'geo_centroid'),
  ...of(['geopoint'], 'geo_distance', 'geohash_grid', 'geotile_grid'),
  ...of(['ip'], 'ip_prefix', 'ip_range'),
  date_histogram: ['boolean', 'date', 'numeric', 'range'],
  date_range: ['boolean', 'date', 'numeric'],
  diversified_sampler: ['boolean', 'date', 'keyword', 'numeric'],
  histogram: ['boolean', 'counter', 'date', 'numeric', 'range'],
  missing: ['boolean', 'date', 'geopoint', 'ip', 'keyword', 'numeric', 'range'],
  weighted_avg: ['numeric'],
}

export function aggregationTypes(): JsonObject {
  const names = aggregationNames().sort()
  return Object.fromEntries(names.map((name) => [name, { types: TYPES[name] ?? ['other'] }]))
}

function of(types: readonly string[], ...names: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(names.map((name) => [name, types]))
}
