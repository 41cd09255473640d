/** The base of metrics over a numeric field: grammar, reading of values, and printing. */
import { Double } from '../../../base/json/json-writer.ts'
import type { MemberParser, RequestReader } from '../../request/request-reader.ts'
import { ONE_EACH } from '../../segment/doc-values/doc-values-block.ts'
import type { SegmentView, ValueBlock } from '../../segment/segment-reader-api.ts'
import { Aggregation, type AggregationParts, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { type NumberValues, numberValues } from '../values/number-values.ts'
import { RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceMembers,
  type SourceSettings,
  type SourceType,
  sourceMembers,
  type ValueSource,
} from '../values/value-source.ts'

/** Fields with numbers, dates and booleans. */
export const NUMERIC_SOURCES: readonly SourceType[] = ['number', 'date', 'boolean']

export abstract class NumberMetric<R> extends Aggregation<R> {
  readonly source: SourceSettings

  constructor(parts: AggregationParts, source: SourceSettings) {
    super(parts)
    this.source = source
  }

  override plan(context: AggregationContext): ShardAggregator<R> {
    return this.aggregator(context, bindSource(context.shard, this.source, this.kind, NUMERIC_SOURCES, 'number'))
  }

  abstract aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<R>
}

/** A metric that has only a field. */
export function numberMetricKind(
  name: string,
  make: (parts: AggregationParts, source: SourceSettings) => Aggregation,
): AggregationKind {
  return {
    name,
    hasChildren: false,
    parse(reader) {
      const source = readSource(reader, name)
      return (parts) => make(parts, source)
    },
  }
}

/** `more` are members in addition to those of the field. */
export function readSource(
  reader: RequestReader,
  name: string,
  more: Readonly<Record<string, MemberParser>> = {},
  options: SourceMembers = {},
): SourceSettings {
  const source = newSourceSettings()
  reader.parseObject(name, [sourceMembers(reader, source, options), more])
  requireField(source, options.script)
  return source
}

/** Adds the values of blocks to the state of buckets; subclasses hold the state. */
export abstract class NumberAggregator<R> implements ShardAggregator<R> {
  readonly needsScores = false
  readonly #source: ValueSource
  readonly #block: ValueBlock

  constructor(context: AggregationContext, source: ValueSource) {
    this.#source = source
    this.#block = context.scratch.valueBlock()
  }

  get format(): ValueFormat {
    return this.#source.format
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const values = numberValues(this.#source, view)
    if (values === undefined) return undefined
    this.expect(this.addsExactly ? greatestSum(values) : Number.POSITIVE_INFINITY)
    const block = this.#block
    const { multiValued } = values
    return {
      collect: (docs, buckets, count, isRun) => {
        const dense = isRun === true ? values.denseNumbers?.(docs[0]!, count, block.values) : undefined
        if (dense !== undefined) {
          this.add(dense, ONE_EACH, buckets, count, true)
          return
        }
        values.readBlock(docs, count, block)
        const found = block.offsets[count]!
        if (found > 0) this.add(block.values, block.offsets, buckets, count, found === count && !multiValued)
      },
    }
  }

  finish(): void {}

  /** Whether sums do not depend on the order of addition: integers are never rounded on the way. */
  protected get addsExactly(): boolean {
    const { field, missing } = this.#source
    const number = field?.traits.number
    return missing === undefined && number?.isWhole === true && number.storedAs === undefined
  }

  /**
   * Entry i has the values at [offsets[i], offsets[i + 1]) and belongs to `buckets[i]`. `single` means that all have
   * exactly one. The values must not be changed: they may be the doc values themselves.
   */
  protected abstract add(
    values: Float64Array,
    offsets: Int32Array,
    buckets: Int32Array,
    count: number,
    single: boolean,
  ): void

  /**
   * Called before the values of a segment with the maximum sum of their absolute values; Infinity unless they are
   * integers.
   */
  protected expect(_sumMax: number): void {}

  abstract result(bucket: number): R
  abstract value(bucket: number, property: string | undefined): number
}

function greatestSum({ min, max, valueCount }: NumberValues): number {
  return valueCount === undefined ? Number.POSITIVE_INFINITY : Math.max(Math.abs(min), Math.abs(max)) * valueCount
}

/** A number with its format. */
export interface NumberResult {
  readonly value: number
  readonly format: ValueFormat
}

/** The first format of a shard that has the field. */
export function commonFormat(results: readonly { readonly format: ValueFormat }[]): ValueFormat {
  return results.find(({ format }) => !format.isRaw)?.format ?? RAW_FORMAT
}

/** `value` and, if the format differs from the number, `value_as_string`; `null` without values. */
export function printNumber({ value, format }: NumberResult, hasValue: boolean): Record<string, unknown> {
  if (!hasValue) return { value: null }
  return {
    value: new Double(value),
    value_as_string: format.isRaw ? undefined : format.text(value),
  }
}
