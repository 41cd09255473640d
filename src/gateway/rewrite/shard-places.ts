/**
 * The place of a document's shard among all shards of a search, computed from its id and routing as the cluster does. It
 * makes the tiebreaker of a point in time unique: two documents share a `_seq_no` only if they are in different shards.
 */
import { floorMod, murmur3OfUtf16 } from '../../base/murmur3.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'

/** How documents of an index are spread over its shards. */
export interface IndexShards {
  readonly name: string
  readonly shards: number
  /** The number of virtual shards. */
  readonly routingShards: number
  /** `index.routing_partition_size` */
  readonly partition: number
}

export class ShardPlaces {
  /** The number of shards. */
  readonly total: number
  readonly #indices = new Map<string, IndexShards & { readonly first: number }>()

  constructor(indices: readonly IndexShards[]) {
    let first = 0
    for (const index of indices) {
      this.#indices.set(index.name, { ...index, first })
      first += index.shards
    }
    this.total = first
  }

  /** Undefined for a hit without an id and for one of an index that is not known. */
  placeOf({ _index, _id, _routing }: JsonObject): number | undefined {
    const index = this.#indices.get(String(_index))
    if (index === undefined || typeof _id !== 'string') return undefined
    const { first, shards, routingShards, partition } = index
    const offset = partition > 1 ? floorMod(murmur3OfUtf16(_id), partition) : 0
    const hash = murmur3OfUtf16(typeof _routing === 'string' ? _routing : _id) + offset
    return first + Math.floor(floorMod(hash, routingShards) / (routingShards / shards))
  }
}
