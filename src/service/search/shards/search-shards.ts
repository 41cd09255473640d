/** Which shards of an index a search visits: those its routing values lead to, or all. */
import { routingShard } from '../../../base/murmur3.ts'
import type { SearchTarget } from '../../names/name-resolver.ts'

/** `routing` of the request and of the aliases are both honoured: only values that are in both lists lead anywhere. */
export function shardsOf(target: SearchTarget, routing: readonly string[] | undefined): number[] {
  const { index, searchRouting } = target
  const all = Array.from({ length: index.shardCount }, (_, shard) => shard)
  let values = routing
  if (searchRouting !== undefined) values = routing?.filter((value) => searchRouting.has(value)) ?? [...searchRouting]
  if (values === undefined) return all
  const shards = new Set(values.map((value) => routingShard(value, index.shardCount, index.routingShards)))
  return all.filter((shard) => shards.has(shard))
}
