/** java.util.Date, TimeZone and java.text.SimpleDateFormat. */
import { compilePattern } from '../../../time/format/pattern-compiler.ts'
import { throwable } from '../../errors/java-throwable.ts'
import { longHash } from '../equality.ts'
import { JObject } from '../java-object.ts'
import { DEFAULT_LOCALE, type JLocale } from '../lang/locale.ts'
import { registerConstructors, registerStatics } from '../registry.ts'
import { DateTimeFormatter } from '../time/formatter.ts'
import { Instant } from '../time/instant.ts'
import { LocalDate } from '../time/local-date.ts'
import { LocalDateTime } from '../time/local-date-time.ts'
import { LocalTime } from '../time/local-time.ts'
import { field } from '../time/units.ts'
import { type ZoneId, zoneOf } from '../time/zone.ts'
import { ZonedDateTime } from '../time/zoned-date-time.ts'

export class JDate extends JObject {
  #millis: bigint

  constructor(millis: bigint) {
    super()
    this.#millis = millis
  }

  get $class(): string {
    return 'java.util.Date'
  }

  getTime_0(): bigint {
    return this.#millis
  }

  setTime_1 = (millis: bigint): void => {
    this.#millis = millis
  }
  after_1(other: JDate): boolean {
    return this.#millis > other.#millis
  }

  before_1(other: JDate): boolean {
    return this.#millis < other.#millis
  }

  clone_0(): JDate {
    return new JDate(this.#millis)
  }

  compareTo_1(other: JDate): number {
    return this.#millis < other.#millis ? -1 : this.#millis > other.#millis ? 1 : 0
  }

  toInstant_0(): Instant {
    return Instant.ofNanos(this.#millis * 1_000_000n)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof JDate && other.#millis === this.#millis
  }

  override hashCode_0(): number {
    return longHash(this.#millis)
  }

  override toString_0(): string {
    return TEXT.format_1(this.toInstant_0())
  }

  toJsonValue(): string {
    const text = this.toInstant_0().toString_0()
    return /\.\d+Z$/.test(text) ? text : text.replace('Z', '.000Z')
  }
}

const TEXT = new DateTimeFormatter(compilePattern("EEE MMM dd HH:mm:ss 'UTC' yyyy"), {
  locale: DEFAULT_LOCALE,
  zone: zoneOf('UTC'),
})

registerConstructors('java.util.Date', {
  0: () => new JDate(BigInt(Date.now())),
  1: (millis: bigint) => new JDate(millis),
})
registerStatics('java.util.Date', { from_1: (instant: Instant) => new JDate(instant.toEpochMilli_0()) })

export class JTimeZone extends JObject {
  readonly zone: ZoneId
  readonly #id: string

  constructor(id: string) {
    super()
    this.#id = id
    this.zone = knownZone(id)
  }

  get $class(): string {
    return 'sun.util.calendar.ZoneInfo'
  }

  override get $listed(): string {
    return 'java.util.TimeZone'
  }

  getID_0(): string {
    return this.zone.id === 'GMT' ? 'GMT' : this.#id
  }

  toZoneId_0(): ZoneId {
    return this.zone
  }

  getRawOffset_0(): number {
    return this.zone.zone.offsetAt(Date.UTC(2024, 0, 1))
  }

  getOffset_1(millis: bigint): number {
    return this.zone.zone.offsetAt(Number(millis))
  }

  inDaylightTime_1(date: JDate): boolean {
    return this.getOffset_1(date.getTime_0()) !== this.getRawOffset_0()
  }
}

/** The zone of an id. Unknown names mean GMT. */
function knownZone(id: string): ZoneId {
  try {
    return zoneOf(id)
  } catch {
    return zoneOf('GMT')
  }
}

registerStatics('java.util.TimeZone', {
  getTimeZone_1: (id: string) => new JTimeZone(id),
  getDefault_0: () => new JTimeZone('UTC'),
})

class SimpleDateFormat extends JObject {
  readonly #pattern: string
  readonly #format: DateTimeFormatter
  #zone: JTimeZone = new JTimeZone('UTC')

  constructor(pattern: string, locale: JLocale = DEFAULT_LOCALE) {
    super()
    this.#pattern = pattern
    // In SimpleDateFormat `u` is the day of the week and `y` the calendar year; in java.time they are `e` and `u`.
    this.#format = new DateTimeFormatter(compilePattern(pattern.replace(/u/g, 'e').replace(/y/g, 'u')), { locale })
  }

  get $class(): string {
    return 'java.text.SimpleDateFormat'
  }

  setTimeZone_1 = (zone: JTimeZone): void => {
    this.#zone = zone
  }
  getTimeZone_0(): JTimeZone {
    return this.#zone
  }

  toPattern_0(): string {
    return this.#pattern
  }

  setLenient_1 = (_lenient: boolean): void => {}

  format_1(date: JDate): string {
    const { seconds, nano } = date.toInstant_0()
    return this.#format.format_1(ZonedDateTime.ofInstant(seconds, nano, this.#zone.zone))
  }

  parse_1(text: string): JDate {
    try {
      const parsed = this.#format.parse_1(text)
      const part = (name: string, fallback: number) => parsed.fieldValue(field(name)) ?? fallback
      const date = parsed.date ?? LocalDate.of(part('YEAR', 1970), part('MONTH_OF_YEAR', 1), part('DAY_OF_MONTH', 1))
      const local = new LocalDateTime(date, parsed.time ?? new LocalTime(0))
      const zoned = ZonedDateTime.ofLocal(local, parsed.zone ?? this.#zone.zone, parsed.offset)
      return new JDate(zoned.toEpochMilli_0())
    } catch {
      throw throwable('java.text.ParseException', `Unparseable date: "${text}"`)
    }
  }
}

registerConstructors('java.text.SimpleDateFormat', {
  1: (pattern: string) => new SimpleDateFormat(pattern),
  2: (pattern: string, locale: JLocale) => new SimpleDateFormat(pattern, locale),
})
