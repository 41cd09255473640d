/**
 * The named date formats. A name without `strict_` accepts shorter numbers (`2024-1-2`); both kinds print alike.
 *
 * Most formats have one form for printing and one or two for parsing: offsets with a colon or a zone id, and offsets
 * without.
 */
import * as f from './date-fields.ts'
import type { ResolverStyle } from './date-resolver.ts'
import { anyDigits, digits, type FormatNode, group, optional, sequence, value } from './format-node.ts'
import { offset } from './pattern-compiler.ts'

type Part = FormatNode | string
type Nodes = readonly Part[]

export interface BuiltInFormat {
  print: FormatNode[]
  /** Fraction digits if `print` is the common ISO form, which has a fast path. */
  printsIso?: 'millis' | 'nanos'
  /** Tried in order. */
  parse: { nodes: FormatNode[]; style: ResolverStyle }[]
}

const ZONE: Part = { kind: 'zone-or-offset' }
const COLON_OFFSET = offset('required', 'none', true, 'Z')
const PLAIN_OFFSET = offset('optional', 'none', false, 'Z')

const fraction = (min: number, max: number): Part => ({ kind: 'fraction', field: f.NANO, min, max, point: true })
const COMMA_FRACTION: Part = { kind: 'fraction', field: f.NANO, min: 1, max: 9, point: false }
const short = (field: number, max = 2): Part => value(field, 1, max, 'not-negative')
const yearUpTo = (max: number): Part => value(f.YEAR, 4, max, 'exceeds-pad')

const MONTH = digits(f.MONTH, 2)
const DAY = digits(f.DAY_OF_MONTH, 2)
const DAY_OF_YEAR = digits(f.DAY_OF_YEAR, 3)
const HOUR = digits(f.HOUR, 2)
const MINUTE = digits(f.MINUTE, 2)
const SECOND = digits(f.SECOND, 2)

const HOUR_MINUTE: Nodes = [HOUR, ':', MINUTE]
const TIME: Nodes = [...HOUR_MINUTE, ':', SECOND]
const TIME_MILLIS: Nodes = [...TIME, fraction(3, 3)]
const TIME_FRACTION: Nodes = [...TIME, fraction(1, 9)]
const BASIC_TIME: Nodes = [HOUR, MINUTE, SECOND]
const BASIC_TIME_MILLIS: Nodes = [group(...BASIC_TIME, fraction(3, 3))]
const BASIC_TIME_FRACTION: Nodes = [group(...BASIC_TIME, fraction(1, 9))]

const SHORT_HOUR = short(f.HOUR)
const SHORT_HOUR_MINUTE: Nodes = [SHORT_HOUR, ':', short(f.MINUTE)]
const SHORT_TIME: Nodes = [...SHORT_HOUR_MINUTE, ':', short(f.SECOND)]
const SHORT_TIME_MILLIS: Nodes = [...SHORT_TIME, fraction(1, 3)]
const SHORT_TIME_FRACTION: Nodes = [...SHORT_TIME, fraction(1, 9)]

const dateUpTo = (max: number): Nodes => [yearUpTo(max), '-', MONTH, '-', DAY]
/** Month and day are optional. */
const openDateUpTo = (max: number): Nodes => [yearUpTo(max), optional('-', MONTH, optional('-', DAY))]
const SHORT_DATE: Nodes = [
  value(f.YEAR, 1, 9, 'normal'),
  optional('-', short(f.MONTH), optional('-', short(f.DAY_OF_MONTH))),
]
const BASIC_DATE: Nodes = [value(f.YEAR, 4, 10, 'normal'), MONTH, DAY]
const BASIC_DATE_4: Nodes = [value(f.YEAR, 4, 4, 'normal'), MONTH, DAY]
const BASIC_ORDINAL: Nodes = [yearUpTo(19), DAY_OF_YEAR]
const BASIC_ORDINAL_OF_ERA: Nodes = [value(f.YEAR_OF_ERA, 4, 19, 'exceeds-pad'), DAY_OF_YEAR]
const ORDINAL: Nodes = [yearUpTo(4), '-', DAY_OF_YEAR]
const SHORT_ORDINAL: Nodes = [yearUpTo(10), '-', short(f.DAY_OF_YEAR, 3)]

const WEEK_YEAR = value(f.WEEK_YEAR, 4, 10, 'exceeds-pad')
const WEEK = digits(f.WEEK, 2)
const WEEK_DATE: Nodes = [{ kind: 'ignore-case' }, WEEK_YEAR, '-W', WEEK, '-', digits(f.DAY_OF_WEEK, 1)]
const SHORT_WEEK_DATE: Nodes = [WEEK_YEAR, '-W', short(f.WEEK), '-', digits(f.DAY_OF_WEEK, 1)]
const BASIC_WEEK: Nodes = [
  value(f.WEEK_YEAR, 4, 10, 'normal'),
  'W',
  value(f.WEEK, 2, 2, 'never'),
  anyDigits(f.DAY_OF_WEEK),
]
const BASIC_WEEK_STRICT: Nodes = [digits(f.WEEK_YEAR, 4), 'W', value(f.WEEK, 1, 2, 'never'), anyDigits(f.DAY_OF_WEEK)]
const BASIC_WEEK_SHORT: Nodes = [anyDigits(f.WEEK_YEAR), 'W', value(f.WEEK, 1, 2, 'never'), anyDigits(f.DAY_OF_WEEK)]

/** The printed form of `strict_date_optional_time` and related formats. */
const printInstant = (digitsMin: number, digitsMax: number): Nodes => [
  group(...openDateUpTo(9)),
  'T',
  optional(HOUR, optional(':', MINUTE, optional(':', SECOND, fraction(digitsMin, digitsMax)), optional(COLON_OFFSET))),
]
const PRINT_INSTANT = printInstant(3, 3)
const PRINT_INSTANT_NANOS = printInstant(3, 9)

const OPTIONAL_FRACTIONS: Nodes = [optional(fraction(1, 9)), optional(',', COMMA_FRACTION)]
const OPTIONAL_ZONE: Nodes = [optional(ZONE), optional(PLAIN_OFFSET)]

const EPOCH_SIGN: Part = { kind: 'epoch-sign' }
const EPOCH_SECONDS: Nodes = [EPOCH_SIGN, value(f.EPOCH_SECONDS, 1, 19, 'not-negative')]
const EPOCH_MILLIS: Nodes = [EPOCH_SIGN, value(f.EPOCH_MILLIS, 1, 19, 'not-negative')]
const epochFraction = (field: number, max: number): Part => ({ kind: 'fraction', field, min: 0, max, point: true })

function format(print: Nodes, ...parse: Nodes[]): BuiltInFormat {
  const read = parse.length === 0 ? [print] : parse
  const printsIso = print === PRINT_INSTANT ? 'millis' : print === PRINT_INSTANT_NANOS ? 'nanos' : undefined
  const made: BuiltInFormat = {
    print: sequence(...print),
    parse: read.map((nodes) => ({ nodes: sequence(...nodes), style: 'strict' })),
  }
  return printsIso === undefined ? made : { ...made, printsIso }
}

/** A few formats accept 24:00 and days that a month does not have, for historical reasons. */
function resolved(style: ResolverStyle, made: BuiltInFormat): BuiltInFormat {
  return { print: made.print, parse: made.parse.map(({ nodes }) => ({ nodes, style })) }
}

/** Parsed with a zone id or an offset with colon, then with an offset without. */
function zoned(print: Nodes, parse: Nodes): BuiltInFormat {
  return format([...print, COLON_OFFSET], [group(...parse), ZONE], [group(...parse), PLAIN_OFFSET])
}

const date = dateUpTo(10)
const longDate = dateUpTo(19)
const openDate = openDateUpTo(4)

const FORMATS: Readonly<Record<string, () => BuiltInFormat>> = {
  iso8601: () =>
    format(PRINT_INSTANT, [
      group(...openDate),
      optional(
        'T',
        optional(HOUR, optional(':', MINUTE, optional(':', SECOND, ...OPTIONAL_FRACTIONS))),
        ...OPTIONAL_ZONE,
      ),
    ]),
  strict_date_optional_time: () =>
    format(PRINT_INSTANT, [
      group(...openDate),
      optional(
        'T',
        optional(HOUR, optional(':', MINUTE, optional(':', SECOND, ...OPTIONAL_FRACTIONS)), ...OPTIONAL_ZONE),
      ),
    ]),
  strict_date_optional_time_nanos: () =>
    format(PRINT_INSTANT_NANOS, [
      group(...openDate),
      optional('T', group(...TIME), ...OPTIONAL_FRACTIONS, ...OPTIONAL_ZONE),
    ]),
  date_optional_time: () =>
    format(PRINT_INSTANT, [
      group(...SHORT_DATE),
      optional(
        'T',
        optional(
          SHORT_HOUR,
          optional(
            ':',
            short(f.MINUTE),
            optional(':', short(f.SECOND)),
            ...OPTIONAL_FRACTIONS,
            optional(ZONE),
            optional(PLAIN_OFFSET),
          ),
        ),
      ),
    ]),
  epoch_second: () =>
    format(
      [...EPOCH_SECONDS, epochFraction(f.NANOS_OF_EPOCH_SECOND, 9)],
      [...EPOCH_SECONDS, optional(epochFraction(f.NANOS_OF_EPOCH_SECOND, 9))],
      [...EPOCH_SECONDS, '.'],
    ),
  epoch_millis: () =>
    format(
      [...EPOCH_MILLIS, epochFraction(f.NANOS_OF_EPOCH_MILLI, 6)],
      EPOCH_MILLIS,
      [...EPOCH_MILLIS, epochFraction(f.NANOS_OF_EPOCH_MILLI, 6)],
      [...EPOCH_MILLIS, '.'],
    ),

  basic_date: () => format(BASIC_DATE, [value(f.YEAR, 1, 4, 'normal'), short(f.MONTH), short(f.DAY_OF_MONTH)]),
  basic_date_time: () =>
    zoned([group(...BASIC_DATE), 'T', ...BASIC_TIME_MILLIS], [group(...BASIC_DATE_4), 'T', ...BASIC_TIME_FRACTION]),
  basic_date_time_no_millis: () => zoned([...BASIC_DATE, 'T', ...BASIC_TIME], [...BASIC_DATE_4, 'T', ...BASIC_TIME]),
  basic_ordinal_date: () => resolved('smart', format(BASIC_ORDINAL)),
  basic_ordinal_date_time: () =>
    zoned([...BASIC_ORDINAL_OF_ERA, 'T', ...BASIC_TIME_MILLIS], [...BASIC_ORDINAL_OF_ERA, 'T', ...BASIC_TIME_FRACTION]),
  basic_ordinal_date_time_no_millis: () =>
    zoned([...BASIC_ORDINAL, 'T', ...BASIC_TIME], [...BASIC_ORDINAL, 'T', ...BASIC_TIME]),
  basic_time: () => zoned(BASIC_TIME_MILLIS, BASIC_TIME_FRACTION),
  basic_time_no_millis: () => zoned(BASIC_TIME, BASIC_TIME),
  basic_t_time: () => zoned(['T', ...BASIC_TIME_MILLIS], ['T', ...BASIC_TIME_FRACTION]),
  basic_t_time_no_millis: () => zoned(['T', ...BASIC_TIME], ['T', ...BASIC_TIME]),
  basic_week_date: () => format(BASIC_WEEK, BASIC_WEEK_SHORT),
  strict_basic_week_date: () => format(BASIC_WEEK, BASIC_WEEK_STRICT),
  basic_week_date_time: () => basicWeekTime(BASIC_WEEK_SHORT),
  strict_basic_week_date_time: () => basicWeekTime(BASIC_WEEK_STRICT),
  basic_week_date_time_no_millis: () => {
    const parse: Nodes = [group(...BASIC_WEEK_SHORT), 'T', ...BASIC_TIME]
    const print: Nodes = [group(...BASIC_WEEK), 'T', ...BASIC_TIME, PLAIN_OFFSET]
    return format(print, [group(...parse), ZONE], [group(...parse), PLAIN_OFFSET])
  },
  strict_basic_week_date_time_no_millis: () =>
    zoned([group(...BASIC_WEEK), 'T', ...BASIC_TIME], [group(...BASIC_WEEK), 'T', ...BASIC_TIME]),

  date: () => format(date, SHORT_DATE),
  strict_date: () => resolved('lenient', format(date)),
  date_hour: () => format([...longDate, 'T', HOUR], [group(...SHORT_DATE), 'T', SHORT_HOUR]),
  strict_date_hour: () => resolved('smart', format([...longDate, 'T', HOUR])),
  date_hour_minute: () => format([...longDate, 'T', ...HOUR_MINUTE], [group(...SHORT_DATE), 'T', ...SHORT_HOUR_MINUTE]),
  strict_date_hour_minute: () => resolved('smart', format([...longDate, 'T', ...HOUR_MINUTE])),
  date_hour_minute_second: () => format([...longDate, 'T', ...TIME], [group(...SHORT_DATE), 'T', ...SHORT_TIME]),
  strict_date_hour_minute_second: () => resolved('smart', format([...longDate, 'T', ...TIME])),
  date_hour_minute_second_fraction: () =>
    format([...openDate, 'T', ...TIME_MILLIS], [group(...SHORT_DATE), 'T', ...SHORT_TIME_FRACTION]),
  strict_date_hour_minute_second_fraction: () =>
    format([...openDate, 'T', ...TIME_MILLIS], [...openDate, 'T', ...TIME_FRACTION]),
  date_hour_minute_second_millis: () =>
    format([...openDate, 'T', ...TIME_MILLIS], [group(...SHORT_DATE), 'T', ...SHORT_TIME_MILLIS]),
  strict_date_hour_minute_second_millis: () =>
    format([...openDate, 'T', ...TIME_MILLIS], [...openDate, 'T', ...TIME_FRACTION]),
  date_time: () => {
    const parse: Nodes = [
      group(...SHORT_DATE),
      'T',
      ...SHORT_HOUR_MINUTE,
      optional(':', short(f.SECOND), fraction(1, 9)),
    ]
    return format(PRINT_INSTANT, [...parse, COLON_OFFSET], [...parse, PLAIN_OFFSET])
  },
  strict_date_time: () =>
    zoned([...openDate, 'T', ...TIME, fraction(3, 9)], [...openDate, 'T', ...TIME, optional(fraction(1, 9))]),
  date_time_no_millis: () => {
    const parse: Nodes = [group(...SHORT_DATE), 'T', ...SHORT_HOUR_MINUTE, optional(':', short(f.SECOND))]
    return format(
      [...date, 'T', ...TIME, { kind: 'zone-id' }],
      [...parse, COLON_OFFSET],
      [...parse, PLAIN_OFFSET],
      [...parse, optional(ZONE)],
      [...parse, optional(PLAIN_OFFSET)],
    )
  },
  strict_date_time_no_millis: () => zoned([...openDate, 'T', ...TIME], [...openDate, 'T', ...TIME]),

  hour: () => format([HOUR], [SHORT_HOUR]),
  strict_hour: () => resolved('smart', format([HOUR])),
  hour_minute: () => format(HOUR_MINUTE, SHORT_HOUR_MINUTE),
  strict_hour_minute: () => resolved('smart', format(HOUR_MINUTE)),
  hour_minute_second: () => format(TIME, SHORT_TIME),
  strict_hour_minute_second: () => format(TIME),
  hour_minute_second_fraction: () => format(TIME_MILLIS, SHORT_TIME_FRACTION),
  strict_hour_minute_second_fraction: () => format(TIME_MILLIS, TIME_FRACTION),
  hour_minute_second_millis: () => format(TIME_MILLIS, SHORT_TIME_MILLIS),
  strict_hour_minute_second_millis: () => format(TIME_MILLIS, TIME_FRACTION),

  ordinal_date: () => format([yearUpTo(10), '-', DAY_OF_YEAR], SHORT_ORDINAL),
  strict_ordinal_date: () => format(ORDINAL),
  ordinal_date_time: () =>
    zoned(
      [...ORDINAL, 'T', ...HOUR_MINUTE, optional(':', SECOND, fraction(3, 9))],
      [group(...SHORT_ORDINAL), 'T', ...SHORT_HOUR_MINUTE, optional(':', short(f.SECOND), fraction(1, 9))],
    ),
  strict_ordinal_date_time: () =>
    zoned(
      [...ORDINAL, 'T', ...HOUR_MINUTE, optional(':', SECOND, fraction(3, 9))],
      [...ORDINAL, 'T', ...HOUR_MINUTE, optional(':', SECOND, fraction(1, 9))],
    ),
  ordinal_date_time_no_millis: () => zoned([...ORDINAL, 'T', ...TIME], [...SHORT_ORDINAL, 'T', ...SHORT_TIME]),
  strict_ordinal_date_time_no_millis: () => zoned([...ORDINAL, 'T', ...TIME], [...ORDINAL, 'T', ...TIME]),

  time: () => zoned(TIME_MILLIS, SHORT_TIME_FRACTION),
  strict_time: () => zoned(TIME_MILLIS, TIME_FRACTION),
  time_no_millis: () => zoned(TIME, SHORT_TIME),
  strict_time_no_millis: () => zoned(TIME, TIME),
  t_time: () => zoned(['T', ...TIME_MILLIS], ['T', ...SHORT_TIME_FRACTION]),
  strict_t_time: () => zoned(['T', ...TIME_MILLIS], ['T', ...TIME_FRACTION]),
  t_time_no_millis: () => zoned(['T', ...TIME], ['T', ...SHORT_TIME]),
  strict_t_time_no_millis: () => zoned(['T', ...TIME], ['T', ...TIME]),

  week_date: () => format(WEEK_DATE, SHORT_WEEK_DATE),
  strict_week_date: () => format(WEEK_DATE),
  week_date_time: () => zoned([...WEEK_DATE, 'T', ...TIME_MILLIS], [...SHORT_WEEK_DATE, 'T', ...SHORT_TIME_FRACTION]),
  strict_week_date_time: () => zoned([...WEEK_DATE, 'T', ...TIME_MILLIS], [...WEEK_DATE, 'T', ...TIME_FRACTION]),
  week_date_time_no_millis: () => zoned([...WEEK_DATE, 'T', ...TIME], [...SHORT_WEEK_DATE, 'T', ...SHORT_TIME]),
  strict_week_date_time_no_millis: () => zoned([...WEEK_DATE, 'T', ...TIME], [...WEEK_DATE, 'T', ...TIME]),
  weekyear: () => format([anyDigits(f.WEEK_YEAR)]),
  strict_weekyear: () => format([WEEK_YEAR]),
  weekyear_week: () => format([WEEK_YEAR, '-W', WEEK], [anyDigits(f.WEEK_YEAR), '-W', anyDigits(f.WEEK)]),
  strict_weekyear_week: () => format([WEEK_YEAR, '-W', WEEK]),
  weekyear_week_day: () =>
    format(
      [WEEK_YEAR, '-W', WEEK, '-', anyDigits(f.LOCAL_DAY_OF_WEEK)],
      [anyDigits(f.WEEK_YEAR), '-W', anyDigits(f.WEEK), '-', anyDigits(f.LOCAL_DAY_OF_WEEK)],
    ),
  strict_weekyear_week_day: () => format([WEEK_YEAR, '-W', WEEK, '-', anyDigits(f.LOCAL_DAY_OF_WEEK)]),

  year: () => format([anyDigits(f.YEAR)]),
  strict_year: () => format([yearUpTo(4)]),
  year_month: () => format([yearUpTo(10), '-', MONTH], [anyDigits(f.YEAR), '-', anyDigits(f.MONTH)]),
  strict_year_month: () => format([yearUpTo(4), '-', MONTH]),
  year_month_day: () => format(openDate, [anyDigits(f.YEAR), '-', anyDigits(f.MONTH), '-', anyDigits(f.DAY_OF_MONTH)]),
  strict_year_month_day: () => format(openDate),
}

function basicWeekTime(date: Nodes): BuiltInFormat {
  const millis: Part = { kind: 'fraction', field: f.NANO, min: 3, max: 3, point: false }
  const print: Nodes = [group(...BASIC_WEEK), 'T', ...BASIC_TIME, '.', millis, PLAIN_OFFSET]
  const parse: Nodes = [group(...date), 'T', ...BASIC_TIME, fraction(1, 9)]
  return format(print, [...parse, ZONE], [...parse, PLAIN_OFFSET])
}

export const BUILT_IN_FORMAT_NAMES: readonly string[] = Object.keys(FORMATS)

export function builtInFormat(name: string): BuiltInFormat | undefined {
  return Object.hasOwn(FORMATS, name) ? FORMATS[name]!() : undefined
}
