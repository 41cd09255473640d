/** date: parses a date and writes it as a timestamp. */
import { ApiError, firstOfErrors, illegalArgument } from '../../../base/api-error.ts'
import { javaString } from '../../../engine/painless/index.ts'
import { compileDateFormat, type DateFormat } from '../../../engine/time/format/date-format.ts'
import { type TimeZone, timeZone, UTC } from '../../../engine/time/zone/time-zone.ts'
import type { ProcessorFactory } from '../pipeline/processor.ts'
import { type DateReader, dateReader } from './date-formats.ts'

const OUTPUT_FORMAT = "yyyy-MM-dd'T'HH:mm:ss.SSSXXX"

export const date: ProcessorFactory = (reader, { nowMs }) => {
  const field = reader.string('field')
  const target = reader.optionalString('target_field') ?? '@timestamp'
  const zoneText = reader.optionalText('timezone')
  const localeText = reader.optionalText('locale')
  const formats = reader.strings('formats')
  const outputFormat = reader.optionalString('output_format') ?? OUTPUT_FORMAT
  const output = compiledOutput(outputFormat)
  const readersOf = remembered((zone: string, locale: string) => {
    const timezone = zone === '' ? UTC : timeZone(zone)
    return { zone: timezone, readers: formats.map((format) => lazyReader(format, timezone, locale, nowMs)) }
  })
  return (document) => {
    const value = document.get(field)
    const text = value === null ? null : javaString(value)
    const zone = zoneText === undefined ? '' : zoneText.render(document)
    const locale = localeText === undefined ? 'en' : localeText.render(document)
    const { zone: timezone, readers } = located(text, () => readersOf(zone, locale))
    const { ms, nanosOfMs } = firstInstant(text, readers)
    document.set(target, output.format(ms, nanosOfMs, timezone))
  }
}

/** An invalid time zone is reported as an error of the date. */
function located<T>(text: string | null, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw unparsable(text, [error])
  }
}

/** The instant according to the first format that matches. The error contains the errors of all formats. */
export function firstInstant(text: string | null, readers: readonly DateReader[]) {
  const errors: ApiError[] = []
  for (const read of readers) {
    try {
      return read(text)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      errors.push(error)
    }
  }
  throw unparsable(text, errors)
}

export function unparsable(text: string | null, errors: readonly ApiError[]): ApiError {
  const causedBy = errors.length === 0 ? undefined : firstOfErrors(errors)
  return illegalArgument(`unable to parse date [${text}]`, causedBy)
}

function compiledOutput(format: string): DateFormat {
  try {
    return compileDateFormat(format)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw illegalArgument(`invalid output format [${format}]`, error)
  }
}

/** An invalid format fails with the first document, not when the pipeline is created. */
export function lazyReader(format: string, zone: TimeZone, locale: string, nowMs: () => number): DateReader {
  let read: DateReader | undefined
  return (text) => {
    read ??= dateReader(format, zone, locale, nowMs)
    return read(text)
  }
}

const REMEMBERED_MAX = 100

/** Caches by zone and locale, because both may come from the document. */
function remembered<T>(make: (zone: string, locale: string) => T): (zone: string, locale: string) => T {
  const known = new Map<string, T>()
  let last: { readonly zone: string; readonly locale: string; readonly made: T } | undefined
  return (zone, locale) => {
    if (last !== undefined && zone === last.zone && locale === last.locale) return last.made
    const key = `${zone}\n${locale}`
    let made = known.get(key)
    if (made === undefined) {
      if (known.size >= REMEMBERED_MAX) known.clear()
      made = make(zone, locale)
      known.set(key, made)
    }
    last = { zone, locale, made }
    return made
  }
}
