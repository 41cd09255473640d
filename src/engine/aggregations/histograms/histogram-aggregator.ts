/** A histogram on a shard: assigns numbers to buckets by a computed key. */
import type { SegmentView, ValueBlock } from '../../segment/segment-reader-api.ts'
import type { Aggregation, SegmentCollector, ShardAggregator } from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import { ShardTree } from '../aggregation-tree.ts'
import { BucketInts } from '../state/bucket-arrays.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { BucketTable } from '../state/bucket-table.ts'
import { passKept } from '../state/kept-documents.ts'
import { type PartSharing, tableSharing } from '../state/part-sharing.ts'
import { weighed } from '../values/document-weights.ts'
import { type NumberValues, numberValues } from '../values/number-values.ts'
import type { ValueSource } from '../values/value-source.ts'
import { countBuckets, countDocValues, orderedSpan } from './bucket-counts.ts'
import { decidingRanges, endOfStretch, stretchOf } from './deciding-ranges.ts'
import type { HistogramBucket, HistogramResult } from './histogram-result.ts'
import type { KeyFinder } from './key-finder.ts'
import { type IntervalNumbers, rangeKeysOf } from './range-keys.ts'

/** Converts numbers to keys. */
export interface HistogramKeys {
  key(value: number): number
  /** The keys of a segment with values in this range, if they are few enough to be listed. */
  finder(min: number, max: number): KeyFinder | undefined
  /** Whether documents with this key are counted: `hard_bounds`. */
  accepts: ((key: number) => boolean) | undefined
  /** The intervals, for a field of ranges. */
  readonly intervals: IntervalNumbers
}

export class HistogramAggregator implements ShardAggregator<HistogramResult> {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #source: ValueSource
  readonly #keys: HistogramKeys
  readonly #children: ShardTree
  readonly #table: BucketTable
  readonly #counts: BucketInts
  readonly #block: ValueBlock
  readonly #kept: Int32Array
  readonly #buckets: Int32Array

  constructor(context: AggregationContext, aggregation: Aggregation, source: ValueSource, keys: HistogramKeys) {
    this.#context = context
    this.#block = context.scratch.valueBlock()
    this.#kept = context.scratch.integers()
    this.#buckets = context.scratch.integers()
    this.#source = source
    this.#keys = keys
    this.#children = new ShardTree(aggregation.children, within(context, aggregation, { manyBuckets: true }))
    this.needsScores = this.#children.needsScores
    this.#table = new BucketTable(context.memory)
    this.#counts = new BucketInts(context.memory)
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    if (this.#source.type === 'range') return this.#rangeSegment(view)
    const values = numberValues(this.#source, view)
    if (values === undefined) return undefined
    const finder = this.#context.singleParent ? this.#keys.finder(values.min, values.max) : undefined
    if (finder !== undefined && this.#isCounted(view, values, finder)) return undefined
    const child = weighed(view, this.#counts, this.#children.segment(view))
    const expansion = child === undefined ? undefined : new BucketExpansion(child, this.#context.shard.guard)
    const ordinals = finder === undefined ? undefined : new Int32Array(finder.size).fill(UNKNOWN)
    const ranges = finder === undefined ? undefined : decidingRanges(values, finder)
    return {
      collect: (docs, buckets, count, isRun) => {
        const block = this.#block
        if (ranges !== undefined) {
          this.#pass(
            this.#countByRanges(docs, count, values, ranges, finder!, ordinals!, isRun),
            docs,
            count,
            child,
            isRun,
          )
          return
        }
        const isDense = isRun === true && finder !== undefined
        const dense = isDense ? values.denseNumbers?.(docs[0]!, count, block.values) : undefined
        if (dense !== undefined) {
          this.#collectSingle(docs, dense, count, finder!, ordinals!, child, true)
          return
        }
        values.readBlock(docs, count, block)
        if (finder === undefined) this.#collect(docs, buckets, count, expansion)
        else if (!values.multiValued && block.offsets[count] === count) {
          this.#collectSingle(docs, block.values, count, finder, ordinals!, child, isRun)
        } else this.#collectPlaces(docs, count, finder, ordinals!, expansion)
        expansion?.flush()
      },
      end: () => expansion?.end(),
    }
  }

  #rangeSegment(view: SegmentView): SegmentCollector | undefined {
    const ranges = rangeKeysOf(this.#source.field, view.reader, this.#keys.intervals)
    if (ranges === undefined) return undefined
    const { guard } = this.#context.shard
    const child = weighed(view, this.#counts, this.#children.segment(view))
    const expansion = child === undefined ? undefined : new BucketExpansion(child, guard)
    let doc = 0
    let parent = 0
    let visited = 0
    const visit = (key: number) => {
      // One document may be in any number of buckets.
      if ((++visited & (KEYS_PER_CHECK - 1)) === 0) guard?.isOver(1)
      const bucket = this.#table.add(parent, key)
      const counts = this.#counts.reserve(bucket + 1)
      counts[bucket] = counts[bucket]! + 1
      expansion?.add(doc, bucket)
    }
    return {
      collect: (docs, buckets, count) => {
        for (let i = 0; i < count; i++) {
          doc = docs[i]!
          parent = buckets[i]!
          ranges.each(doc, visit)
        }
        expansion?.flush()
      },
      end: () => expansion?.end(),
    }
  }

  /** Whether the buckets of a segment were counted without listing its documents. */
  #isCounted(view: SegmentView, values: NumberValues, finder: KeyFinder): boolean {
    if (!this.#children.isEmpty) return false
    const span = orderedSpan(this.#context, view, this.#source, values, finder)
    if (span !== undefined) {
      countBuckets(span, finder, (place, count) => this.#addPlace(finder, place, count))
      return true
    }
    const counts = countDocValues(this.#context, view, values, finder)
    if (counts === undefined) return false
    for (let place = 0; place < counts.length; place++) {
      if (counts[place] !== 0) this.#addPlace(finder, place, counts[place]!)
    }
    return true
  }

  #addPlace(finder: KeyFinder, place: number, count: number): void {
    const bucket = this.#bucketOf(0, finder.key(place))
    if (bucket >= 0) this.#counts.add(bucket, count)
  }

  /** The simplest case: every document has exactly one value, so the children receive the block unchanged. */
  #collectSingle(
    docs: Int32Array,
    values: Float64Array,
    count: number,
    finder: KeyFinder,
    ordinals: Int32Array,
    child: SegmentCollector | undefined,
    isRun: boolean | undefined,
  ): void {
    const kept =
      finder.fillPlaces === undefined
        ? this.#countRuns(values, count, finder, ordinals, this.#buckets)
        : this.#countPlaces(values, count, finder, ordinals)
    this.#pass(kept, docs, count, child, isRun)
  }

  /** Passes a block on of which `kept` documents have a bucket. */
  #pass(
    kept: number,
    docs: Int32Array,
    count: number,
    child: SegmentCollector | undefined,
    isRun: boolean | undefined,
  ): void {
    if (child !== undefined) passKept(child, docs, this.#buckets, count, kept, this.#kept, isRun)
  }

  /** Finds and counts the bucket of each value; returns the number of values with a bucket. */
  #countRuns(
    values: Float64Array,
    count: number,
    finder: KeyFinder,
    ordinals: Int32Array,
    buckets: Int32Array,
  ): number {
    let counts = this.#counts.array
    let kept = 0
    for (let i = 0; i < count; ) {
      const place = finder.place(values[i]!)
      let bucket = ordinals[place]!
      if (bucket === UNKNOWN) {
        bucket = ordinals[place] = this.#bucketOf(0, finder.key(place))
        counts = this.#counts.reserve(bucket + 1)
      }
      const end = finder.fillRun(place, values, i, count, bucket, buckets)
      if (bucket !== REFUSED) {
        counts[bucket] = counts[bucket]! + end - i
        kept += end - i
      }
      i = end
    }
    return kept
  }

  /** As `#countRuns`, for values of which few have to be read: the bounds of most stretches of documents are in one interval. */
  #countByRanges(
    docs: Int32Array,
    count: number,
    values: NumberValues,
    ranges: Float64Array,
    finder: KeyFinder,
    ordinals: Int32Array,
    isRun: boolean | undefined,
  ): number {
    const block = this.#block
    const buckets = this.#buckets
    let kept = 0
    for (let i = 0; i < count; ) {
      const stretch = stretchOf(docs[i]!)
      const end = endOfStretch(docs, i, count)
      const place = finder.place(ranges[stretch * 2]!)
      if (place === finder.place(ranges[stretch * 2 + 1]!)) {
        let bucket = ordinals[place]!
        if (bucket === UNKNOWN) bucket = ordinals[place] = this.#bucketOf(0, finder.key(place))
        buckets.fill(bucket, i, end)
        if (bucket !== REFUSED) {
          const counts = this.#counts.reserve(bucket + 1)
          counts[bucket] = counts[bucket]! + end - i
          kept += end - i
        }
      } else {
        const dense = isRun === true ? values.denseNumbers!(docs[i]!, end - i, block.values) : undefined
        if (dense === undefined) values.readBlock(docs.subarray(i, end), end - i, block)
        kept += this.#countRuns(dense ?? block.values, end - i, finder, ordinals, buckets.subarray(i))
      }
      i = end
    }
    return kept
  }

  /** As `#countRuns`, for keys whose places are computed for the whole block at once. */
  #countPlaces(values: Float64Array, count: number, finder: KeyFinder, ordinals: Int32Array): number {
    const buckets = this.#buckets
    finder.fillPlaces!(values, count, buckets)
    let counts = this.#counts.array
    let kept = 0
    for (let i = 0; i < count; i++) {
      const place = buckets[i]!
      let bucket = place < 0 ? REFUSED : ordinals[place]!
      if (bucket === UNKNOWN) {
        bucket = ordinals[place] = this.#bucketOf(0, finder.key(place))
        counts = this.#counts.reserve(bucket + 1)
      }
      buckets[i] = bucket
      if (bucket === REFUSED) continue
      counts[bucket] = counts[bucket]! + 1
      kept++
    }
    return kept
  }

  /** For one parent and few keys: the bucket of a key is an array entry. */
  #collectPlaces(
    docs: Int32Array,
    count: number,
    finder: KeyFinder,
    ordinals: Int32Array,
    expansion: BucketExpansion | undefined,
  ): void {
    const { offsets, values } = this.#block
    let counts = this.#counts.array
    for (let i = 0; i < count; i++) {
      const end = offsets[i + 1]!
      let previous = -1
      for (let slot = offsets[i]!; slot < end; slot++) {
        const place = finder.place(values[slot]!)
        // Values of a document ascend: equal keys are adjacent and count once.
        if (place === previous) continue
        previous = place
        let bucket = ordinals[place]!
        if (bucket < 0) {
          if (bucket === UNKNOWN) bucket = ordinals[place] = this.#bucketOf(0, finder.key(place))
          if (bucket < 0) continue
          counts = this.#counts.reserve(bucket + 1)
        }
        counts[bucket] = counts[bucket]! + 1
        expansion?.add(docs[i]!, bucket)
      }
    }
  }

  #collect(docs: Int32Array, buckets: Int32Array, count: number, expansion: BucketExpansion | undefined): void {
    const { offsets, values } = this.#block
    const keys = this.#keys
    for (let i = 0; i < count; i++) {
      const end = offsets[i + 1]!
      let previous = Number.NaN
      for (let slot = offsets[i]!; slot < end; slot++) {
        const key = keys.key(values[slot]!)
        if (key === previous) continue
        previous = key
        const bucket = this.#bucketOf(buckets[i]!, key)
        if (bucket < 0) continue
        const counts = this.#counts.reserve(bucket + 1)
        counts[bucket] = counts[bucket]! + 1
        expansion?.add(docs[i]!, bucket)
      }
    }
  }

  #bucketOf(parent: number, key: number): number {
    return this.#keys.accepts === undefined || this.#keys.accepts(key) ? this.#table.add(parent, key) : REFUSED
  }

  get sharing(): PartSharing | undefined {
    return tableSharing(this.#table, this.#counts, this.#children.sharing)
  }

  finish(): void {
    this.#children.finish()
  }

  result(parent: number): HistogramResult {
    const { keys } = this.#table
    const ordinals = this.#table.ofParent(parent).slice()
    ordinals.sort((a, b) => keys[a]! - keys[b]!)
    const buckets: HistogramBucket[] = []
    for (const ordinal of ordinals) {
      buckets.push({
        key: keys[ordinal]!,
        docCount: this.#counts.get(ordinal),
        results: this.#children.results(ordinal),
      })
    }
    return { buckets, format: this.#source.format }
  }
}

/** A power of two. */
const KEYS_PER_CHECK = 4096
const UNKNOWN = -1
const REFUSED = -2
