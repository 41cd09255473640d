/**
 * java.time.temporal.WeekFields: week numbering by the first day of a week and the minimum number of days of the first
 * week.
 */
import { weekRules } from '../../../time/format/week-rules.ts'
import { classCast, illegalArgument } from '../../errors/java-throwable.ts'
import { JObject } from '../java-object.ts'
import type { JLocale } from '../lang/locale.ts'
import { registerFields, registerStatics } from '../registry.ts'
import { DAYS_OF_WEEK } from './day-and-month.ts'
import { LocalDate } from './local-date.ts'
import type { Temporal } from './temporal.ts'
import { DerivedField, field } from './units.ts'
import { ValueRange } from './value-range.ts'

const DAYS = field('EPOCH_DAY')

export class WeekFields extends JObject {
  /** 1 for Monday. */
  readonly first: number
  readonly minimal: number

  constructor(first: number, minimal: number) {
    super()
    this.first = first
    this.minimal = minimal
  }

  get $class(): string {
    return 'java.time.temporal.WeekFields'
  }

  getFirstDayOfWeek_0(): unknown {
    return DAYS_OF_WEEK[this.first - 1]
  }

  getMinimalDaysInFirstWeek_0(): number {
    return this.minimal
  }

  /** Place in the week, from 1. */
  #place(weekday: number): number {
    return ((weekday - this.first + 7) % 7) + 1
  }

  /** Days from the start of a month or year to that of its first week; negative where the week began before. */
  #start(place: number, day: number): number {
    const before = (((day - place) % 7) + 7) % 7
    return before + 1 > this.minimal ? 7 - before : -before
  }

  /** Number of the week of a day of a month or year; the days before the first week are in week 0. */
  #week(place: number, day: number): number {
    return Math.floor((7 + this.#start(place, day) + (day - 1)) / 7)
  }

  #today(from: Temporal): number {
    return this.#place(from.get_1(field('DAY_OF_WEEK')))
  }

  #field(name: string, range: ValueRange, read: (from: Temporal) => number): DerivedField {
    // Days are moved by whole weeks, or within the week.
    const write = (into: Temporal, value: number) => {
      if (name === 'WeekBasedYear') return this.#inYear(into, value)
      const days = (value - read(into)) * (name === 'DayOfWeek' ? 1 : 7)
      return into.with_2(DAYS, into.getLong_1(DAYS) + BigInt(days))
    }
    return new DerivedField(
      `${name}[${this.toString_0()}]`,
      read,
      write,
      range,
      'java.time.temporal.WeekFields$ComputedDayOfField',
    )
  }

  dayOfWeek_0(): DerivedField {
    return this.#field('DayOfWeek', ValueRange.between(1, 7), (from) => this.#today(from))
  }

  weekOfMonth_0(): DerivedField {
    const read = (from: Temporal) => this.#week(this.#today(from), from.get_1(field('DAY_OF_MONTH')))
    return this.#field('WeekOfMonth', ValueRange.between(0, 6, 4, 1), read)
  }

  weekOfYear_0(): DerivedField {
    const read = (from: Temporal) => this.#week(this.#today(from), from.get_1(field('DAY_OF_YEAR')))
    return this.#field('WeekOfYear', ValueRange.between(0, 54, 52, 1), read)
  }

  weekOfWeekBasedYear_0(): DerivedField {
    return this.#field('WeekOfWeekBasedYear', ValueRange.between(1, 53, 52), (from) => this.#weekAndYear(from).week)
  }

  weekBasedYear_0(): DerivedField {
    return this.#field('WeekBasedYear', field('YEAR').range_0(), (from) => this.#weekAndYear(from).year)
  }

  /** The same day of the same week of another year. Java makes a date of it, which does not fit into other objects. */
  #inYear(into: Temporal, year: number): Temporal {
    const { week, year: own } = this.#weekAndYear(into)
    if (own === year) return into
    const first = LocalDate.of(year, 1, 1)
    const start = this.#start(this.#place(first.dayOfWeek), 1)
    const weeks = Math.floor((6 + start + first.lengthOfYear_0() + this.minimal) / 7)
    const days = this.#today(into) - 1 - start + (Math.min(week, weeks - 1) - 1) * 7
    if (into instanceof LocalDate) return first.plusDays(days)
    throw classCast(
      `class java.time.LocalDate cannot be cast to class ${into.$class} (java.time.LocalDate and ${into.$class} are in module java.base of loader 'bootstrap')`,
    )
  }

  #weekAndYear(from: Temporal): { week: number; year: number } {
    const year = from.get_1(field('YEAR'))
    const day = from.get_1(field('DAY_OF_YEAR'))
    const place = this.#today(from)
    const week = this.#week(place, day)
    const length = (of: number) => ((of % 4 === 0 && of % 100 !== 0) || of % 400 === 0 ? 366 : 365)
    if (week === 0) return { week: this.#week(place, day + length(year - 1)), year: year - 1 }
    if (week > 50) {
      const next = Math.floor((7 + this.#start(place, day) + (length(year) + this.minimal - 1)) / 7)
      if (week >= next) return { week: week - next + 1, year: year + 1 }
    }
    return { week, year }
  }

  override equals_1(other: unknown): boolean {
    return other instanceof WeekFields && other.first === this.first && other.minimal === this.minimal
  }

  override hashCode_0(): number {
    return (this.first - 1) * 7 + this.minimal
  }

  override toString_0(): string {
    return `WeekFields[${DAYS_OF_WEEK[this.first - 1]!.name},${this.minimal}]`
  }
}

const ISO = new WeekFields(1, 4)
const SUNDAY_START = new WeekFields(7, 1)
registerFields('java.time.temporal.WeekFields', { ISO, SUNDAY_START })
registerStatics('java.time.temporal.WeekFields', {
  of_1: (locale: JLocale) => {
    const { firstDay, minimalDays } = weekRules(locale.tag)
    return new WeekFields(firstDay, minimalDays)
  },
  of_2: (first: { getValue_0(): number }, minimal: number) => {
    if (minimal < 1 || minimal > 7) throw illegalArgument('Minimal number of days is invalid')
    return new WeekFields(first.getValue_0(), minimal)
  },
})
