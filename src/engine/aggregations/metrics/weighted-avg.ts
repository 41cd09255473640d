/** `weighted_avg`: the average of one field, weighted by another. */

import { illegalArgument } from '../../../base/api-error.ts'
import { fieldOrScript } from '../../../base/errors/aggregation-errors.ts'
import { STRING } from '../../../base/json/json-reader.ts'
import { ACCEPTS_OBJECT, ACCEPTS_STRING, type RequestReader } from '../../request/request-reader.ts'
import { newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { Aggregation, type AggregationParts, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { bucketBound } from '../state/bucket-arrays.ts'
import { BucketSums, compensatedSum } from '../state/compensated-sum.ts'
import { numberValues } from '../values/number-values.ts'
import { RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import {
  bindSource,
  newSourceSettings,
  type SourceSettings,
  sourceMembers,
  type ValueSource,
} from '../values/value-source.ts'
import { commonFormat, NUMERIC_SOURCES, printNumber } from './number-metric.ts'

const KIND = 'weighted_avg'

interface Result {
  readonly sum: number
  readonly weight: number
  readonly format: ValueFormat
}

interface Settings {
  value: SourceSettings | undefined
  weight: SourceSettings | undefined
  format: string | undefined
}

class WeightedAvg extends Aggregation<Result> {
  readonly kind = KIND
  readonly #settings: Settings

  constructor(parts: AggregationParts, settings: Settings) {
    super(parts)
    this.#settings = settings
  }

  override plan(context: AggregationContext): ShardAggregator<Result> {
    const { value, weight, format } = this.#settings
    const bound = bind(context, 'value', value === undefined ? undefined : { ...value, format })
    // The field's own format is not used; the average of dates is a number.
    const values = format === undefined ? { ...bound, format: RAW_FORMAT } : bound
    return new WeightedAvgAggregator(context, values, bind(context, 'weight', weight))
  }

  override reduce(results: readonly Result[]): Result {
    return {
      sum: compensatedSum(results.map(({ sum }) => sum)),
      weight: compensatedSum(results.map(({ weight }) => weight)),
      format: commonFormat(results),
    }
  }

  override empty(): Result {
    return { sum: 0, weight: 0, format: RAW_FORMAT }
  }

  override print({ sum, weight, format }: Result): Record<string, unknown> {
    return printNumber({ value: sum / weight, format }, weight !== 0)
  }

  override value({ sum, weight }: Result, property: string | undefined): number | undefined {
    return property === undefined || property === 'value' ? sum / weight : undefined
  }
}

function bind(context: AggregationContext, name: string, settings: SourceSettings | undefined): ValueSource {
  if (settings === undefined) throw illegalArgument(`Could not find field name [${name}] in multiValuesSource`)
  const field = settings.field === undefined ? undefined : context.shard.mapping.field(settings.field)
  const source = bindSource(context.shard, settings, KIND, [...NUMERIC_SOURCES, 'keyword', 'ip', 'geo'], 'number')
  if (NUMERIC_SOURCES.includes(source.type)) return source
  throw illegalArgument(`Expected numeric type on field [${settings.field}], but got [${field?.type}]`)
}

class WeightedAvgAggregator implements ShardAggregator<Result> {
  readonly needsScores = false
  readonly #values: ValueSource
  readonly #weights: ValueSource
  readonly #sums: BucketSums
  readonly #totals: BucketSums

  constructor(context: AggregationContext, values: ValueSource, weights: ValueSource) {
    this.#values = values
    this.#weights = weights
    this.#sums = new BucketSums(context.memory)
    this.#totals = new BucketSums(context.memory)
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const values = numberValues(this.#values, view)
    const weights = numberValues(this.#weights, view)
    if (values === undefined || weights === undefined) return undefined
    const valueBlock = newValueBlock()
    const weightBlock = newValueBlock()
    // Each value is multiplied by the document's weight, with the weight stored next to it.
    const spread = newValueBlock()
    return {
      collect: (docs, buckets, count) => {
        values.readBlock(docs, count, valueBlock)
        weights.readBlock(docs, count, weightBlock)
        spread.values = valueBlock.values.slice(0, valueBlock.offsets[count])
        for (let i = 0; i < count; i++) {
          const from = weightBlock.offsets[i]!
          const found = weightBlock.offsets[i + 1]! - from
          const start = valueBlock.offsets[i]!
          const end = valueBlock.offsets[i + 1]!
          if (found > 1 && end > start) {
            throw illegalArgument(
              'Encountered more than one weight for a single document. Use a script to combine multiple ' +
                'weights-per-doc into a single value.',
            )
          }
          const weight = found === 0 ? 0 : weightBlock.values[from]!
          for (let slot = start; slot < end; slot++) {
            valueBlock.values[slot] = found === 0 ? 0 : valueBlock.values[slot]! * weight
            spread.values[slot] = weight
          }
        }
        const bound = bucketBound(buckets, count)
        this.#sums.reserve(bound)
        this.#totals.reserve(bound)
        this.#sums.addBlock(valueBlock.values, valueBlock.offsets, buckets, count)
        this.#totals.addBlock(spread.values, valueBlock.offsets, buckets, count)
      },
    }
  }

  finish(): void {}

  result(bucket: number): Result {
    return { sum: this.#sums.get(bucket), weight: this.#totals.get(bucket), format: this.#values.format }
  }

  value(bucket: number): number {
    return this.#sums.get(bucket) / this.#totals.get(bucket)
  }
}

export const weightedAvgKind: AggregationKind = {
  name: KIND,
  hasChildren: false,
  parse(reader) {
    const settings: Settings = { value: undefined, weight: undefined, format: undefined }
    reader.parseObject(KIND, {
      value: {
        accepts: ACCEPTS_OBJECT,
        parse: () => {
          settings.value = readPart(reader)
        },
      },
      weight: {
        accepts: ACCEPTS_OBJECT,
        parse: () => {
          settings.weight = readPart(reader)
        },
      },
      format: {
        accepts: ACCEPTS_STRING,
        parse: () => {
          settings.format = reader.text()
        },
      },
      value_type: { accepts: [STRING], parse: () => reader.text() },
    })
    return (parts) => new WeightedAvg(parts, settings)
  },
}

function readPart(reader: RequestReader): SourceSettings {
  const settings = newSourceSettings()
  const members = sourceMembers(reader, settings, { format: false, timeZone: true })
  reader.parseObject('field_config', members)
  if (settings.field === undefined && settings.script === undefined) {
    throw fieldOrScript()
  }
  return settings
}
