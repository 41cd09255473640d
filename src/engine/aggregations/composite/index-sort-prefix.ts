/** How far a composite's order is that of the index: then documents need not be collected to the end. */
import type { IndexSortField } from '../aggregation-context.ts'
import type { BoundSource } from './bound-source.ts'
import { missingCode } from './segment-keys.ts'

/**
 * The number of leading sources by which documents come in order. A source that cuts its values to intervals ends the prefix: inside
 * one interval the next field of the index sort starts over many times.
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
