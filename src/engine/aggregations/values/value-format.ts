/**
 * How the values of a field look in results: as text (`key_as_string`, `value_as_string`) and, where a text is given in a
 * request (`missing`, bounds, `after`), how it is read back.
 */
import { unparsableBoolean } from '../../../base/errors/value-errors.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { parseDateMath } from '../../time/date-math.ts'
import type { DateFormat } from '../../time/format/date-format.ts'
import { type TimeZone, UTC } from '../../time/zone/time-zone.ts'
import { decimalFormat } from '../../values/decimal-format.ts'
import { parseDouble } from '../../values/java-number.ts'

export interface ValueFormat {
  /** Plain values: results show no text beside the number. */
  readonly isRaw: boolean
  text(value: number): string
  /** A number as a request gives it. */
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

/** The text beside a number where Elasticsearch shows what the format makes of it: of booleans that is no text. */
export function besideNumber(format: ValueFormat, value: number): string | boolean {
  return format === BOOLEAN_FORMAT ? value !== 0 : format.text(value)
}

/** A pattern of the request, `#,##0.00`. */
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
