/** Shards in the thread that asks for them, with memory for their segments. */
import type { Log } from '../../base/log.ts'
import { plannedMemory } from '../../base/memory/process-memory.ts'
import { Arena } from '../../engine/memory/arena.ts'
import { InlineHost } from './inline-host.ts'
import type { HostCallbacks, ShardHost } from './shard-host.ts'

/** The memory that sections of segments are loaded into; by default the part of the process's memory that is planned for it. */
export function createArena(bytesMax: number = plannedMemory().arenaBytes): Arena {
  return Arena.create(bytesMax)
}

export function createInlineHost(callbacks: HostCallbacks, log?: Log, arenaBytesMax?: number): ShardHost {
  return new InlineHost({ arena: createArena(arenaBytesMax), callbacks, ...(log === undefined ? {} : { log }) })
}
