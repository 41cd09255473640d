/**
 * Date formats of mappings and requests: built-in names and java.time patterns, joined by `||`. A text is parsed with
 * the first format that matches; printing uses the first.
 */

import { ApiError, dateTimeParse, illegalArgument } from '../../../base/api-error.ts'
import { emptyDateTime } from '../../../base/errors/value-errors.ts'
import { ISO_WEEKS, type WeekRules } from '../civil-date.ts'
import * as iso from '../iso-instant.ts'
import { type TimeZone, UTC } from '../zone/time-zone.ts'
import { type BuiltInFormat, builtInFormat } from './built-in-formats.ts'
import * as f from './date-fields.ts'
import {
  type Instant,
  type ResolvedFields,
  type ResolverStyle,
  resolveFields,
  resolveTimeOnly,
  toInstant,
} from './date-resolver.ts'
import { type FormatNode, mentions } from './format-node.ts'
import { milliText, nanoText, printIso } from './iso-printer.ts'
import { fits, ISO_RULES, type IsoRules, readIso } from './iso-reader.ts'
import { parseNodes } from './node-parser.ts'
import { PrintedInstant, printNodes } from './node-printer.ts'
import { ParsedFields } from './parsed-fields.ts'
import { compilePattern } from './pattern-compiler.ts'
import { weekRules } from './week-rules.ts'

export interface ParseOptions {
  /** Fills missing parts with the last instant of the day and not the first, for inclusive upper bounds. */
  roundUp?: boolean
  /** The zone of texts without one; UTC by default. */
  zone?: TimeZone | undefined
}

type RoundUpValues = readonly (readonly [field: number, value: number])[]

type Printer = Pick<BuiltInFormat, 'print' | 'printsIso'> & { weeks: WeekRules }

/** One way of parsing: nodes or ISO, and the values of missing parts when rounding up. */
type Reader =
  | { nodes: readonly FormatNode[]; style: ResolverStyle; roundUp: RoundUpValues; weeks: WeekRules }
  | { iso: IsoRules; roundUp: RoundUpValues; weeks: WeekRules }

/** Maximum characters of the input quoted in error messages. */
const QUOTED_MAX = 64

const parsed = new ParsedFields()
const decoder = new TextDecoder()

export class DateFormat {
  /** The pattern as given: `strict_date_optional_time||epoch_millis`. */
  readonly pattern: string
  /** BCP 47 tag; empty for the root locale. */
  readonly locale: string
  readonly #readers: readonly Reader[]
  readonly #printer: Printer
  /** Set if the first reader is an ISO reader, whose texts have a fast path. */
  readonly #iso: IsoRules | undefined

  constructor(pattern: string, locale: string, readers: readonly Reader[], printer: Printer) {
    this.pattern = pattern
    this.locale = locale
    this.#readers = readers
    this.#printer = printer
    const first = readers[0]!
    this.#iso = 'iso' in first ? first.iso : undefined
  }

  /** Throws illegal_argument_exception caused by date_time_parse_exception, as Elasticsearch does. */
  parse(text: string, options: ParseOptions = {}): Instant {
    const zone = options.zone ?? UTC
    const ms = options.roundUp === true ? Number.NaN : this.#parseFast(text, zone)
    if (!Number.isNaN(ms)) return { ms, nanosOfMs: iso.lastIso.nanosOfMs }
    return this.#parse(text, options.roundUp === true, zone)
  }

  /** Milliseconds since the epoch; finer parts are truncated. */
  parseMs(text: string): number {
    const ms = this.#parseFast(text, UTC)
    return Number.isNaN(ms) ? this.#parse(text, false, UTC).ms : ms
  }

  /** Like `parseMs`, for UTF-8: a text of the common form is never converted to a string. */
  parseBytesMs(bytes: Uint8Array, start: number, end: number): number {
    if (this.#iso !== undefined) {
      const ms = iso.parseIsoMs(bytes, start, end)
      if (!Number.isNaN(ms) && this.#allowsFast(UTC)) return ms
    }
    return this.parseMs(decoder.decode(bytes.subarray(start, end)))
  }

  /** Whether the text matches, mostly without the cost of an error: date detection tests every new text field. */
  accepts(text: string): boolean {
    if (text === '') return false
    if (!Number.isNaN(this.#parseFast(text, UTC))) return true
    try {
      return this.#readers.some((reader) => {
        parsed.reset()
        const resolved = this.#read(reader, text, false, false)
        return resolved !== undefined && toInstant(parsed, resolved as ResolvedFields, UTC, reader.weeks) !== undefined
      })
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }

  format(ms: number, nanosOfMs = 0, zone: TimeZone = UTC): string {
    const { printsIso } = this.#printer
    if (printsIso !== undefined) {
      const offsetMs = zone.offsetAt(ms)
      const localMs = ms + offsetMs
      const fraction = printsIso === 'millis' ? milliText(localMs) : nanoText(localMs, nanosOfMs)
      const text = printIso(localMs, offsetMs, fraction)
      if (text !== undefined) return text
    }
    return printNodes(this.#printer.print, new PrintedInstant(ms, nanosOfMs, zone, this.#printer.weeks, this.locale))
  }

  #parseFast(text: string, zone: TimeZone): number {
    if (this.#iso === undefined) return Number.NaN
    const ms = iso.parseIsoTextMs(text)
    return !Number.isNaN(ms) && this.#allowsFast(zone) ? ms : Number.NaN
  }

  /** The fast path reads local times as UTC, so another zone requires an explicit zone in the text. */
  #allowsFast(zone: TimeZone): boolean {
    const { parts } = iso.lastIso
    if (!fits(parts, this.#iso!)) return false
    return zone === UTC || (parts & iso.HAS_ZONE) !== 0
  }

  #parse(text: string, roundUp: boolean, zone: TimeZone): Instant {
    if (text === '') throw emptyDateTime()
    // Only a format with a single reader reports the position of the failure.
    const explain = this.#readers.length === 1
    let failure: ApiError | undefined
    for (const reader of this.#readers) {
      parsed.reset()
      const resolved = this.#read(reader, text, roundUp, explain)
      if (resolved instanceof ApiError) failure = resolved
      else if (resolved !== undefined) return toInstant(parsed, resolved, zone, reader.weeks)
    }
    const cause = explain ? failure : dateTimeParse('Failed to parse with all enclosed parsers')
    throw illegalArgument(`failed to parse date field [${text}] with format [${this.pattern}]`, cause)
  }

  /** The resolved fields; or the reason for failure, if `explain`; or undefined, which costs nothing. */
  #read(reader: Reader, text: string, roundUp: boolean, explain: boolean): ResolvedFields | ApiError | undefined {
    try {
      if ('iso' in reader) {
        if (!readIso(text, reader.iso, parsed)) return undefined
        if (roundUp) fill(reader.roundUp)
        return resolveTimeOnly(parsed)
      }
      const end = parseNodes(reader.nodes, text, 0, parsed, this.locale)
      if (end !== text.length) return explain ? unreadable(text, end) : undefined
      if (!roundUp) return resolveFields(parsed, reader.weeks, reader.style)
      fill(reader.roundUp)
      return resolveFields(parsed, reader.weeks, 'smart')
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'date_time_exception') throw error
      return explain ? dateTimeParse(`Text '${quoted(text)}' could not be parsed: ${error.message}`, error) : undefined
    }
  }
}

function fill(values: RoundUpValues): void {
  for (const [field, value] of values) if (!parsed.has(field)) parsed.put(field, value)
}

function unreadable(text: string, end: number): ApiError {
  if (end < 0) return dateTimeParse(`Text '${quoted(text)}' could not be parsed at index ${~end}`)
  return dateTimeParse(`Text '${quoted(text)}' could not be parsed, unparsed text found at index ${end}`)
}

const compiled = new Map<string, DateFormat>()

/** The compiled format of a pattern; the same object for the same arguments. Throws illegal_argument_exception. */
export function compileDateFormat(pattern: string, locale = ''): DateFormat {
  const key = `${locale} ${pattern}`
  let format = compiled.get(key)
  if (format === undefined) {
    format = compile(pattern, locale)
    compiled.set(key, format)
  }
  return format
}

function compile(input: string, locale: string): DateFormat {
  if (input === '') throw illegalArgument('No date pattern provided')
  // A leading 8 marked java.time patterns when there were two kinds.
  const pattern = input.startsWith('8') ? input.slice(1) : input
  const tag = canonicalLocale(locale)
  const readers: Reader[] = []
  let printer: Printer | undefined
  for (const part of pattern.split('||')) {
    if (part === '') throw illegalArgument(`Cannot have empty element in multi date format pattern: ${input}`)
    const builtIn = builtInFormat(part)
    const format = builtIn ?? customFormat(part)
    // Named formats always use ISO weeks; pattern letters follow the locale.
    const weeks = builtIn === undefined ? weekRules(tag) : ISO_WEEKS
    printer ??= { ...format, weeks }
    const isoRules = ISO_RULES[part]
    if (isoRules !== undefined) readers.push({ iso: isoRules, roundUp: roundUpValues([], 0), weeks })
    for (const [i, { nodes, style }] of format.parse.entries()) {
      readers.push({ nodes, style, roundUp: roundUpValues(nodes, i), weeks })
    }
  }
  return new DateFormat(pattern, tag, readers, printer!)
}

function customFormat(pattern: string): BuiltInFormat {
  try {
    const nodes = compilePattern(pattern)
    return { print: nodes, parse: [{ nodes, style: 'strict' }] }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw illegalArgument(`Invalid format: [${pattern}]: ${error.message}`, error)
  }
}

/** Java writes `de_DE`; the root locale has several names. */
function canonicalLocale(locale: string): string {
  const tag = locale.replaceAll('_', '-')
  return tag.toLowerCase() === 'root' ? '' : tag
}

const LAST_TIME: RoundUpValues = [
  [f.MINUTE, 59],
  [f.SECOND, 59],
  [f.NANO, 999_999_999],
]

/** Rounding up fills the time of day to its end; the date still starts with its first month and day. */
function roundUpValues(nodes: readonly FormatNode[], index: number): RoundUpValues {
  if (mentions(nodes, f.EPOCH_SECONDS)) return [[f.NANO, 999_999_999]]
  if (mentions(nodes, f.EPOCH_MILLIS)) return index === 0 ? [[f.NANO, 999_999]] : []
  return [...firstDate(nodes), ...lastHour(nodes), ...LAST_TIME]
}

function firstDate(nodes: readonly FormatNode[]): [number, number][] {
  if (mentions(nodes, f.WEEK_YEAR) || mentions(nodes, f.WEEK)) return []
  if (mentions(nodes, f.DAY_OF_YEAR)) return [[f.DAY_OF_YEAR, 1]]
  return [
    [f.MONTH, 1],
    [f.DAY_OF_MONTH, 1],
  ]
}

function lastHour(nodes: readonly FormatNode[]): [number, number][] {
  for (const half of [f.CLOCK_HOUR_OF_AM_PM, f.HOUR_OF_AM_PM]) {
    if (!mentions(nodes, half)) continue
    return [
      [half, 11],
      [f.AM_PM, 1],
    ]
  }
  return [[f.HOUR, 23]]
}

function quoted(text: string): string {
  return text.length > QUOTED_MAX ? `${text.slice(0, QUOTED_MAX)}...` : text
}
