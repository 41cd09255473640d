/** Counters of many shards added up. */
import type { IndexMetadata } from '../metadata/metadata.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import type { ShardStats } from '../shards/shard-host.ts'

const SUMMED = [
  'docs',
  'deleted',
  'storeBytes',
  'segmentCount',
  'translogOperations',
  'translogBytes',
  'uncommittedOperations',
  'indexTotal',
  'deleteTotal',
  'noopUpdateTotal',
  'getTotal',
  'refreshTotal',
  'flushTotal',
  'mergeTotal',
] as const satisfies readonly (keyof ShardStats)[]

export type ShardTotals = Record<(typeof SUMMED)[number], number>

/** The counters of the shards that can be asked; closed indices have none. */
export async function shardTotals(node: SandpiperNode, indices: Iterable<IndexMetadata>): Promise<ShardTotals> {
  const keys = [...indices].filter(({ state }) => state === 'open').flatMap((index) => node.shards.usableKeys(index))
  const all = await Promise.all(keys.map((key) => node.host.stats(key)))
  const totals = Object.fromEntries(SUMMED.map((name) => [name, 0])) as ShardTotals
  for (const stats of all) for (const name of SUMMED) totals[name] += stats[name]
  return totals
}
