/** Rules for indices that spread a routing value over several shards (`index.routing_partition_size`). */
import { illegalArgument, illegalState } from '../../base/api-error.ts'
import { failedToParseMapping } from '../../base/errors/mapping-errors.ts'
import type { IndexMapping } from '../../engine/mapping/mapping.ts'
import { joinField } from '../../engine/query/joining/join-field.ts'
import type { FlatSettings } from '../metadata/metadata.ts'

export function partitionSize(settings: FlatSettings, routingShards: number, index: string): number {
  const size = Number(settings['index.routing_partition_size'] ?? 1)
  if (size !== 1 && size >= routingShards) {
    throw illegalArgument(
      `routing partition size [${size}] should be a positive number less than the number of routing shards ` +
        `[${routingShards}] for [${index}]`,
    )
  }
  return size
}

/** Documents are found by their routing; children would be on another shard than their parent. */
export function checkPartitionedMapping(index: string, partition: number | undefined, mapping: IndexMapping): void {
  if (partition === undefined || partition === 1) return
  const join = joinField(mapping)?.name
  if (join !== undefined) {
    throw failedToParseMapping(illegalState(`cannot create join field [${join}] for the partitioned index [${index}]`))
  }
  if (!mapping.routingRequired)
    throw illegalArgument(`mapping type [_doc] must have routing required for partitioned index [${index}]`)
}
