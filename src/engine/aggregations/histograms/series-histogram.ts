/** A histogram whose buckets form a series without gaps: the common base of `histogram` and `date_histogram`. */
import { type AggregationParts, BucketsAggregation } from '../aggregation.ts'
import { NUMERIC_SOURCES } from '../metrics/number-metric.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import type { SourceType } from '../values/value-source.ts'
import { type HistogramResult, type HistogramSettings, printHistogram } from './histogram-result.ts'

/** The types of fields with a series of intervals. */
export const SERIES_SOURCES: readonly SourceType[] = [...NUMERIC_SOURCES, 'range']

export abstract class SeriesHistogram<
  R extends HistogramResult,
  Options extends HistogramSettings,
> extends BucketsAggregation<R> {
  protected readonly options: Options
  protected abstract readonly keysAreDates: boolean

  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.options = options
  }

  /** Bounds beyond the documents are filled in empty buckets too. */
  override emptyBeside(known: R, reduction: Reduction): R {
    return this.reduce([{ ...known, buckets: [] }], reduction)
  }

  override print(result: R, printer: Printer): Record<string, unknown> {
    return printHistogram(result, this.options.keyed, this.keysAreDates, this.children, printer)
  }

  override keyText({ buckets, format }: R, index: number): string {
    return format.text(buckets[index]!.key)
  }

  override get seriesMinDocCount(): number {
    return this.options.minDocCount
  }
}
