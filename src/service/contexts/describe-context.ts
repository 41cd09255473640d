/** Describes contexts in the list of open contexts, and in the error of a late request. */
import { formatDuration } from '../../base/duration.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { SearchContext } from './search-context.ts'
import type { LostContext } from './search-contexts.ts'

export function describeOpen(context: SearchContext, nowMs: number): JsonObject {
  const { kind, openedAtMs, expiresAtMs, keepAliveMs, origin, shards, scroll } = context
  return {
    id: context.id,
    type: kind === 'pit' ? 'point_in_time' : 'scroll',
    indices: [...new Set(shards.map(({ indexName }) => indexName))],
    shards: shards.length,
    lost_shards: shards.filter(({ lease }) => lease === undefined).length,
    opened_at: new Date(openedAtMs).toISOString(),
    age_in_millis: nowMs - openedAtMs,
    keep_alive: formatDuration(keepAliveMs),
    expires_at: new Date(expiresAtMs).toISOString(),
    expires_in_millis: expiresAtMs - nowMs,
    pages: scroll?.position.page,
    opaque_id: origin.opaqueId,
    user_agent: origin.userAgent,
    pinned_docs: context.docCount,
    pinned_bytes: context.bytes,
  }
}

/**
 * Why a context no longer exists, in addition to the standard error: how and when it ended. Undefined if it was closed
 * by its id, because its client did that.
 */
export function describeLost(lost: LostContext, nowMs: number): JsonObject | undefined {
  const { ending, endedAtMs, expiresAtMs } = lost
  switch (ending) {
    case 'closed':
      return undefined
    case 'unknown':
      return { state: 'unknown', hint: 'it was closed or expired a while ago, or belongs to another node' }
    case 'closed by others':
      return { state: 'closed', ...ago('closed_at', endedAtMs!, nowMs) }
    case 'expired':
      return { state: 'expired', ...ago('expired_at', expiresAtMs!, nowMs) }
  }
}

function ago(name: string, atMs: number, nowMs: number): JsonObject {
  return { [name]: new Date(atMs).toISOString(), ago: formatDuration(Math.max(0, nowMs - atMs)) }
}
