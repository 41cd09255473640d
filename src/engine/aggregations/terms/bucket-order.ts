/** `order` of terms and histograms: by count, key or a value of a sub-aggregation, in sequence. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { END_OBJECT, FIELD_NAME, STRING } from '../../../base/json/json-reader.ts'
import { ACCEPTS_OBJECT_ARRAY, type MemberParser, type RequestReader } from '../../request/request-reader.ts'
import type { Bucket } from '../aggregation.ts'
import type { AggregationTree, ShardTree } from '../aggregation-tree.ts'
import { type AggregationPath, parsePath, shardValue, valueAt } from '../results/aggregation-path.ts'

export type BucketOrder =
  | { readonly by: 'count'; readonly descending: boolean }
  | { readonly by: 'key'; readonly descending: boolean }
  | { readonly by: 'value'; readonly descending: boolean; readonly path: AggregationPath }

/** Most documents first; ties by key. */
export const COUNT_DESCENDING: readonly BucketOrder[] = [
  { by: 'count', descending: true },
  { by: 'key', descending: false },
]

export const KEY_ASCENDING: readonly BucketOrder[] = [{ by: 'key', descending: false }]

export function orderMember(reader: RequestReader, set: (orders: BucketOrder[]) => void): MemberParser {
  return {
    accepts: ACCEPTS_OBJECT_ARRAY,
    parse: () => {
      const orders: BucketOrder[] = []
      reader.items(() => orders.push(readOrder(reader)))
      if (orders.length === 0) {
        throw new ApiError(400, 'index_out_of_bounds_exception', 'Index 0 out of bounds for length 0')
      }
      set(withTieBreaker(orders))
    },
  }
}

function readOrder(reader: RequestReader): BucketOrder {
  let key: string | undefined
  let descending = false
  while (reader.next() !== END_OBJECT) {
    if (reader.is(FIELD_NAME)) {
      key = reader.name
    } else if (reader.is(STRING)) {
      const direction = reader.text().toLowerCase()
      if (direction !== 'asc' && direction !== 'desc') {
        throw reader.parsingError(`Unknown order direction [${reader.text()}]`)
      }
      descending = direction === 'desc'
    } else {
      throw reader.parsingError(`Unexpected token [${reader.tokenName}] for [order]`)
    }
  }
  if (key === undefined) throw reader.parsingError('Must specify at least one field for [order]')
  if (key === '_key') return { by: 'key', descending }
  if (key === '_count') return { by: 'count', descending }
  return { by: 'value', descending, path: parsePath(key) }
}

/** Adds a tie-breaker by key, unless the order already ends with one. */
function withTieBreaker(orders: BucketOrder[]): BucketOrder[] {
  return orders.some(({ by }) => by === 'key') ? orders : [...orders, { by: 'key', descending: false }]
}

export function isKeyOrder(orders: readonly BucketOrder[]): boolean {
  return orders[0]!.by === 'key'
}

export function isCountDescending(orders: readonly BucketOrder[]): boolean {
  const [first, second] = orders
  return first!.by === 'count' && first!.descending && (second === undefined || second.by === 'key')
}

export function needsChildren(orders: readonly BucketOrder[]): boolean {
  return orders.some(({ by }) => by === 'value')
}

/** Compares two buckets of the shard by ordinal; `compareKeys` is ascending. */
export function shardOrder(
  orders: readonly BucketOrder[],
  counts: (bucket: number) => number,
  compareKeys: (a: number, b: number) => number,
  children: ShardTree,
): (a: number, b: number) => number {
  const comparators = orders.map((order): ((a: number, b: number) => number) => {
    const sign = order.descending ? -1 : 1
    if (order.by === 'count') return (a, b) => sign * (counts(a) - counts(b))
    if (order.by === 'key') return (a, b) => sign * compareKeys(a, b)
    const value = shardValue(children, order.path)
    // On a shard, buckets without a value come last in either direction.
    return (a, b) => compareNaNLast(value(a), value(b), sign)
  })
  const [first, second] = comparators
  if (second === undefined) return first!
  if (comparators.length === 2) return (a, b) => first!(a, b) || second(a, b)
  return (a, b) => {
    for (const compare of comparators) {
      const order = compare(a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

/** Compares two merged buckets. Validates every path, because an invalid one is detected here and not on the shards. */
export function finalOrder<B extends Bucket>(
  orders: readonly BucketOrder[],
  compareKeys: (a: B, b: B) => number,
  tree: AggregationTree,
): (a: B, b: B) => number {
  return (a, b) => {
    for (const order of orders) {
      const sign = order.descending ? -1 : 1
      let result: number
      if (order.by === 'count') result = sign * (a.docCount - b.docCount)
      else if (order.by === 'key') result = sign * compareKeys(a, b)
      else result = sign * compareNaNLast(orderValue(tree, a, order.path), orderValue(tree, b, order.path), 1)
      if (result !== 0) return result
    }
    return 0
  }
}

export function orderValue(tree: AggregationTree, bucket: Bucket, path: AggregationPath): number {
  try {
    return valueAt(tree, bucket.results, path)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw illegalArgument(`Invalid aggregation order path [${path.text}]. ${error.message}`, error)
  }
}

function compareNaNLast(a: number, b: number, sign: number): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1
  if (Number.isNaN(b)) return -1
  return a === b ? 0 : sign * (a < b ? -1 : 1)
}
