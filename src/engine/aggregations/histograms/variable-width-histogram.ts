/**
 * `variable_width_histogram`: groups numbers into a given number of buckets whose widths depend on the data.
 *
 * A shard finds more clusters than requested; the reduction merges the two nearest until few enough are left.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import { ACCEPTS_NUMBER } from '../../request/request-reader.ts'
import { newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import {
  type Aggregation,
  type AggregationParts,
  type Bucket,
  BucketsAggregation,
  type SegmentCollector,
  type ShardAggregator,
} from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { reduceResults, ShardTree } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { DeferredChildren } from '../state/deferred-children.ts'
import { type DocumentWeights, documentWeights } from '../values/document-weights.ts'
import { numberValues } from '../values/number-values.ts'
import { RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  sourceMembers,
  type ValueSource,
} from '../values/value-source.ts'
import { firstClusters, ValueClusters } from './value-clusters.ts'

const KIND = 'variable_width_histogram'
const BUCKETS_DEFAULT = 10
/**
 * A shard finds this many clusters per requested bucket, and buffers a multiple of that many values before it creates
 * the first cluster.
 */
const CLUSTERS_PER_BUCKET = 50
const VALUES_PER_CLUSTER = 10
const FIRST_VALUES_MAX = 50_000

interface Options {
  readonly source: SourceSettings
  buckets: number
  shardSize: number | undefined
  initialBuffer: number | undefined
}

interface RangeBucket extends Bucket {
  readonly key: number
  readonly min: number
  readonly max: number
}

/** Clusters that will become one bucket. */
interface Group {
  key: number
  min: number
  max: number
  docCount: number
  readonly parts: RangeBucket[]
}

interface RangesResult {
  buckets: readonly RangeBucket[]
  readonly format: ValueFormat
}

class VariableWidthHistogram extends BucketsAggregation<RangesResult> {
  readonly kind = KIND
  readonly #options: Options

  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.#options = options
  }

  override plan(context: AggregationContext): ShardAggregator<RangesResult> {
    const { source: settings, buckets } = this.#options
    const shardSize = this.#options.shardSize ?? buckets * CLUSTERS_PER_BUCKET
    const firstMax = this.#options.initialBuffer ?? Math.min(VALUES_PER_CLUSTER * shardSize, FIRST_VALUES_MAX)
    if (firstMax < buckets) {
      throw illegalArgument(
        `initial_buffer must be at least buckets but was [${firstMax}<${buckets}] for [${this.name}]`,
      )
    }
    const clustersFirst = firstClusters(shardSize)
    if (clustersFirst < buckets) {
      throw illegalArgument(
        `3/4 of shard_size must be at least buckets but was [${clustersFirst}<${buckets}] for [${this.name}]`,
      )
    }
    const source = bindSource(context.shard, settings, KIND, ['number'], 'number')
    if (!context.singleParent) {
      throw illegalArgument(`[${KIND}] cannot be nested inside an aggregation that collects more than a single bucket.`)
    }
    const clusters = new ValueClusters(shardSize, firstMax, context.memory)
    return new ClusterAggregator(context, this, source, clusters)
  }

  override reduce(results: readonly RangesResult[], reduction: Reduction): RangesResult {
    const clusters = results.flatMap(({ buckets }) => buckets).sort((a, b) => a.key - b.key)
    const single = clusters.map((bucket): Group => ({ ...bucket, parts: [bucket] }))
    const byMean = mergeNeighbours(single, (left, right) => left.key === right.key)
    const few = mergeNearest(byMean, this.#options.buckets)
    const groups = mergeNeighbours(few, (left, right) => left.min === right.min)
    separate(groups)
    reduction.addBuckets(groups.length)
    const buckets = groups.map(({ key, min, max, docCount, parts }) => ({
      key,
      min,
      max,
      docCount,
      results: reduceResults(this.children, parts, reduction),
    }))
    return { buckets, format: results.find(({ format }) => !format.isRaw)?.format ?? RAW_FORMAT }
  }

  override empty(): RangesResult {
    return { buckets: [], format: RAW_FORMAT }
  }

  override get joinsBuckets(): boolean {
    return true
  }

  override print({ buckets, format }: RangesResult, printer: Printer): Record<string, unknown> {
    const text = (value: number) => (format.isRaw ? undefined : format.text(value))
    return {
      buckets: buckets.map(({ key, min, max, docCount, results }) => ({
        min: new Double(min),
        min_as_string: text(min),
        key: new Double(key),
        key_as_string: text(key),
        max: new Double(max),
        max_as_string: text(max),
        doc_count: docCount,
        ...printer.results(this.children, results),
      })),
    }
  }

  override keyText({ buckets, format }: RangesResult, index: number): string {
    const { key } = buckets[index]!
    return format.isRaw ? formatDouble(key) : format.text(key)
  }
}

function merged(groups: readonly Group[]): Group {
  if (groups.length === 1) return groups[0]!
  const docCount = groups.reduce((sum, group) => sum + group.docCount, 0)
  return {
    key: groups.reduce((sum, group) => sum + group.docCount * group.key, 0) / docCount,
    min: Math.min(...groups.map(({ min }) => min)),
    max: Math.max(...groups.map(({ max }) => max)),
    docCount,
    parts: groups.flatMap(({ parts }) => parts),
  }
}

/** Merges runs of groups for which `alike` holds. */
function mergeNeighbours(groups: readonly Group[], alike: (left: Group, right: Group) => boolean): Group[] {
  const runs: Group[][] = []
  for (const group of groups) {
    const run = runs.at(-1)
    if (run !== undefined && alike(run[0]!, group)) run.push(group)
    else runs.push([group])
  }
  return runs.map(merged)
}

/** Repeatedly merges the two nearest until there are at most `count`. */
function mergeNearest(groups: readonly Group[], count: number): Group[] {
  // Means move while the plan is made; the clusters of a group are summed once at the end.
  const plan = groups.map((group) => ({ key: group.key, docCount: group.docCount, members: [group] }))
  while (plan.length > count) {
    let nearest = 0
    let distance = Number.POSITIVE_INFINITY
    for (let i = 0; i < plan.length - 1; i++) {
      const between = plan[i + 1]!.key - plan[i]!.key
      if (between < distance) [nearest, distance] = [i, between]
    }
    const [left, right] = [plan[nearest]!, plan[nearest + 1]!]
    left.key = (left.key * left.docCount + right.key * right.docCount) / (left.docCount + right.docCount)
    left.docCount += right.docCount
    left.members.push(...right.members)
    plan.splice(nearest + 1, 1)
  }
  return plan.map(({ members }) => merged(members.reverse()))
}

/** If two groups overlap, their border is the middle of the overlap. */
function separate(groups: readonly Group[]): void {
  for (const [i, group] of groups.entries()) {
    const before = groups[i - 1]
    if (before === undefined || group.min >= before.max) continue
    group.min = (before.max + group.min) / 2
    before.max = group.min
  }
}

class ClusterAggregator implements ShardAggregator<RangesResult> {
  readonly needsScores: boolean
  readonly #source: ValueSource
  readonly #clusters: ValueClusters
  readonly #children: ShardTree
  readonly #deferred: DeferredChildren
  readonly #block = newValueBlock()

  constructor(context: AggregationContext, aggregation: Aggregation, source: ValueSource, clusters: ValueClusters) {
    this.#source = source
    this.#clusters = clusters
    this.#children = new ShardTree(aggregation.children, within(context, aggregation, { manyBuckets: true }))
    this.needsScores = this.#children.needsScores
    this.#deferred = new DeferredChildren(this.#children, context)
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const values = numberValues(this.#source, view)
    if (values === undefined) return undefined
    const expansion = this.#children.isEmpty ? undefined : new BucketExpansion(this.#deferred.segment(view))
    const weights = documentWeights(view)
    return {
      collect: (docs, _buckets, count) => {
        values.readBlock(docs, count, this.#block)
        this.#collect(docs, count, weights, expansion)
        expansion?.flush()
      },
      end: () => expansion?.end(),
    }
  }

  #collect(
    docs: Int32Array,
    count: number,
    weights: DocumentWeights | undefined,
    expansion: BucketExpansion | undefined,
  ): void {
    const { offsets, values } = this.#block
    for (let i = 0; i < count; i++) {
      for (let slot = offsets[i]!; slot < offsets[i + 1]!; slot++) {
        const entry = this.#clusters.add(values[slot]!, weights?.of(docs[i]!) ?? 1)
        expansion?.add(docs[i]!, entry)
      }
    }
  }

  finish(): void {
    this.#clusters.finish()
    if (!this.#children.isEmpty) this.#deferred.replay(this.#clusters.idsOfEntries())
    this.#children.finish()
  }

  result(): RangesResult {
    const buckets = this.#clusters.clusters.map(({ id, mean, min, max, docCount }) => ({
      key: mean,
      min,
      max,
      docCount,
      results: this.#children.results(id),
    }))
    return { buckets, format: this.#source.format }
  }
}

const atLeast = (value: number, member: string, bound: number, name: string): number => {
  if (value > bound) return value
  throw illegalArgument(`${member} must be greater than [${bound}] for [${name}]`)
}

export const variableWidthHistogramKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options: Options = {
      source: newSourceSettings(),
      buckets: BUCKETS_DEFAULT,
      shardSize: undefined,
      initialBuffer: undefined,
    }
    reader.parseObject(KIND, [
      sourceMembers(reader, options.source, { timeZone: true }),
      {
        buckets: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            options.buckets = atLeast(reader.integer(), 'buckets', 0, name)
          },
        },
        shard_size: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            options.shardSize = atLeast(reader.integer(), 'shard_size', 1, name)
          },
        },
        initial_buffer: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            options.initialBuffer = atLeast(reader.integer(), 'initial_buffer', 0, name)
          },
        },
      },
    ])
    requireField(options.source)
    return (parts) => new VariableWidthHistogram(parts, options)
  },
}
