/** Parses `calendar_interval`, `fixed_interval` and `offset`, which determine where date buckets start. */
import { illegalArgument } from '../../../base/api-error.ts'
import { parseDuration } from '../../../base/duration.ts'
import { DECIMAL, INTEGER, STRING } from '../../../base/json/json-reader.ts'
import { ACCEPTS_STRING, type MemberParser, type RequestReader } from '../../request/request-reader.ts'
import {
  type CalendarUnit,
  calendarRounding,
  calendarUnit,
  intervalRounding,
  type Rounding,
} from '../../time/rounding.ts'
import { timeZone } from '../../time/zone/time-zone.ts'

export interface DateInterval {
  interval: { readonly unit: CalendarUnit } | { readonly ms: number } | undefined
  offsetMs: number
}

export function newDateInterval(): DateInterval {
  return { interval: undefined, offsetMs: 0 }
}

/** Only one of the two intervals may be given. */
export function intervalMembers(reader: RequestReader, state: DateInterval): Record<string, MemberParser> {
  return {
    calendar_interval: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        const unit = calendarUnit(reader.text())
        if (unit === undefined) {
          throw illegalArgument(`The supplied interval [${reader.text()}] could not be parsed as a calendar interval.`)
        }
        if (state.interval !== undefined && 'ms' in state.interval) {
          throw twoIntervals('calendar_interval', 'fixed_interval')
        }
        state.interval = { unit }
      },
    },
    fixed_interval: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        if (state.interval !== undefined && 'unit' in state.interval) {
          throw twoIntervals('fixed_interval', 'calendar_interval')
        }
        state.interval = { ms: parseDuration(reader.text(), 'date_histogram.fixedInterval') }
      },
    },
    offset: {
      accepts: [STRING, INTEGER, DECIMAL],
      parse: () => {
        state.offsetMs = reader.token === STRING ? parseOffset(reader.text()) : reader.long()
      },
    },
  }
}

const twoIntervals = (given: string, before: string) =>
  illegalArgument(`Cannot use [${given}] with [${before}] configuration option.`)

/** `+6h`, `-1d`. */
function parseOffset(text: string): number {
  const name = 'DateHistogramAggregationBuilder.parseOffset'
  return text.startsWith('-') ? -parseDuration(text.slice(1), name) : parseDuration(text.replace(/^\+/, ''), name)
}

/** The rounding of the interval; a missing interval is reported on the shard. */
export function roundingOf({ interval, offsetMs }: Readonly<DateInterval>, zoneId: string | undefined): Rounding {
  if (interval === undefined) throw illegalArgument('Invalid interval specified, must be non-null and non-empty')
  const options = { zone: zoneId === undefined ? undefined : timeZone(zoneId), offsetMs }
  return 'unit' in interval ? calendarRounding(interval.unit, options) : intervalRounding(interval.ms, options)
}
