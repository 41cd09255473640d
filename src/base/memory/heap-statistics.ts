/** V8's heap and garbage collections under the names that monitoring tools know from a JVM. */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics } from 'node:v8'

interface HeapPool {
  readonly used_in_bytes: number
  readonly max_in_bytes: number
  readonly peak_used_in_bytes: number
  readonly peak_max_in_bytes: number
}

export interface Collections {
  readonly collection_count: number
  readonly collection_time_in_millis: number
}

const minor = { count: 0, ms: 0 }
const major = { count: 0, ms: 0 }

const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind } = (entry as PerformanceEntry & { detail?: { kind?: number } }).detail ?? {}
    const counted = kind === constants.NODE_PERFORMANCE_GC_MINOR ? minor : major
    counted.count++
    counted.ms += entry.duration
  }
})
observer.observe({ entryTypes: ['gc'] })

export function heapPools(): Record<'young' | 'survivor' | 'old', HeapPool> {
  const spaces = getHeapSpaceStatistics()
  const pool = (name: string) => {
    const { space_used_size: used, space_size: size } = spaces.find(({ space_name: known }) => known === name) ?? {
      space_used_size: 0,
      space_size: 0,
    }
    return { used_in_bytes: used, max_in_bytes: size, peak_used_in_bytes: used, peak_max_in_bytes: size }
  }
  return { young: pool('new_space'), survivor: pool('new_large_object_space'), old: pool('old_space') }
}

/** Garbage collections since the process began to count them. */
export function collections(): Record<'young' | 'old', Collections> {
  const counted = ({ count, ms }: { count: number; ms: number }) => ({
    collection_count: count,
    collection_time_in_millis: Math.round(ms),
  })
  return { young: counted(minor), old: counted(major) }
}
