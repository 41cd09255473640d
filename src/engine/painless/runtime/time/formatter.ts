/** java.time.format.DateTimeFormatter, implemented with the engine's own date formats. */
import { ApiError } from '../../../../base/api-error.ts'
import { ISO_WEEKS, toEpochDay } from '../../../time/civil-date.ts'
import * as f from '../../../time/format/date-fields.ts'
import { resolveFields } from '../../../time/format/date-resolver.ts'
import { digits, type FormatNode, group, optional, sequence, value } from '../../../time/format/format-node.ts'
import { parseNodes } from '../../../time/format/node-parser.ts'
import { PrintedInstant, printNodes } from '../../../time/format/node-printer.ts'
import { ParsedFields } from '../../../time/format/parsed-fields.ts'
import { compilePattern, offset } from '../../../time/format/pattern-compiler.ts'
import { weekRules } from '../../../time/format/week-rules.ts'
import { offsetZone, UTC } from '../../../time/zone/time-zone.ts'
import {
  dateTime,
  dateTimeParse,
  illegalArgument,
  nullPointer,
  unsupportedTemporalType,
} from '../../errors/java-throwable.ts'
import { type JEnum, simpleEnum } from '../java-enum.ts'
import { JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { DEFAULT_LOCALE, type JLocale, ROOT } from '../lang/locale.ts'
import { registerFields, registerStatics } from '../registry.ts'
import { type Instant, instantOf } from './instant.ts'
import { LocalDate } from './local-date.ts'
import { LocalDateTime } from './local-date-time.ts'
import { LocalTime } from './local-time.ts'
import { Temporal } from './temporal.ts'
import { type ChronoField, field } from './units.ts'
import { type ZoneId, ZoneOffset, zoneFrom } from './zone.ts'
import { ZonedDateTime } from './zoned-date-time.ts'

const [STRICT, SMART] = simpleEnum('java.time.format.ResolverStyle', ['STRICT', 'SMART', 'LENIENT'])

/** The fields parsed from a text, before they are converted to a date or time. */
export class Parsed extends Temporal {
  readonly date: LocalDate | undefined
  readonly time: LocalTime | undefined
  readonly zone: ZoneId | null
  readonly offset: ZoneOffset | undefined
  readonly #other: ReadonlyMap<string, number>

  constructor(
    date: LocalDate | undefined,
    time: LocalTime | undefined,
    zone: ZoneId | null,
    offsetOfText: ZoneOffset | undefined,
    other: ReadonlyMap<string, number>,
  ) {
    super()
    this.date = date
    this.time = time
    this.zone = zone
    this.offset = offsetOfText
    this.#other = other
  }

  get $class(): string {
    return 'java.time.format.Parsed'
  }

  override get $listed(): string {
    return 'java.time.temporal.TemporalAccessor'
  }

  fieldValue(name: ChronoField): number | undefined {
    if (name.name === 'OFFSET_SECONDS') return this.offset?.seconds
    if (name.name === 'INSTANT_SECONDS') {
      const known = this.#other.get('INSTANT_SECONDS')
      if (known !== undefined) return known
      if (this.date === undefined || this.time === undefined || this.zone === null) return undefined
      return this.zoned().epochSecond
    }
    return (name.isTime ? this.time?.fieldValue(name) : this.date?.fieldValue(name)) ?? this.#other.get(name.name)
  }

  zoned(): ZonedDateTime {
    return ZonedDateTime.ofLocal(new LocalDateTime(this.date!, this.time!), this.zone!, this.offset)
  }

  added(): Temporal {
    throw unsupportedTemporalType('a parsed text cannot be changed')
  }

  until_2(): bigint {
    throw unsupportedTemporalType('a parsed text cannot be changed')
  }

  override toString_0(): string {
    const rest = [...this.#other].map(([name, v]) => `${field(name)?.toString_0() ?? name}=${v}`).join(', ')
    const zone = this.zone === null ? '' : `,${this.zone.id}`
    const parts = [this.date?.toString_0(), this.time?.toString_0()].filter((part) => part !== undefined).join('T')
    return `{${rest}}${zone},ISO${parts === '' ? '' : ` resolved to ${parts}`}`
  }
}

/** The fields of a parsed text that java.time shows under its own names. */
const SHOWN_FIELDS: readonly (readonly [number, string])[] = [
  [f.YEAR, 'YEAR'],
  [f.YEAR_OF_ERA, 'YEAR_OF_ERA'],
  [f.MONTH, 'MONTH_OF_YEAR'],
  [f.DAY_OF_MONTH, 'DAY_OF_MONTH'],
  [f.DAY_OF_WEEK, 'DAY_OF_WEEK'],
  [f.HOUR, 'HOUR_OF_DAY'],
  [f.MINUTE, 'MINUTE_OF_HOUR'],
  [f.SECOND, 'SECOND_OF_MINUTE'],
]

export class DateTimeFormatter extends JObject {
  readonly #nodes: readonly FormatNode[]
  readonly #zone: ZoneId | null
  readonly #style: JEnum
  readonly #locale: JLocale
  readonly #own: ((from: Temporal) => string) | undefined

  constructor(
    nodes: readonly FormatNode[],
    options: { zone?: ZoneId | null; style?: JEnum; locale?: JLocale; print?: (from: Temporal) => string } = {},
  ) {
    super()
    this.#nodes = nodes
    this.#zone = options.zone ?? null
    this.#style = options.style ?? SMART!
    this.#locale = options.locale ?? ROOT
    this.#own = options.print
  }

  get $class(): string {
    return 'java.time.format.DateTimeFormatter'
  }

  #with(changes: { zone?: ZoneId; style?: JEnum; locale?: JLocale }): DateTimeFormatter {
    return new DateTimeFormatter(this.#nodes, {
      zone: this.#zone,
      style: this.#style,
      locale: this.#locale,
      ...(this.#own === undefined ? {} : { print: this.#own }),
      ...changes,
    })
  }

  withZone_1(zone: ZoneId): DateTimeFormatter {
    return this.#with({ zone })
  }

  withLocale_1(locale: JLocale): DateTimeFormatter {
    return this.#with({ locale })
  }

  withResolverStyle_1(style: JEnum): DateTimeFormatter {
    return this.#with({ style })
  }

  getZone_0(): ZoneId | null {
    return this.#zone
  }

  getLocale_0(): JLocale {
    return this.#locale
  }

  getResolverStyle_0(): JEnum {
    return this.#style
  }

  format_1(given: Temporal | null): string {
    if (given === null) throw nullPointer('temporal')
    const from = this.#zone === null ? given : inZone(given, this.#zone)
    if (this.#own !== undefined) return this.#own(from)
    for (const name of neededFields(this.#nodes))
      if (from.fieldValue(name) === undefined) throw missingField(name, from)
    const needsZone = this.#nodes.some((node) => node.kind === 'zone-id')
    if (needsZone && !('zone' in from)) throw dateTime(`Unable to extract ZoneId from temporal ${from.toString_0()}`)
    return printed(() => printNodes(this.#nodes, printable(from, this.#locale.tag)))
  }

  parse_1(given: unknown): Parsed {
    if (given === null) throw nullPointer('text')
    return this.#parse(textOf(given))
  }

  #parse(text: string): Parsed {
    const fields = new ParsedFields()
    fields.reset()
    const end = parseNodes(this.#nodes, text, 0, fields, this.#locale.tag)
    if (end < 0) throw dateTimeParse(`Text '${shown(text)}' could not be parsed at index ${~end}`)
    if (end < text.length)
      throw dateTimeParse(`Text '${shown(text)}' could not be parsed, unparsed text found at index ${end}`)
    return this.#resolve(text, fields)
  }

  #resolve(text: string, fields: ParsedFields): Parsed {
    const offsetSeconds = fields.get(f.OFFSET_SECONDS)
    const own = fields.zone
    const kept = new Map<string, number>()
    try {
      const style = this.#style.name.toLowerCase() as 'strict' | 'smart' | 'lenient'
      const { epochDay, time } = resolveFields(fields, weekRules(this.#locale.tag) ?? ISO_WEEKS, style)
      const date = epochDay === undefined ? undefined : LocalDate.ofEpochDay(epochDay)
      const timeOfDay = time === undefined ? undefined : new LocalTime(time.ms * 1_000_000 + time.nanosOfMs)
      if (date === undefined)
        for (const [from, to] of SHOWN_FIELDS) if (fields.has(from)) kept.set(to, fields.get(from)!)
      const parsedOffset = offsetSeconds === undefined ? undefined : ZoneOffset.of(offsetSeconds)
      const zone = own !== undefined ? zoneFrom(own) : (parsedOffset ?? this.#zone)
      return new Parsed(date, timeOfDay, zone, parsedOffset, kept)
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      throw dateTimeParse(`Text '${shown(text)}' could not be parsed: ${e.message}`, dateTime(e.message))
    }
  }

  /** Parses and converts a text. A failed conversion is reported as a parse error. */
  parseAs<T>(given: unknown, convert: (parsed: Parsed) => T): T {
    const parsed = this.parse_1(given)
    try {
      return convert(parsed)
    } catch (e) {
      throw dateTimeParse(`Text '${shown(textOf(given))}' could not be parsed: ${(e as Error).message}`, e as never)
    }
  }
}

const SHOWN_MAX = 64
const shown = (text: string) => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text)

function printed(print: () => string): string {
  try {
    return print()
  } catch (e) {
    if (e instanceof ApiError) throw dateTime(e.message)
    throw e
  }
}

const missingField = (name: ChronoField, _from: Temporal) => unsupportedTemporalType(`Unsupported field: ${name.shown}`)

/** The field that a format needs, by field number. */
const NEEDED: Readonly<Record<number, string>> = {
  [f.YEAR]: 'YEAR',
  [f.YEAR_OF_ERA]: 'YEAR_OF_ERA',
  [f.MONTH]: 'MONTH_OF_YEAR',
  [f.DAY_OF_MONTH]: 'DAY_OF_MONTH',
  [f.DAY_OF_YEAR]: 'DAY_OF_YEAR',
  [f.DAY_OF_WEEK]: 'DAY_OF_WEEK',
  [f.HOUR]: 'HOUR_OF_DAY',
  [f.CLOCK_HOUR_OF_AM_PM]: 'CLOCK_HOUR_OF_AMPM',
  [f.AM_PM]: 'AMPM_OF_DAY',
  [f.MINUTE]: 'MINUTE_OF_HOUR',
  [f.SECOND]: 'SECOND_OF_MINUTE',
  [f.NANO]: 'NANO_OF_SECOND',
}

function neededFields(nodes: readonly FormatNode[]): ChronoField[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'group') return neededFields(node.nodes)
    if (node.kind === 'pad') return neededFields([node.node])
    if (node.kind === 'offset' || node.kind === 'localized-offset') return [field('OFFSET_SECONDS')]
    const name = 'field' in node ? NEEDED[node.field] : undefined
    return name === undefined ? [] : [field(name)]
  })
}

/** The engine prints instants in zones, so a local time is printed as if it were UTC. */
function printable(from: Temporal, locale: string): PrintedInstant {
  const zone = 'zone' in from && from.zone !== null ? (from.zone as ZoneId).zone : undefined
  const offsetSeconds = from.fieldValue(field('OFFSET_SECONDS'))
  const seconds = from.fieldValue(field('INSTANT_SECONDS')) ?? localSeconds(from)
  const nano = from.fieldValue(field('NANO_OF_SECOND')) ?? 0
  const target = zone ?? (offsetSeconds === undefined ? UTC : offsetZone(offsetSeconds))
  const weeks = weekRules(locale) ?? ISO_WEEKS
  return new PrintedInstant(seconds * 1000 + Math.floor(nano / 1_000_000), nano % 1_000_000, target, weeks, locale)
}

function localSeconds(from: Temporal): number {
  const day = from.fieldValue(field('EPOCH_DAY')) ?? dayOfParts(from)
  return day * 86_400 + (from.fieldValue(field('SECOND_OF_DAY')) ?? 0)
}

/** The day of a year or year and month without a full date. */
function dayOfParts(from: Temporal): number {
  // January 2, 2000 is a Sunday.
  const weekday = from.fieldValue(field('DAY_OF_WEEK'))
  if (weekday !== undefined) return toEpochDay(2000, 1, 2) + weekday
  const year = from.fieldValue(field('YEAR')) ?? 2000
  return new LocalDate(year, from.fieldValue(field('MONTH_OF_YEAR')) ?? 1, from.fieldValue(field('DAY_OF_MONTH')) ?? 1)
    .epochDay
}

/** The zone of the formatter overrides that of an instant or date with a zone. */
function inZone(from: Temporal, zone: ZoneId): Temporal {
  return from.fieldValue(field('INSTANT_SECONDS')) === undefined ? from : ZonedDateTime.at(instantOf(from), zone)
}

function compiled(pattern: string, locale: JLocale = DEFAULT_LOCALE): DateTimeFormatter {
  if (pattern === null) throw nullPointer('pattern')
  try {
    return new DateTimeFormatter(compilePattern(pattern), { locale })
  } catch (e) {
    if (e instanceof ApiError) throw illegalArgument(e.message)
    throw e
  }
}

const YEAR_NODE = value(f.YEAR, 4, 10, 'exceeds-pad')
const DATE: readonly FormatNode[] = sequence(YEAR_NODE, '-', digits(f.MONTH, 2), '-', digits(f.DAY_OF_MONTH, 2))
const FRACTION: FormatNode = { kind: 'fraction', field: f.NANO, min: 0, max: 9, point: true }
const TIME: readonly FormatNode[] = sequence(
  digits(f.HOUR, 2),
  ':',
  digits(f.MINUTE, 2),
  optional(':', digits(f.SECOND, 2), { kind: 'optional', nodes: [FRACTION] }),
)
const OFFSET: FormatNode = offset('required', 'optional', true, 'Z')
const INSENSITIVE: FormatNode = { kind: 'ignore-case' }
const DATE_TIME: readonly FormatNode[] = [INSENSITIVE, group(...DATE), { kind: 'literal', text: 'T' }, group(...TIME)]
const ZONE: FormatNode = optional('[', { kind: 'zone-id' }, ']')

const iso = (...nodes: FormatNode[]) => new DateTimeFormatter(nodes, { style: STRICT! })

/** The ISO formatters print like the objects themselves, but always with seconds. */
function isoText(parts: { date?: boolean; time?: boolean; offset?: 'always' | 'optional'; zone?: boolean }) {
  return (from: Temporal): string => {
    const need = (name: string) => {
      const found = from.fieldValue(field(name))
      if (found === undefined) throw missingField(field(name), from)
      return found
    }
    let text = ''
    if (parts.date === true) {
      need('YEAR')
      text += LocalDate.ofEpochDay(need('EPOCH_DAY')).toString_0()
    }
    if (parts.time === true) {
      need('HOUR_OF_DAY')
      const nanos = need('NANO_OF_DAY')
      const fraction = nanos % 1e9
      const digitsOfFraction = String(fraction).padStart(9, '0').replace(/0+$/, '')
      const whole = new LocalTime(nanos - fraction).toString_0().padEnd(8, ':00')
      text += `${parts.date === true ? 'T' : ''}${whole}${digitsOfFraction === '' ? '' : `.${digitsOfFraction}`}`
    }
    if (parts.offset !== undefined) {
      const seconds = parts.offset === 'always' ? need('OFFSET_SECONDS') : from.fieldValue(field('OFFSET_SECONDS'))
      if (seconds !== undefined) text += ZoneOffset.of(seconds).id
      const zone = 'zone' in from ? (from.zone as ZoneId | null) : null
      if (parts.zone === true && zone !== null && !(zone instanceof ZoneOffset)) text += `[${zone.id}]`
    }
    return text
  }
}

const isoWith = (nodes: FormatNode[], print: (from: Temporal) => string) =>
  new DateTimeFormatter(nodes, { style: STRICT!, print })

export const ISO_LOCAL_DATE = isoWith([...DATE], isoText({ date: true }))
export const ISO_LOCAL_TIME = isoWith([...TIME], isoText({ time: true }))
export const ISO_LOCAL_DATE_TIME = isoWith([...DATE_TIME], isoText({ date: true, time: true }))
export const ISO_OFFSET_DATE_TIME = isoWith(
  [...DATE_TIME, OFFSET],
  isoText({ date: true, time: true, offset: 'always' }),
)
export const ISO_ZONED_DATE_TIME = isoWith(
  [...DATE_TIME, OFFSET, ZONE],
  isoText({ date: true, time: true, offset: 'always', zone: true }),
)
const ISO_DATE_TIME = isoWith(
  [...DATE_TIME, optional(OFFSET, ZONE)],
  isoText({ date: true, time: true, offset: 'optional', zone: true }),
)
const ISO_INSTANT = isoWith([...DATE_TIME, OFFSET], (from) => {
  if (from.fieldValue(field('INSTANT_SECONDS')) === undefined) throw missingField(field('INSTANT_SECONDS'), from)
  return instantOf(from).toString_0()
})

export const ISO_OFFSET_TIME = isoWith([...TIME, OFFSET], isoText({ time: true, offset: 'always' }))

registerFields('java.time.format.DateTimeFormatter', {
  ISO_LOCAL_DATE,
  ISO_LOCAL_TIME,
  ISO_LOCAL_DATE_TIME,
  ISO_OFFSET_DATE_TIME,
  ISO_ZONED_DATE_TIME,
  ISO_DATE_TIME,
  ISO_INSTANT,
  ISO_DATE: isoWith([...DATE, optional(OFFSET)], isoText({ date: true, offset: 'optional' })),
  ISO_OFFSET_DATE: isoWith([...DATE, OFFSET], isoText({ date: true, offset: 'always' })),
  ISO_TIME: isoWith([...TIME, optional(OFFSET)], isoText({ time: true, offset: 'optional' })),
  ISO_OFFSET_TIME,
  ISO_ORDINAL_DATE: iso(...sequence(YEAR_NODE, '-', digits(f.DAY_OF_YEAR, 3)), optional(OFFSET)),
  ISO_WEEK_DATE: iso(
    ...sequence(value(f.WEEK_YEAR, 4, 10, 'exceeds-pad'), '-W', digits(f.WEEK, 2), '-', digits(f.DAY_OF_WEEK, 1)),
    optional(OFFSET),
  ),
  BASIC_ISO_DATE: iso(
    ...sequence(digits(f.YEAR, 4), digits(f.MONTH, 2), digits(f.DAY_OF_MONTH, 2)),
    optional(offset('required', 'optional', false, 'Z')),
  ),
  RFC_1123_DATE_TIME: new DateTimeFormatter(
    [
      INSENSITIVE,
      ...compilePattern('[EEE, ]d MMM '),
      digits(f.YEAR, 4),
      ...compilePattern(' HH:mm[:ss] '),
      offset('required', 'none', false, 'GMT'),
    ],
    { locale: DEFAULT_LOCALE },
  ),
})
registerStatics('java.time.format.DateTimeFormatter', {
  ofPattern_1: (pattern: string) => compiled(pattern),
  ofPattern_2: (pattern: string, locale: JLocale) => compiled(pattern, locale),
})

/** Parses `2024-01-01T00:00:00Z` like Instant.parse. */
export function parseInstant(text: unknown): Instant {
  return ISO_INSTANT.parseAs(text, (parsed) => parsed.zoned().instant())
}
