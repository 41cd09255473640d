import type { ShardKey } from './shard-host.ts'

/** The name of a shard inside the process, used as key in maps and messages between threads. */
export const shardIdOf = (key: ShardKey) => `${key.indexUuid}/${key.shard}`
