/**
 * `_cache/clear`: drops the cached entries of an index in every thread. Each thread has caches of its own, so the
 * request is broadcast.
 */
import { BroadcastChannel } from 'node:worker_threads'
import { filterCache } from '../../../engine/scoring/filter-cache.ts'
import type { RequestCache } from './request-cache.ts'

export interface ClearRequest {
  readonly indexUuids: readonly string[]
  /** Whether to clear the filter cache. */
  readonly filters: boolean
  /** Whether to clear the request cache. */
  readonly requests: boolean
}

const requestCaches = new Set<WeakRef<RequestCache>>()

/** Opened with the first cache: a thread that searches nothing has nothing to clear. */
let channel: BroadcastChannel | undefined

/** Registers a cache for clear requests until it is garbage collected. */
export function registerCache(cache: RequestCache): void {
  requestCaches.add(new WeakRef(cache))
  if (channel !== undefined) return
  channel = new BroadcastChannel('sandpiper caches')
  channel.onmessage = (message) => clear((message as { data: ClearRequest }).data)
  channel.unref()
}

export function clearCaches(request: ClearRequest): void {
  clear(request)
  channel?.postMessage(request)
}

function clear({ indexUuids, filters, requests }: ClearRequest): void {
  if (filters) for (const uuid of indexUuids) filterCache.clear(uuid)
  if (!requests) return
  for (const reference of requestCaches) {
    const cache = reference.deref()
    if (cache === undefined) requestCaches.delete(reference)
    else cache.clear(new Set(indexUuids))
  }
}
