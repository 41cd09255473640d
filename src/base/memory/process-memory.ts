/**
 * The memory plan and the circuit breakers of the process. There is one of each; a thread that starts other threads
 * passes them on.
 */
import type { ResourceLimits } from 'node:worker_threads'
import { CircuitBreakers, type SharedBreakers } from './circuit-breakers.ts'
import { collectGarbage } from './collect-garbage.ts'
import { availableMemoryBytes, type MemoryPlan, memoryPlan } from './memory-plan.ts'

let current: CircuitBreakers | undefined

/** Created on first use from the system's limits. */
export function breakers(): CircuitBreakers {
  current ??= new CircuitBreakers(memoryPlan(availableMemoryBytes()))
  return current
}

export const plannedMemory = (): MemoryPlan => breakers().plan

/** Sets the total chosen by the operator. Must be called before anything is opened. */
export function limitMemory(totalBytes: number): void {
  current = new CircuitBreakers(memoryPlan(totalBytes))
}

/** Attaches a thread to the state that `breakers().share()` returned in the thread that started it. */
export function attachMemory({ plan, words, held }: SharedBreakers): void {
  current = new CircuitBreakers(plan, words, held)
}

let garbage = 0

/**
 * Notes that a request body or written file of this size became garbage. V8 would keep such memory until there is a lot
 * of it, even in a small process; this makes it collect sooner.
 */
export function noteGarbage(bytes: number): void {
  garbage += bytes
  if (garbage < plannedMemory().garbageBytes) return
  garbage = 0
  collectGarbage()
}

/** Heap limits for a new thread. */
export function threadLimits(): ResourceLimits {
  const { heapMegabytes, youngHeapMegabytes } = plannedMemory()
  return {
    maxOldGenerationSizeMb: heapMegabytes,
    ...(youngHeapMegabytes === undefined ? {} : { maxYoungGenerationSizeMb: youngHeapMegabytes }),
  }
}
