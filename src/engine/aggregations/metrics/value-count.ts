/** `value_count`: the number of values of a field of any type. */
import { storageName } from '../../mapping/storage-name.ts'
import type { SegmentReader, SegmentView } from '../../segment/segment-reader-api.ts'
import { Aggregation, type AggregationParts, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { giveInts, type PartSharing, takeInts } from '../state/part-sharing.ts'
import { bindSource, type SourceSettings, type SourceType, type ValueSource } from '../values/value-source.ts'
import { numberMetricKind } from './number-metric.ts'

export const ANY_SOURCE: readonly SourceType[] = ['number', 'date', 'boolean', 'keyword', 'ip', 'geo', 'range']

class ValueCountAggregation extends Aggregation<number> {
  readonly kind = 'value_count'
  readonly source: SourceSettings

  constructor(parts: AggregationParts, source: SourceSettings) {
    super(parts)
    this.source = source
  }

  override plan(context: AggregationContext): ShardAggregator<number> {
    const source = bindSource(context.shard, this.source, this.kind, ANY_SOURCE, 'keyword')
    return new ValueCountAggregator(context, source)
  }

  override reduce(results: readonly number[]): number {
    return results.reduce((sum, count) => sum + count, 0)
  }

  override empty(): number {
    return 0
  }

  override print(count: number): Record<string, unknown> {
    return { value: count }
  }

  override value(count: number, property: string | undefined): number | undefined {
    return property === undefined || property === 'value' ? count : undefined
  }
}

class ValueCountAggregator implements ShardAggregator<number> {
  readonly needsScores = false
  readonly #source: ValueSource
  readonly #counts: BucketInts

  constructor(context: AggregationContext, source: ValueSource) {
    this.#source = source
    this.#counts = new BucketInts(context.memory)
  }

  segment({ reader }: SegmentView): SegmentCollector | undefined {
    const { field, missing, ofDocument } = this.#source
    const docValues = field === undefined ? undefined : anyDocValues(reader, storageName(field))
    const without = missing === undefined && ofDocument === undefined ? 0 : 1
    if (docValues === undefined && without === 0) return undefined
    return {
      collect: (docs, buckets, count) => {
        const counts = this.#counts.reserve(bucketBound(buckets, count))
        for (let i = 0; i < count; i++) {
          const doc = docs[i]!
          const bucket = buckets[i]!
          counts[bucket] = counts[bucket]! + (docValues?.has(doc) ? docValues.end(doc) - docValues.start(doc) : without)
        }
      },
    }
  }

  finish(): void {}

  result(bucket: number): number {
    return this.#counts.get(bucket)
  }

  value(bucket: number): number {
    return this.#counts.get(bucket)
  }

  get sharing(): PartSharing {
    return {
      give: () => giveInts(this.#counts),
      take: (found, buckets) => takeInts(this.#counts, found as Int32Array, buckets),
    }
  }
}

/** The doc values of a field of any type. */
export function anyDocValues(reader: SegmentReader, name: string) {
  return (
    reader.numericDocValues(name) ??
    reader.sortedSetDocValues(name) ??
    reader.geoDocValues(name) ??
    reader.binaryDocValues(name)
  )
}

export const valueCountKind = numberMetricKind(
  'value_count',
  (parts, source) => new ValueCountAggregation(parts, source),
)
