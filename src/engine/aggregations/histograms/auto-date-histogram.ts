/**
 * `auto_date_histogram`: a date histogram whose interval is chosen so that there are at most a given number of buckets.
 *
 * The interval depends on the first and last instant, so documents are recorded while they are collected, and assigned
 * to buckets when all of them are known. The shards may choose different intervals; the reduction starts from the
 * coarsest.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { ACCEPTS_NUMBER, ACCEPTS_STRING } from '../../request/request-reader.ts'
import { newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { timeZone } from '../../time/zone/time-zone.ts'
import {
  type Aggregation,
  type AggregationParts,
  BucketsAggregation,
  type SegmentCollector,
  type ShardAggregator,
} from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { emptyResults, reduceResults, ShardTree } from '../aggregation-tree.ts'
import { NUMERIC_SOURCES } from '../metrics/number-metric.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { BucketInts } from '../state/bucket-arrays.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { BucketTable } from '../state/bucket-table.ts'
import { weighed } from '../values/document-weights.ts'
import { numberValues } from '../values/number-values.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  sourceMembers,
  type ValueSource,
} from '../values/value-source.ts'
import { type IntervalStep, intervalSteps, isTooFine, multipleFor, STEP_UNITS, stepFor } from './auto-interval.ts'
import {
  type HistogramBucket,
  type HistogramResult,
  mergeByKey,
  NO_BUCKETS,
  printHistogram,
} from './histogram-result.ts'

const KIND = 'auto_date_histogram'
const BUCKETS_DEFAULT = 10

interface Options {
  readonly source: SourceSettings
  target: number
  smallest: string | undefined
}

interface AutoResult extends HistogramResult {
  /** Index of the step in the list. */
  readonly step: number
  /** `3M`; known after the reduction. */
  readonly interval: string
}

class AutoDateHistogram extends BucketsAggregation<AutoResult> {
  readonly kind = KIND
  readonly #options: Options
  readonly #steps: readonly IntervalStep[]

  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.#options = options
    const { timeZone: zone } = options.source
    this.#steps = intervalSteps(zone === undefined ? undefined : timeZone(zone), options.smallest)
  }

  override plan(context: AggregationContext): ShardAggregator<AutoResult> {
    // Before grouping there may be as many times more buckets as the largest multiple.
    const most = Math.floor(
      context.limits.bucketsMax / Math.max(1, ...this.#steps.slice(0, -1).flatMap(({ multiples }) => multiples)),
    )
    if (this.#options.target > most) throw illegalArgument(`buckets must be less than ${most}`)
    const source = bindSource(context.shard, this.#options.source, KIND, NUMERIC_SOURCES, 'date')
    return new AutoAggregator(context, this, source, this.#steps, this.#options.target)
  }

  override reduce(results: readonly AutoResult[], reduction: Reduction): AutoResult {
    const filled = results.filter(({ buckets }) => buckets.length > 0)
    if (filled.length === 0) return { ...results[0]!, interval: `1${this.#steps[0]!.letter}` }
    const { target } = this.#options
    const keys = filled.flatMap(({ buckets }) => [buckets[0]!.key, buckets.at(-1)!.key])
    const coarsest = Math.max(...filled.map(({ step }) => step))
    let at = stepFor(this.#steps, coarsest, Math.min(...keys), Math.max(...keys), target)
    let buckets = this.#gapless(mergeByKey(this.#rounded(filled, at), this.children, reduction), at, reduction)
    while (isTooFine(this.#steps[at]!, buckets.length, target) && at < this.#steps.length - 1) {
      at++
      const merged = mergeByKey(this.#rounded([{ ...filled[0]!, buckets }], at), this.children, reduction)
      buckets = this.#gapless(merged, at, reduction)
    }
    const step = this.#steps[at]!
    const multiple = multipleFor(step, buckets.length, target)
    const grouped = multiple === 1 ? buckets : this.#grouped(buckets, multiple, reduction)
    reduction.addBuckets(grouped.length)
    const format = filled.find((result) => !result.format.isRaw)?.format ?? filled[0]!.format
    return { buckets: grouped, format, step: at, interval: `${multiple}${step.letter}` }
  }

  /** The same buckets under the keys of a coarser step. */
  #rounded(results: readonly AutoResult[], at: number): HistogramResult[] {
    const { rounding } = this.#steps[at]!
    return results.map(({ buckets, format }) => ({
      format,
      buckets: buckets.map((bucket) => ({ ...bucket, key: rounding.round(bucket.key) })),
    }))
  }

  #gapless(buckets: readonly HistogramBucket[], at: number, reduction: Reduction): HistogramBucket[] {
    const { rounding } = this.#steps[at]!
    const filled: HistogramBucket[] = []
    for (const bucket of buckets) {
      const last = filled.at(-1)
      if (last !== undefined) {
        for (let key = rounding.nextRoundingValue(last.key); key < bucket.key; key = rounding.nextRoundingValue(key)) {
          // Only buckets of the coarsest step can exceed the limit. No multiple of that step would need fewer buckets
          // to start from.
          reduction.checkBuckets(filled.length)
          filled.push({ key, docCount: 0, results: emptyResults(this.children, reduction) })
        }
      }
      filled.push(bucket)
    }
    return filled
  }

  /** Merges each run of `multiple` buckets into one, under the key of the first. */
  #grouped(buckets: readonly HistogramBucket[], size: number, reduction: Reduction): HistogramBucket[] {
    const groups: HistogramBucket[] = []
    for (let from = 0; from < buckets.length; from += size) {
      const group = buckets.slice(from, from + size)
      groups.push({
        key: group[0]!.key,
        docCount: group.reduce((sum, { docCount }) => sum + docCount, 0),
        results: reduceResults(this.children, group, reduction),
      })
    }
    return groups
  }

  override empty(): AutoResult {
    return { ...NO_BUCKETS, step: 0, interval: `1${this.#steps[0]!.letter}` }
  }

  override get joinsBuckets(): boolean {
    return true
  }

  override print(result: AutoResult, printer: Printer): Record<string, unknown> {
    return { ...printHistogram(result, false, true, this.children, printer), interval: result.interval }
  }

  override keyText({ buckets, format }: AutoResult, index: number): string {
    return format.text(buckets[index]!.key)
  }

  override get seriesMinDocCount(): number {
    return 0
  }
}

/** Values of a segment's documents, each with its parent bucket. */
class Notes {
  readonly view: SegmentView
  docs = new Int32Array(256)
  parents = new Int32Array(256)
  values = new Float64Array(256)
  count = 0

  constructor(view: SegmentView) {
    this.view = view
  }

  add(doc: number, parent: number, value: number): void {
    if (this.count === this.docs.length) this.#grow()
    this.docs[this.count] = doc
    this.parents[this.count] = parent
    this.values[this.count++] = value
  }

  #grow(): void {
    const capacity = this.count * 2
    const docs = new Int32Array(capacity)
    const parents = new Int32Array(capacity)
    const values = new Float64Array(capacity)
    docs.set(this.docs)
    parents.set(this.parents)
    values.set(this.values)
    this.docs = docs
    this.parents = parents
    this.values = values
  }
}

const BYTES_PER_NOTE = 16

class AutoAggregator implements ShardAggregator<AutoResult> {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #source: ValueSource
  readonly #steps: readonly IntervalStep[]
  readonly #target: number
  readonly #children: ShardTree
  readonly #notes: Notes[] = []
  readonly #table: BucketTable
  readonly #counts: BucketInts
  readonly #stepOf: number[] = []

  constructor(
    context: AggregationContext,
    aggregation: Aggregation,
    source: ValueSource,
    steps: readonly IntervalStep[],
    target: number,
  ) {
    this.#context = context
    this.#source = source
    this.#steps = steps
    this.#target = target
    this.#children = new ShardTree(aggregation.children, within(context, aggregation, { manyBuckets: true }))
    this.needsScores = this.#children.needsScores
    this.#table = new BucketTable(context.memory)
    this.#counts = new BucketInts(context.memory)
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const values = numberValues(this.#source, view)
    if (values === undefined) return undefined
    const notes = new Notes(view)
    this.#notes.push(notes)
    const block = newValueBlock()
    return {
      collect: (docs, buckets, count) => {
        values.readBlock(docs, count, block)
        this.#context.memory.add(block.offsets[count]! * BYTES_PER_NOTE)
        for (let i = 0; i < count; i++) {
          for (let slot = block.offsets[i]!; slot < block.offsets[i + 1]!; slot++) {
            notes.add(docs[i]!, buckets[i]!, block.values[slot]!)
          }
        }
      },
    }
  }

  finish(): void {
    this.#chooseSteps()
    for (const notes of this.#notes) this.#replay(notes)
    this.#children.finish()
  }

  /** Chooses a step per parent, because ranges differ between buckets. */
  #chooseSteps(): void {
    const spans: { min: number; max: number }[] = []
    for (const { parents, values, count } of this.#notes) {
      for (let i = 0; i < count; i++) {
        const span = (spans[parents[i]!] ??= { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY })
        span.min = Math.min(span.min, values[i]!)
        span.max = Math.max(span.max, values[i]!)
      }
    }
    for (const [parent, span] of spans.entries()) {
      if (span !== undefined) this.#stepOf[parent] = stepFor(this.#steps, 0, span.min, span.max, this.#target)
    }
  }

  #replay({ view, docs, parents, values, count }: Notes): void {
    const child = weighed(view, this.#counts, this.#children.segment(view))
    const expansion = child === undefined ? undefined : new BucketExpansion(child)
    // The last bucket in which a document was counted: its values ascend, so equal keys are adjacent.
    let lastDoc = -1
    let lastBucket = -1
    for (let i = 0; i < count; i++) {
      const { rounding } = this.#steps[this.#stepOf[parents[i]!]!]!
      const bucket = this.#table.add(parents[i]!, rounding.round(values[i]!))
      if (docs[i] === lastDoc && bucket === lastBucket) continue
      lastDoc = docs[i]!
      lastBucket = bucket
      const counts = this.#counts.reserve(bucket + 1)
      counts[bucket] = counts[bucket]! + 1
      expansion?.add(docs[i]!, bucket)
    }
    expansion?.end()
  }

  result(parent: number): AutoResult {
    const { keys } = this.#table
    const ordinals = this.#table.ofParent(parent).slice()
    ordinals.sort((a, b) => keys[a]! - keys[b]!)
    const buckets = Array.from(ordinals, (bucket) => ({
      key: keys[bucket]!,
      docCount: this.#counts.get(bucket),
      results: this.#children.results(bucket),
    }))
    return { buckets, format: this.#source.format, step: this.#stepOf[parent] ?? 0, interval: '' }
  }
}

export const autoDateHistogramKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options: Options = { source: newSourceSettings(), target: BUCKETS_DEFAULT, smallest: undefined }
    reader.parseObject(KIND, [
      sourceMembers(reader, options.source, { timeZone: true }),
      {
        buckets: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            options.target = reader.integer()
            if (options.target <= 0) throw illegalArgument(`buckets must be greater than 0 for [${name}]`)
          },
        },
        minimum_interval: {
          accepts: ACCEPTS_STRING,
          parse: () => {
            options.smallest = reader.text()
            if (STEP_UNITS.includes(options.smallest)) return
            throw illegalArgument(`minimum_interval must be one of [[${STEP_UNITS.join(', ')}]]`)
          },
        },
      },
    ])
    requireField(options.source)
    return (parts) => new AutoDateHistogram(parts, options)
  },
}
