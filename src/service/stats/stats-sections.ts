/**
 * The sections of `_stats`, one per metric, from shard statistics and search counters. Sections for features that this
 * engine lacks (warmers, vectors) have zeros, because monitoring tools read them.
 */
import { Double } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { ShardStats } from '../shards/shard-host.ts'
import type { SearchCounters } from './search-counters.ts'

/** The source of a section: the sum over some shards. */
export interface StatsSource {
  readonly shards: ShardStats
  readonly shardCount: number
  readonly search: SearchCounters
  readonly groups: ReadonlyMap<string, SearchCounters>
  /** The requested completion and fielddata fields with their bytes; undefined if none were requested. */
  readonly fielddataFields: ReadonlyMap<string, number> | undefined
  readonly completionFields: ReadonlyMap<string, number> | undefined
  readonly vectorCount: number
  readonly completionBytes: number
  readonly fielddataBytes: number
}

type Section = (source: StatsSource) => JsonObject

const zeros = (...names: string[]): JsonObject => Object.fromEntries(names.map((name) => [name, 0]))

/** In Elasticsearch's print order; the key is both metric and member name. */
export const STATS_SECTIONS: Readonly<Record<string, Section>> = {
  docs: ({ shards }) => ({ count: shards.docs, deleted: shards.deleted, total_size_in_bytes: shards.storeBytes }),
  shard_stats: ({ shardCount }) => ({ total_count: shardCount }),
  store: ({ shards }) => ({
    size_in_bytes: shards.storeBytes,
    total_data_set_size_in_bytes: shards.storeBytes,
    reserved_in_bytes: 0,
  }),
  indexing: ({ shards }) => ({
    index_total: shards.indexTotal,
    ...zeros('index_time_in_millis', 'index_current'),
    index_failed: shards.indexFailed,
    index_failed_due_to_version_conflict: 0,
    delete_total: shards.deleteTotal,
    ...zeros('delete_time_in_millis', 'delete_current'),
    noop_update_total: shards.noopUpdateTotal,
    is_throttled: false,
    throttle_time_in_millis: 0,
    write_load: new Double(0),
  }),
  get: ({ shards }) => ({
    total: shards.getTotal,
    ...zeros('time_in_millis'),
    exists_total: shards.getExists,
    exists_time_in_millis: 0,
    missing_total: shards.getTotal - shards.getExists,
    ...zeros('missing_time_in_millis', 'current'),
  }),
  search: ({ search, groups }) => ({
    open_contexts: search.openContexts,
    ...searchMembers(search),
    ...(groups.size === 0
      ? {}
      : { groups: Object.fromEntries([...groups].map(([name, counters]) => [name, searchMembers(counters)])) }),
  }),
  merges: ({ shards }) => ({
    ...zeros('current', 'current_docs', 'current_size_in_bytes'),
    total: shards.mergeTotal,
    total_time_in_millis: 0,
    total_docs: shards.mergedDocs,
    total_size_in_bytes: shards.mergedBytes,
    ...zeros('total_stopped_time_in_millis', 'total_throttled_time_in_millis', 'total_auto_throttle_in_bytes'),
  }),
  refresh: ({ shards }) => ({
    total: shards.refreshTotal,
    total_time_in_millis: 0,
    external_total: shards.refreshTotal,
    ...zeros('external_total_time_in_millis', 'listeners'),
  }),
  flush: ({ shards }) => ({
    total: shards.flushTotal,
    ...zeros('periodic', 'total_time_in_millis', 'total_time_excluding_waiting_on_lock_in_millis'),
  }),
  warmer: () => zeros('current', 'total', 'total_time_in_millis'),
  query_cache: ({ search }) => ({
    memory_size_in_bytes: search.filterCacheBytes,
    total_count: search.filterCacheHits + search.filterCacheMisses,
    hit_count: search.filterCacheHits,
    miss_count: search.filterCacheMisses,
    cache_size: search.filterCacheSize,
    cache_count: search.filterCacheCount,
    evictions: search.filterCacheEvictions,
  }),
  fielddata: ({ fielddataBytes, fielddataFields }) => ({
    memory_size_in_bytes: fielddataBytes,
    evictions: 0,
    ...(fielddataFields === undefined ? {} : { fields: perField(fielddataFields, 'memory_size_in_bytes') }),
    global_ordinals: { build_time_in_millis: 0 },
  }),
  completion: ({ completionBytes, completionFields }) => ({
    size_in_bytes: completionBytes,
    ...(completionFields === undefined ? {} : { fields: perField(completionFields, 'size_in_bytes') }),
  }),
  segments: ({ shards }) => ({
    count: shards.segmentCount,
    ...zeros(
      'memory_in_bytes',
      'terms_memory_in_bytes',
      'stored_fields_memory_in_bytes',
      'term_vectors_memory_in_bytes',
      'norms_memory_in_bytes',
      'points_memory_in_bytes',
      'doc_values_memory_in_bytes',
    ),
    index_writer_memory_in_bytes: shards.bufferBytes,
    version_map_memory_in_bytes: shards.versionMapBytes,
    fixed_bit_set_memory_in_bytes: 0,
    max_unsafe_auto_id_timestamp: -1,
    file_sizes: {},
  }),
  translog: ({ shards }) => ({
    operations: shards.translogOperations,
    size_in_bytes: shards.translogBytes,
    uncommitted_operations: shards.uncommittedOperations,
    uncommitted_size_in_bytes: shards.translogBytes,
    earliest_last_modified_age: 0,
  }),
  request_cache: ({ search }) => ({
    memory_size_in_bytes: search.requestCacheBytes,
    evictions: search.requestCacheEvictions,
    hit_count: search.requestCacheHits,
    miss_count: search.requestCacheMisses,
  }),
  recovery: () => zeros('current_as_source', 'current_as_target', 'throttle_time_in_millis'),
  bulk: () =>
    zeros('total_operations', 'total_time_in_millis', 'total_size_in_bytes', 'avg_time_in_millis', 'avg_size_in_bytes'),
  dense_vector: ({ vectorCount }) => ({ value_count: vectorCount }),
  sparse_vector: () => ({ value_count: 0 }),
}

/** Metric names that differ from the member. */
export const METRIC_ALIASES: Readonly<Record<string, string>> = { merge: 'merges', suggest: 'search' }
export const METRICS: readonly string[] = [
  ...Object.keys(STATS_SECTIONS).filter((name) => name !== 'merges'),
  'merge',
  'suggest',
]

function searchMembers(counters: SearchCounters): JsonObject {
  return {
    query_total: counters.queryTotal,
    query_time_in_millis: Math.round(counters.queryTimeMs),
    query_current: counters.queryCurrent,
    query_failure: counters.queryFailure,
    fetch_total: counters.fetchTotal,
    fetch_time_in_millis: Math.round(counters.fetchTimeMs),
    fetch_current: counters.fetchCurrent,
    fetch_failure: counters.fetchFailure,
    scroll_total: counters.scrollTotal,
    scroll_time_in_millis: Math.round(counters.scrollTimeMs),
    scroll_current: counters.scrollCurrent,
    suggest_total: counters.suggestTotal,
    suggest_time_in_millis: Math.round(counters.suggestTimeMs),
    suggest_current: counters.suggestCurrent,
  }
}

const perField = (fields: ReadonlyMap<string, number>, member: string): JsonObject =>
  Object.fromEntries([...fields].map(([name, bytes]) => [name, { [member]: bytes }]))
