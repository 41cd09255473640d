/**
 * The thread pools that monitoring tools query by name. Work is not queued in pools: one thread does each kind of work
 * in order, and nothing is rejected. The figures say so.
 */
import type { JsonObject } from '../metadata/metadata.ts'

export interface ThreadPool {
  readonly name: string
  readonly active: number
  readonly queue: number
  readonly rejected: number
  readonly size: number
  readonly queueSize: number
}

const NAMES = [
  'analyze',
  'flush',
  'force_merge',
  'generic',
  'get',
  'management',
  'merge',
  'refresh',
  'search',
  'snapshot',
  'warmer',
  'write',
] as const

/** Sorted by name. The listing request itself is work of the management pool. */
export function threadPools(): ThreadPool[] {
  return NAMES.map((name) => ({
    name,
    active: name === 'management' ? 1 : 0,
    queue: 0,
    rejected: 0,
    size: 1,
    queueSize: -1,
  }))
}

/** `_nodes`: the configuration of the pools. */
export function threadPoolInfo(): JsonObject {
  return Object.fromEntries(
    threadPools().map(({ name, size, queueSize }) => [name, { type: 'fixed', size, queue_size: queueSize }]),
  )
}

/** `_nodes/stats`: the activity of the pools. */
export function threadPoolStats(): JsonObject {
  return Object.fromEntries(
    threadPools().map(({ name, active, queue, rejected, size }) => [
      name,
      { threads: size, queue, active, rejected, largest: size, completed: 0 },
    ]),
  )
}
