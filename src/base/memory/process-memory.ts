/**
 * The memory of the process, as each of its threads sees it. There is one process, so there is one plan and one set of breakers; the
 * thread that starts others passes them on.
 */
import type { ResourceLimits } from 'node:worker_threads'
import { CircuitBreakers, type SharedBreakers } from './circuit-breakers.ts'
import { collectGarbage } from './collect-garbage.ts'
import { availableMemoryBytes, type MemoryPlan, memoryPlan } from './memory-plan.ts'

let current: CircuitBreakers | undefined

/** Made on first use, of what the system says. */
export function breakers(): CircuitBreakers {
  current ??= new CircuitBreakers(memoryPlan(availableMemoryBytes()))
  return current
}

export const plannedMemory = (): MemoryPlan => breakers().plan

/** The operator said how much there is. To be called before anything is opened. */
export function limitMemory(totalBytes: number): void {
  current = new CircuitBreakers(memoryPlan(totalBytes))
}

/** In a thread, with what `breakers().share()` gave where it was started. */
export function attachMemory({ plan, words }: SharedBreakers): void {
  current = new CircuitBreakers(plan, words)
}

let garbage = 0

/**
 * A request body or a written file of so many bytes is no longer used. V8 lets such memory lie around until there is a lot of it, also in a
 * process that has little; there it is collected sooner.
 */
export function noteGarbage(bytes: number): void {
  garbage += bytes
  if (garbage < plannedMemory().garbageBytes) return
  garbage = 0
  collectGarbage()
}

/** Limits of a thread's heap. */
export function threadLimits(): ResourceLimits {
  const { heapMegabytes, youngHeapMegabytes } = plannedMemory()
  return {
    maxOldGenerationSizeMb: heapMegabytes,
    ...(youngHeapMegabytes === undefined ? {} : { maxYoungGenerationSizeMb: youngHeapMegabytes }),
  }
}
