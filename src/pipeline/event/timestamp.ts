/**
 * The timestamp of an event. Clocks and most logs give milliseconds. Nanoseconds of decoded data are kept, because they
 * are printed again.
 */
export class Timestamp {
  readonly ms: number
  /** The part below the millisecond, 0 to 999,999. */
  readonly nanos: number
  #text: string | undefined

  constructor(ms: number, nanos = 0) {
    this.ms = ms
    this.nanos = nanos
  }

  /** ISO 8601 in UTC with three, six or nine fraction digits. */
  toString(): string {
    return (this.#text ??= this.#format())
  }

  toJSON(): string {
    return this.toString()
  }

  equals(other: Timestamp): boolean {
    return this.ms === other.ms && this.nanos === other.nanos
  }

  #format(): string {
    const iso = formatIso(this.ms)
    if (this.nanos === 0) return iso
    const digits = String(this.nanos).padStart(6, '0')
    return `${iso.slice(0, -1)}${digits.endsWith('000') ? digits.slice(0, 3) : digits}Z`
  }
}

/** Whether a number of milliseconds is within the 275,760 years around 1970 that can be printed. */
export function isTime(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15
}

/** Log lines mostly share their second, so its text is cached and only the milliseconds are new. */
let lastSecond = Number.NaN
let lastPrefix = ''

function formatIso(ms: number): string {
  const second = Math.floor(ms / 1000)
  if (second !== lastSecond) {
    lastPrefix = new Date(second * 1000).toISOString().slice(0, -4)
    lastSecond = second
  }
  const millis = ms - second * 1000
  return `${lastPrefix}${millis < 10 ? '00' : millis < 100 ? '0' : ''}${millis}Z`
}

const ISO_TEXT =
  /^([+-]?\d{4,9})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/

/**
 * Parses the ISO 8601 forms of a decoded `@timestamp`; undefined for anything else. A time without an offset is in the
 * machine's zone.
 */
export function parseIsoTimestamp(text: string): Timestamp | undefined {
  const match = ISO_TEXT.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] = match
  const nanosOfSecond = Number(fraction.padEnd(9, '0'))
  const ms = Math.floor(nanosOfSecond / 1e6)
  const wall = utcMs(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second), ms)
  if (wall === undefined) return undefined
  const epoch = offset === undefined ? fromMachineZone(wall) : wall - offsetMs(offset)
  return isTime(epoch) ? new Timestamp(epoch, nanosOfSecond % 1e6) : undefined
}

/** Undefined if a part is out of range. Date.UTC would carry it over instead. */
function utcMs(year: number, month: number, day: number, hour: number, minute: number, second: number, ms: number) {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCDate() !== day) return undefined
  return date.setUTCHours(hour, minute, second, ms)
}

function offsetMs(offset: string): number {
  if (offset === 'Z') return 0
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000
}

function fromMachineZone(wallMs: number): number {
  const wall = new Date(wallMs)
  return new Date(
    wall.getUTCFullYear(),
    wall.getUTCMonth(),
    wall.getUTCDate(),
    wall.getUTCHours(),
    wall.getUTCMinutes(),
    wall.getUTCSeconds(),
    wall.getUTCMilliseconds(),
  ).getTime()
}
