/**
 * Merges aggregators of one search from several threads, each over some of the segments: the state of one is added to
 * that of another. It is passed as plain data, arrays by bucket. Threads number their buckets differently, so an
 * aggregator that numbers buckets passes the mapping to its children.
 */
import { type BucketDoubles, type BucketInts, bucketBound } from './bucket-arrays.ts'
import type { BucketTable } from './bucket-table.ts'

export interface PartSharing {
  give(): unknown
  /**
   * `buckets[i]` is this thread's number of the other thread's parent bucket i; undefined if the numbers are the same.
   */
  take(found: unknown, buckets: BucketNames): void
}

export type BucketNames = Int32Array | undefined

/** Doubles if some values exceed 32-bit integers. */
export type GivenInts = Int32Array | Float64Array

export const giveInts = (counts: BucketInts): GivenInts => counts.totals()
export const giveDoubles = ({ array }: BucketDoubles): Float64Array => array

export function takeInts(own: BucketInts, found: GivenInts, buckets: BucketNames): void {
  const array = own.reserve(boundOf(found.length, buckets))
  if (found instanceof Float64Array) {
    eachBucket(found.length, buckets, (from, to) => own.add(to, found[from]!))
    return
  }
  eachBucket(found.length, buckets, (from, to) => {
    array[to] = array[to]! + found[from]!
  })
}

export function takeLeast(own: BucketDoubles, found: Float64Array, buckets: BucketNames): void {
  const array = own.reserve(boundOf(found.length, buckets))
  eachBucket(found.length, buckets, (from, to) => {
    if (found[from]! < array[to]!) array[to] = found[from]!
  })
}

export function takeGreatest(own: BucketDoubles, found: Float64Array, buckets: BucketNames): void {
  const array = own.reserve(boundOf(found.length, buckets))
  eachBucket(found.length, buckets, (from, to) => {
    if (found[from]! > array[to]!) array[to] = found[from]!
  })
}

/** Arrays may have more room than there are buckets: nothing was collected beyond the mapping. */
export function eachBucket(length: number, buckets: BucketNames, visit: (from: number, to: number) => void): void {
  const count = buckets === undefined ? length : Math.min(length, buckets.length)
  for (let bucket = 0; bucket < count; bucket++) visit(bucket, buckets === undefined ? bucket : buckets[bucket]!)
}

export function boundOf(length: number, buckets: BucketNames): number {
  return buckets === undefined ? length : bucketBound(buckets, buckets.length)
}

/** The buckets numbered by a table. */
interface GivenTable {
  readonly parents: Int32Array
  readonly keys: Float64Array
}

function giveTable({ parents, keys, size }: BucketTable): GivenTable {
  return { parents: parents.slice(0, size), keys: keys.slice(0, size) }
}

/**
 * The sharing of an aggregator whose buckets are numbered by a table; undefined if its children have to see all
 * documents.
 */
export function tableSharing(
  table: BucketTable,
  counts: BucketInts,
  children: PartSharing | undefined,
): PartSharing | undefined {
  return (
    children && {
      give: () => [giveTable(table), giveInts(counts), children.give()],
      take: (found, buckets) => {
        const [given, counted, below] = found as [GivenTable, Int32Array, unknown]
        const names = takeTable(table, given, buckets)
        takeInts(counts, counted, names)
        children.take(below, names)
      },
    }
  )
}

/** Maps the buckets of another thread's table to this one. */
function takeTable(own: BucketTable, { parents, keys }: GivenTable, buckets: BucketNames): Int32Array {
  const names = new Int32Array(parents.length)
  for (let i = 0; i < names.length; i++) {
    const parent = buckets === undefined ? parents[i]! : buckets[parents[i]!]!
    names[i] = own.add(parent, keys[i]!)
  }
  return names
}
