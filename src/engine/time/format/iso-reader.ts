/**
 * The first reader of ISO formats. In addition to the common texts of `iso-instant.ts` it accepts a comma before the
 * fraction and any zone id. It also reads days that a month does not have; these fail later, with another error than a
 * text that is not a date.
 */
import { ApiError } from '../../../base/api-error.ts'
import {
  DOWN_TO_SECONDS,
  HAS_DAY,
  HAS_FRACTION,
  HAS_HOUR,
  HAS_MINUTE,
  HAS_MONTH,
  HAS_SECOND,
  HAS_ZONE,
} from '../iso-instant.ts'
import { timeZone } from '../zone/time-zone.ts'
import * as f from './date-fields.ts'
import type { ParsedFields } from './parsed-fields.ts'

/** The parts that a format requires, as bits. */
export interface IsoRules {
  required: number
  allowed: number
  /** Required as soon as there is an hour. */
  requiredWithHour: number
  comma: boolean
}

const ANY = HAS_MONTH | HAS_DAY | HAS_HOUR | HAS_MINUTE | HAS_SECOND | HAS_FRACTION | HAS_ZONE

const rules = (required: number, allowed: number, more: Partial<IsoRules> = {}): IsoRules => ({
  required,
  allowed,
  requiredWithHour: 0,
  comma: true,
  ...more,
})

/** The formats that try ISO first. */
export const ISO_RULES: Readonly<Record<string, IsoRules>> = {
  iso8601: rules(0, ANY),
  strict_date_optional_time: rules(0, ANY),
  strict_date_optional_time_nanos: rules(0, ANY, { requiredWithHour: DOWN_TO_SECONDS }),
  strict_date_time: rules(DOWN_TO_SECONDS | HAS_ZONE, ANY, { comma: false }),
  strict_date_time_no_millis: rules(DOWN_TO_SECONDS | HAS_ZONE, DOWN_TO_SECONDS | HAS_ZONE),
  strict_date_hour_minute_second: rules(DOWN_TO_SECONDS, DOWN_TO_SECONDS),
  strict_date_hour_minute_second_fraction: rules(DOWN_TO_SECONDS | HAS_FRACTION, ANY & ~HAS_ZONE, { comma: false }),
  strict_date_hour_minute_second_millis: rules(DOWN_TO_SECONDS | HAS_FRACTION, ANY & ~HAS_ZONE, { comma: false }),
  strict_year: rules(0, 0),
  strict_year_month: rules(HAS_MONTH, HAS_MONTH),
}

export function fits(parts: number, { required, allowed, requiredWithHour }: IsoRules): boolean {
  if ((parts & required) !== required || (parts & ~allowed) !== 0) return false
  return (parts & HAS_HOUR) === 0 || (parts & requiredWithHour) === requiredWithHour
}

const SHAPE = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(?:(\d\d)(?::(\d\d)(?::(\d\d)(?:([.,])(\d{1,9}))?)?)?(.+)?)?)?)?)?$/s

/** The field, part and maximum value for each group of the expression. */
const GROUPS: readonly (readonly [group: number, field: number, part: number, max: number])[] = [
  [1, f.YEAR, 0, 9999],
  [2, f.MONTH, HAS_MONTH, 12],
  [3, f.DAY_OF_MONTH, HAS_DAY, 31],
  [4, f.HOUR, HAS_HOUR, 23],
  [5, f.MINUTE, HAS_MINUTE, 59],
  [6, f.SECOND, HAS_SECOND, 59],
]
const SEPARATOR_GROUP = 7
const FRACTION_GROUP = 8
const ZONE_GROUP = 9

/** Fills `out` from an ISO text; false if the rules do not allow it. */
export function readIso(text: string, isoRules: IsoRules, out: ParsedFields): boolean {
  // Numbers (`epoch_millis` as second format) are rejected early, without the cost of the expression.
  if (text.length !== 4 && text[4] !== '-') return false
  const match = SHAPE.exec(text)
  if (match === null) return false
  let parts = 0
  for (const [group, field, part, max] of GROUPS) {
    if (match[group] === undefined) continue
    const value = Number(match[group])
    if (value > max) return false
    out.put(field, value)
    parts |= part
  }
  if (match[FRACTION_GROUP] !== undefined) {
    if (match[SEPARATOR_GROUP] === ',' && !isoRules.comma) return false
    out.put(f.NANO, Number(match[FRACTION_GROUP].padEnd(9, '0')))
    parts |= HAS_FRACTION
  }
  if (match[ZONE_GROUP] !== undefined) {
    if (!readZoneId(match[ZONE_GROUP], out)) return false
    parts |= HAS_ZONE
  }
  // A trailing `T` announces a time, which some formats then require.
  if (isoRules.requiredWithHour !== 0 && text.endsWith('T')) return false
  return fits(parts, isoRules)
}

function readZoneId(id: string, out: ParsedFields): boolean {
  if (/^[+-]/.test(id) && !/^[+-]\d\d(?::?\d\d(?::?\d\d)?)?$/.test(id)) return false
  try {
    out.zone = timeZone(id)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
