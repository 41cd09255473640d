/** How far the order of a composite equals the index sort, which allows early termination. */
import type { IndexSortField } from '../aggregation-context.ts'
import type { BoundSource } from './bound-source.ts'
import { missingCode } from './segment-keys.ts'

/**
 * The number of leading sources by which documents are sorted. A source with intervals ends the prefix: inside one
 * interval the next field of the index sort restarts many times.
 */
export function sortedSources(
  sources: readonly BoundSource[],
  indexSort: readonly IndexSortField[],
  isSingleValued: (source: number) => boolean,
): number {
  let parts = 0
  for (; parts < sources.length && parts < indexSort.length; parts++) {
    const source = sources[parts]!
    if (!isSameOrder(source, indexSort[parts]!) || !isSingleValued(parts)) break
    if (source.settings.kind !== 'terms') return parts + 1
  }
  return parts
}

function isSameOrder(source: BoundSource, { field, descending, missingFirst }: IndexSortField): boolean {
  const { settings } = source
  if (settings.kind === 'geotile_grid' || settings.source.field !== field || settings.descending !== descending)
    return false
  return !settings.missingBucket || missingCode(source) < 0 === missingFirst
}
