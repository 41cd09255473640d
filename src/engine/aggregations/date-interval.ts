/** `calendar_interval`, `fixed_interval` and `offset` of date histograms. */
import { illegalArgument } from '../../base/api-error.ts'
import { parseDuration } from '../../base/duration.ts'
import { INTEGER, STRING } from '../../base/json/json-reader.ts'
import { ACCEPTS_STRING, type MemberParser, type RequestReader } from '../query/request-reader.ts'
import { calendarRounding, calendarUnit, intervalRounding, type Rounding } from '../time/rounding.ts'
import { timeZone, UTC } from '../time/time-zone.ts'

export interface DateInterval {
  calendar: string | undefined
  fixed: string | undefined
  offsetMs: number
}

export function newDateInterval(): DateInterval {
  return { calendar: undefined, fixed: undefined, offsetMs: 0 }
}

export function intervalMembers(reader: RequestReader, interval: DateInterval): Record<string, MemberParser> {
  return {
    calendar_interval: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        if (interval.fixed !== undefined) throw twoIntervals('calendar_interval', 'fixed_interval')
        const text = reader.text()
        if (calendarUnit(text) === undefined) {
          throw illegalArgument(`The supplied interval [${text}] could not be parsed as a calendar interval.`)
        }
        interval.calendar = text
      },
    },
    fixed_interval: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        if (interval.calendar !== undefined) throw twoIntervals('fixed_interval', 'calendar_interval')
        parseDuration(reader.text(), 'date_histogram.fixedInterval')
        interval.fixed = reader.text()
      },
    },
    offset: {
      accepts: [STRING, INTEGER],
      parse: () => {
        interval.offsetMs = reader.token === INTEGER ? reader.integer() : parseOffset(reader.text())
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

/** The rounding the interval stands for; its absence is noticed on the shard. */
export function roundingOf({ calendar, fixed, offsetMs }: DateInterval, zoneId: string | undefined): Rounding {
  const zone = zoneId === undefined ? UTC : timeZone(zoneId)
  if (calendar !== undefined) return calendarRounding(calendarUnit(calendar)!, { zone, offsetMs })
  if (fixed !== undefined) return intervalRounding(parseDuration(fixed, 'fixed_interval'), { zone, offsetMs })
  throw illegalArgument('Invalid interval specified, must be non-null and non-empty')
}
