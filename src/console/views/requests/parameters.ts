/** Query parameters for completion, by the end of the path. Tests check that every path exists. */

const COMMON = 'pretty human filter_path error_trace'
const TARGETS = 'expand_wildcards ignore_unavailable allow_no_indices'
const WRITES =
  'refresh routing timeout wait_for_active_shards version version_type if_seq_no if_primary_term require_alias'

const BY_PATH: Readonly<Record<string, string>> = {
  '/_search': `q df default_operator analyzer size from sort _source _source_includes _source_excludes track_total_hits scroll routing preference request_cache search_type timeout typed_keys rest_total_hits_as_int ${TARGETS}`,
  '/{index}/_search': `q df default_operator analyzer size from sort _source _source_includes _source_excludes track_total_hits scroll routing preference request_cache search_type timeout typed_keys rest_total_hits_as_int ${TARGETS}`,
  '/{index}/_count': `q df default_operator analyzer min_score routing ${TARGETS}`,
  '/{index}/_doc/{id}': `${WRITES} op_type pipeline _source _source_includes _source_excludes realtime`,
  '/{index}/_doc': `${WRITES} op_type pipeline`,
  '/{index}/_create/{id}': `${WRITES} pipeline`,
  '/{index}/_update/{id}': 'refresh routing timeout retry_on_conflict _source if_seq_no if_primary_term',
  '/_bulk': 'refresh routing timeout pipeline require_alias _source',
  '/{index}/_bulk': 'refresh routing timeout pipeline require_alias _source',
  '/{index}/_pit': `keep_alive routing preference ${TARGETS}`,
  '/{index}/_delete_by_query': `q conflicts refresh scroll_size slices wait_for_completion requests_per_second max_docs ${TARGETS}`,
  '/{index}/_update_by_query': `q conflicts refresh scroll_size slices wait_for_completion requests_per_second max_docs pipeline ${TARGETS}`,
  '/_reindex': 'refresh slices wait_for_completion requests_per_second max_docs timeout',
  '/_cluster/health': 'level wait_for_status wait_for_no_initializing_shards timeout local',
  '/_cat/indices': 'v h s format bytes time health expand_wildcards',
  '/_cat/indices/{index}': 'v h s format bytes time health expand_wildcards',
  '/_cat/shards': 'v h s format bytes time',
  '/_cat/aliases': 'v h s format',
  '/_cat/count': 'v h s format',
  '/{index}': `wait_for_active_shards timeout master_timeout include_defaults flat_settings ${TARGETS}`,
  '/{index}/_mapping': `timeout master_timeout ${TARGETS}`,
  '/{index}/_settings': `timeout master_timeout preserve_existing flat_settings include_defaults ${TARGETS}`,
  '/{index}/_forcemerge': `max_num_segments only_expunge_deletes flush wait_for_completion ${TARGETS}`,
  '/{index}/_refresh': TARGETS,
  '/{index}/_flush': `force wait_if_ongoing ${TARGETS}`,
  '/{index}/_stats': `level fields include_segment_file_sizes ${TARGETS}`,
  '/_tasks': 'actions detailed group_by nodes parent_task_id wait_for_completion timeout',
}

export const PARAMETER_PATHS: readonly string[] = Object.keys(BY_PATH)

/** `path` is the pattern of a route. */
export function parametersOf(path: string): string[] {
  return [BY_PATH[path] ?? '', COMMON]
    .join(' ')
    .split(' ')
    .filter((name) => name !== '')
}

const VALUES: Readonly<Record<string, string>> = {
  refresh: 'true false wait_for',
  expand_wildcards: 'open closed hidden none all',
  conflicts: 'proceed abort',
  op_type: 'index create',
  default_operator: 'AND OR',
  search_type: 'query_then_fetch dfs_query_then_fetch',
  format: 'json yaml cbor text',
  bytes: 'b kb mb gb',
  level: 'cluster indices shards',
  keep_alive: '1m 5m 1h',
  scroll: '1m 5m 1h',
}

export function valuesOf(parameter: string): string[] {
  const listed = VALUES[parameter]
  if (listed !== undefined) return listed.split(' ')
  return /^(pretty|human|v|ignore_|allow_|wait_for_completion|realtime|typed_keys|flat_settings|include_defaults|detailed|error_trace)/.test(
    parameter,
  )
    ? ['true', 'false']
    : []
}
