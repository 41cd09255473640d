/**
 * How field values are printed in results (`key_as_string`, `value_as_string`), and how texts in a request (`missing`,
 * bounds, `after`) are parsed.
 */
import { unparsableBoolean } from '../../../base/errors/value-errors.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { parseDateMath } from '../../time/date-math.ts'
import type { DateFormat } from '../../time/format/date-format.ts'
import { type TimeZone, UTC } from '../../time/zone/time-zone.ts'
import { decimalFormat } from '../../values/decimal-format.ts'
import { parseDouble } from '../../values/java-number.ts'

export interface ValueFormat {
  /** Raw format: results show no text next to the number. */
  readonly isRaw: boolean
  text(value: number): string
  /** Parses a number of a request. */
  parse(text: string, nowMs: number, roundUp?: boolean): number
}

export const RAW_FORMAT: ValueFormat = {
  isRaw: true,
  text: formatDouble,
  parse: parseDouble,
}

export const BOOLEAN_FORMAT: ValueFormat = {
  isRaw: false,
  text: (value) => (value === 0 ? 'false' : 'true'),
  parse(text) {
    if (text === 'true') return 1
    if (text === 'false') return 0
    throw unparsableBoolean(text)
  },
}

/** The text next to a number in Elasticsearch's form; for booleans it is not a string. */
export function besideNumber(format: ValueFormat, value: number): string | boolean {
  return format === BOOLEAN_FORMAT ? value !== 0 : format.text(value)
}

/** A number pattern of the request, `#,##0.00`. */
export function decimalValueFormat(pattern: string): ValueFormat {
  const format = decimalFormat(pattern)
  return { isRaw: false, text: (value) => format.format(value), parse: parseDouble }
}

export class DateValueFormat implements ValueFormat {
  readonly isRaw = false
  readonly format: DateFormat
  readonly zone: TimeZone

  constructor(format: DateFormat, zone: TimeZone = UTC) {
    this.format = format
    this.zone = zone
  }

  text(value: number): string {
    return this.format.format(Math.trunc(value), 0, this.zone)
  }

  parse(text: string, nowMs: number, roundUp = false): number {
    return parseDateMath(text, { format: this.format, nowMs, roundUp, zone: this.zone }).ms
  }
}
