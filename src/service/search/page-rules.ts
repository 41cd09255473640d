/** Rules about the page a search asks for, as the shards' indices set them. */
import { scrollBatchTooLarge, tooManySlices } from '../../base/errors/context-errors.ts'
import { resultWindowTooLarge } from '../../base/errors/search-errors.ts'
import type { ShardQueryContext } from '../../engine/query/query.ts'
import type { Slice } from '../../engine/search/slice.ts'
import { SliceQuery } from '../../engine/search/slice-query.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import { textOf } from '../settings/flat-settings.ts'
import type { HitOrder } from './hit-order.ts'
import type { Reach } from './reach.ts'
import { type SearchBody, TRACK_ALL, TRACK_DEFAULT, TRACK_NONE } from './search-body.ts'
import type { SearchRequest } from './search-service.ts'
import type { SearchShard } from './shard-search.ts'

export function checkWindow({ limits }: ShardQueryContext, reach: Reach, from: number, size: number): void {
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

/** A point in time shows every request the same documents under the same numbers, so it can be cut into ranges of them. */
export function sliceOf({ slice }: SearchBody, reach: Reach): Slice | undefined {
  return slice === undefined ? undefined : { ...slice, byRange: reach.kind === 'pit' }
}

/** The shard with the slice among its filters. */
export function slicedShard(shard: SearchShard, slice: Slice | undefined, shardCount: number): SearchShard {
  if (slice === undefined) return shard
  return { ...shard, filters: [...shard.filters, new SliceQuery(slice, shard.position, shardCount)] }
}

/** Later pages of a scroll repeat the total of the first. */
export function wantsTotal({ body }: SearchRequest, order: HitOrder): boolean {
  return body.trackTotalHits !== TRACK_NONE && order.behind === undefined
}

/** Up to which number matches are counted; a plain number as total and the total of a scroll are exact if nothing else is said. */
export function totalLimit({ body, totalAsInteger, scroll }: SearchRequest): number {
  return body.trackTotalHits ?? (totalAsInteger || scroll !== undefined ? TRACK_ALL : TRACK_DEFAULT)
}
