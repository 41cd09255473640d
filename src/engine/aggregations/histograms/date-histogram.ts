/** `date_histogram`: instants in buckets of calendar units or fixed intervals, in a time zone. */
import { illegalArgument } from '../../../base/api-error.ts'
import { parseDuration } from '../../../base/duration.ts'
import { DECIMAL, INTEGER, type JsonToken, NULL, STRING } from '../../../base/json/json-reader.ts'
import { ACCEPTS_STRING, type RequestReader } from '../../query/request-reader.ts'
import {
  type CalendarUnit,
  calendarRounding,
  calendarUnit,
  intervalRounding,
  type Rounding,
} from '../../time/rounding.ts'
import { timeZone } from '../../time/time-zone.ts'
import type { ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { NUMERIC_SOURCES } from '../metrics/number-metric.ts'
import type { Reduction } from '../reduction.ts'
import { checkOrders } from '../terms/check-orders.ts'
import type { ValueFormat } from '../value-format.ts'
import { bindSource, newSourceSettings, requireField, type SourceSettings, sourceMembers } from '../value-source.ts'
import { HistogramAggregator } from './histogram-aggregator.ts'
import { boundsOutsideHard, type HistogramOptions, histogramMembers, newHistogramOptions } from './histogram-grammar.ts'
import { type HistogramResult, NO_BUCKETS, reduceHistogram } from './histogram-result.ts'
import { roundedKeys } from './key-finder.ts'
import { SeriesHistogram } from './series-histogram.ts'

const KIND = 'date_histogram'

/** Bounds as the request gives them: instants, or texts that the field's format reads. */
interface DateBounds {
  min: string | number | undefined
  max: string | number | undefined
}

export type DateInterval = { readonly unit: CalendarUnit } | { readonly ms: number }

interface Options extends HistogramOptions<DateBounds> {
  readonly source: SourceSettings
  interval: DateInterval | undefined
  offsetMs: number
}

/** Bounds on a shard: the format is the field's, so it is known there only. */
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
    const { interval, offsetMs, source } = this.options
    if (interval === undefined) throw illegalArgument('Invalid interval specified, must be non-null and non-empty')
    this.#known ??= dateRounding(interval, source.timeZone, offsetMs)
    return this.#known
  }

  override plan(context: AggregationContext): ShardAggregator<DateHistogramResult> {
    const { source: settings, orders, hard, extended, interval, offsetMs } = this.options
    const source = bindSource(context.shard, settings, KIND, NUMERIC_SOURCES, 'date')
    const rounding = this.#rounding
    checkOrders(orders, this.children)
    const { nowMs } = context.shard
    // The offset has no part in where bounds lie; it moves the buckets that are filled in.
    const whole = dateRounding(interval!, settings.timeZone, 0)
    const extendedKeys = boundKeys(extended, 'extended_bounds', this.name, source.format, nowMs, whole)
    const hardKeys = boundKeys(hard, 'hard_bounds', this.name, source.format, nowMs, whole)
    if (hard !== undefined && extended !== undefined && isOutside(extendedKeys!, hardKeys!)) {
      throw boundsOutsideHard(boundsText(hard), boundsText(extended))
    }
    const aggregator = new HistogramAggregator(context, this, source, {
      key: (value) => rounding.round(value),
      finder: (min, max) => roundedKeys(rounding, min, max),
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

function dateRounding(interval: DateInterval, zone: string | undefined, offsetMs: number): Rounding {
  const options = { zone: zone === undefined ? undefined : timeZone(zone), offsetMs }
  return 'unit' in interval ? calendarRounding(interval.unit, options) : intervalRounding(interval.ms, options)
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

/** Milliseconds, or a length of time with a sign. */
function readOffset(reader: RequestReader): number {
  if (reader.token !== STRING) return reader.integer()
  const text = reader.text()
  const sign = text.startsWith('-') ? -1 : 1
  const length = text.startsWith('-') || text.startsWith('+') ? text.slice(1) : text
  return sign * parseDuration(length, 'DateHistogramAggregationBuilder.parseOffset')
}

/** `calendar_interval` and `fixed_interval`, of which only one may be given. */
function intervalMembers(reader: RequestReader, state: { interval: DateInterval | undefined }) {
  return {
    calendar_interval: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        const unit = calendarUnit(reader.text())
        if (unit === undefined) {
          throw illegalArgument(`The supplied interval [${reader.text()}] could not be parsed as a calendar interval.`)
        }
        if (state.interval !== undefined && 'ms' in state.interval) {
          throw illegalArgument('Cannot use [calendar_interval] with [fixed_interval] configuration option.')
        }
        state.interval = { unit }
      },
    },
    fixed_interval: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        const ms = parseDuration(reader.text(), 'date_histogram.fixedInterval')
        if (state.interval !== undefined && 'unit' in state.interval) {
          throw illegalArgument('Cannot use [fixed_interval] with [calendar_interval] configuration option.')
        }
        state.interval = { ms }
      },
    },
  }
}

export const dateHistogramKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options: Options = {
      ...newHistogramOptions(),
      source: newSourceSettings(),
      interval: undefined,
      offsetMs: 0,
    }
    reader.parseObject(KIND, {
      ...sourceMembers(reader, options.source, { timeZone: true }),
      ...histogramMembers(reader, name, options, readBounds),
      ...intervalMembers(reader, options),
      offset: {
        accepts: [STRING, INTEGER, DECIMAL],
        parse: () => {
          options.offsetMs = readOffset(reader)
        },
      },
    })
    requireField(options.source)
    return (parts) => new DateHistogram(parts, options)
  },
}
