/** `histogram`: groups numbers by intervals of equal width. */
import { illegalArgument, xContentParse } from '../../../base/api-error.ts'
import { type JsonToken, NULL } from '../../../base/json/json-reader.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { ACCEPTS_NUMBER, type RequestReader } from '../../request/request-reader.ts'
import type { ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import type { Reduction } from '../results/reduction.ts'
import { checkOrders } from '../terms/check-orders.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  sourceMembers,
  type ValueSource,
} from '../values/value-source.ts'
import { HistogramAggregator } from './histogram-aggregator.ts'
import { boundsOutsideHard, type HistogramOptions, histogramMembers, newHistogramOptions } from './histogram-grammar.ts'
import { type HistogramResult, NO_BUCKETS, reduceHistogram } from './histogram-result.ts'
import { evenKeys } from './key-finder.ts'
import { SERIES_SOURCES, SeriesHistogram } from './series-histogram.ts'

const KIND = 'histogram'

interface DoubleBounds {
  min: number | undefined
  max: number | undefined
}

interface Options extends HistogramOptions<DoubleBounds> {
  readonly source: SourceSettings
  interval: number
  offset: number
}

class Histogram extends SeriesHistogram<HistogramResult, Options> {
  readonly kind = KIND
  protected override readonly keysAreDates = false

  override plan(context: AggregationContext): ShardAggregator<HistogramResult> {
    const { source: settings, interval, hard, orders } = this.options
    const source = bindSource(context.shard, settings, KIND, SERIES_SOURCES, 'number')
    checkRange(source)
    if (!(interval > 0)) throw illegalArgument(`interval must be positive, got: ${formatDouble(interval)}`)
    this.#checkBounds()
    checkOrders(orders, this.children)
    const { offset } = this.options
    return new HistogramAggregator(context, this, source, {
      key: (value) => Math.floor((value - offset) / interval) * interval + offset,
      finder: (min, max) => evenKeys(interval, offset, min, max),
      intervals: {
        of: (value) => Math.floor((value - offset) / interval),
        next: (number) => number + 1,
        key: (number) => number * interval + offset,
        low: hard?.min,
        high: hard?.max,
      },
      accepts:
        hard === undefined
          ? undefined
          : (key) => {
              // The bounds apply to keys without the offset.
              const unshifted = key - offset
              const below = hard.min !== undefined && unshifted < hard.min
              return !below && !(hard.max !== undefined && unshifted > hard.max)
            },
    })
  }

  #checkBounds(): void {
    const { hard, extended } = this.options
    if (hard === undefined || extended === undefined) return
    const below = hard.min !== undefined && extended.min !== undefined && extended.min < hard.min
    const above = hard.max !== undefined && extended.max !== undefined && extended.max > hard.max
    if (below || above) throw boundsOutsideHard(boundsText(hard), boundsText(extended))
  }

  override reduce(results: readonly HistogramResult[], reduction: Reduction): HistogramResult {
    const { interval, offset, extended } = this.options
    const round = (value: number | undefined) =>
      value === undefined ? undefined : Math.floor((value - offset) / interval) * interval + offset
    const filler = {
      next: (key: number) => (Math.floor((key - offset) / interval + 0.5) + 1) * interval + offset,
      min: round(extended?.min),
      max: round(extended?.max),
    }
    return reduceHistogram(results, this.options, filler, this.children, reduction)
  }

  override empty(): HistogramResult {
    return NO_BUCKETS
  }
}

function checkRange({ type, field }: ValueSource): void {
  if (type !== 'range' || (field!.dateFormat === undefined && field!.traits.range!.kind !== 'ip')) return
  throw illegalArgument(`Expected numeric range type but found non-numeric range [${field!.type}]`)
}

function boundsText({ min, max }: DoubleBounds): string {
  return `${min === undefined ? '' : formatDouble(min)}--${max === undefined ? '' : formatDouble(max)}`
}

const ACCEPTS_BOUND: readonly JsonToken[] = [...ACCEPTS_NUMBER, NULL]

function readBounds(reader: RequestReader): DoubleBounds {
  const bounds: DoubleBounds = { min: undefined, max: undefined }
  const member = (name: 'min' | 'max') => ({
    accepts: ACCEPTS_BOUND,
    parse: () => {
      bounds[name] = reader.token === NULL ? undefined : reader.float()
      checkReversed(bounds)
    },
  })
  reader.parseObject('double_bounds', { min: member('min'), max: member('max') })
  return bounds
}

function checkReversed({ min, max }: DoubleBounds): void {
  if (min === undefined || max === undefined || min <= max) return
  const reason = `max bound [${formatDouble(max)}] must be greater than min bound [${formatDouble(min)}]`
  throw xContentParse('Failed to build [double_bounds] after last required field arrived', {
    causedBy: illegalArgument(reason),
  })
}

export const histogramKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options: Options = {
      ...newHistogramOptions(),
      source: newSourceSettings(),
      interval: 0,
      offset: 0,
    }
    reader.parseObject(KIND, [
      sourceMembers(reader, options.source),
      histogramMembers(reader, name, options, readBounds),
      {
        interval: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            options.interval = reader.float()
            if (!(options.interval > 0)) {
              throw illegalArgument(`[interval] must be >0 for histogram aggregation [${name}]`)
            }
          },
        },
        offset: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            options.offset = reader.float()
          },
        },
      },
    ])
    requireField(options.source)
    return (parts) => new Histogram(parts, options)
  },
}
