/** The shards of an index that a search visits: those of its routing values, or all, and of these the preferred ones. */
import { addShardsOfRouting } from '../../../base/shard-routing.ts'
import type { SearchTarget } from '../../names/name-resolver.ts'
import type { NamedNode } from '../../names/node-names.ts'
import { isPreferred } from './preference.ts'

export interface ShardChoice {
  readonly routing: readonly string[] | undefined
  readonly preference?: string | undefined
}

export function shardsOf(target: SearchTarget, { routing, preference }: ShardChoice, node: NamedNode): number[] {
  const shards = routedShards(target, routing)
  if (preference === undefined) return shards
  return shards.filter((shard) => isPreferred(preference, target.index.name, shard, node))
}

/** The `routing` of the request and of the aliases are both respected: only values in both lists count. */
function routedShards(target: SearchTarget, routing: readonly string[] | undefined): number[] {
  const { index, searchRouting } = target
  const all = Array.from({ length: index.shardCount }, (_, shard) => shard)
  let values = routing
  if (searchRouting !== undefined) values = routing?.filter((value) => searchRouting.has(value)) ?? [...searchRouting]
  if (values === undefined) return all
  const shards = new Set<number>()
  for (const value of values) addShardsOfRouting(index, value, shards)
  return all.filter((shard) => shards.has(shard))
}
