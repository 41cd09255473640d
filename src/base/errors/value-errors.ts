/** Failures to read a value out of text: numbers, dates, durations, sizes. */
import { ApiError } from '../api-error.ts'

export const numberFormat = (reason: string) => new ApiError(400, 'number_format_exception', reason)

/** The JVM's words for a text that is no number. */
export const notANumber = (text: string) => numberFormat(`For input string: "${text}"`)

export const dateTimeParse = (reason: string, causedBy?: ApiError) =>
  new ApiError(400, 'date_time_parse_exception', reason, { causedBy })

export const dateTime = (reason: string) => new ApiError(400, 'date_time_exception', reason)

/** The server's own parse failure: sizes, points, date math. */
export const parseFailure = (reason: string, causedBy?: ApiError) =>
  new ApiError(400, 'parse_exception', reason, { causedBy })

export const zoneRules = (reason: string, causedBy?: ApiError) =>
  new ApiError(400, 'zone_rules_exception', reason, { causedBy })
