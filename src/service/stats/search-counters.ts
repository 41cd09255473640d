/** Counts and times of searches per index, in total and per `stats` group of the search body. */

import { type FilterCacheCounts, filterCache } from '../../engine/scoring/filter-cache.ts'
import type { ShardKey } from '../shards/shard-host.ts'
import type { SlowSearch } from '../slow-log/slow-search.ts'
import { FieldUsageCounters } from './field-usage-counters.ts'

/** Counters of one index or group. All times are in milliseconds. */
export class SearchCounters {
  queryTotal = 0
  queryTimeMs = 0
  queryCurrent = 0
  queryFailure = 0
  fetchTotal = 0
  fetchTimeMs = 0
  fetchCurrent = 0
  fetchFailure = 0
  scrollTotal = 0
  scrollTimeMs = 0
  scrollCurrent = 0
  suggestTotal = 0
  suggestTimeMs = 0
  suggestCurrent = 0
  openContexts = 0
  requestCacheHits = 0
  requestCacheMisses = 0
  requestCacheBytes = 0
  requestCacheEvictions = 0
  filterCacheHits = 0
  filterCacheMisses = 0
  filterCacheBytes = 0
  /** Current entries of the filter cache, and entries ever added. */
  filterCacheSize = 0
  filterCacheCount = 0
  filterCacheEvictions = 0

  record({ shards, queryTimeMs, failures, fetches, fetchTimeMs }: SearchRecord): void {
    this.queryTotal += shards
    this.queryTimeMs += queryTimeMs
    this.queryFailure += failures
    this.fetchTotal += fetches
    this.fetchTimeMs += fetchTimeMs
  }

  add(other: SearchCounters): void {
    for (const name of Object.keys(this) as (keyof SearchCounters)[]) {
      if (typeof this[name] === 'number') (this as Record<string, unknown>)[name] = this[name] + (other[name] as number)
    }
  }
}

/** The contribution of one finished search to an index. */
export interface SearchRecord {
  readonly groups: readonly string[]
  /** Shards of the index that ran the query, and their total time. */
  readonly shards: number
  readonly queryTimeMs: number
  /** Shards whose documents were fetched. */
  readonly fetches: number
  readonly fetchTimeMs: number
  readonly failures: number
}

/** An event of the request cache. */
export interface CacheRecord {
  readonly hits: number
  readonly misses: number
  /** Change of the cached bytes; negative if an entry was dropped. */
  readonly bytes: number
  readonly evictions: number
}

/** What one search read of the fields of a shard: the bits of their structures. */
export interface UsageRecord {
  readonly shard: number
  readonly marks: ReadonlyMap<string, number>
}

export class IndexSearchCounters {
  readonly total = new SearchCounters()
  readonly groups = new Map<string, SearchCounters>()
  /** By shard. */
  readonly usage = new Map<number, FieldUsageCounters>()

  record(search: SearchRecord): void {
    this.total.record(search)
    for (const name of search.groups) this.#group(name).record(search)
  }

  recordCache({ hits, misses, bytes, evictions }: CacheRecord): void {
    this.total.requestCacheHits += hits
    this.total.requestCacheMisses += misses
    this.total.requestCacheBytes += bytes
    this.total.requestCacheEvictions += evictions
  }

  recordFilters({ hits, misses, added, dropped, evicted, bytes }: FilterCacheCounts): void {
    this.total.filterCacheHits += hits
    this.total.filterCacheMisses += misses
    this.total.filterCacheBytes += bytes
    this.total.filterCacheSize += added - dropped
    this.total.filterCacheCount += added
    this.total.filterCacheEvictions += evicted
  }

  recordUsage({ shard, marks }: UsageRecord): void {
    this.usageOf(shard).add(marks)
  }

  usageOf(shard: number): FieldUsageCounters {
    let counters = this.usage.get(shard)
    if (counters === undefined) this.usage.set(shard, (counters = new FieldUsageCounters()))
    return counters
  }

  #group(name: string): SearchCounters {
    let group = this.groups.get(name)
    if (group === undefined) this.groups.set(name, (group = new SearchCounters()))
    return group
  }
}

/** Counters by index uuid; they start over with the process, as in Elasticsearch. */
/** A shard whose files a search could not read. */
export interface FoundDamage {
  readonly key: ShardKey
  readonly reason: string
}

export class SearchStatistics {
  readonly startedMs = Date.now()
  readonly #byIndex = new Map<string, IndexSearchCounters>()
  readonly #onSlow: (slow: SlowSearch) => void
  readonly #onDamage: (damage: FoundDamage) => void

  /** `onSlow` writes a line of the slow log. */
  constructor(onSlow: (slow: SlowSearch) => void = () => {}, onDamage: (damage: FoundDamage) => void = () => {}) {
    this.#onSlow = onSlow
    this.#onDamage = onDamage
  }

  recordDamage(damage: FoundDamage): void {
    this.#onDamage(damage)
  }

  recordSlow(slow: SlowSearch): void {
    this.#onSlow(slow)
  }

  of(indexUuid: string): IndexSearchCounters {
    let counters = this.#byIndex.get(indexUuid)
    if (counters === undefined) this.#byIndex.set(indexUuid, (counters = new IndexSearchCounters()))
    return counters
  }

  /** Adds the counts of this thread's filter cache. */
  recordKeptFilters(): void {
    if (!filterCache.hasCounts) return
    for (const [indexUuid, counts] of filterCache.takeCounts()) this.of(indexUuid).recordFilters(counts)
  }

  forget(indexUuid: string): void {
    this.#byIndex.delete(indexUuid)
  }
}
