/** The process, its runtime and its container in the terms of Logstash's monitoring API, which tools read for a JVM. */
import { readFileSync } from 'node:fs'
import { cpus, loadavg, platform } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { descriptorLimit, openDescriptors } from '../../base/files/descriptor-limit.ts'
import { collections, heapPools } from '../../base/memory/heap-statistics.ts'

type Report = Record<string, unknown>

let openPeak = 0

export function processStats(startMs: number): Report {
  const { user, system } = process.cpuUsage()
  const [oneMinute = 0, fiveMinutes = 0, quarterHour = 0] = loadavg()
  const open = openDescriptors() ?? -1
  openPeak = Math.max(openPeak, open)
  const limit = descriptorLimit()
  return {
    open_file_descriptors: open,
    peak_open_file_descriptors: openPeak,
    max_file_descriptors: Number.isFinite(limit) ? limit : -1,
    mem: { total_virtual_in_bytes: process.memoryUsage.rss() },
    cpu: {
      total_in_millis: Math.round((user + system) / 1000),
      percent: Math.round((user + system) / 10 / Math.max(1, Date.now() - startMs) / cpus().length),
      load_average: { '1m': oneMinute, '5m': fiveMinutes, '15m': quarterHour },
    },
  }
}

export function runtimeStats(startMs: number, workers: number): Report {
  const memory = process.memoryUsage()
  const { heap_size_limit: limit } = getHeapStatistics()
  const pools = Object.entries(heapPools()).map(([name, pool]) => [
    name,
    { ...pool, committed_in_bytes: pool.max_in_bytes },
  ])
  return {
    threads: { count: workers, peak_count: workers },
    mem: {
      heap_used_percent: Math.round((memory.heapUsed / limit) * 100),
      heap_committed_in_bytes: memory.heapTotal,
      heap_max_in_bytes: limit,
      heap_used_in_bytes: memory.heapUsed,
      non_heap_used_in_bytes: memory.external,
      non_heap_committed_in_bytes: memory.external,
      pools: Object.fromEntries(pools),
    },
    gc: { collectors: collections() },
    uptime_in_millis: Date.now() - startMs,
  }
}

export function runtimeInfo(startMs: number): Report {
  const memory = process.memoryUsage()
  const limit = getHeapStatistics().heap_size_limit
  return {
    pid: process.pid,
    version: process.version,
    vm_name: 'Node.js',
    vm_version: process.versions.v8,
    vm_vendor: platform(),
    start_time_in_millis: startMs,
    mem: {
      heap_init_in_bytes: 0,
      heap_max_in_bytes: limit,
      non_heap_init_in_bytes: 0,
      non_heap_max_in_bytes: memory.external,
    },
    gc_collectors: ['young', 'old'],
  }
}

/** The limits of the control group of the process; empty outside of a group. */
export function containerStats(): Report {
  try {
    const group = /^0::(\S+)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
    if (group === undefined) return {}
    const folder = `/sys/fs/cgroup${group === '/' ? '' : group}`
    const stat = numbersOf(readFileSync(`${folder}/cpu.stat`, 'utf8'))
    const [quota = 'max', period = '100000'] = readFileSync(`${folder}/cpu.max`, 'utf8').trim().split(' ')
    return {
      cgroup: {
        cpuacct: { control_group: group, usage_nanos: (stat['usage_usec'] ?? 0) * 1000 },
        cpu: {
          control_group: group,
          cfs_period_micros: Number(period),
          cfs_quota_micros: quota === 'max' ? -1 : Number(quota),
          stat: {
            number_of_elapsed_periods: stat['nr_periods'] ?? 0,
            number_of_times_throttled: stat['nr_throttled'] ?? 0,
            time_throttled_nanos: (stat['throttled_usec'] ?? 0) * 1000,
          },
        },
      },
    }
  } catch {
    // The root group has no limits, and other systems have no groups.
    return {}
  }
}

/** Lines of a name and a number. */
function numbersOf(text: string): Record<string, number> {
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name, value]) => [name, Number(value)]),
  )
}
