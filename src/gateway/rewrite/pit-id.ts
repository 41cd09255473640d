/**
 * Ids of points in time. Ours hold the number of shards, the names of the indices, which the shadow needs, how their
 * documents are spread over shards, which the tiebreaker needs, and the cluster's own id. Nothing is kept in the gateway,
 * so that any gateway can continue a paging.
 */
import { routingShardCount } from '../../base/murmur3.ts'
import type { IndexShards } from './shard-places.ts'

export interface PitId {
  readonly shards: number
  /** Names of the indices at the time the point in time was opened. */
  readonly indices: readonly string[]
  /** The indices with their shards, in the same order. */
  readonly spread: readonly IndexShards[]
  /** The cluster's id; empty for a point in time without shards. */
  readonly id: string
}

const VERSION = '2'

export function encodePitId({ shards, spread, id }: Omit<PitId, 'indices'>): string {
  // Names of indices have no slashes.
  const listed = spread.map(({ name, shards: own, routingShards, partition }) => {
    const usual = routingShards === routingShardCount(own) && partition === 1
    return usual ? `${name}/${own}` : `${name}/${own}/${routingShards}/${partition}`
  })
  return [VERSION, shards, Buffer.from(listed.join(',')).toString('base64url'), id].join('.')
}

/** Undefined for an id that no gateway made. */
export function decodePitId(text: string): PitId | undefined {
  const match = /^2\.(\d+)\.([\w-]*)\.([\w=/+-]*)$/.exec(text)
  if (match === null) return undefined
  const listed = Buffer.from(match[2]!, 'base64url').toString('utf8')
  const spread = (listed === '' ? [] : listed.split(',')).map((entry) => {
    const [name = '', shards, routingShards, partition] = entry.split('/')
    const own = Number(shards)
    return {
      name,
      shards: own,
      routingShards: routingShards === undefined ? routingShardCount(own) : Number(routingShards),
      partition: Number(partition ?? 1),
    }
  })
  return { shards: Number(match[1]), indices: spread.map(({ name }) => name), spread, id: match[3]! }
}
