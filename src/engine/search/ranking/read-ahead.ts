/**
 * Reads ahead for consecutive pages of a held view. A late page has to visit all earlier hits to skip them. A second
 * page therefore ranks more hits than it needs, and the following pages are taken from that list. Its length doubles
 * each time it is used up: a walk that ends early costs little, and a long one visits everything once in a hundred
 * pages.
 *
 * A view never changes, so the list equals what a new search would find. Lists are kept per thread; a missing one is
 * ranked again.
 */
import type { SearchExecutionContext } from '../../scoring/query.ts'
import type { ShardView } from '../../segment/segment-reader-api.ts'
import { bindSort } from '../../sort/bind-sort.ts'
import { readAfter } from '../../sort/search-after.ts'
import { compareSortValues, type SortValue } from '../../sort/sort-key.ts'
import { executeSearch, type ShardSearchRequest, type ShardSearchResult } from '../execute-search.ts'

/** Identifies a walk: requests with one name on one view differ only in the position at which they continue. */
export type WalkName = object | string

/** The first list covers this many pages. */
const FIRST_PAGES = 4
/** Maximum hits of a list. */
const HITS_MAX = 10_000
/** Maximum hits of all lists of a thread. A hit takes about 200 bytes. */
const ALL_HITS_MAX = 50_000

interface RankedList {
  readonly name: WalkName
  readonly view: WeakRef<ShardView>
  readonly shardIndex: number
  /** The list has all hits after this, up to its last one. */
  readonly behind: readonly SortValue[]
  readonly result: ShardSearchResult
  /** Whether nothing follows the last hit. */
  readonly isWhole: boolean
  /** The number of requested hits. */
  readonly window: number
}

/** The latest last. */
const lists: RankedList[] = []

export function searchAhead(
  context: SearchExecutionContext,
  request: ShardSearchRequest,
  name: WalkName,
): ShardSearchResult {
  const { sort, window, shardIndex = 0 } = request
  const continues = request.after !== undefined || request.behind !== undefined
  if (!continues || sort === undefined || !isPlain(request) || window * FIRST_PAGES > HITS_MAX) {
    return executeSearch(context, request)
  }
  const keys = bindSort(context, sort, shardIndex)
  // In document order every page is found directly at its start.
  if (keys[0]?.isDocOrder === true) return executeSearch(context, request)
  // Whether this page fails must not depend on what the next ones would read.
  if (keys.some((key) => key.mayFail)) return executeSearch(context, request)
  const behind = request.behind ?? readAfter(keys, request.after!)
  const kept = takeList(name, context.view, shardIndex, behind)
  const page = kept && pageOf(kept, behind, window)
  if (page !== undefined) {
    lists.push(kept!)
    return { ...kept!.result, hits: page }
  }
  const ahead = Math.min(HITS_MAX, Math.max(window * FIRST_PAGES, (kept?.window ?? 0) * 2))
  const result = executeSearch(context, { ...request, window: ahead })
  if (result.timedOut !== true) {
    const isWhole = result.hits.length < ahead
    keep({ name, view: new WeakRef(context.view), shardIndex, behind, result, isWhole, window: ahead })
  }
  return { ...result, hits: result.hits.slice(0, window) }
}

/** Whether the hits of a page do not depend on which page it is. */
function isPlain({ rescores, collapse, terminateAfter, share, skip, collector }: ShardSearchRequest): boolean {
  if (share !== undefined || collector !== undefined || skip) return false
  return rescores.length === 0 && collapse === undefined && !terminateAfter
}

/** The hits after some values; undefined if the list has too few. */
function pageOf({ result, isWhole }: RankedList, behind: readonly SortValue[], window: number) {
  const { hits, keys } = result
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareSortValues(keys, hits[middle]!.sort, behind) > 0) high = middle
    else low = middle + 1
  }
  return isWhole || low + window <= hits.length ? hits.slice(low, low + window) : undefined
}

/** Takes the list that contains the values: several readers may walk the same path at different positions. */
function takeList(name: WalkName, view: ShardView, shardIndex: number, behind: readonly SortValue[]) {
  const place = lists.findLastIndex(
    (list) =>
      list.name === name &&
      list.shardIndex === shardIndex &&
      list.view.deref() === view &&
      list.behind.length === behind.length &&
      includes(list, behind),
  )
  return place < 0 ? undefined : lists.splice(place, 1)[0]
}

function includes({ behind: from, result, isWhole }: RankedList, behind: readonly SortValue[]): boolean {
  const { keys, hits } = result
  const last = hits.at(-1)?.sort ?? from
  return compareSortValues(keys, behind, from) >= 0 && (isWhole || compareSortValues(keys, behind, last) <= 0)
}

function keep(list: RankedList): void {
  lists.push(list)
  let hits = 0
  for (const { result } of lists) hits += result.hits.length
  while (hits > ALL_HITS_MAX || lists[0]?.view.deref() === undefined) hits -= lists.shift()!.result.hits.length
}
