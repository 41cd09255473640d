import type { ShardKey } from './shard-host.ts'

/** The name of a shard inside the process: maps and messages between threads use it as their key. */
export const shardIdOf = (key: ShardKey) => `${key.indexUuid}/${key.shard}`
