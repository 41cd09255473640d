/**
 * Ids of points in time. Ours hold the number of shards, which the tiebreaker needs, the names of the indices, which the
 * shadow needs, and the cluster's own id. Nothing is kept in the gateway, so that any gateway can continue a paging.
 */
export interface PitId {
  readonly shards: number
  /** Names of the indices at the time the point in time was opened. */
  readonly indices: readonly string[]
  /** The cluster's id; empty for a point in time without shards. */
  readonly id: string
}

const VERSION = '1'

export function encodePitId({ shards, indices, id }: PitId): string {
  return [VERSION, shards, Buffer.from(indices.join(',')).toString('base64url'), id].join('.')
}

/** Undefined for an id that no gateway made. */
export function decodePitId(text: string): PitId | undefined {
  const match = /^1\.(\d+)\.([\w-]*)\.([\w=/+-]*)$/.exec(text)
  if (match === null) return undefined
  const names = Buffer.from(match[2]!, 'base64url').toString('utf8')
  return { shards: Number(match[1]), indices: names === '' ? [] : names.split(','), id: match[3]! }
}
