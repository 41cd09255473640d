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
  return Buffer.from([VERSION, shards, indices.join(','), id].join('|')).toString('base64url')
}

/** Undefined for an id that no gateway made. */
export function decodePitId(text: string): PitId | undefined {
  const match = /^1\|(\d+)\|([^|]*)\|(.*)$/s.exec(Buffer.from(text, 'base64url').toString('utf8'))
  if (match === null) return undefined
  return { shards: Number(match[1]), indices: match[2] === '' ? [] : match[2]!.split(','), id: match[3]! }
}
