/**
 * The cluster settings that can be changed at run time. Some control features that a single node lacks; they are
 * accepted, stored and shown.
 */

import { illegalArgument, notANumber, parseFailure } from '../../base/api-error.ts'
import { isContextName } from '../../engine/painless/index.ts'
import type { SettingValue } from '../metadata/metadata.ts'
import { compilationRate } from './compilation-rate.ts'
import { textOf } from './flat-settings.ts'
import {
  anything,
  booleanValue,
  byteSize,
  decimal,
  duration,
  integer,
  long,
  type SettingCheck,
  type SettingDefinition,
  type SettingGroup,
} from './setting-definition.ts'

/** `40%` or `512mb`. */
const bytesOrPercentage: SettingCheck = (value, name) => {
  const text = textOf(value)
  if (!text.endsWith('%')) return byteSize()(value, name)
  const percent = text.slice(0, -1)
  if (percent.trim() === '' || Number.isNaN(Number(percent))) {
    throw illegalArgument(`failed to parse [${text}] as a double`, notANumber(percent))
  }
  if (Number(percent) < 0 || Number(percent) > 100) {
    const reason = `percentage should be in [0-100], got [${percent}]`
    throw illegalArgument(reason, parseFailure(reason))
  }
}

/** `150/5m`. Rates per context (`use-context`) are not supported: all contexts share one limit. */
const compilationsRate: SettingCheck = (value, name) => {
  const text = textOf(value)
  if (text === 'use-context') throw illegalArgument(`[${name}] cannot be [use-context]: all contexts share one limit`)
  compilationRate(text)
}

/** Elasticsearch rejects these while the general rate is set, and ours always is. */
const contextCache: SettingCheck = (_value, name) => {
  const context = name.split('.')[2]!
  if (!isContextName(context)) throw illegalArgument(`Context [${context}] doesn't exist for setting [${name}]`)
  throw illegalArgument(
    `Context cache settings [${name}] are incompatible with [script.max_compilations_rate] set to non-default value ` +
      '[100000/1m]. Either remove the incompatible settings (recommended) or set [script.max_compilations_rate] to [use-context] ' +
      'to use per-context settings',
  )
}

type Row = readonly [name: string, check: SettingCheck, standard: SettingValue]

const ROWS: readonly Row[] = [
  ['action.auto_create_index', anything, 'true'],
  ['action.destructive_requires_name', booleanValue, 'false'],
  ['action.search.shard_count.limit', long(1), '9223372036854775807'],
  ['cluster.auto_sharding.max_write_threads', integer(1), '32'],
  ['cluster.auto_sharding.min_write_threads', integer(1), '2'],
  ['cluster.auto_shrink_voting_configuration', booleanValue, 'true'],
  ['cluster.blocks.read_only', booleanValue, 'false'],
  ['cluster.blocks.read_only_allow_delete', booleanValue, 'false'],
  ['cluster.indices.close.enable', booleanValue, 'true'],
  ['cluster.info.update.interval', duration(), '30s'],
  ['cluster.info.update.timeout', duration(), '15s'],
  [
    'cluster.lifecycle.default.rollover',
    anything,
    'max_age=auto,max_primary_shard_size=50gb,min_docs=1,max_primary_shard_docs=200000000',
  ],
  ['cluster.max_shards_per_node', integer(1), '1000'],
  ['cluster.max_shards_per_node.frozen', integer(1), '3000'],
  ['cluster.max_voting_config_exclusions', integer(1), '10'],
  ['cluster.no_master_block', anything, 'write'],
  ['cluster.persistent_tasks.allocation.enable', anything, 'all'],
  ['cluster.persistent_tasks.allocation.recheck_interval', duration(), '30s'],
  ['cluster.routing.allocation.allow_rebalance', anything, 'always'],
  ['cluster.routing.allocation.awareness.attributes', anything, []],
  ['cluster.routing.allocation.balance.disk_usage', decimal(0), '2.0E-11'],
  ['cluster.routing.allocation.balance.index', decimal(0), '0.55'],
  ['cluster.routing.allocation.balance.shard', decimal(0), '0.45'],
  ['cluster.routing.allocation.balance.threshold', decimal(0), '1.0'],
  ['cluster.routing.allocation.balance.write_load', decimal(0), '10.0'],
  ['cluster.routing.allocation.cluster_concurrent_rebalance', integer(-1), '2'],
  ['cluster.routing.allocation.desired_balance.max_balance_computation_time_during_index_creation', duration(), '1s'],
  ['cluster.routing.allocation.desired_balance.progress_log_interval', duration(), '1m'],
  ['cluster.routing.allocation.desired_balance.undesired_allocations.log_interval', duration(), '1h'],
  ['cluster.routing.allocation.desired_balance.undesired_allocations.threshold', decimal(0), '0.1'],
  ['cluster.routing.allocation.disk.reroute_interval', duration(), '60s'],
  ['cluster.routing.allocation.disk.threshold_enabled', booleanValue, 'false'],
  ['cluster.routing.allocation.disk.watermark.flood_stage', anything, '95%'],
  ['cluster.routing.allocation.disk.watermark.flood_stage.frozen', anything, '95%'],
  ['cluster.routing.allocation.disk.watermark.flood_stage.frozen.max_headroom', byteSize(), '20GB'],
  ['cluster.routing.allocation.disk.watermark.flood_stage.max_headroom', byteSize(), '100GB'],
  ['cluster.routing.allocation.disk.watermark.high', anything, '90%'],
  ['cluster.routing.allocation.disk.watermark.high.max_headroom', byteSize(), '150GB'],
  ['cluster.routing.allocation.disk.watermark.low', anything, '85%'],
  ['cluster.routing.allocation.disk.watermark.low.max_headroom', byteSize(), '200GB'],
  ['cluster.routing.allocation.enable', anything, 'all'],
  ['cluster.routing.allocation.enforce_default_tier_preference', booleanValue, 'true'],
  ['cluster.routing.allocation.node_concurrent_incoming_recoveries', integer(0), '2'],
  ['cluster.routing.allocation.node_concurrent_outgoing_recoveries', integer(0), '2'],
  ['cluster.routing.allocation.node_concurrent_recoveries', integer(0), '2'],
  ['cluster.routing.allocation.node_initial_primaries_recoveries', integer(0), '4'],
  ['cluster.routing.allocation.same_shard.host', booleanValue, 'false'],
  ['cluster.routing.allocation.stats.cache.ttl', duration(), '1m'],
  ['cluster.routing.allocation.total_shards_per_node', integer(-1), '-1'],
  ['cluster.routing.rebalance.enable', anything, 'all'],
  ['cluster.routing.use_adaptive_replica_selection', booleanValue, 'true'],
  ['cluster.service.slow_master_task_logging_threshold', duration(), '10s'],
  ['cluster.service.slow_task_logging_threshold', duration(), '30s'],
  ['cluster.service.slow_task_thread_dump_timeout', duration(), '30s'],
  ['cluster.snapshot.info.max_concurrent_fetches', integer(1), '5'],
  ['data_streams.auto_sharding.decrease_shards.cooldown', duration(), '3d'],
  ['data_streams.auto_sharding.excludes', anything, []],
  ['data_streams.auto_sharding.increase_shards.cooldown', duration(), '270s'],
  ['data_streams.failure_store.enabled', anything, []],
  ['data_streams.lifecycle.poll_interval', duration({ ms: 1000, text: '1s' }), '5m'],
  ['data_streams.lifecycle.retention.default', duration(), '-1'],
  ['data_streams.lifecycle.retention.failures_default', duration(), '30d'],
  ['data_streams.lifecycle.retention.max', duration(), '-1'],
  ['indices.lifecycle.poll_interval', duration({ ms: 1000, text: '1s' }), '10m'],
  ['health.node.enabled', booleanValue, 'true'],
  ['health.periodic_logger.enabled', booleanValue, 'false'],
  ['health.periodic_logger.output_mode', anything, ['logs', 'metrics']],
  ['health.periodic_logger.poll_interval', duration(), '60s'],
  ['health.reporting.local.monitor.interval', duration(), '30s'],
  ['health.shards_availability.replica_unassigned_buffer_time', duration(), '3s'],
  ['health_node.transport_action_timeout', duration(), '5s'],
  ['http.client_stats.enabled', booleanValue, 'true'],
  ['http.tracer.exclude', anything, []],
  ['http.tracer.include', anything, []],
  ['indices.breaker.fielddata.limit', bytesOrPercentage, '40%'],
  ['indices.breaker.fielddata.overhead', decimal(0), '1.03'],
  ['indices.breaker.request.limit', bytesOrPercentage, '60%'],
  ['indices.breaker.request.overhead', decimal(0), '1.0'],
  ['indices.breaker.total.limit', bytesOrPercentage, '95%'],
  ['indices.breaker.total.use_real_memory', booleanValue, 'true'],
  ['indices.id_field_data.enabled', booleanValue, 'false'],
  ['indices.mapping.dynamic_timeout', duration(), '30s'],
  ['indices.mapping.max_in_flight_updates', integer(1, 1000), '10'],
  ['indices.merge.disk.check_interval', duration(), '5s'],
  ['indices.merge.disk.watermark.high', anything, '95%'],
  ['indices.merge.disk.watermark.high.max_headroom', byteSize(), '100gb'],
  ['indices.recovery.chunk_size', byteSize(), '512kb'],
  ['indices.recovery.internal_action_long_timeout', duration(), '1800000ms'],
  ['indices.recovery.internal_action_retry_timeout', duration(), '1m'],
  ['indices.recovery.internal_action_timeout', duration(), '15m'],
  ['indices.recovery.max_bytes_per_sec', byteSize(), '40mb'],
  ['indices.recovery.max_concurrent_file_chunks', integer(1, 8), '2'],
  ['indices.recovery.max_concurrent_operations', integer(1, 4), '1'],
  ['indices.recovery.max_concurrent_snapshot_file_downloads', integer(1, 20), '5'],
  ['indices.recovery.max_concurrent_snapshot_file_downloads_per_node', integer(1, 25), '25'],
  ['indices.recovery.recovery_activity_timeout', duration(), '1800000ms'],
  ['indices.recovery.retry_delay_network', duration(), '5s'],
  ['indices.recovery.retry_delay_state_sync', duration(), '500ms'],
  ['indices.recovery.use_snapshots', booleanValue, 'true'],
  ['indices.replication.initial_retry_backoff_bound', duration(), '50ms'],
  ['indices.replication.retry_timeout', duration(), '60s'],
  ['ingest_node.transport_action_timeout', duration(), '20s'],
  ['monitor.fs.health.enabled', booleanValue, 'true'],
  ['monitor.fs.health.slow_path_logging_threshold', duration(), '5s'],
  ['network.breaker.inflight_requests.limit', bytesOrPercentage, '100%'],
  ['network.breaker.inflight_requests.overhead', decimal(0), '2.0'],
  ['script.cache.expire', duration(), '0ms'],
  ['script.cache.max_size', integer(0), '3000'],
  ['script.max_compilations_rate', compilationsRate, '100000/1m'],
  ['script.max_size_in_bytes', integer(0), '65535'],
  ['search.aggs.allowed_inline_metric_scripts', anything, []],
  ['search.aggs.allowed_stored_metric_scripts', anything, []],
  ['search.aggs.only_allowed_metric_scripts', booleanValue, 'false'],
  ['search.aggs.rewrite_to_filter_by_filter', booleanValue, 'true'],
  ['search.aggs.tdigest_execution_hint', anything, 'DEFAULT'],
  ['search.allow_expensive_queries', booleanValue, 'true'],
  ['search.batched_query_phase', booleanValue, 'true'],
  ['search.ccs.collect_telemetry', booleanValue, 'true'],
  ['search.default_allow_partial_results', booleanValue, 'true'],
  ['search.default_keep_alive', duration(), '5m'],
  ['search.default_search_timeout', duration(), '-1'],
  ['search.low_level_cancellation', booleanValue, 'true'],
  ['search.max_async_search_response_size', byteSize(), '10mb'],
  ['search.max_buckets', integer(0), '65536'],
  ['search.max_keep_alive', duration(), '24h'],
  ['search.max_open_scroll_context', integer(0), '500'],
  ['search.memory_accounting_buffer_size', byteSize(), '1mb'],
  ['search.query_phase_parallel_collection_enabled', booleanValue, 'true'],
  ['search.worker_threads_enabled', booleanValue, 'true'],
  ['snapshot.max_concurrent_operations', integer(1), '1000'],
  ['snapshot.refresh_repo_uuid_on_restore', booleanValue, 'true'],
  ['search.composite.allow_pipeline_aggregations', booleanValue, 'false'],
  ['stack.templates.enabled', booleanValue, 'true'],
]

export const CLUSTER_SETTINGS: readonly SettingDefinition[] = ROWS.map(([name, check, standard]) => ({
  name,
  scope: 'dynamic',
  check,
  standard,
}))

export const CLUSTER_SETTING_GROUPS: readonly SettingGroup[] = [
  { prefix: 'cluster.metadata.', scope: 'dynamic', check: anything },
  { prefix: 'cluster.routing.allocation.include.', scope: 'dynamic', check: anything },
  { prefix: 'cluster.routing.allocation.require.', scope: 'dynamic', check: anything },
  { prefix: 'cluster.routing.allocation.exclude.', scope: 'dynamic', check: anything },
  { prefix: 'cluster.routing.allocation.awareness.force.', scope: 'dynamic', check: anything },
  { prefix: 'cluster.remote.', scope: 'dynamic', check: anything },
  { prefix: 'logger.', scope: 'dynamic', check: anything },
  { prefix: 'script.context.', scope: 'dynamic', check: contextCache },
]

/** Known settings that are fixed at startup. */
export const STARTUP_SETTINGS: readonly string[] = [
  'action.search.pre_filter_shard_size.default',
  'cluster.name',
  'http.compression',
  'http.cors.allow-origin',
  'http.cors.enabled',
  'http.host',
  'http.max_content_length',
  'http.port',
  'http.publish_host',
  'http.publish_port',
  'indices.breaker.fielddata.type',
  'indices.breaker.request.type',
  'indices.breaker.type',
  'indices.fielddata.cache.size',
  'indices.memory.index_buffer_size',
  'indices.queries.cache.size',
  'indices.query.bool.max_clause_count',
  'network.host',
  'node.name',
  'path.data',
  'script.allowed_contexts',
  'script.allowed_types',
  'script.disable_max_compilations_rate',
  'script.painless.regex.enabled',
  'script.painless.regex.limit-factor',
]
