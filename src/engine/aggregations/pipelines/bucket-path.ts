/**
 * `agg>filter>stats.avg`: the path from a bucket, or from the top, to a number for a pipeline. Unlike the path of an
 * order it may lead to counts, to one bucket by its key, and to results of other pipelines.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { notANumber, severalNumbers } from '../../../base/errors/aggregation-errors.ts'
import type { Bucket } from '../aggregation.ts'
import type { AggregationTree, Results } from '../aggregation-tree.ts'

export interface PathStep {
  readonly name: string
  /** `terms['key']`: one bucket of many. */
  readonly key: string | undefined
}

export interface BucketPath {
  readonly text: string
  readonly steps: readonly PathStep[]
  /** The property of the last step: `avg` of stats, `_count`, `50.0` of percentiles. */
  readonly property: string | undefined
}

export function parseBucketPath(text: string): BucketPath {
  const parts = text.split('>')
  const steps: PathStep[] = []
  let property: string | undefined
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1
    const quoted = /^(.*)\['(.*)'\](?:\.(.*))?$/.exec(part)
    const bracket = /^(.*)\[(.*)\]$/.exec(part)
    const dot = part.lastIndexOf('.')
    if (quoted !== null) {
      steps.push({ name: quoted[1]!, key: quoted[2]! })
      property = quoted[3]
    } else if (isLast && bracket !== null) {
      steps.push({ name: bracket[1]!, key: undefined })
      property = bracket[2]!
    } else if (isLast && dot > 0) {
      // The name of a percentile may contain a dot: `p.99.9`.
      const name = /^(.*?)\.(\d+\.\d+)$/.exec(part)
      steps.push({ name: name?.[1] ?? part.slice(0, dot), key: undefined })
      property = name?.[2] ?? part.slice(dot + 1)
    } else steps.push({ name: part, key: undefined })
  }
  return { text, steps, property }
}

/** Whether the first step of a path exists: a sibling, or a property of every bucket. */
export function startsKnown({ steps }: BucketPath, { aggregations, pipelines }: AggregationTree): boolean {
  const { name } = steps[0]!
  if (name === '_count' || name === '_key') return true
  return aggregations.some((other) => other.name === name) || pipelines.some((other) => other.name === name)
}

export type GapPolicy = 'skip' | 'insert_zeros' | 'keep_values'

/**
 * The number of a bucket at the end of a path; NaN if there is none and the gap policy leaves it so. Undefined if the
 * path leads to a pipeline without a result for the bucket.
 */
export function bucketValue(
  tree: AggregationTree,
  bucket: Bucket,
  path: BucketPath,
  policy: GapPolicy,
): number | undefined {
  const value = valueIn(tree, bucket, path.steps, path.property)
  if (value === undefined) return undefined
  if (path.steps.length === 1 && path.steps[0]!.name === '_count') return value
  const isGap = !Number.isFinite(value) || bucket.docCount === 0
  if (!isGap) return value
  if (policy === 'insert_zeros') return 0
  if (policy === 'keep_values') return Number.isFinite(value) ? value : Number.NaN
  return Number.NaN
}

function valueIn(
  tree: AggregationTree,
  bucket: Bucket,
  steps: readonly PathStep[],
  property: string | undefined,
): number | undefined {
  const { name, key } = steps[0]!
  const rest = steps.slice(1)
  if (name === '_count') return bucket.docCount
  if (name === '_key') {
    const { key: own } = bucket as { key?: unknown }
    if (own instanceof Uint8Array || typeof own === 'string') throw notANumber('String', name)
    return Number(own)
  }
  const found = resultOf(tree, bucket.results, name)
  if (found === undefined) throw noSuchAggregation(name)
  if ('pipeline' in found) return found.result === undefined ? undefined : found.pipeline.value(found.result, property)
  const { aggregation, result } = found
  const single = aggregation.bucket(result)
  if (single !== undefined) {
    if (rest.length > 0) return valueIn(aggregation.children, single, rest, property)
    if (property === '_count' || property === 'doc_count') return single.docCount
    throw notANumber(CLASS_NAMES[aggregation.kind] ?? aggregation.kind, name)
  }
  const buckets = aggregation.buckets(result)
  if (buckets !== undefined) {
    if (property === '_bucket_count' && rest.length === 0) return buckets.length
    const at = key === undefined ? -1 : buckets.findIndex((_bucket, i) => aggregation.keyText(result, i) === key)
    if (key !== undefined && at < 0) return Number.NaN
    if (at >= 0 && rest.length > 0) return valueIn(aggregation.children, buckets[at]!, rest, property)
    if (at >= 0 && property === '_count') return buckets[at]!.docCount
    // The numbers of all buckets together are not a number.
    throw notANumber(rest.length > 0 ? 'Object[]' : resultClass(aggregation.typedName(result)), name)
  }
  const value = property === undefined ? aggregation.onlyValue(result) : aggregation.value(result, property)
  if (value !== undefined) return value
  const complaint = aggregation.pathComplaint(property)
  if (complaint !== undefined) throw complaint
  if (property === undefined) {
    throw severalNumbers(name)
  }
  throw illegalArgument(`path not supported for [${name}]: [${property}]`)
}

type Found =
  | { readonly aggregation: AggregationTree['aggregations'][number]; readonly result: unknown }
  | { readonly pipeline: AggregationTree['pipelines'][number]; readonly result: unknown }

function resultOf(tree: AggregationTree, results: Results, name: string): Found | undefined {
  const at = tree.aggregations.findIndex((aggregation) => aggregation.name === name)
  if (at >= 0) return { aggregation: tree.aggregations[at]!, result: results[at] }
  const beside = tree.pipelines.findIndex((pipeline) => pipeline.name === name)
  if (beside < 0) return undefined
  return { pipeline: tree.pipelines[beside]!, result: results[tree.aggregations.length + beside] }
}

const noSuchAggregation = (name: string) => illegalArgument(`Cannot find an aggregation named [${name}]`)

/** Elasticsearch's class names for results that are not numbers. */
const CLASS_NAMES: Readonly<Record<string, string>> = {
  filter: 'InternalFilter',
  missing: 'InternalMissing',
  global: 'InternalGlobal',
  nested: 'InternalNested',
  reverse_nested: 'InternalReverseNested',
  sterms: 'StringTerms',
  lterms: 'LongTerms',
  dterms: 'DoubleTerms',
  histogram: 'InternalHistogram',
  date_histogram: 'InternalDateHistogram',
  filters: 'InternalFilters',
  range: 'InternalRange',
  date_range: 'InternalDateRange',
}

export const resultClass = (typedName: string) => CLASS_NAMES[typedName] ?? typedName

/** The buckets that a sibling pipeline reads: those of the first multi-bucket aggregation on the path. */
export function bucketsOnPath(
  tree: AggregationTree,
  results: Results,
  path: BucketPath,
):
  | { tree: AggregationTree; buckets: readonly Bucket[]; rest: BucketPath; keys: (index: number) => string }
  | undefined {
  let current = tree
  let values = results
  for (const [depth, { name }] of path.steps.entries()) {
    const found = resultOf(current, values, name)
    if (found === undefined || 'pipeline' in found) return undefined
    const { aggregation, result } = found
    // A bucket that no shard had has no results inside.
    if (result === undefined) return undefined
    const single = aggregation.bucket(result)
    if (single !== undefined) {
      current = aggregation.children
      values = single.results
      continue
    }
    const buckets = aggregation.buckets(result)
    if (buckets === undefined) return undefined
    const steps = path.steps.slice(depth + 1)
    const { property } = path
    if (steps.length === 0 && property === undefined && buckets.length > 0) {
      throw notANumber(aggregation.kind === 'filters' ? 'InternalBucket' : 'Bucket', name)
    }
    const rest =
      steps.length === 0
        ? { ...path, steps: [{ name: property ?? '_count', key: undefined }], property: undefined }
        : { ...path, steps }
    return { tree: aggregation.children, buckets, rest, keys: (index) => aggregation.keyText(result, index) }
  }
  return undefined
}
