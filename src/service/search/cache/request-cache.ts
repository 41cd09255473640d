/**
 * The request cache: responses of searches without hits, valid as long as the views of their shards and the metadata of
 * their indices are unchanged. Dashboards repeat the same requests, and between two refreshes nothing can change.
 *
 * Each search thread has a cache of its own.
 */
import { encodeJson, RawJson } from '../../../base/json/json-writer.ts'
import { plannedMemory } from '../../../base/memory/process-memory.ts'
import type { ShardView } from '../../../engine/segment/segment-reader-api.ts'
import type { IndexMetadata } from '../../metadata/metadata.ts'
import { textOf } from '../../settings/flat-settings.ts'
import type { SearchStatistics } from '../../stats/search-counters.ts'
import type { Reach } from '../shards/reach.ts'
import type { ShardAccess } from '../shards/shard-access.ts'
import type { SearchShard } from '../shards/shard-search.ts'

/** Maximum fraction of the budget for one response. A larger one would evict too much else. */
const ENTRY_PART = 0.25

type Answer = Record<string, unknown>

/**
 * Views and metadata are only compared. A strong reference would keep those of deleted indices in memory, which is more
 * than the bytes of the response that are counted.
 */
interface Entry {
  readonly views: readonly WeakRef<ShardView>[]
  readonly indices: readonly WeakRef<IndexMetadata>[]
  readonly indexUuids: readonly string[]
  readonly answer: Answer
  readonly bytes: number
}

/** The cache entry of one request. */
export interface CacheSlot {
  /** The cached response, if there is a valid one. */
  readonly answer: Answer | undefined
  keep(answer: Answer): void
}

export class RequestCache {
  /** Ordered by use, the least recent first. */
  readonly #entries = new Map<string, Entry>()
  readonly #statistics: SearchStatistics
  readonly #budgetBytes: number
  #bytes = 0

  constructor(statistics: SearchStatistics, budgetBytes = plannedMemory().requestCacheBytes) {
    this.#statistics = statistics
    this.#budgetBytes = budgetBytes
  }

  /**
   * Undefined if an index has the request cache disabled or the response depends on the time. The views it compares
   * with are held until the caller releases the reach.
   */
  slot(key: string, { shards, views, lost }: Reach, access: ShardAccess): CacheSlot | undefined {
    const indices = shards.map(({ index }) => index)
    if (shards.length === 0 || lost.length > 0 || !indices.every(wantsCache)) return undefined
    if (shards.some(({ filterBodies, limits }) => isChanging(JSON.stringify([filterBodies, limits])))) return undefined
    const seen: ShardView[] = []
    for (const shard of shards) access.onShard(shard, [], ({ view }) => seen.push(view), { views })
    // A shard that cannot be read is left to the search, which reports the failure.
    if (seen.length < shards.length) return undefined
    const known = this.#entries.get(key)
    const fits = known !== undefined && sameItems(known.views, seen) && sameItems(known.indices, indices)
    const indexUuids = indices.map(({ uuid }) => uuid)
    this.#count(indexUuids, fits ? { hits: 1 } : { misses: 1 })
    if (fits) {
      this.#entries.delete(key)
      this.#entries.set(key, known)
    }
    return {
      answer: fits ? known.answer : undefined,
      keep: (answer) => this.#keep(key, seen, indices, answer),
    }
  }

  #keep(key: string, views: readonly ShardView[], indices: readonly IndexMetadata[], answer: Answer): void {
    const encoded: Answer = {}
    let bytes = key.length * 2
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value !== 'object' || value === null || value instanceof RawJson) encoded[name] = value
      else {
        const json = encodeJson(value)
        encoded[name] = new RawJson(json)
        bytes += json.length
      }
    }
    if (bytes > this.#budgetBytes * ENTRY_PART) return
    this.#drop(key, 0)
    const indexUuids = indices.map(({ uuid }) => uuid)
    this.#entries.set(key, { views: weak(views), indices: weak(indices), indexUuids, answer: encoded, bytes })
    this.#bytes += bytes
    this.#count(indexUuids, { bytes })
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#budgetBytes) return
      this.#drop(oldest, 1)
    }
  }

  /** Drops responses about any of the indices. */
  clear(cleared: ReadonlySet<string>): void {
    for (const [key, { indexUuids }] of this.#entries) {
      if (indexUuids.some((uuid) => cleared.has(uuid))) this.#drop(key, 0)
    }
  }

  #drop(key: string, evictions: number): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    this.#count(entry.indexUuids, { bytes: -entry.bytes, evictions })
  }

  /** Bytes are counted for the first index only, because a response is stored once. */
  #count(
    indexUuids: readonly string[],
    change: { hits?: number; misses?: number; bytes?: number; evictions?: number },
  ) {
    const { hits = 0, misses = 0, bytes = 0, evictions = 0 } = change
    for (const uuid of bytes === 0 ? indexUuids : indexUuids.slice(0, 1)) {
      this.#statistics.of(uuid).recordCache({ hits, misses, bytes, evictions })
    }
  }
}

/** Words in requests whose responses depend on time or chance. */
const CHANGING = /now|random|script|profile/
const JSON_ESCAPE = /\\u([0-9a-f]{4})/gi
const URI_ESCAPE = /%([0-9a-f]{2})/gi

/** Whether a request or alias filter contains such a word, even with escaped letters. */
function isChanging(text: string): boolean {
  if (CHANGING.test(text)) return true
  if (!text.includes('\\u') && !text.includes('%')) return false
  const letter = (_escape: string, code: string) => String.fromCharCode(Number.parseInt(code, 16))
  return CHANGING.test(text.replace(URI_ESCAPE, letter).replace(JSON_ESCAPE, letter))
}

const MAY_BE_KEPT = /size"?\s*[:=]\s*0|request_cache=/

/** The cache key of a request; undefined for requests that must not be cached. */
export function cacheKey(uri: string, body: Uint8Array): string | undefined {
  const key = `${uri} ${Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')}`
  return MAY_BE_KEPT.test(key) && !isChanging(key) ? key : undefined
}

const SEARCH_AFTER = /"search_after"\s*:\s*\[[^\]]*\]/g

/**
 * The key that all pages of one `search_after` loop share: the request without its `search_after`. Undefined for other
 * requests.
 */
export function walkName(uri: string, body: Uint8Array): string | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  if (!text.includes('"search_after"') || isChanging(text)) return undefined
  let found = 0
  const rest = text.replace(SEARCH_AFTER, () => (found++ === 0 ? '' : '"'))
  return found === 1 ? `${uri} ${rest}` : undefined
}

/** The key of a request whose response also depends on looked-up documents. */
export function keyWith(key: string | undefined, lookedUp: readonly unknown[]): string | undefined {
  if (key === undefined || lookedUp.length === 0) return key
  return `${key} ${encodeJson(lookedUp).toString()}`
}

/** The key of a request by a caller who may not read everything: other callers get other responses. */
export function keyWithLimits(key: string, shards: readonly SearchShard[]): string {
  if (shards.every(({ limits }) => limits === undefined)) return key
  return `${key} ${JSON.stringify(shards.map(({ limits }) => limits ?? null))}`
}

function wantsCache({ settings }: IndexMetadata): boolean {
  const setting = settings['index.requests.cache.enable']
  return setting === undefined || textOf(setting) !== 'false'
}

const weak = <T extends object>(items: readonly T[]) => items.map((item) => new WeakRef(item))

function sameItems(known: readonly WeakRef<object>[], items: readonly object[]): boolean {
  return known.length === items.length && known.every((item, i) => item.deref() === items[i])
}
