/** The shards of a search, the source of their views, and the lost shards of a context. */
import { contextMissing, shardGone } from '../../../base/errors/context-errors.ts'
import type { ShardFailure } from '../../../base/errors/search-errors.ts'
import type { ReadLimits } from '../../../engine/limits/read-limits.ts'
import type { ContextShard } from '../../contexts/search-context.ts'
import { limitsOfIndex } from '../../limits/read-limits.ts'
import type { IndexMetadata } from '../../metadata/metadata.ts'
import type { ReadView, ShardAccess, ViewSource } from './shard-access.ts'
import { aliasFilters, type SearchShard } from './shard-search.ts'

export interface Reach {
  readonly kind: 'newest' | 'pit' | 'scroll'
  readonly shards: readonly SearchShard[]
  /** Shards that can no longer be read: they count as failed. */
  readonly lost: readonly ShardFailure[]
  /** Undefined reads the newest views. */
  readonly source: ViewSource | undefined
  /** Held views, which the caller releases when the response is complete. */
  readonly views: ReadView[]
}

export function newestReach(shards: readonly SearchShard[]): Reach {
  return { kind: 'newest', shards, lost: [], source: undefined, views: [] }
}

/** The same shards for several searches, which all read the views that the first of them holds. */
export function heldReach(access: ShardAccess, reach: Reach): Reach {
  const held = new Map<SearchShard, ReadView>()
  const hold = (shard: SearchShard) => {
    let own = held.get(shard)
    if (own === undefined) {
      held.set(shard, (own = { key: shard.key, held: access.hold(shard, reach.source) }))
      reach.views.push(own)
    }
    return { view: own.held.view, release: () => undefined }
  }
  return { ...reach, source: { hold }, views: [] }
}

/**
 * The current shards of a context. A scroll has the limits of the search that opened it. A point in time has no limits of
 * its own; those of the caller apply (`readLimits`).
 */
export function contextReach(
  access: ShardAccess,
  kind: 'pit' | 'scroll',
  held: readonly ContextShard[],
  readLimits: ReadLimits | undefined,
): Reach {
  const { state } = access.context.store
  const shards: SearchShard[] = []
  const lost: ShardFailure[] = []
  const source = new Map<SearchShard, ContextShard>()
  for (const [position, shard] of held.entries()) {
    const index = state.indexByUuid(shard.indexUuid)
    if (index === undefined || shard.lease === undefined) {
      lost.push(failureOf(shard, index, kind, access.nodeId()))
      continue
    }
    const key = { indexUuid: index.uuid, shard: shard.shard }
    const filterBodies = shard.filters
    const limits = kind === 'scroll' ? shard.limits : limitsOfIndex(state, index, readLimits)
    const reached = { index, key, filters: aliasFilters(filterBodies), filterBodies, limits, position }
    source.set(reached, shard)
    shards.push(reached)
  }
  return { kind, shards, lost, source: { hold: (shard) => source.get(shard)!.lease!.hold() }, views: [] }
}

/** A point in time reports a deleted index; a scroll reports a missing context. */
function failureOf(
  { indexName, shard, searchId }: ContextShard,
  index: IndexMetadata | undefined,
  kind: 'pit' | 'scroll',
  nodeId: string,
): ShardFailure {
  if (kind === 'scroll') return { shard: -1, index: null, node: undefined, error: contextMissing(searchId) }
  if (index === undefined) return { shard, index: indexName, node: null, error: shardGone() }
  return { shard, index: indexName, node: nodeId, error: contextMissing(searchId) }
}
