/**
 * Goal: a query parameter that is accepted acts, unless there is nothing that it could do here. Method: parameters that handlers
 * accept without using the value are found in the sources (`query.accept('x')`, or a value that is read and dropped). Each must be in
 * the table below with the reason, and each line of the table must still be needed.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ONE_NODE = 'there is one node, which knows the state and waits for no other'
const WAITS_NEVER = 'the request is answered when the work is done'
const UNUSED_THERE = 'Elasticsearch answers the same with any value'
const NO_SUCH_PART = 'there is nothing of the kind that it would show or leave out'
const ELSEWHERE = 'another part of the same request reads it'
const MISSING = 'not implemented: docs/compatibility.md'

/** Name of the parameter, why it has no effect, and the families of routes that accept it: files below src/http/api/. */
const INERT: Readonly<Record<string, readonly [reason: string, families: string]>> = {
  accept_data_loss: [NO_SUCH_PART, 'cluster/cluster'],
  accept_enterprise: [NO_SUCH_PART, 'cluster/license'],
  allow_partial_pit_creation: [ONE_NODE, 'search/point-in-time'],
  allow_partial_search_results: [ONE_NODE, 'search/point-in-time'],
  analyze_wildcard: ['wildcards are normalized with any value, as in Elasticsearch', 'search/search-parameters'],
  cause: ['a note for the log of the cluster', 'indices/templates'],
  ccs_minimize_roundtrips: [ONE_NODE, 'search/msearch search/search'],
  detailed: [NO_SUCH_PART, 'cat/cat cat/cat-shards indices/indices'],
  dry_run: ['commands are refused', 'cluster/reroute'],
  flat_settings: [UNUSED_THERE, 'cluster/cluster indices/indices indices/settings'],
  force_synthetic_source: [MISSING, 'documents/documents documents/mget search/search'],
  human: [UNUSED_THERE, 'search/search'],
  ignore_throttled: ['no index is throttled', 'indices-parameters'],
  include_bootstrap: [NO_SUCH_PART, 'cat/cat'],
  include_defaults: [MISSING, 'indices/data-stream-lifecycle indices/data-streams indices/indices indices/templates'],
  include_disk_info: [MISSING, 'cluster/cluster'],
  include_remotes: [ONE_NODE, 'cluster/cluster'],
  include_segment_file_sizes: [UNUSED_THERE, 'cluster/nodes indices/stats'],
  include_unloaded_segments: [NO_SUCH_PART, 'cat/cat-indices cat/cat-nodes cluster/nodes'],
  include_yes_decisions: [NO_SUCH_PART, 'cluster/cluster'],
  local: [
    ONE_NODE,
    'cat/cat-snapshots cat/cat-table cluster/cluster cluster/license cluster/snapshots indices/aliases indices/indices indices/mappings indices/settings indices/templates search/search-shards',
  ],
  master_timeout: [
    ONE_NODE,
    'cat/cat-snapshots cat/cat-table cluster/cluster cluster/features cluster/ingest cluster/reroute cluster/scripts cluster/snapshots indices/aliases indices/data-stream-lifecycle indices/data-stream-settings indices/data-streams indices/ilm indices/indices indices/mappings indices/settings search/search-shards',
  ],
  max_concurrent_shard_requests: ['a limit on the load of other nodes', 'search/msearch search/point-in-time'],
  payloads: [MISSING, 'documents/termvectors'],
  pri: [UNUSED_THERE, 'cat/cat-table'],
  refresh: ['accounts are readable as soon as they are written', 'security/security-request'],
  resource: ['all analyzers are read again', 'indices/reload-analyzers'],
  retry_failed: [NO_SUCH_PART, 'cluster/reroute'],
  size: [UNUSED_THERE, 'cat/cat-table'],
  slm_policy_filter: [NO_SUCH_PART, 'cluster/snapshots'],
  timeout: [
    ONE_NODE,
    'cat/cat-tasks cluster/cluster cluster/features cluster/ingest cluster/nodes cluster/reroute cluster/scripts cluster/snapshots indices/indices',
  ],
  ts: [ELSEWHERE, 'cat/cat-table'],
  typed_keys: [UNUSED_THERE, 'security/api-keys'],
  types: [UNUSED_THERE, 'cluster/nodes indices/stats'],
  verbose: [MISSING, 'indices/indices'],
  wait_for_completion: [WAITS_NEVER, 'cat/cat-tasks cluster/snapshots'],
  wait_for_metadata_version: [MISSING, 'cluster/cluster'],
  wait_for_no_initializing_shards: [WAITS_NEVER, 'cluster/cluster'],
  wait_for_no_relocating_shards: [ONE_NODE, 'cluster/cluster'],
  wait_for_timeout: [MISSING, 'cluster/cluster'],
  with_profile_uid: [NO_SUCH_PART, 'security/api-keys security/users'],
}

test('every query parameter that is accepted and not used has a reason for its routes, and every reason a parameter', () => {
  const root = fileURLToPath(new URL('../../../src/http/api/', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.test)\.ts$/.test(path))
  const found = files.flatMap((path) =>
    [...unusedIn(readFileSync(root + path, 'utf8'))].map((name) => `${name} of ${path.replace(/\.ts$/, '')}`),
  )
  const listed = Object.entries(INERT).flatMap(([name, [, families]]) =>
    families.split(' ').map((family) => `${name} of ${family}`),
  )
  assert.ok(found.length > 50, 'the parameters are found')
  assert.deepEqual(
    found.filter((line) => !listed.includes(line)).sort(),
    [],
    'let these act, refuse them, or say why they cannot',
  )
  assert.deepEqual(listed.filter((line) => !found.includes(line)).sort(), [], 'remove these from INERT: they are used')
})

/** The names of the parameters that a source accepts without a use of their values. */
function unusedIn(text: string): Set<string> {
  const accepted = [...text.matchAll(/\.accept\(([^)]*)\)/g)].flatMap(([, names]) => [
    ...names!.matchAll(/'([a-z_]+)'/g),
  ])
  const dropped = text.matchAll(
    /^ +(?:request\.)?query\.(?:string|boolean|strictBoolean|integer|long|float|duration|list)\('([a-z_]+)'(?:, [^()]*)?\)$/gm,
  )
  return new Set([...accepted, ...dropped].map(([, name]) => name!))
}
