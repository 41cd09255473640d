/**
 * Elasticsearch settings that have no effect here. They are stored and shown, and the response has a warning. Settings
 * that only tune a cluster of several nodes, or files that Lucene writes, are accepted without a warning, because no
 * response depends on them.
 */

const INDEX_SETTINGS = [
  'index.write.wait_for_active_shards',
  'index.query.parse.allow_unmapped_fields',
  'index.mapping.dimension_fields.limit',
  'index.soft_deletes.retention_lease.period',
  'index.shard.check_on_startup',
  'index.store.type',
]

const CLUSTER_SETTINGS = [
  'search.default_allow_partial_results',
  'search.default_search_timeout',
  'search.default_keep_alive',
  'indices.breaker.fielddata.limit',
  'indices.breaker.request.limit',
  'indices.breaker.total.limit',
  'network.breaker.inflight_requests.limit',
  'http.tracer.include',
  'http.tracer.exclude',
]

/** Files of a repository are copied as they are, one after the other. */
const REPOSITORY_SETTINGS = ['compress', 'chunk_size', 'max_snapshot_bytes_per_sec', 'max_restore_bytes_per_sec']

const WITHOUT_EFFECT: ReadonlySet<string> = new Set([...INDEX_SETTINGS, ...CLUSTER_SETTINGS, ...REPOSITORY_SETTINGS])

/** Texts of `Warning` headers for settings in a request, by their flat names. */
export function warnWithoutEffect(names: Iterable<string>): string[] {
  return [...new Set(names)]
    .filter((name) => WITHOUT_EFFECT.has(name))
    .map((name) => `the setting [${name}] is stored but has no effect in Sandpiper`)
}

/** The flat names of the settings in a body, with the optional prefix `index.` added. */
export function settingNames(body: unknown, prefix = ''): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return prefix === '' ? [] : [prefix]
  return Object.entries(body).flatMap(([key, value]) => {
    if (value === null) return []
    return settingNames(value, prefix === '' ? key : `${prefix}.${key}`)
  })
}
