/** The shards of an index that a search visits: those of its routing values, or all. */
import { addShardsOfRouting } from '../../../base/shard-routing.ts'
import type { SearchTarget } from '../../names/name-resolver.ts'

/** The `routing` of the request and of the aliases are both respected: only values in both lists count. */
export function shardsOf(target: SearchTarget, routing: readonly string[] | undefined): number[] {
  const { index, searchRouting } = target
  const all = Array.from({ length: index.shardCount }, (_, shard) => shard)
  let values = routing
  if (searchRouting !== undefined) values = routing?.filter((value) => searchRouting.has(value)) ?? [...searchRouting]
  if (values === undefined) return all
  const shards = new Set<number>()
  for (const value of values) addShardsOfRouting(index, value, shards)
  return all.filter((shard) => shards.has(shard))
}
