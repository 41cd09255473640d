/** The rewrites of a search, in the order in which they change the request. */
import { emptyMeta, shardsOfSlice, terminatedEarly } from './answer-members.ts'
import { compositeDates } from './composite-dates.ts'
import { compositeFirstSource } from './composite-first-source.ts'
import { emptyBounds } from './empty-bounds.ts'
import { exactPercentiles } from './exact-percentiles.ts'
import { flattenedFields } from './flattened-fields.ts'
import { flattenedTerms } from './flattened-terms.ts'
import { halfFloats } from './half-floats.ts'
import { ignoredQueries } from './ignored-queries.ts'
import { ignoredValues } from './ignored-values.ts'
import { keyedFilters } from './keyed-filters.ts'
import { missingLast } from './missing-last.ts'
import { mixedTerms } from './mixed-terms.ts'
import { nanosInFields } from './nanos-in-fields.ts'
import { negativeFrom } from './negative-from.ts'
import { nestedFields } from './nested-fields.ts'
import { nestedTopHits } from './nested-top-hits.ts'
import { orderOfNone } from './order-of-none.ts'
import { queryValues } from './query-values.ts'
import { runtimeFields } from './runtime-fields.ts'
import type { NamedRewrite } from './search-rewrite.ts'
import { significantBackground } from './significant-background.ts'
import { sortFormat } from './sort-format.ts'
import { sourceExcludes } from './source-excludes.ts'
import { tileBounds } from './tile-bounds.ts'
import { unskippedSort } from './unskipped-sort.ts'
import { weekDays } from './week-days.ts'

const IGNORED_QUERIES: NamedRewrite = { name: 'ignored_queries', rewrite: ignoredQueries }
const RUNTIME_FIELDS: NamedRewrite = { name: 'runtime_fields', rewrite: runtimeFields }
const QUERY_VALUES: NamedRewrite = { name: 'query_values', rewrite: queryValues }

/** Those that decide which documents match, for requests with a query and without hits. */
export const QUERY_REWRITES: readonly NamedRewrite[] = [IGNORED_QUERIES, RUNTIME_FIELDS, QUERY_VALUES]

export const SEARCH_REWRITES: readonly NamedRewrite[] = [
  { name: 'flattened_terms', rewrite: flattenedTerms },
  IGNORED_QUERIES,
  { name: 'flattened_fields', rewrite: flattenedFields },
  { name: 'week_days', rewrite: weekDays },
  RUNTIME_FIELDS,
  QUERY_VALUES,
  { name: 'terminated_early', rewrite: terminatedEarly },
  { name: 'shards_of_slice', rewrite: shardsOfSlice },
  { name: 'empty_meta', rewrite: emptyMeta },
  { name: 'keyed_filters', rewrite: keyedFilters },
  { name: 'mixed_terms', rewrite: mixedTerms },
  { name: 'order_of_none', rewrite: orderOfNone },
  { name: 'tile_bounds', rewrite: tileBounds },
  { name: 'composite_dates', rewrite: compositeDates },
  { name: 'composite_first_source', rewrite: compositeFirstSource },
  { name: 'empty_bounds', rewrite: emptyBounds },
  { name: 'significant_background', rewrite: significantBackground },
  { name: 'exact_percentiles', rewrite: exactPercentiles },
  { name: 'nested_top_hits', rewrite: nestedTopHits },
  { name: 'nested_fields', rewrite: nestedFields },
  { name: 'source_excludes', rewrite: sourceExcludes },
  { name: 'ignored_values', rewrite: ignoredValues },
  { name: 'half_floats', rewrite: halfFloats },
  { name: 'nanos_in_fields', rewrite: nanosInFields },
  { name: 'negative_from', rewrite: negativeFrom },
  { name: 'sort_format', rewrite: sortFormat },
  { name: 'missing_last', rewrite: missingLast },
  { name: 'unskipped_sort', rewrite: unskippedSort },
]
