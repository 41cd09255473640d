/**
 * Checks that the paths of an order lead to numbers. An invalid path fails on the shards before anything is collected.
 */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import type { Aggregation } from '../aggregation.ts'
import type { AggregationTree } from '../aggregation-tree.ts'
import type { AggregationPath } from '../results/aggregation-path.ts'
import { Reduction } from '../results/reduction.ts'
import type { BucketOrder } from './bucket-order.ts'

const MULTI_VALUED: ReadonlySet<string> = new Set([
  'boxplot',
  'extended_stats',
  'percentile_ranks',
  'percentiles',
  'stats',
  'string_stats',
  'top_metrics',
])

const NO_NUMBER =
  'Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations within ' +
  'the path and a final single-bucket or a metrics aggregation at the path end.'

export function checkOrders(orders: readonly BucketOrder[], tree: AggregationTree): void {
  for (const order of orders) {
    if (order.by !== 'value') continue
    const reason = wrongStep(order.path, tree)
    if (reason === undefined) continue
    throw new ApiError(400, 'invalid_path', `Invalid aggregation order path [${order.path.text}]. ${reason}`, {
      causedBy: illegalArgument(reason),
    })
  }
}

function wrongStep({ names, property }: AggregationPath, tree: AggregationTree): string | undefined {
  let current = tree
  for (const [depth, name] of names.entries()) {
    const aggregation = current.aggregations.find((one) => one.name === name)
    if (aggregation === undefined) {
      return (
        `The provided aggregation [${name}] either does not exist, or is a pipeline aggregation and cannot be used to ` +
        'sort the buckets.'
      )
    }
    if (depth === names.length - 1) return wrongValue(aggregation, property)
    if (aggregation.holds !== 'one') return `${NO_NUMBER} [${name}] is not single-bucket.`
    current = aggregation.children
  }
  return undefined
}

function wrongValue(aggregation: Aggregation, property: string | undefined): string | undefined {
  const { name, kind, holds } = aggregation
  if (holds === 'one') return property === undefined || property === 'doc_count' ? undefined : NO_NUMBER
  if (holds === 'many') return NO_NUMBER
  const empty = aggregation.empty(new Reduction(0))
  if (MULTI_VALUED.has(kind)) {
    if (property === undefined)
      return 'When ordering on a multi-value metrics aggregation a metric name must be specified.'
    if (kind.startsWith('percentile') && Number.isNaN(Number(property))) return `For input string: "${property}"`
    return aggregation.value(empty, property) === undefined
      ? `Unknown metric name [${property}] on multi-value metrics aggregation [${name}]`
      : undefined
  }
  if (aggregation.value(empty, undefined) === undefined) return NO_NUMBER
  if (property === undefined || property === 'value') return undefined
  return (
    'Ordering on a single-value metrics aggregation can only be done on its value. Either drop the key ' +
    `(a la "${name}") or change it to "value" (a la "${name}.value")`
  )
}
