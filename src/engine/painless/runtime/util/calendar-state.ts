/**
 * The time and fields of a calendar. Fields that a script sets become a time when the time is requested, as in Java.
 */
import type { WeekRules } from '../../../time/civil-date.ts'
import { arrayIndexOutOfBounds, illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import { JObject } from '../java-object.ts'
import { FIELDS, type FieldName, type FieldValues, fieldsOf, localMillisOf, MS_PER_DAY } from './calendar-fields.ts'
import type { JTimeZone } from './time-zone.ts'

const fieldsWith = (value: number) => Object.fromEntries(FIELDS.map((name) => [name, value])) as FieldValues
const UNSET = fieldsWith(0)
const ALL_COMPUTED = fieldsWith(1)

/** Stamps are 0 for unset fields and 1 for computed ones. Fields that were set have higher ones, the last the highest. */
const COMPUTED = 1

export abstract class CalendarState extends JObject {
  #millis: number
  protected zone: JTimeZone
  protected weeks: WeekRules
  #isLenient = true
  #values = { ...UNSET }
  #stamps = { ...UNSET }
  #nextStamp = 2
  #isTimeKnown = true
  #areFieldsKnown = false

  constructor(millis: number, zone: JTimeZone | null, weeks: WeekRules) {
    super()
    if (zone === null) throw nullPointer()
    this.#millis = millis
    this.zone = zone
    this.weeks = weeks
  }

  get millis(): number {
    if (!this.#isTimeKnown) this.#computeTime()
    return this.#millis
  }

  protected get lastTime(): number {
    return this.#millis
  }

  protected moveTo(millis: number): void {
    this.#millis = millis
    this.#isTimeKnown = true
    this.#areFieldsKnown = false
  }

  protected get fields(): FieldValues {
    const { millis } = this
    if (!this.#areFieldsKnown) {
      const offset = this.zone.offsetAt(millis)
      this.#values = fieldsOf(millis + offset, this.weeks)
      this.#values.ZONE_OFFSET = this.zone.getRawOffset_0()
      this.#values.DST_OFFSET = offset - this.#values.ZONE_OFFSET
      this.#stamps = { ...ALL_COMPUTED }
      this.#areFieldsKnown = true
    }
    return this.#values
  }

  #computeTime(): void {
    const given = { ...this.#values }
    const isGiven = (name: FieldName) => this.#stamps[name] > COMPUTED
    if (!this.#isLenient)
      for (const [i, name] of FIELDS.entries())
        if (isGiven(name) && (given[name] < this.getMinimum_1(i) || given[name] > this.getMaximum_1(i)))
          throw illegalArgument(name)
    const local = localMillisOf(given, this.#stamps, this.weeks)
    let utc = this.utcOf(local)
    if (isGiven('ZONE_OFFSET') || isGiven('DST_OFFSET')) {
      const raw = isGiven('ZONE_OFFSET') ? given.ZONE_OFFSET : this.zone.getRawOffset_0()
      const saved = isGiven('DST_OFFSET') ? given.DST_OFFSET : local - utc - this.zone.getRawOffset_0()
      utc = local - raw - saved
    }
    const offset = isGiven('ZONE_OFFSET') || isGiven('DST_OFFSET') ? local - utc : this.zone.offsetAt(utc)
    const computed = {
      ...fieldsOf(utc + offset, this.weeks),
      ZONE_OFFSET: given.ZONE_OFFSET,
      DST_OFFSET: given.DST_OFFSET,
    }
    const wrong = FIELDS.find((name) => isGiven(name) && computed[name] !== given[name])
    if (!this.#isLenient && wrong !== undefined)
      throw illegalArgument(`${wrong}: ${given[wrong]} -> ${computed[wrong]}`)
    this.moveTo(utc)
  }

  /** A time that occurs twice is the second one; one that is left out is moved behind the gap. */
  protected utcOf(local: number): number {
    const zone = this.zone
    const before = local - zone.offsetAt(local - MS_PER_DAY)
    const after = local - zone.offsetAt(local + MS_PER_DAY)
    const found = [before, after].filter((utc) => utc + zone.offsetAt(utc) === local)
    return found.length === 0 ? before : Math.max(...found)
  }

  get_1(index: number): number {
    const name = nameOf(index)
    return this.fields[name]
  }

  set_2(index: number, value: number): void {
    const name = nameOf(index)
    if (this.#isTimeKnown) void this.fields
    this.#values[name] = value
    this.#stamps[name] = this.#nextStamp++
    this.#isTimeKnown = false
    this.#areFieldsKnown = false
  }

  set_3(...values: readonly number[]): void {
    const names = [1, 2, 5, 11, 12, 13]
    for (const [i, value] of values.entries()) this.set_2(names[i]!, value)
  }

  set_5(...values: readonly number[]): void {
    this.set_3(...values)
  }

  set_6(...values: readonly number[]): void {
    this.set_3(...values)
  }

  clear_0(): void {
    this.#values = { ...UNSET }
    this.#stamps = { ...UNSET }
    this.#isTimeKnown = false
    this.#areFieldsKnown = false
  }

  clear_1(index: number): void {
    const name = nameOf(index)
    if (this.#isTimeKnown) void this.fields
    this.#values[name] = 0
    this.#stamps[name] = 0
    this.#isTimeKnown = false
    this.#areFieldsKnown = false
  }

  isSet_1(index: number): boolean {
    const name = nameOf(index)
    if (this.#isTimeKnown) void this.fields
    return this.#stamps[name] !== 0
  }

  setTimeZone_1(zone: JTimeZone): void {
    this.zone = zone
    this.#areFieldsKnown = false
  }

  isLenient_0(): boolean {
    return this.#isLenient
  }

  setLenient_1(isLenient: boolean): void {
    this.#isLenient = isLenient
  }

  /** Weeks that were computed get the numbers of the new rules; weeks that were set keep theirs. */
  protected useWeeks(weeks: WeekRules): void {
    if (this.#isTimeKnown) void this.fields
    this.weeks = weeks
    const copy = this.clone_0()
    copy.setLenient_1(true)
    for (const name of ['WEEK_OF_MONTH', 'WEEK_OF_YEAR'] as const) copy.clear_1(FIELDS.indexOf(name))
    for (const name of ['WEEK_OF_MONTH', 'WEEK_OF_YEAR'] as const)
      if (this.#stamps[name] === COMPUTED) this.#values[name] = copy.get_1(FIELDS.indexOf(name))
  }

  getMaximum_1(index: number): number {
    nameOf(index)
    return MAXIMA[index]!
  }

  getMinimum_1(index: number): number {
    const name = nameOf(index)
    return name === 'ZONE_OFFSET' ? -46_800_000 : ONE_BASED.has(name) ? 1 : 0
  }

  abstract clone_0(): CalendarState

  protected copied<T extends CalendarState>(copy: T): T {
    const to: CalendarState = copy
    to.#isLenient = this.#isLenient
    to.#values = { ...this.#values }
    to.#stamps = { ...this.#stamps }
    to.#nextStamp = this.#nextStamp
    to.#isTimeKnown = this.#isTimeKnown
    to.#areFieldsKnown = this.#areFieldsKnown
    return copy
  }
}

const ONE_BASED = new Set<FieldName>([
  'YEAR', 'WEEK_OF_YEAR', 'DAY_OF_MONTH', 'DAY_OF_YEAR', 'DAY_OF_WEEK', 'DAY_OF_WEEK_IN_MONTH',
]) // biome-ignore format: a list
const MAXIMA = [
  1, 292278994, 11, 53, 6, 31, 366, 7, 6, 1, 11, 23, 59, 59, 999, 50400000, 7200000,
] // biome-ignore format: a list
export function nameOf(index: number): FieldName {
  const name = FIELDS[index]
  if (name === undefined) throw arrayIndexOutOfBounds(`Index ${index} out of bounds for length ${FIELDS.length}`)
  return name
}
