/** The members that all temporal objects share: fields by name, arithmetic with units and amounts. */
import { arithmetic, dateTime, unsupportedTemporalType } from '../../errors/java-throwable.ts'
import { JObject } from '../java-object.ts'
import { LONG_MAX, LONG_MIN } from '../numbers.ts'
import { type ChronoField, type ChronoUnit, DerivedField, type Field, field, unit } from './units.ts'
import { ValueRange } from './value-range.ts'

export interface Adjuster {
  adjustInto_1(temporal: Temporal): Temporal
}

export interface Amount {
  addTo_1(temporal: Temporal): Temporal
  subtractFrom_1(temporal: Temporal): Temporal
}

export const unsupportedField = (name: { toString_0(): string }) =>
  unsupportedTemporalType(`Unsupported field: ${name.toString_0()}`)

/** The error of an object that has not the fields of a class. */
export const unable = (target: string, from: JObject) =>
  dateTime(`Unable to obtain ${target} from TemporalAccessor: ${from.toString_0()} of type ${from.$class}`)

export const unsupportedUnit = (name: ChronoUnit) => unsupportedTemporalType(`Unsupported unit: ${name.shown}`)

export function exactLong(value: bigint): bigint {
  if (value < LONG_MIN || value > LONG_MAX) throw arithmetic('long overflow')
  return value
}

/** Amounts below this one are numbers, because their sums and products in dates are exact as numbers. */
const NUMBERS_END = 1e11

/** Throws for years of dates that do not exist, which all of these amounts of months or years lead to. */
function failFar(amount: bigint, by: ChronoUnit, year: number, month: number): number {
  // Java's sums of years or months wrap, but its products do not.
  const years =
    by.months < 12
      ? floorDiv(BigInt.asIntN(64, BigInt(year * 12 + month - 1) + exactLong(amount * BigInt(by.months))), 12n)
      : BigInt.asIntN(64, BigInt(year) + exactLong((amount * BigInt(by.months)) / 12n))
  return field('YEAR').check(years)
}

/** The months of an amount of months or years, to be added to a date. */
export const monthsOf = (amount: number | bigint, by: ChronoUnit, year: number, month: number): number =>
  typeof amount === 'number' ? amount * by.months : failFar(amount, by, year, month)

export const floorDiv = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b

/** The only unit of dates that is a change of a field. */
export function withEras<T extends Temporal>(to: T, amount: number | bigint, by: ChronoUnit): T {
  if (by.name !== 'ERAS') throw unsupportedUnit(by)
  const era = field('ERA')
  return to.with_2(era, to.getLong_1(era) + BigInt(amount)) as T
}

/** The field that an object has if it has a unit. */
function fieldOfUnit({ ordinal }: ChronoUnit, of: Temporal): string {
  if (ordinal < 7) return 'NANO_OF_SECOND'
  if (ordinal === 7 && of.fieldValue(field('INSTANT_SECONDS')) !== undefined) return 'INSTANT_SECONDS'
  return ordinal < 9 ? 'EPOCH_DAY' : ordinal === 9 ? 'PROLEPTIC_MONTH' : 'YEAR'
}

export abstract class Temporal extends JObject {
  /** The value of a field; undefined if the object does not have it. */
  abstract fieldValue(field: ChronoField): number | undefined

  /** The object with an amount of a unit added. */
  protected abstract added(amount: number | bigint, unit: ChronoUnit): Temporal

  /** The object with a field changed. */
  protected changed(name: ChronoField, _value: number): Temporal {
    throw unsupportedField(name)
  }

  isSupported_1(name: Field | ChronoUnit | null): boolean {
    if (name === null) return false
    if (name instanceof DerivedField) return name.isSupportedBy_1(this)
    if (!('nanos' in name)) return this.fieldValue(name) !== undefined
    return name.name !== 'FOREVER' && this.fieldValue(field(fieldOfUnit(name, this))) !== undefined
  }

  /** The values a field can have for this object: months and years differ in their length. */
  range_1(name: Field): ValueRange {
    if (name instanceof DerivedField) throw unsupportedField(name)
    if (this.fieldValue(name) === undefined) throw unsupportedField(name)
    const year = this.fieldValue(field('YEAR')) ?? 2000
    const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
    if (name.name === 'DAY_OF_YEAR') return new ValueRange(1n, 1n, isLeap ? 366n : 365n, isLeap ? 366n : 365n)
    if (name.name !== 'DAY_OF_MONTH') return name.range_0()
    const month = this.fieldValue(field('MONTH_OF_YEAR')) ?? 1
    const days = BigInt(month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31)
    return new ValueRange(1n, 1n, days, days)
  }

  getLong_1(name: Field): bigint {
    if (name instanceof DerivedField) return name.getFrom_1(this)
    const value = this.fieldValue(name)
    if (value === undefined) throw unsupportedField(name)
    return BigInt(value)
  }

  get_1(name: Field): number {
    if (
      !(name instanceof DerivedField) &&
      /^(NANO_OF_DAY|MICRO_OF_DAY|EPOCH_DAY|PROLEPTIC_MONTH|INSTANT_SECONDS)$/.test(name.name)
    )
      if (this.fieldValue(name) !== undefined)
        throw unsupportedTemporalType(`Invalid field '${name.toString_0()}' for get() method, use getLong() instead`)
    return Number(this.getLong_1(name))
  }

  /** A method that Elasticsearch adds to all temporal objects. */
  getMillis_0(): bigint {
    return BigInt.asIntN(64, this.#millis())
  }

  toEpochMilli_0(): bigint {
    return exactLong(this.#millis())
  }

  #millis(): bigint {
    const seconds = this.fieldValue(field('INSTANT_SECONDS'))
    if (seconds === undefined) throw unsupportedField(field('INSTANT_SECONDS'))
    const nanos = this.fieldValue(field('NANO_OF_SECOND')) ?? 0
    const millisOfSecond = Math.floor(nanos / 1_000_000)
    const millis = seconds * 1000 + millisOfSecond
    if (Number.isSafeInteger(millis)) return BigInt(millis)
    return this.getLong_1(field('INSTANT_SECONDS')) * 1000n + BigInt(millisOfSecond)
  }

  plus_2(amount: bigint, by: ChronoUnit): Temporal {
    const number = Number(amount)
    if (number < NUMBERS_END && number > -NUMBERS_END) return this.added(number, by)
    return this.added(amount, by)
  }

  minus_2(amount: bigint, by: ChronoUnit): Temporal {
    return amount === LONG_MIN ? this.plus_2(LONG_MAX, by).plus_2(1n, by) : this.plus_2(-amount, by)
  }

  plus_1(amount: Amount): Temporal {
    return amount.addTo_1(this)
  }

  minus_1(amount: Amount): Temporal {
    return amount.subtractFrom_1(this)
  }

  with_1(adjuster: Adjuster): Temporal {
    return adjuster.adjustInto_1(this)
  }

  with_2(name: Field, value: bigint): Temporal {
    if (name instanceof DerivedField) return name.adjustInto_2(this, value)
    return this.changed(name, name.check(value))
  }

  abstract until_2(end: Temporal, by: ChronoUnit): bigint
}

/** Defines plusDays, minusDays, … for the units of a class. */
export function defineUnitMethods(type: { prototype: Temporal }, units: readonly string[]): void {
  for (const name of units) {
    const own = unit(name.toUpperCase())
    Object.defineProperty(type.prototype, `plus${name}_1`, {
      value(this: Temporal, amount: bigint) {
        return this.plus_2(amount, own)
      },
    })
    Object.defineProperty(type.prototype, `minus${name}_1`, {
      value(this: Temporal, amount: bigint) {
        return this.minus_2(amount, own)
      },
    })
  }
}

const GETTERS: Readonly<Record<string, string>> = {
  Year: 'YEAR',
  MonthValue: 'MONTH_OF_YEAR',
  DayOfMonth: 'DAY_OF_MONTH',
  DayOfYear: 'DAY_OF_YEAR',
  Hour: 'HOUR_OF_DAY',
  Minute: 'MINUTE_OF_HOUR',
  Second: 'SECOND_OF_MINUTE',
  Nano: 'NANO_OF_SECOND',
}
const SETTERS: Readonly<Record<string, string>> = {
  Year: 'YEAR',
  Month: 'MONTH_OF_YEAR',
  DayOfMonth: 'DAY_OF_MONTH',
  DayOfYear: 'DAY_OF_YEAR',
  Hour: 'HOUR_OF_DAY',
  Minute: 'MINUTE_OF_HOUR',
  Second: 'SECOND_OF_MINUTE',
  Nano: 'NANO_OF_SECOND',
}

/** Defines getYear, withYear, … for the fields of a class. */
export function defineFieldMethods(type: { prototype: Temporal }, names: readonly string[]): void {
  for (const name of names) {
    const getter = GETTERS[name]
    if (getter !== undefined) {
      const own = field(getter)
      Object.defineProperty(type.prototype, `get${name}_0`, {
        value(this: Temporal) {
          return this.fieldValue(own)
        },
      })
    }
    const setter = SETTERS[name]
    if (setter === undefined) continue
    const own = field(setter)
    Object.defineProperty(type.prototype, `with${name}_1`, {
      value(this: Temporal, value: number) {
        return this.with_2(own, BigInt(value))
      },
    })
  }
}
