/** The order of a search's hits, the start of its page, and the sort values that hits show. */

import type { AfterValue } from '../../engine/request/search-after.ts'
import type { SortSpec } from '../../engine/request/sort/sort-spec.ts'
import type { SortValue } from '../../engine/sort/sort-key.ts'
import { effectiveSort, type SearchBody } from './request/search-body.ts'

export interface HitOrder {
  /** Undefined ranks by score. */
  readonly sort: readonly SortSpec[] | undefined
  /** Number of sort values a hit shows; with 0 it has no `sort` member. */
  readonly shown: number
  /** Whether hits are ranked by score, in which case the response has `max_score`. */
  readonly byScore: boolean
  /** The values of `search_after`. */
  readonly after: readonly AfterValue[] | undefined
  /** The sort values of the last hit of the previous scroll page. */
  readonly behind: readonly SortValue[] | undefined
}

const BY_SCORE: SortSpec = { kind: 'score', descending: true }
const BY_SHARD_DOC: SortSpec = { kind: 'shard_doc', descending: false }

export function hitOrder(body: SearchBody): HitOrder {
  const { pit, isRetrieved, sort } = body
  return pit === undefined || (isRetrieved === true && sort === undefined) ? plainOrder(body) : pointInTimeOrder(body)
}

function plainOrder(body: SearchBody): HitOrder {
  const sort = effectiveSort(body)
  return {
    sort,
    shown: sort?.length ?? 0,
    byScore: sort === undefined,
    after: body.searchAfter,
    behind: undefined,
  }
}

/** In a point in time `_shard_doc` is appended as the last sort key, which makes every order unique. */
function pointInTimeOrder({ sort, searchAfter }: SearchBody): HitOrder {
  const after = searchAfter
  if (sort === undefined || sort.length === 0) {
    const ranked = after === undefined || after.length === 2 ? [BY_SCORE, BY_SHARD_DOC] : undefined
    return { sort: ranked, shown: ranked?.length ?? 0, byScore: true, after, behind: undefined }
  }
  // A `search_after` without the value of `_shard_doc` is accepted.
  const isUnique = sort.some(({ kind }) => kind === 'shard_doc')
  const completed = !isUnique && (after === undefined || after.length === sort.length + 1)
  const keys = completed ? [...sort, BY_SHARD_DOC] : sort
  return { sort: keys, shown: keys.length, byScore: false, after, behind: undefined }
}

/** Scroll pages continue after a hit, so their order must be unique too; the tie-breaking key is not shown. */
export function scrollOrder(body: SearchBody, behind: readonly SortValue[] | undefined): HitOrder {
  const sort = effectiveSort(body)
  const keys = [...(sort ?? [BY_SCORE]), BY_SHARD_DOC]
  return { sort: keys, shown: sort?.length ?? 0, byScore: sort === undefined, after: undefined, behind }
}
