/**
 * The pools of threads that monitoring tools ask for by name. Work here does not queue in pools: each kind of it is done by
 * one thread in the order it comes, and nothing is turned away, which is what the figures say.
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

/** In the order of their names. The request that asks is work of the management. */
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

/** `_nodes`: how the pools are made. */
export function threadPoolInfo(): JsonObject {
  return Object.fromEntries(
    threadPools().map(({ name, size, queueSize }) => [name, { type: 'fixed', size, queue_size: queueSize }]),
  )
}

/** `_nodes/stats`: what they do. */
export function threadPoolStats(): JsonObject {
  return Object.fromEntries(
    threadPools().map(({ name, active, queue, rejected, size }) => [
      name,
      { threads: size, queue, active, rejected, largest: size, completed: 0 },
    ]),
  )
}
