/** The metrics of one Prometheus scrape: requests, documents, indexing, memory, contexts, disk. */
import { readdirSync, readFileSync } from 'node:fs'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { packageVersion } from '../../base/version.ts'
import { fileSystem, nodeStats } from '../../service/cluster/node-stats.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import { Exposition } from './exposition.ts'
import { DURATION_BOUNDS, type RequestMetrics } from './request-metrics.ts'

/**
 * Sections of `_stats` that a scrape reads, with the exported members: member, metric name, type, help. Times are in
 * seconds.
 */
const INDEX_METRICS: Readonly<Record<string, readonly (readonly [string, string, 'counter' | 'gauge', string])[]>> = {
  docs: [
    ['count', 'sandpiper_documents', 'gauge', 'Documents in all indices'],
    ['deleted', 'sandpiper_documents_deleted', 'gauge', 'Deleted documents that segments still hold'],
  ],
  store: [['size_in_bytes', 'sandpiper_store_bytes', 'gauge', 'Bytes of index files']],
  indexing: [
    ['index_total', 'sandpiper_indexing_documents_total', 'counter', 'Documents indexed'],
    ['index_failed', 'sandpiper_indexing_failures_total', 'counter', 'Documents that could not be indexed'],
    ['delete_total', 'sandpiper_indexing_deletes_total', 'counter', 'Documents deleted'],
  ],
  get: [['total', 'sandpiper_gets_total', 'counter', 'Documents read by id']],
  search: [
    ['query_total', 'sandpiper_search_queries_total', 'counter', 'Queries executed on shards'],
    ['query_time_in_millis', 'sandpiper_search_query_seconds_total', 'counter', 'Time spent on queries'],
    ['fetch_total', 'sandpiper_search_fetches_total', 'counter', 'Fetches executed on shards'],
    ['scroll_total', 'sandpiper_search_scrolls_total', 'counter', 'Scrolls finished'],
    ['open_contexts', 'sandpiper_search_open_contexts', 'gauge', 'Search contexts open on shards'],
  ],
  merges: [
    ['total', 'sandpiper_merges_total', 'counter', 'Merges finished'],
    ['total_docs', 'sandpiper_merged_documents_total', 'counter', 'Documents written by merges'],
    ['total_size_in_bytes', 'sandpiper_merged_bytes_total', 'counter', 'Bytes merged'],
  ],
  refresh: [['total', 'sandpiper_refreshes_total', 'counter', 'Refreshes']],
  flush: [['total', 'sandpiper_flushes_total', 'counter', 'Flushes']],
  query_cache: [
    ['memory_size_in_bytes', 'sandpiper_query_cache_bytes', 'gauge', 'Memory of the query cache'],
    ['hit_count', 'sandpiper_query_cache_hits_total', 'counter', 'Query cache hits'],
    ['miss_count', 'sandpiper_query_cache_misses_total', 'counter', 'Query cache misses'],
    ['evictions', 'sandpiper_query_cache_evictions_total', 'counter', 'Query cache evictions'],
  ],
  request_cache: [
    ['memory_size_in_bytes', 'sandpiper_request_cache_bytes', 'gauge', 'Memory of the request cache'],
    ['hit_count', 'sandpiper_request_cache_hits_total', 'counter', 'Request cache hits'],
    ['miss_count', 'sandpiper_request_cache_misses_total', 'counter', 'Request cache misses'],
  ],
  segments: [['count', 'sandpiper_segments', 'gauge', 'Segments of all shards']],
  translog: [
    ['operations', 'sandpiper_translog_operations', 'gauge', 'Operations in the write-ahead logs'],
    ['uncommitted_operations', 'sandpiper_translog_uncommitted_operations', 'gauge', 'Operations no commit holds yet'],
  ],
}

const BREAKER_METRICS = [
  ['estimated_size_in_bytes', 'sandpiper_breaker_bytes', 'gauge', 'Memory accounted by a circuit breaker'],
  ['limit_size_in_bytes', 'sandpiper_breaker_limit_bytes', 'gauge', 'Limit of a circuit breaker'],
  ['tripped', 'sandpiper_breaker_tripped_total', 'counter', 'Requests a circuit breaker refused'],
] as const

/** Started by the first scrape, so that the timer costs nothing without scrapes. */
let eventLoopDelay: IntervalHistogram | undefined

/** The response to a scrape. */
export async function nodeMetrics(node: SandpiperNode, requests: RequestMetrics | undefined): Promise<string> {
  const out = new Exposition()
  out.metric('sandpiper_info', 'gauge', 'Version of the service')
  out.sample('sandpiper_info', { version: packageVersion(), node: node.name, cluster: node.clusterName }, 1)
  if (requests !== undefined) writeRequests(out, requests)
  if (requests?.gateway === undefined) {
    await writeIndexStatistics(out, node)
    writeContexts(out, node)
  } else requests.gateway.writeMetrics(out)
  writeProcess(out)
  writeEventLoop(out)
  writeDisk(out, node)
  return out.toString()
}

function writeRequests(out: Exposition, requests: RequestMetrics): void {
  out.metric('sandpiper_http_requests_total', 'counter', 'Requests by route and status')
  for (const { method, route, byStatus } of requests.all)
    for (const [status, count] of byStatus)
      out.sample('sandpiper_http_requests_total', { method, route, status: String(status) }, count)

  const name = 'sandpiper_http_request_duration_seconds'
  out.metric(name, 'histogram', 'Time from the last byte of a request to its answer')
  for (const { method, route, buckets, seconds, count } of requests.all) {
    let cumulative = 0
    DURATION_BOUNDS.forEach((bound, i) => {
      cumulative += buckets[i]!
      out.sample(`${name}_bucket`, { method, route, le: String(bound) }, cumulative)
    })
    out.sample(`${name}_bucket`, { method, route, le: '+Inf' }, count)
    out.sample(`${name}_sum`, { method, route }, seconds)
    out.sample(`${name}_count`, { method, route }, count)
  }
}

async function writeIndexStatistics(out: Exposition, node: SandpiperNode): Promise<void> {
  const stats = await nodeStats(node, ['indices', 'breaker'], { metrics: Object.keys(INDEX_METRICS) })
  const sections = stats['indices'] as Record<string, Record<string, number>>
  for (const [section, members] of Object.entries(INDEX_METRICS))
    for (const [member, name, type, help] of members) {
      const value = sections[section]?.[member]
      if (typeof value === 'number') out.single(name, type, help, member.endsWith('_in_millis') ? value / 1000 : value)
    }
  out.single('sandpiper_indices', 'gauge', 'Indices', node.state.indices.size)
  const breakers = Object.entries((stats['breakers'] ?? {}) as Record<string, Record<string, number>>)
  for (const [member, name, type, help] of BREAKER_METRICS) {
    out.metric(name, type, help)
    for (const [breaker, values] of breakers) out.sample(name, { breaker }, Number(values[member]))
  }
}

function writeContexts(out: Exposition, node: SandpiperNode): void {
  const kinds = new Map<string, number>([
    ['pit', 0],
    ['scroll', 0],
  ])
  for (const { kind } of node.contexts.list()) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  out.metric('sandpiper_contexts', 'gauge', 'Open points in time and scrolls')
  for (const [type, count] of kinds) out.sample('sandpiper_contexts', { type }, count)
}

function writeProcess(out: Exposition): void {
  const memory = process.memoryUsage()
  out.metric('sandpiper_memory_bytes', 'gauge', 'Memory of the process by kind')
  out.sample('sandpiper_memory_bytes', { kind: 'resident' }, memory.rss)
  out.sample('sandpiper_memory_bytes', { kind: 'heap_used' }, memory.heapUsed)
  out.sample('sandpiper_memory_bytes', { kind: 'heap_committed' }, memory.heapTotal)
  out.sample('sandpiper_memory_bytes', { kind: 'external' }, memory.external)
  out.sample('sandpiper_memory_bytes', { kind: 'array_buffers' }, memory.arrayBuffers)
  const cpu = process.cpuUsage()
  out.single('process_cpu_seconds_total', 'counter', 'CPU time of all threads', (cpu.user + cpu.system) / 1e6)
  out.single('process_resident_memory_bytes', 'gauge', 'Resident memory', memory.rss)
  out.single('process_start_time_seconds', 'gauge', 'Start of the process', Date.now() / 1000 - process.uptime())
  const { descriptors, threads } = readProcStatus()
  if (descriptors !== undefined) out.single('process_open_fds', 'gauge', 'Open file descriptors', descriptors)
  if (threads !== undefined) out.single('sandpiper_threads', 'gauge', 'Threads of the process', threads)
}

/** Values that only Linux provides. */
function readProcStatus(): { readonly descriptors?: number; readonly threads?: number } {
  try {
    const threads = /^Threads:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))
    return { descriptors: readdirSync('/proc/self/fd').length, threads: Number(threads?.[1]) }
  } catch {
    return {}
  }
}

function writeEventLoop(out: Exposition): void {
  if (eventLoopDelay === undefined) {
    eventLoopDelay = monitorEventLoopDelay({ resolution: 10 })
    eventLoopDelay.enable()
  }
  out.metric(
    'sandpiper_event_loop_delay_seconds',
    'gauge',
    'Delay of the main thread since the last scrape, by percentile',
  )
  for (const percentile of [50, 90, 99, 100]) {
    const nanoseconds = eventLoopDelay.count === 0 ? 0 : eventLoopDelay.percentile(percentile)
    out.sample('sandpiper_event_loop_delay_seconds', { percentile: String(percentile) }, nanoseconds / 1e9)
  }
  eventLoopDelay.reset()
}

function writeDisk(out: Exposition, node: SandpiperNode): void {
  if (node.dataFolder === undefined) return
  const { total } = fileSystem(node)
  out.single('sandpiper_disk_bytes', 'gauge', 'Size of the disk that holds the data', Number(total['total_in_bytes']))
  out.single(
    'sandpiper_disk_available_bytes',
    'gauge',
    'Space left on the disk that holds the data',
    Number(total['available_in_bytes']),
  )
}
