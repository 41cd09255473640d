/**
 * `_nodes/stats`: counters and gauges of the node. Sections about a Java process exist for the tools that read them,
 * and describe this process.
 */

import { statfsSync } from 'node:fs'
import { cpus, freemem, loadavg, totalmem } from 'node:os'
import { formatByteSize } from '../../base/byte-size.ts'
import { descriptorLimit, openDescriptors } from '../../base/files/descriptor-limit.ts'
import { Double } from '../../base/json/json-writer.ts'
import { collections, heapPools } from '../../base/memory/heap-statistics.ts'
import { breakers } from '../../base/memory/process-memory.ts'
import { scriptCounts } from '../../engine/scripts/script-ledger.ts'
import { printIngestStats } from '../ingest/print-stats.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import type { NodeLevel, StatsRequest } from '../stats/index-stats.ts'
import { diskCounters } from './disk-counters.ts'
import { HOST, ROLES, TRANSPORT_ADDRESS } from './node-identity.ts'
import { threadPoolStats } from './thread-pools.ts'

/** The sections by metric, in print order. */
const SECTIONS: Readonly<
  Record<string, (node: SandpiperNode, ofIndices: Partial<StatsRequest>, level: NodeLevel) => unknown>
> = {
  indices: (node, wanted, level) => node.stats.overall(wanted, level),
  os: () => operatingSystem(),
  process: () => ownProcess(),
  jvm: () => runtime(),
  thread_pool: () => threadPoolStats(),
  fs: (node) => ({ timestamp: Date.now(), ...fileSystem(node), io_stats: diskCounters(node.dataFolder) }),
  transport: () => ({
    server_open: 0,
    total_outbound_connections: 0,
    rx_count: 0,
    rx_size_in_bytes: 0,
    tx_count: 0,
    tx_size_in_bytes: 0,
  }),
  http: () => ({ current_open: 0, total_opened: 0, clients: [], routes: {} }),
  breaker: (node) => breakerStats(node),
  script: () => scriptStats(),
  discovery: () => NO_DISCOVERY,
  ingest: async (node) => printIngestStats(await node.ingest.stats()),
  adaptive_selection: () => ({}),
  script_cache: () => ({ sum: scriptCacheStats() }),
  indexing_pressure: () => indexingPressure(),
  repositories: () => ({}),
  allocations: () => ({}),
}

const NO_STATES = { count: 0, uncompressed_size_in_bytes: 0, compressed_size_in_bytes: 0 }

/** A node alone publishes its state to nobody. */
const NO_DISCOVERY = {
  cluster_state_queue: { total: 0, pending: 0, committed: 0 },
  serialized_cluster_states: { full_states: NO_STATES, diffs: NO_STATES },
  published_cluster_states: { full_states: 0, incompatible_diffs: 0, compatible_diffs: 0 },
}

export const NODE_METRICS = Object.keys(SECTIONS)

export async function nodeStats(
  node: SandpiperNode,
  metrics: readonly string[],
  ofIndices: Partial<StatsRequest>,
  level: NodeLevel = 'node',
): Promise<JsonObject> {
  const stats: JsonObject = {
    timestamp: Date.now(),
    name: node.name,
    transport_address: TRANSPORT_ADDRESS,
    host: HOST,
    ip: TRANSPORT_ADDRESS,
    roles: ROLES,
    attributes: {},
  }
  for (const metric of NODE_METRICS) {
    if (metrics.includes(metric)) {
      stats[metric === 'breaker' ? 'breakers' : metric] = await SECTIONS[metric]!(node, ofIndices, level)
    }
  }
  return stats
}

/** Space on the disk that holds the data; an in-memory node has none. */
export function fileSystem(node: SandpiperNode): { total: JsonObject; data: JsonObject[] } {
  const space = node.dataFolder === undefined ? undefined : statfsSync(node.dataFolder)
  const total = {
    total_in_bytes: space === undefined ? 0 : space.blocks * space.bsize,
    free_in_bytes: space === undefined ? 0 : space.bfree * space.bsize,
    available_in_bytes: space === undefined ? 0 : space.bavail * space.bsize,
  }
  return { total, data: [{ path: node.dataFolder ?? '', type: 'unknown', ...total }] }
}

function operatingSystem(): JsonObject {
  const [one, five, fifteen] = loadavg() as [number, number, number]
  const used = totalmem() - freemem()
  return {
    timestamp: Date.now(),
    cpu: {
      percent: Math.min(100, Math.round((one / cpus().length) * 100)),
      load_average: { '1m': new Double(one), '5m': new Double(five), '15m': new Double(fifteen) },
    },
    mem: {
      total_in_bytes: totalmem(),
      adjusted_total_in_bytes: totalmem(),
      free_in_bytes: freemem(),
      used_in_bytes: used,
      free_percent: 100 - Math.round((used / totalmem()) * 100),
      used_percent: Math.round((used / totalmem()) * 100),
    },
    swap: { total_in_bytes: 0, free_in_bytes: 0, used_in_bytes: 0 },
  }
}

function ownProcess(): JsonObject {
  const { user, system } = process.cpuUsage()
  const limit = descriptorLimit()
  return {
    timestamp: Date.now(),
    open_file_descriptors: openDescriptors() ?? -1,
    max_file_descriptors: Number.isFinite(limit) ? limit : -1,
    cpu: { percent: 0, total_in_millis: Math.round((user + system) / 1000) },
    mem: { total_virtual_in_bytes: process.memoryUsage.rss() },
  }
}

function runtime(): JsonObject {
  const memory = process.memoryUsage()
  return {
    timestamp: Date.now(),
    uptime_in_millis: Math.round(process.uptime() * 1000),
    mem: {
      heap_used_in_bytes: memory.heapUsed,
      heap_used_percent: Math.round((memory.heapUsed / memory.heapTotal) * 100),
      heap_committed_in_bytes: memory.heapTotal,
      heap_max_in_bytes: memory.heapTotal,
      non_heap_used_in_bytes: memory.external,
      non_heap_committed_in_bytes: memory.external,
      pools: heapPools(),
    },
    threads: { count: 1, peak_count: 1 },
    gc: { collectors: collections() },
    buffer_pools: bufferPools(memory.arrayBuffers),
    classes: { current_loaded_count: 0, total_loaded_count: 0, total_unloaded_count: 0 },
  }
}

/** Memory of buffers outside of the heap. Files are read and never mapped. */
function bufferPools(directBytes: number): JsonObject {
  const pool = (count: number, bytes: number) => ({ count, used_in_bytes: bytes, total_capacity_in_bytes: bytes })
  return { mapped: pool(0, 0), direct: pool(1, directBytes), "mapped - 'non-volatile memory'": pool(0, 0) }
}

/** Memory held by requests, by kind, and the total of the process. */
function breakerStats(node: SandpiperNode): JsonObject {
  const { children, parent } = breakers()
  // Fielddata is counted where it is stored.
  const fielddata = [...node.stats.fielddata().values()].reduce((sum, bytes) => sum + bytes, 0)
  const stats: JsonObject = {}
  for (const { name, limitBytes, usedBytes, overhead, tripped } of [
    ...children,
    {
      name: 'parent',
      limitBytes: parent.limitBytes,
      usedBytes: parent.usedBytes,
      overhead: 1,
      tripped: parent.tripped,
    },
  ]) {
    stats[name] = {
      limit_size_in_bytes: limitBytes,
      limit_size: formatByteSize(limitBytes),
      estimated_size_in_bytes: name === 'fielddata' ? fielddata : usedBytes,
      estimated_size: formatByteSize(name === 'fielddata' ? fielddata : usedBytes),
      overhead: new Double(overhead),
      tripped,
    }
  }
  return stats
}

export function indexingPressure(): JsonObject {
  const none = {
    combined_coordinating_and_primary_in_bytes: 0,
    coordinating_in_bytes: 0,
    primary_in_bytes: 0,
    replica_in_bytes: 0,
    all_in_bytes: 0,
  }
  const rejections = { coordinating_rejections: 0, primary_rejections: 0, replica_rejections: 0 }
  return { memory: { current: none, total: { ...none, ...rejections }, limit_in_bytes: Math.floor(totalmem() / 10) } }
}

/** The sum over all threads, because each compiles the scripts it runs. */
export function scriptCacheStats(): JsonObject {
  const { compilations, evictions, limited } = scriptCounts()
  return { compilations, cache_evictions: evictions, compilation_limit_triggered: limited }
}

function scriptStats(): JsonObject {
  const { compilations, history } = scriptCounts()
  const [minutes5, minutes15, hours24] = history
  return {
    ...scriptCacheStats(),
    ...(compilations === 0 ? {} : { compilations_history: { '5m': minutes5, '15m': minutes15, '24h': hours24 } }),
    contexts: [],
  }
}
