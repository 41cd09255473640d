/** `_cluster/stats`: counts over all indices, and information about the node. */

import { arch, cpus, freemem, platform, release, totalmem } from 'node:os'
import { openDescriptors } from '../../base/files/descriptor-limit.ts'
import { Double } from '../../base/json/json-writer.ts'
import { newMembers } from '../../base/json/members.ts'
import { ELASTICSEARCH_VERSION } from '../../base/version.ts'
import { pipelineTotals } from '../ingest/print-stats.ts'
import type { IngestStats } from '../ingest/run/definitions.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import type { ShardStats } from '../shards/shard-host.ts'
import { analysisStats } from '../stats/analysis-stats.ts'
import { healthOf } from './cluster-health.ts'
import { ROLES } from './node-identity.ts'
import { fileSystem, indexingPressure } from './node-stats.ts'
import { shardCopies } from './shard-table.ts'

/** `nodes` is 1 if the request's node filter matches this node, otherwise 0. */
export async function clusterStats(node: SandpiperNode, nodes: 0 | 1): Promise<JsonObject> {
  const indices = [...node.state.indices.values()]
  const perIndex = await Promise.all(indices.map((index) => node.stats.summary(index)))
  return {
    _nodes: { total: nodes, successful: nodes, failed: 0 },
    cluster_name: node.clusterName,
    cluster_uuid: node.clusterUuid,
    timestamp: Date.now(),
    status: healthOf(indices.flatMap((index) => shardCopies(node, index))).status,
    indices: { ...indexStats(indices, perIndex), ...(await sections(node)), analysis: analysisStats(indices) },
    nodes: nodeStats(node, await node.ingest.stats()),
    ...repositoryStats(node),
    ccs: NO_CROSS_CLUSTER_SEARCH,
  }
}

const ALL_ROLES: readonly string[] =
  'data data_cold data_content data_frozen data_hot data_warm index ingest master ml remote_cluster_client search transform voting_only'.split(
    ' ',
  )

const NO_TIMES = { max: 0, avg: 0, p90: 0 }

/** A node has no remote clusters to search. */
const NO_CROSS_CLUSTER_SEARCH = {
  _search: {
    ...{ total: 0, success: 0, skipped: 0, took: NO_TIMES, took_mrt_true: NO_TIMES, took_mrt_false: NO_TIMES },
    remotes_per_search_max: 0,
    remotes_per_search_avg: new Double(0),
    ...{ failure_reasons: {}, features: {}, clients: {}, clusters: {} },
  },
}

/** Replicas are never assigned on one node. */
const NO_REPLICATION = { min: new Double(0), max: new Double(0), avg: new Double(0) }

function indexStats(indices: readonly IndexMetadata[], perIndex: readonly ShardStats[]): JsonObject {
  const sum = (of: (stats: ShardStats) => number) => perIndex.reduce((total, stats) => total + of(stats), 0)
  const storeBytes = sum((stats) => stats.storeBytes)
  const shards = indices.map(({ shardCount }) => shardCount)
  const total = shards.reduce((sum, count) => sum + count, 0)
  const spread = {
    min: Math.min(...shards),
    max: Math.max(...shards),
    avg: new Double(total / Math.max(1, shards.length)),
  }
  return {
    count: indices.length,
    shards:
      total === 0
        ? {}
        : {
            total,
            primaries: total,
            replication: new Double(0),
            index: { shards: spread, primaries: spread, replication: NO_REPLICATION },
          },
    docs: {
      count: sum((stats) => stats.docs),
      deleted: sum((stats) => stats.deleted),
      total_size_in_bytes: storeBytes,
    },
    store: {
      size_in_bytes: storeBytes,
      total_data_set_size_in_bytes: storeBytes,
      reserved_in_bytes: 0,
    },
    mappings: mappingStats(indices),
    versions: [
      {
        version: ELASTICSEARCH_VERSION,
        index_count: indices.length,
        primary_shard_count: total,
        total_primary_bytes: storeBytes,
      },
    ],
  }
}

/** Sections that `_stats` has too. Searches are counted, but not by the kind of query. */
async function sections(node: SandpiperNode): Promise<JsonObject> {
  const { fielddata, query_cache, completion, segments, search, dense_vector, sparse_vector } =
    await node.stats.overall()
  const { query_total } = search as JsonObject
  return {
    ...{ fielddata, query_cache, completion, segments },
    search: { total: query_total, queries: {}, rescorers: {}, sections: {}, retrievers: {} },
    ...{ dense_vector, sparse_vector },
  }
}

/** Equal mappings of several indices are stored once in the cluster state, which the deduplicated figures are about. */
function mappingStats(indices: readonly IndexMetadata[]): JsonObject {
  const types = fieldTypes(indices)
  const different = new Map(indices.map((index) => [JSON.stringify(index.mapping), index]))
  const count = (list: readonly JsonObject[]) => list.reduce((sum, type) => sum + Number(type['count']), 0)
  return {
    total_field_count: count(types),
    total_deduplicated_field_count: count(fieldTypes([...different.values()])),
    total_deduplicated_mapping_size_in_bytes: [...different.keys()].reduce((sum, text) => sum + text.length, 0),
    field_types: types,
    runtime_field_types: [],
    source_modes: indices.length === 0 ? {} : { stored: indices.length },
  }
}

function fieldTypes(indices: readonly IndexMetadata[]): JsonObject[] {
  const counts = new Map<string, { count: number; indices: Set<string> }>()
  for (const index of indices) countTypes(index.mapping, index.name, counts)
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { count, indices: users }]) => ({ name, count, index_count: users.size, script_count: 0 }))
}

function countTypes(
  mapping: JsonObject,
  index: string,
  counts: Map<string, { count: number; indices: Set<string> }>,
): void {
  for (const members of [mapping['properties'], mapping['fields']]) {
    for (const field of Object.values((members ?? {}) as Record<string, JsonObject>)) {
      const type = typeof field['type'] === 'string' ? field['type'] : 'object'
      const known = counts.get(type) ?? { count: 0, indices: new Set<string>() }
      known.count++
      known.indices.add(index)
      counts.set(type, known)
      countTypes(field, index, counts)
    }
  }
}

function repositoryStats(node: SandpiperNode): JsonObject {
  const types: Record<string, Record<string, number>> = newMembers()
  for (const { type, settings } of node.snapshots.repositories.get(undefined).values()) {
    const counts = (types[type] ??= { count: 0 })
    const access = String(settings['readonly']) === 'true' ? 'read_only' : 'read_write'
    counts['count']! += 1
    counts[access] = (counts[access] ?? 0) + 1
  }
  const snapshots = node.snapshots.runningCount
  const idle = { shard_snapshots: 0, snapshot_deletions: 0, concurrent_operations: snapshots, cleanups: 0 }
  return { snapshots: { current_counts: { snapshots, ...idle }, repositories: {} }, repositories: types }
}

function nodeStats(node: SandpiperNode, ingest: IngestStats): JsonObject {
  const usedPercent = Math.round(((totalmem() - freemem()) / totalmem()) * 100)
  const memory = {
    total_in_bytes: totalmem(),
    adjusted_total_in_bytes: totalmem(),
    free_in_bytes: freemem(),
    used_in_bytes: totalmem() - freemem(),
    free_percent: 100 - usedPercent,
    used_percent: usedPercent,
  }
  const descriptors = openDescriptors() ?? -1
  return {
    count: {
      total: 1,
      coordinating_only: 0,
      ...Object.fromEntries(ALL_ROLES.map((role) => [role, (ROLES as readonly string[]).includes(role) ? 1 : 0])),
    },
    versions: [ELASTICSEARCH_VERSION],
    os: {
      available_processors: cpus().length,
      allocated_processors: cpus().length,
      names: [{ name: platform(), count: 1 }],
      pretty_names: [{ pretty_name: `${platform()} ${release()}`, count: 1 }],
      architectures: [{ arch: arch(), count: 1 }],
      mem: memory,
    },
    process: { cpu: { percent: 0 }, open_file_descriptors: { min: descriptors, max: descriptors, avg: descriptors } },
    jvm: {
      max_uptime_in_millis: Math.round(process.uptime() * 1000),
      versions: [],
      mem: { heap_used_in_bytes: process.memoryUsage().heapUsed, heap_max_in_bytes: process.memoryUsage().heapTotal },
      threads: 1,
    },
    fs: fileSystem(node).total,
    plugins: [],
    network_types: { transport_types: { none: 1 }, http_types: { node: 1 } },
    discovery_types: { 'single-node': 1 },
    packaging_types: [{ flavor: 'default', type: 'zip', count: 1 }],
    ingest: pipelineTotals(ingest),
    indexing_pressure: indexingPressure(),
  }
}
