/** The `indices` section of `_nodes/stats`: the counters of all shards, one object per kind of work. */
import type { JsonObject } from '../metadata/metadata.ts'
import type { ShardTotals } from './shard-totals.ts'

const SECTIONS: Readonly<Record<string, (totals: ShardTotals) => JsonObject>> = {
  docs: ({ docs, deleted, storeBytes }) => ({ count: docs, deleted, total_size_in_bytes: storeBytes }),
  store: ({ storeBytes }) => ({
    size_in_bytes: storeBytes,
    total_data_set_size_in_bytes: storeBytes,
    reserved_in_bytes: 0,
  }),
  indexing: ({ indexTotal, deleteTotal, noopUpdateTotal }) => ({
    index_total: indexTotal,
    index_time_in_millis: 0,
    index_current: 0,
    index_failed: 0,
    delete_total: deleteTotal,
    delete_time_in_millis: 0,
    delete_current: 0,
    noop_update_total: noopUpdateTotal,
    is_throttled: false,
    throttle_time_in_millis: 0,
  }),
  get: ({ getTotal }) => ({ total: getTotal, time_in_millis: 0, current: 0 }),
  search: () => ({
    open_contexts: 0,
    query_total: 0,
    query_time_in_millis: 0,
    query_current: 0,
    fetch_total: 0,
    fetch_time_in_millis: 0,
    fetch_current: 0,
    scroll_total: 0,
    scroll_time_in_millis: 0,
    scroll_current: 0,
    suggest_total: 0,
    suggest_time_in_millis: 0,
    suggest_current: 0,
  }),
  merge: ({ mergeTotal }) => ({ current: 0, total: mergeTotal, total_time_in_millis: 0 }),
  refresh: ({ refreshTotal }) => ({
    total: refreshTotal,
    total_time_in_millis: 0,
    external_total: refreshTotal,
    listeners: 0,
  }),
  flush: ({ flushTotal }) => ({ total: flushTotal, periodic: 0, total_time_in_millis: 0 }),
  warmer: () => ({ current: 0, total: 0, total_time_in_millis: 0 }),
  query_cache: () => ({
    memory_size_in_bytes: 0,
    total_count: 0,
    hit_count: 0,
    miss_count: 0,
    cache_size: 0,
    cache_count: 0,
    evictions: 0,
  }),
  fielddata: () => ({ memory_size_in_bytes: 0, evictions: 0 }),
  completion: () => ({ size_in_bytes: 0 }),
  segments: ({ segmentCount }) => ({ count: segmentCount, memory_in_bytes: 0 }),
  translog: ({ translogOperations, translogBytes, uncommittedOperations }) => ({
    operations: translogOperations,
    size_in_bytes: translogBytes,
    uncommitted_operations: uncommittedOperations,
    uncommitted_size_in_bytes: translogBytes,
    earliest_last_modified_age: 0,
  }),
  request_cache: () => ({ memory_size_in_bytes: 0, evictions: 0, hit_count: 0, miss_count: 0 }),
  recovery: () => ({ current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 }),
  bulk: () => ({
    total_operations: 0,
    total_time_in_millis: 0,
    total_size_in_bytes: 0,
    avg_time_in_millis: 0,
    avg_size_in_bytes: 0,
  }),
  shard_stats: () => ({}),
  mappings: () => ({}),
  dense_vector: () => ({ value_count: 0 }),
  sparse_vector: () => ({ value_count: 0 }),
}

export const INDEX_METRICS = Object.keys(SECTIONS)

export function printIndicesStats(totals: ShardTotals, metrics: readonly string[]): JsonObject {
  const all = metrics.length === 0 || metrics.includes('_all')
  const shown = INDEX_METRICS.filter((name) => all || metrics.includes(name))
  return Object.fromEntries(shown.map((name) => [name === 'merge' ? 'merges' : name, SECTIONS[name]!(totals)]))
}
