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

/** Name of the parameter, and why it has no effect in the files below src/http/ that accept it. */
const INERT: Readonly<Record<string, string>> = {
  accept_enterprise: NO_SUCH_PART,
  allow_partial_pit_creation: ONE_NODE,
  allow_partial_search_results: ONE_NODE,
  analyze_wildcard: 'wildcards are normalized with any value, as in Elasticsearch',
  cause: 'a note for the log of the cluster',
  ccs_minimize_roundtrips: ONE_NODE,
  detailed: NO_SUCH_PART,
  dry_run: 'commands are refused',
  flat_settings: UNUSED_THERE,
  force_synthetic_source: MISSING,
  human: UNUSED_THERE,
  ignore_throttled: 'no index is throttled',
  include_bootstrap: NO_SUCH_PART,
  include_defaults: MISSING,
  include_disk_info: MISSING,
  include_remotes: ONE_NODE,
  include_segment_file_sizes: UNUSED_THERE,
  include_unloaded_segments: NO_SUCH_PART,
  include_yes_decisions: NO_SUCH_PART,
  local: ONE_NODE,
  master_timeout: ONE_NODE,
  max_concurrent_shard_requests: 'a limit on the load of other nodes',
  payloads: MISSING,
  pri: UNUSED_THERE,
  refresh: 'accounts are readable as soon as they are written',
  resource: 'all analyzers are read again',
  retry_failed: NO_SUCH_PART,
  size: UNUSED_THERE,
  slm_policy_filter: NO_SUCH_PART,
  timeout: ONE_NODE,
  ts: ELSEWHERE,
  typed_keys: UNUSED_THERE,
  types: UNUSED_THERE,
  verbose: MISSING,
  wait_for_active_shards: ONE_NODE,
  wait_for_completion: WAITS_NEVER,
  wait_for_metadata_version: MISSING,
  wait_for_no_initializing_shards: WAITS_NEVER,
  wait_for_no_relocating_shards: ONE_NODE,
  wait_for_timeout: MISSING,
  with_profile_uid: NO_SUCH_PART,
}

test('every query parameter that is accepted and not used has a reason, and every reason a parameter', () => {
  const root = fileURLToPath(new URL('../../../src/http/', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.test)\.ts$/.test(path))
  const found = new Map<string, string[]>()
  for (const path of files) {
    for (const name of unusedIn(readFileSync(root + path, 'utf8'))) found.set(name, [...(found.get(name) ?? []), path])
  }
  assert.ok(found.size > 20, 'the parameters are found')
  const unexplained = [...found].filter(([name]) => INERT[name] === undefined)
  assert.deepEqual(unexplained, [], 'let these act, refuse them, or say why they cannot')
  assert.deepEqual(
    Object.keys(INERT).filter((name) => !found.has(name)),
    [],
    'remove these from INERT: they are used everywhere',
  )
})

/** The names of the parameters that a source accepts without a use of their values. */
function unusedIn(text: string): Set<string> {
  const accepted = [...text.matchAll(/\.accept\(([^)]*)\)/g)].flatMap(([, names]) => [
    ...names!.matchAll(/'([a-z_]+)'/g),
  ])
  const dropped = text.matchAll(
    /^ +(?:request\.)?query\.(?:string|boolean|strictBoolean|integer|long|float|duration|list)\('([a-z_]+)'\)$/gm,
  )
  return new Set([...accepted, ...dropped].map(([, name]) => name!))
}
