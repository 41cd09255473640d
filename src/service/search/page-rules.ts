/** The page of a search, and its limits from index settings. */
import { scrollBatchTooLarge, tooManySlices } from '../../base/errors/context-errors.ts'
import { resultWindowTooLarge } from '../../base/errors/search-errors.ts'
import type { SearchExecutionContext } from '../../engine/scoring/query.ts'
import type { Slice } from '../../engine/search/slice.ts'
import { SliceQuery } from '../../engine/search/slice-query.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import { textOf } from '../settings/flat-settings.ts'
import type { HitOrder } from './hit-order.ts'
import { type SearchBody, SIZE_DEFAULT, TRACK_ALL, TRACK_DEFAULT, TRACK_NONE } from './request/search-body.ts'
import type { SearchRequest } from './search-service.ts'
import type { Reach } from './shards/reach.ts'
import type { PageRequest, SearchShard } from './shards/shard-search.ts'

export function pageSize({ size }: SearchBody): number {
  return size ?? SIZE_DEFAULT
}

export function pageRequest(request: SearchRequest, reach: Reach, order: HitOrder): PageRequest {
  const { body } = request
  const from = Math.max(0, body.from ?? 0)
  const shardCount = reach.shards.length + reach.lost.length
  const limit = totalLimit(request)
  return {
    from,
    size: pageSize(body),
    order,
    slice: sliceOf(body, reach),
    shardCount,
    wantsTotal: wantsTotal(body, order),
    totalUpTo: limit === TRACK_ALL ? undefined : limit,
    // The hits of a single shard need no merging, so hits before the page are skipped.
    skip: shardCount === 1 ? from : 0,
  }
}

export function checkWindow({ limits }: SearchExecutionContext, reach: Reach, { from, size }: PageRequest): void {
  const limit = limits.maxResultWindow
  if (from + size <= limit) return
  throw reach.kind === 'scroll' ? scrollBatchTooLarge(size, limit) : resultWindowTooLarge(from, size, limit)
}

const SLICES_MAX = 1024

export function checkSlices(index: IndexMetadata, { slice }: SearchBody, reach: Reach): void {
  if (slice === undefined || reach.kind !== 'scroll') return
  const setting = index.settings['index.max_slices_per_scroll']
  const limit = setting === undefined ? SLICES_MAX : Number(textOf(setting))
  if (slice.max > limit) throw tooManySlices(slice.max, limit)
}

/** In a point in time document numbers never change, so slices are ranges of them. */
function sliceOf({ slice }: SearchBody, reach: Reach): Slice | undefined {
  return slice === undefined ? undefined : { ...slice, byRange: reach.kind === 'pit' }
}

/** The shard with the slice among its filters. */
export function slicedShard(shard: SearchShard, slice: Slice | undefined, shardCount: number): SearchShard {
  if (slice === undefined) return shard
  return { ...shard, filters: [...shard.filters, new SliceQuery(slice, shard.position, shardCount)] }
}

/** Later scroll pages repeat the total of the first. */
function wantsTotal({ trackTotalHits }: SearchBody, order: HitOrder): boolean {
  return trackTotalHits !== TRACK_NONE && order.behind === undefined
}

/**
 * The limit up to which matches are counted. With `rest_total_hits_as_int` and in scrolls the total is exact by
 * default.
 */
export function totalLimit({ body, totalAsInteger, scroll }: SearchRequest): number {
  return body.trackTotalHits ?? (totalAsInteger || scroll !== undefined ? TRACK_ALL : TRACK_DEFAULT)
}
