/** Which shard holds a document, and which shards a routing value can lead to. */
import { illegalArgument } from './api-error.ts'
import { floorMod, murmur3OfUtf16 } from './murmur3.ts'

export interface ShardRouting {
  readonly shardCount: number
  /** The number of virtual shards that hashes are divided by, see `routingShardCount`. */
  readonly routingShards: number
  /** How many neighbouring virtual shards share the documents of one routing value (`index.routing_partition_size`). */
  readonly routingPartition?: number | undefined
}

/** The shard of a document. In a partitioned index its id chooses among the shards of its routing value. */
export function shardOfDocument(rule: ShardRouting, id: string, routing: string | undefined): number {
  const { routingPartition: partition = 1 } = rule
  if (partition === 1) return shardOfHash(rule, murmur3OfUtf16(routing ?? id))
  if (routing === undefined) throw illegalArgument('A routing value is required for gets from a partitioned index')
  return shardOfHash(rule, murmur3OfUtf16(routing) + floorMod(murmur3OfUtf16(id), partition))
}

/** Adds the shards that hold documents of a routing value. */
export function addShardsOfRouting(rule: ShardRouting, routing: string, shards: Set<number>): void {
  const { routingPartition: partition = 1 } = rule
  const hash = murmur3OfUtf16(routing)
  for (let offset = 0; offset < partition; offset++) shards.add(shardOfHash(rule, hash + offset))
}

/** Sums of hashes wrap around like integers of Java. */
function shardOfHash({ shardCount, routingShards }: ShardRouting, hash: number): number {
  return Math.floor(floorMod(hash | 0, routingShards) / (routingShards / shardCount))
}
