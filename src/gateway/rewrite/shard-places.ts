/**
 * The place of a document's shard among all shards of a search, computed from its id and routing as the cluster does. It
 * is part of the tiebreaker of a point in time.
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

/** A shard of a search. */
export interface PlacedShard {
  readonly index: string
  readonly shard: number
  /** The number of shards of its index. */
  readonly shards: number
  /** Whether no other index is searched. */
  readonly isOnly: boolean
}

export class ShardPlaces {
  readonly #indices = new Map<string, IndexShards & { readonly places: readonly number[] }>()
  readonly #shards: PlacedShard[] = []

  /** Shards are in Elasticsearch's order: by their numbers, then by the names of their indices. */
  constructor(indices: readonly IndexShards[]) {
    const isOnly = indices.length === 1
    const most = Math.max(0, ...indices.map(({ shards }) => shards))
    const byName = [...indices].sort((a, b) => (a.name < b.name ? -1 : 1))
    const places = new Map(indices.map(({ name }) => [name, [] as number[]]))
    for (let shard = 0; shard < most; shard++) {
      for (const { name, shards } of byName) {
        if (shard >= shards) continue
        places.get(name)!.push(this.#shards.length)
        this.#shards.push({ index: name, shard, shards, isOnly })
      }
    }
    for (const index of indices) this.#indices.set(index.name, { ...index, places: places.get(index.name)! })
  }

  /** The number of shards. */
  get total(): number {
    return this.#shards.length
  }

  shardAt(place: number): PlacedShard {
    return this.#shards[place]!
  }

  /** Undefined for a hit without an id and for one of an index that is not known. */
  placeOf({ _index, _id, _routing }: JsonObject): number | undefined {
    const index = this.#indices.get(String(_index))
    if (index === undefined || typeof _id !== 'string') return undefined
    const { places, shards, routingShards, partition } = index
    const offset = partition > 1 ? floorMod(murmur3OfUtf16(_id), partition) : 0
    const hash = murmur3OfUtf16(typeof _routing === 'string' ? _routing : _id) + offset
    return places[Math.floor(floorMod(hash, routingShards) / (routingShards / shards))]
  }
}
