/** Warns a client whose paging by `search_after` can skip documents. */
import { isDeepStrictEqual } from 'node:util'
import type { SortValue } from '../../engine/sort/sort-key.ts'
import type { SearchBody } from './request/search-body.ts'

const TIE_WARNING =
  'The last hits of this page have equal sort values, so [search_after] skips the documents that are equal to them on the ' +
  'next page. Use a point in time, which adds a tiebreaker, or sort by a unique field last.'

interface SortedHit {
  readonly hit: { readonly sort?: readonly SortValue[] | undefined }
}

/**
 * Returns undefined unless the page ends in a tie: outside a point in time, when the last two hits of a full page have
 * the same sort values and no sort is unique per document.
 */
export function tieWarning(body: SearchBody, page: readonly SortedHit[], size: number): string | undefined {
  if (body.searchAfter === undefined || body.pit !== undefined || page.length < 2 || page.length < size)
    return undefined
  if (body.sort?.some((sort) => sort.kind === 'shard_doc' || sort.kind === 'doc' || isId(sort))) return undefined
  return isDeepStrictEqual(page.at(-1)!.hit.sort, page.at(-2)!.hit.sort) ? TIE_WARNING : undefined
}

const isId = (sort: { readonly kind: string; readonly field?: unknown }) =>
  sort.kind === 'field' && sort.field === '_id'
