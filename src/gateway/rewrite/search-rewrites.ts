/** The rewrites of a search, in the order in which they change the request. */
import { shardsOfSlice, terminatedEarly } from './answer-members.ts'
import { compositeInFilter } from './composite-in-filter.ts'
import { flattenedTerms } from './flattened-terms.ts'
import { keyedFilters } from './keyed-filters.ts'
import { runtimeFields } from './runtime-fields.ts'
import type { Rewrite } from './search-rewrite.ts'
import { sortFormat } from './sort-format.ts'

export const SEARCH_REWRITES: readonly Rewrite[] = [
  flattenedTerms,
  runtimeFields,
  terminatedEarly,
  shardsOfSlice,
  keyedFilters,
  compositeInFilter,
  sortFormat,
]
