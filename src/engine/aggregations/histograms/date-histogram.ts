/** `date_histogram`: groups instants by calendar units or fixed intervals, in a time zone. */
import { illegalArgument } from '../../../base/api-error.ts'
import { DECIMAL, INTEGER, type JsonToken, NULL, STRING } from '../../../base/json/json-reader.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import type { Rounding } from '../../time/rounding.ts'
import type { ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import type { Reduction } from '../results/reduction.ts'
import { checkOrders } from '../terms/check-orders.ts'
import type { ValueFormat } from '../values/value-format.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  sourceMembers,
} from '../values/value-source.ts'
import { type DateInterval, intervalMembers, newDateInterval, roundingOf } from './date-interval.ts'
import { HistogramAggregator } from './histogram-aggregator.ts'
import { boundsOutsideHard, type HistogramOptions, histogramMembers, newHistogramOptions } from './histogram-grammar.ts'
import { type HistogramResult, NO_BUCKETS, reduceHistogram } from './histogram-result.ts'
import { roundedKeys } from './key-finder.ts'
import { SERIES_SOURCES, SeriesHistogram } from './series-histogram.ts'

const KIND = 'date_histogram'

/** Bounds as in the request: instants, or texts in the field's format. */
interface DateBounds {
  min: string | number | undefined
  max: string | number | undefined
}

interface Options extends HistogramOptions<DateBounds>, DateInterval {
  readonly source: SourceSettings
}

/** Bounds on a shard, where the field's format is known. */
interface BoundKeys {
  readonly min: number | undefined
  readonly max: number | undefined
}

interface DateHistogramResult extends HistogramResult {
  readonly extended: BoundKeys | undefined
}

class DateHistogram extends SeriesHistogram<DateHistogramResult, Options> {
  readonly kind = KIND
  protected override readonly keysAreDates = true
  #known: Rounding | undefined

  get #rounding(): Rounding {
    this.#known ??= roundingOf(this.options, this.options.source.timeZone)
    return this.#known
  }

  override plan(context: AggregationContext): ShardAggregator<DateHistogramResult> {
    const { source: settings, orders, hard, extended, offsetMs } = this.options
    const source = bindSource(context.shard, settings, KIND, SERIES_SOURCES, 'date')
    if (source.type === 'range' && source.field!.dateFormat === undefined)
      throw illegalArgument(`Expected date range type but found range type [${source.field!.type}]`)
    const rounding = this.#rounding
    checkOrders(orders, this.children)
    const { nowMs } = context.shard
    // The offset does not affect the bounds; it moves the buckets that fill gaps.
    const whole = roundingOf({ ...this.options, offsetMs: 0 }, settings.timeZone)
    const extendedKeys = boundKeys(extended, 'extended_bounds', this.name, source.format, nowMs, whole)
    const hardKeys = boundKeys(hard, 'hard_bounds', this.name, source.format, nowMs, whole)
    if (hard !== undefined && extended !== undefined && isOutside(extendedKeys!, hardKeys!)) {
      throw boundsOutsideHard(boundsText(hard), boundsText(extended))
    }
    const aggregator = new HistogramAggregator(context, this, source, {
      key: (value) => rounding.round(value),
      finder: (min, max) => roundedKeys(rounding, min, max),
      intervals: {
        of: (value) => rounding.round(value),
        next: (number) => rounding.nextRoundingValue(number),
        key: (number) => number,
        low: hardKeys?.min,
        high: hardKeys?.max,
      },
      accepts:
        hardKeys === undefined
          ? undefined
          : (key) =>
              !(hardKeys.min !== undefined && key < hardKeys.min) &&
              !(hardKeys.max !== undefined && key >= hardKeys.max),
    })
    return {
      needsScores: aggregator.needsScores,
      sharing: aggregator.sharing,
      segment: (view) => aggregator.segment(view),
      finish: () => aggregator.finish(),
      result: (bucket) => ({ ...aggregator.result(bucket), extended: extendedKeys && moved(extendedKeys, offsetMs) }),
    }
  }

  override reduce(results: readonly DateHistogramResult[], reduction: Reduction): DateHistogramResult {
    const extended = results.find((result) => result.extended !== undefined)?.extended
    const filler = {
      next: (key: number) => this.#rounding.nextRoundingValue(key),
      min: extended?.min,
      max: extended?.max,
    }
    return { ...reduceHistogram(results, this.options, filler, this.children, reduction), extended }
  }

  override empty(): DateHistogramResult {
    return { ...NO_BUCKETS, extended: undefined }
  }
}

function boundKeys(
  bounds: DateBounds | undefined,
  member: string,
  name: string,
  format: ValueFormat,
  nowMs: number,
  rounding: Rounding,
): BoundKeys | undefined {
  if (bounds === undefined) return undefined
  const instant = (bound: string | number | undefined) =>
    typeof bound === 'string' ? format.parse(bound, nowMs) : bound
  const min = instant(bounds.min)
  const max = instant(bounds.max)
  if (min !== undefined && max !== undefined && min > max) {
    throw illegalArgument(
      `[${member}.min][${min}] cannot be greater than [${member}.max][${max}] for histogram aggregation [${name}]`,
    )
  }
  return {
    min: min === undefined ? undefined : rounding.round(min),
    max: max === undefined ? undefined : rounding.round(max),
  }
}

function moved({ min, max }: BoundKeys, offsetMs: number): BoundKeys {
  return { min: min === undefined ? undefined : min + offsetMs, max: max === undefined ? undefined : max + offsetMs }
}

function isOutside(extended: BoundKeys, hard: BoundKeys): boolean {
  const below = hard.min !== undefined && extended.min !== undefined && extended.min < hard.min
  return below || (hard.max !== undefined && extended.max !== undefined && extended.max > hard.max)
}

const boundsText = ({ min, max }: DateBounds) => `${min ?? ''}--${max ?? ''}`

const ACCEPTS_INSTANT: readonly JsonToken[] = [STRING, INTEGER, DECIMAL, NULL]

function readBounds(reader: RequestReader): DateBounds {
  const bounds: DateBounds = { min: undefined, max: undefined }
  const member = (name: 'min' | 'max') => ({
    accepts: ACCEPTS_INSTANT,
    parse: () => {
      if (reader.token === NULL) return
      bounds[name] = reader.token === STRING ? reader.text() : Math.trunc(reader.json.number())
    },
  })
  reader.parseObject('bounds', { min: member('min'), max: member('max') })
  return bounds
}

export const dateHistogramKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options: Options = {
      ...newHistogramOptions(),
      ...newDateInterval(),
      source: newSourceSettings(),
    }
    reader.parseObject(KIND, [
      sourceMembers(reader, options.source, { timeZone: true }),
      histogramMembers(reader, name, options, readBounds),
      intervalMembers(reader, options),
    ])
    requireField(options.source)
    return (parts) => new DateHistogram(parts, options)
  },
}
