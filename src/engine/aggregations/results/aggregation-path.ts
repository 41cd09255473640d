/**
 * `filter>stats.avg`: the path from a bucket to a number below it, for orders. Every step but the last must have
 * exactly one bucket, because otherwise there would be several numbers.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import type { ShardAggregator } from '../aggregation.ts'
import type { AggregationTree, Results, ShardTree } from '../aggregation-tree.ts'

export interface AggregationPath {
  readonly text: string
  readonly names: readonly string[]
  /** The property of the last step: `avg` of stats; undefined for its only value. */
  readonly property: string | undefined
}

export function parsePath(text: string): AggregationPath {
  const names = text.split('>')
  const last = names.at(-1)!
  const bracket = /^(.*)\[(.*)\]$/.exec(last)
  const dot = last.lastIndexOf('.')
  if (bracket !== null) return { text, names: [...names.slice(0, -1), bracket[1]!], property: bracket[2]! }
  if (dot > 0) return { text, names: [...names.slice(0, -1), last.slice(0, dot)], property: last.slice(dot + 1) }
  return { text, names, property: undefined }
}

/** The number of a bucket on a shard, by ordinal; NaN if the path leads nowhere (the reduction reports that). */
export function shardValue(tree: ShardTree, { names, property }: AggregationPath): (bucket: number) => number {
  let aggregator: ShardAggregator | undefined = tree.child(names[0]!)
  for (const name of names.slice(1)) aggregator = aggregator?.child?.(name)
  if (aggregator?.value !== undefined) return (bucket) => aggregator.value!(bucket, property)
  if (aggregator?.docCount !== undefined) return (bucket) => aggregator.docCount!(bucket)
  return () => Number.NaN
}

/** The number at the end of a path; throws if there is none. */
export function valueAt(tree: AggregationTree, results: Results, { names, property }: AggregationPath): number {
  let current = tree
  let values = results
  for (const [depth, name] of names.entries()) {
    const at = current.aggregations.findIndex((aggregation) => aggregation.name === name)
    const aggregation = current.aggregations[at]
    if (aggregation === undefined) throw illegalArgument(`Cannot find aggregation named [${name}]`)
    const result = values[at]
    const isLast = depth === names.length - 1
    const bucket = aggregation.bucket(result)
    if (bucket !== undefined) {
      if (isLast) return bucketCount(name, bucket.docCount, property)
      current = aggregation.children
      values = bucket.results
      continue
    }
    if (aggregation.buckets(result) !== undefined) {
      throw illegalArgument(`Can't sort a [${aggregation.typedName(result)}] aggregation [${name}]`)
    }
    if (!isLast) {
      const rest = names.slice(depth + 1).join('>')
      throw illegalArgument(`Metrics aggregations cannot have sub-aggregations (at [>${rest}]`)
    }
    const value = aggregation.value(result, property)
    if (value === undefined) throw aggregation.unknownValue(result, property)
    return value
  }
  return Number.NaN
}

function bucketCount(name: string, docCount: number, property: string | undefined): number {
  if (property === undefined || property === 'doc_count') return docCount
  throw illegalArgument(
    `Unknown value key [${property}] for single-bucket aggregation [${name}]. Either use [doc_count] as key or drop the key ` +
      'all together.',
  )
}
