/**
 * All copies of all shards, for health, cluster state and cat tables. On a single node a primary is started or failed,
 * and a replica is unassigned.
 */
import type { IndexMetadata } from '../metadata/metadata.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import { integerSetting } from '../settings/update-settings.ts'
import type { ShardKey } from '../shards/shard-host.ts'

export interface ShardCopy {
  readonly index: IndexMetadata
  readonly key: ShardKey
  readonly primary: boolean
  readonly started: boolean
  /** The reason a primary has failed. */
  readonly failure: string | undefined
}

/** Shard by shard: the primary, then the replicas. */
export function shardCopies(node: SandpiperNode, index: IndexMetadata): ShardCopy[] {
  const replicas = replicaCount(index)
  return node.shards.keys(index).flatMap((key) => {
    const failure = node.shards.failure(key)
    const copies: ShardCopy[] = [{ index, key, primary: true, started: failure === undefined, failure }]
    for (let i = 0; i < replicas; i++) {
      copies.push({ index, key, primary: false, started: false, failure: undefined })
    }
    return copies
  })
}

export function replicaCount(index: IndexMetadata): number {
  return integerSetting(index.settings, 'index.number_of_replicas')
}
