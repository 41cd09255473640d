/** Chooses where shards live: in a writer thread, or with `threads: 0` where they are asked for. */
import { totalmem } from 'node:os'
import type { Log } from '../../base/log.ts'
import { Arena } from '../../engine/memory/arena.ts'
import { InlineHost } from './inline-host.ts'
import type { HostCallbacks, ShardHost } from './shard-host.ts'

export interface ShardHostOptions {
  readonly threads: number
  readonly log?: Log | undefined
  /** How much of the segments may be in memory at once; half of the machine's memory when absent. */
  readonly arenaBytesMax?: number | undefined
}

const ARENA_BYTES_LIMIT = 4 * 1024 ** 3

export function createShardHost(options: ShardHostOptions, callbacks: HostCallbacks): ShardHost {
  const arenaBytes = Math.min(ARENA_BYTES_LIMIT, options.arenaBytesMax ?? totalmem() / 2)
  const arena = Arena.create(arenaBytes)
  const log = options.log === undefined ? {} : { log: options.log }
  return new InlineHost({ arena, callbacks, ...log })
}
