/** Parts of dates in expressions, in UTC, from epoch milliseconds. */
import * as civil from '../time/civil-date.ts'

export type DateMember = (ms: number) => number

const epochDay = (ms: number) => Math.floor(ms / civil.MS_PER_DAY)
const msOfDay = (ms: number) => ms - epochDay(ms) * civil.MS_PER_DAY
const date = (ms: number) => civil.fromEpochDay(epochDay(ms))
const year = (ms: number) => date(ms).year
const yearOfEra = (ms: number) => {
  const proleptic = year(ms)
  return proleptic > 0 ? proleptic : 1 - proleptic
}
const hour = (ms: number) => Math.floor(msOfDay(ms) / 3_600_000)
const minuteOfDay = (ms: number) => Math.floor(msOfDay(ms) / 60_000)
const secondOfDay = (ms: number) => Math.floor(msOfDay(ms) / 1000)

const week = (ms: number) => civil.weekOfEpochDay(epochDay(ms), civil.ISO_WEEKS)

const MEMBERS: Readonly<Record<string, DateMember>> = {
  centuryOfEra: (ms) => Math.floor(yearOfEra(ms) / 100),
  dayOfMonth: (ms) => date(ms).day,
  dayOfWeek: (ms) => civil.dayOfWeek(epochDay(ms)),
  dayOfYear: (ms) => civil.dayOfYear(date(ms)),
  era: (ms) => (year(ms) > 0 ? 1 : 0),
  hourOfDay: hour,
  millisOfDay: msOfDay,
  millisOfSecond: (ms) => msOfDay(ms) % 1000,
  minuteOfDay,
  minuteOfHour: (ms) => minuteOfDay(ms) % 60,
  monthOfYear: (ms) => date(ms).month,
  secondOfDay,
  secondOfMinute: (ms) => secondOfDay(ms) % 60,
  weekOfWeekyear: (ms) => week(ms).week,
  weekyear: (ms) => week(ms).weekYear,
  year,
  yearOfCentury: (ms) => yearOfEra(ms) % 100,
  yearOfEra,
}

/** `doc['d'].date.year`, or as a method `doc['d'].date.getYear()`. */
export function dateMember(name: string, isMethod: boolean): DateMember | undefined {
  const member = isMethod ? memberOfGetter(name) : name
  return member !== undefined && Object.hasOwn(MEMBERS, member) ? MEMBERS[member] : undefined
}

const memberOfGetter = (name: string) => (/^get[A-Z]/.test(name) ? name[3]!.toLowerCase() + name.slice(4) : undefined)

/** The methods of a date field itself are those of Java's Calendar, in which January is month 0. */
const METHODS: Readonly<Record<string, DateMember>> = {
  getYear: yearOfEra,
  getMonth: (ms) => date(ms).month - 1,
  getDayOfMonth: (ms) => date(ms).day,
  getHourOfDay: hour,
  getMinutes: (ms) => minuteOfDay(ms) % 60,
  getSeconds: (ms) => secondOfDay(ms) % 60,
}

export const dateMethod = (name: string): DateMember | undefined =>
  Object.hasOwn(METHODS, name) ? METHODS[name] : undefined
