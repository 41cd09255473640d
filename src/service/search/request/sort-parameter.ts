/** `sort` as a query parameter, which is added to the sort of the body. */
import { type SortSpec, sortBy } from '../../../engine/request/sort/sort-spec.ts'

/**
 * Entries are `field`, `field:asc` or `field:desc`. Entries with any other direction are dropped, as in Elasticsearch.
 */
export function sortOfParameter(entries: readonly string[]): SortSpec[] {
  return entries.map(parseEntry).filter((spec) => spec !== undefined)
}

function parseEntry(text: string): SortSpec | undefined {
  const colon = text.lastIndexOf(':')
  if (colon < 0) return sortBy(text)
  const order = text.slice(colon + 1)
  return order === 'asc' || order === 'desc' ? sortBy(text.slice(0, colon), order) : undefined
}
