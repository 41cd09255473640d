/**
 * `_shard_doc` for clusters without it: the unique last sort value of a search in a point in time.
 *
 * Two documents have the same `_seq_no` only if they are in different shards. A group of hits with equal sort values and
 * equal `_seq_no` is therefore at most as large as the number of shards S, and the cluster always returns it in the same
 * order. The value that clients get is `_seq_no · S + place in the group`. The next page starts before that `_seq_no`,
 * asks for as many hits more as the group had already shown, and drops them.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'

export interface TiebreakPlan {
  /** The sort for the cluster: that of the request with `_seq_no` as the tiebreaker. */
  readonly sort: readonly unknown[]
  readonly searchAfter: readonly unknown[] | undefined
  readonly from: number
  readonly size: number
  /** The number of hits at the start of the cluster's answer that the client has seen or does not want. */
  readonly dropped: number
  readonly shards: number
  /** The place of the tiebreaker among the sort values. */
  readonly position: number
}

export interface TiebreakRequest {
  readonly sort: readonly unknown[]
  /** The place of an explicit `_shard_doc` in `sort`; the end of the list when it is implicit. */
  readonly position: number
  readonly isDescending: boolean
  readonly searchAfter: readonly unknown[] | undefined
  readonly from: number
  readonly size: number
  readonly shards: number
}

export function planTiebreak(request: TiebreakRequest): TiebreakPlan {
  const { position, isDescending, searchAfter, from, size, shards } = request
  const order = isDescending ? 'desc' : 'asc'
  const sort = [...request.sort]
  sort[position] = { _seq_no: { order } }
  const base = { sort, shards, position }
  if (searchAfter === undefined) {
    // A group that begins before the page shows which place its first hit on the page has.
    const earlier = Math.min(from, shards - 1)
    return { ...base, searchAfter, from: from - earlier, size: size + earlier, dropped: earlier }
  }
  const last = BigInt(toInteger(searchAfter[position]))
  const count = BigInt(Math.max(1, shards))
  const seqNo = floorDiv(last, count)
  const place = Number(last - seqNo * count)
  const before = isDescending ? seqNo + 1n : seqNo - 1n
  const values = [...searchAfter]
  if (shards <= 1) {
    values[position] = seqNo
    return { ...base, searchAfter: values, from, size, dropped: 0 }
  }
  values[position] = before
  // The dropped hits are the start of the group, so that places count on from them.
  return { ...base, searchAfter: values, from, size: size + place + 1, dropped: place + 1 }
}

/** The hits for the client, with the tiebreaker in place of `_seq_no`. */
export function tiebrokenHits(hits: readonly JsonObject[], plan: TiebreakPlan): JsonObject[] {
  const { shards, position, dropped } = plan
  const count = BigInt(Math.max(1, shards))
  const out: JsonObject[] = []
  let group = ''
  let place = 0
  for (let i = 0; i < hits.length; i++) {
    const hit = hits[i]!
    const sort = hit['sort'] as unknown[]
    const key = keyOf(sort)
    place = key === group ? place + 1 : 0
    group = key
    if (i < dropped) continue
    const values = [...sort]
    values[position] = BigInt(toInteger(sort[position])) * count + BigInt(place)
    out.push({ ...hit, sort: values })
  }
  return out
}

/** Sort values as one text. Values of equal hits come in equal form from the cluster. */
function keyOf(values: readonly unknown[]): string {
  return JSON.stringify(values, (_, value) => {
    if (typeof value === 'bigint') return `${value}n`
    return value?.bytes instanceof Uint8Array ? `#${Buffer.from(value.bytes).toString('latin1')}` : value
  })
}

function toInteger(value: unknown): number | bigint | string {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Math.trunc(value)
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return value
  return 0
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b < 0n ? quotient - 1n : quotient
}
