/**
 * `_shard_doc` for searches whose shards cannot be read one by one (shard-doc.ts): slices, for example. The numbers are
 * unique, but not Elasticsearch's.
 *
 * Two documents have the same `_seq_no` only if they are in different shards. A group of hits with equal sort values and
 * equal `_seq_no` is therefore at most as large as the number of shards. The value that clients get is `_seq_no · places +
 * place`, where the place is that of the document's shard. The next page starts before that `_seq_no`, asks for as many
 * hits more as the group may have, and drops those up to the place. Groups are completed and put in the order of their
 * places, so that the order in which the cluster returns equal hits does not matter.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import type { ShardPlaces } from './shard-places.ts'
import { haveSameValues } from './sort-values.ts'

export interface TiebreakPlan {
  /** The sort for the cluster: that of the request with `_seq_no` as the tiebreaker. */
  readonly sort: readonly unknown[]
  readonly searchAfter: readonly unknown[] | undefined
  readonly from: number
  readonly size: number
  /** The last hit that the client has seen. */
  readonly last: { readonly seqNo: bigint; readonly place: number } | undefined
  /** The number of hits at the start of the cluster's answer that the client does not want. */
  readonly skipped: number
  /** The number of hits that the client wants. */
  readonly wanted: number
  readonly request: TiebreakRequest
}

export interface TiebreakRequest {
  readonly sort: readonly unknown[]
  /** The place of an explicit `_shard_doc` in `sort`; the end of the list when it is implicit. */
  readonly position: number
  readonly isDescending: boolean
  readonly searchAfter: readonly unknown[] | undefined
  readonly from: number
  readonly size: number
  readonly places: ShardPlaces
  /** `from` and `size` together must not exceed it. */
  readonly window: number
}

export function planTiebreak(request: TiebreakRequest): TiebreakPlan {
  const { position, isDescending, searchAfter, from, size, places, window } = request
  const sort = [...request.sort]
  sort[position] = { _seq_no: { order: isDescending ? 'desc' : 'asc' } }
  const shards = Math.max(1, places.total)
  const base = { sort, wanted: size, request }
  if (searchAfter === undefined) {
    // A group that begins before the page, and one that ends behind it.
    const earlier = Math.min(from, shards - 1)
    const later = Math.max(0, Math.min(shards - 1, window - from - size))
    const plain = { ...base, searchAfter, last: undefined, skipped: earlier }
    return { ...plain, from: from - earlier, size: earlier + size + later }
  }
  const value = BigInt(toInteger(searchAfter[position]))
  const seqNo = floorDiv(value, BigInt(shards))
  const place = Number(value - seqNo * BigInt(shards))
  const values = [...searchAfter]
  values[position] = shards === 1 ? seqNo : isDescending ? seqNo + 1n : seqNo - 1n
  const extra = Math.max(0, Math.min(2 * shards - 1, window - from - size))
  return {
    ...base,
    searchAfter: values,
    from,
    size: size + (shards === 1 ? 0 : extra),
    last: shards === 1 ? undefined : { seqNo, place },
    skipped: 0,
  }
}

interface Placed {
  readonly hit: JsonObject
  readonly seqNo: bigint
  readonly place: number
}

/** The hits for the client, with the tiebreaker in place of `_seq_no`. */
export function tiebrokenHits(hits: readonly JsonObject[], plan: TiebreakPlan): JsonObject[] {
  const { position, places } = plan.request
  const count = BigInt(Math.max(1, places.total))
  const out: JsonObject[] = []
  for (const { hit, seqNo, place } of unseen(groupsOf(hits, plan), plan)) {
    if (out.length === plan.wanted) break
    const values = [...(hit['sort'] as unknown[])]
    values[position] = seqNo * count + BigInt(place)
    out.push({ ...hit, sort: values })
  }
  return out
}

/** Hits with equal sort values, in the order of their places. */
function groupsOf(hits: readonly JsonObject[], { request }: TiebreakPlan): Placed[][] {
  const { position, places, isDescending } = request
  const groups: Placed[][] = []
  let lastKey: string | undefined
  for (const hit of hits) {
    const sort = hit['sort'] as unknown[]
    const key = places.total > 1 ? keyOf(sort) : undefined
    if (key === undefined || key !== lastKey) groups.push([])
    lastKey = key
    const group = groups.at(-1)!
    // Without an id, the order of the cluster must do.
    const place = places.total > 1 ? (places.placeOf(hit) ?? group.length) : 0
    group.push({ hit, seqNo: BigInt(toInteger(sort[position])), place })
  }
  for (const group of groups)
    if (group.length > 1) group.sort((a, b) => (isDescending ? b.place - a.place : a.place - b.place))
  return groups
}

function* unseen(groups: readonly Placed[][], { last, skipped, request }: TiebreakPlan): Generator<Placed> {
  let left = skipped
  for (const [i, group] of groups.entries()) {
    const isLast = i === 0 && last !== undefined && isGroupOf(group[0]!, last.seqNo, request)
    for (const placed of group) {
      if (left-- > 0) continue
      if (isLast && (request.isDescending ? placed.place >= last.place : placed.place <= last.place)) continue
      yield placed
    }
  }
}

/** Whether a hit belongs to the group of the last one that the client has seen. */
function isGroupOf({ hit, seqNo }: Placed, last: bigint, { position, searchAfter = [] }: TiebreakRequest): boolean {
  return seqNo === last && haveSameValues(hit['sort'] as unknown[], searchAfter, position) !== false
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
