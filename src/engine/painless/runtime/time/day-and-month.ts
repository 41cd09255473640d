/** DayOfWeek, Month and the text styles of their names. */

import { DAY_OF_WEEK, MONTH } from '../../../time/format/date-fields.ts'
import { fieldNames } from '../../../time/format/date-names.ts'
import { dateTime } from '../../errors/java-throwable.ts'
import { JEnum, registerEnum } from '../java-enum.ts'
import type { JLocale } from '../lang/locale.ts'
import { registerStatics } from '../registry.ts'
import type { Temporal } from './temporal.ts'
import { unable, unsupportedField } from './temporal.ts'
import { type ChronoField, field } from './units.ts'

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']
const MONTHS = [
  'JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE', 'JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER',
] // biome-ignore format: a list

class TextStyle extends JEnum {
  isStandalone_0(): boolean {
    return this.ordinal % 2 === 1
  }

  asStandalone_0(): TextStyle {
    return TEXT_STYLES[this.ordinal | 1]!
  }

  asNormal_0(): TextStyle {
    return TEXT_STYLES[this.ordinal & ~1]!
  }
}

const STYLES = ['FULL', 'FULL_STANDALONE', 'SHORT', 'SHORT_STANDALONE', 'NARROW', 'NARROW_STANDALONE']
export const TEXT_STYLES = STYLES.map((name, i) => new TextStyle('java.time.format.TextStyle', name, i))
registerEnum('java.time.format.TextStyle', TEXT_STYLES)

/** A name in a style of TextStyle. */
function displayName(fieldNumber: number, value: number, style: JEnum, locale: JLocale): string {
  const width = style.name.startsWith('FULL') ? 'full' : style.name.startsWith('SHORT') ? 'short' : 'narrow'
  const names = fieldNames(fieldNumber, width, style.name.endsWith('STANDALONE'), locale.tag)
  return names.names[value - names.first] ?? String(value)
}

abstract class CalendarEnum extends JEnum {
  abstract readonly ownField: ChronoField
  protected abstract readonly ownNames: number
  /** The last requested name, because a script requests the same style and locale for every document. */
  #style: JEnum | undefined
  #locale: JLocale | undefined
  #shown = ''

  getDisplayName_2(style: JEnum, locale: JLocale): string {
    if (style !== this.#style || locale !== this.#locale) {
      this.#shown = displayName(this.ownNames, this.ordinal + 1, style, locale)
      this.#style = style
      this.#locale = locale
    }
    return this.#shown
  }

  getValue_0(): number {
    return this.ordinal + 1
  }

  fieldValue(name: ChronoField): number | undefined {
    return name === this.ownField ? this.ordinal + 1 : undefined
  }

  isSupported_1(name: ChronoField): boolean {
    return name === this.ownField
  }

  get_1(name: ChronoField): number {
    if (name !== this.ownField) throw unsupportedField(name)
    return this.ordinal + 1
  }

  getLong_1(name: ChronoField): bigint {
    return BigInt(this.get_1(name))
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return temporal.with_2(this.ownField, BigInt(this.ordinal + 1))
  }
}

export class DayOfWeek extends CalendarEnum {
  readonly ownField = field('DAY_OF_WEEK')
  protected readonly ownNames = DAY_OF_WEEK

  constructor(name: string, ordinal: number) {
    super('java.time.DayOfWeek', name, ordinal)
  }

  plus_1(days: bigint): DayOfWeek {
    return DAYS_OF_WEEK[Number((BigInt(this.ordinal) + (days % 7n) + 7n) % 7n)]!
  }

  minus_1(days: bigint): DayOfWeek {
    return this.plus_1(-(days % 7n))
  }
}

export const DAYS_OF_WEEK = DAYS.map((name, i) => new DayOfWeek(name, i))
registerEnum('java.time.DayOfWeek', DAYS_OF_WEEK)

const MIN_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export class Month extends CalendarEnum {
  readonly ownField = field('MONTH_OF_YEAR')
  protected readonly ownNames = MONTH

  constructor(name: string, ordinal: number) {
    super('java.time.Month', name, ordinal)
  }

  plus_1(months: bigint): Month {
    return MONTHS_OF_YEAR[Number((BigInt(this.ordinal) + (months % 12n) + 12n) % 12n)]!
  }

  minus_1(months: bigint): Month {
    return this.plus_1(-(months % 12n))
  }

  minLength_0(): number {
    return MIN_LENGTHS[this.ordinal]!
  }

  maxLength_0(): number {
    return this.ordinal === 1 ? 29 : MIN_LENGTHS[this.ordinal]!
  }

  length_1(leap: boolean): number {
    return leap ? this.maxLength_0() : this.minLength_0()
  }

  firstMonthOfQuarter_0(): Month {
    return MONTHS_OF_YEAR[this.ordinal - (this.ordinal % 3)]!
  }

  firstDayOfYear_1(leap: boolean): number {
    const before = MIN_LENGTHS.slice(0, this.ordinal).reduce((a, b) => a + b, 1)
    return before + (leap && this.ordinal > 1 ? 1 : 0)
  }
}

export const MONTHS_OF_YEAR = MONTHS.map((name, i) => new Month(name, i))
registerEnum('java.time.Month', MONTHS_OF_YEAR)

/** A field that an object must have to be converted to a class. */
export function partOf(from: Temporal, name: string, target: string): number {
  const value = from.fieldValue(field(name))
  if (value === undefined) throw unable(target, from)
  return value
}

registerStatics('java.time.DayOfWeek', {
  of_1: (value: number) => {
    const day = DAYS_OF_WEEK[value - 1]
    if (day === undefined) throw dateTime(`Invalid value for DayOfWeek: ${value}`)
    return day
  },
  from_1: (from: Temporal) => DAYS_OF_WEEK[partOf(from, 'DAY_OF_WEEK', 'DayOfWeek') - 1],
})
registerStatics('java.time.Month', {
  of_1: (value: number) => {
    const month = MONTHS_OF_YEAR[value - 1]
    if (month === undefined) throw dateTime(`Invalid value for MonthOfYear: ${value}`)
    return month
  },
  from_1: (from: Temporal) => MONTHS_OF_YEAR[partOf(from, 'MONTH_OF_YEAR', 'Month') - 1],
})
