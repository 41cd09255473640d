/** ZoneId and ZoneOffset. */
import { ApiError } from '../../../../base/api-error.ts'
import { instantsOf, offsetZone, parseOffset, type TimeZone, timeZone } from '../../../time/zone/time-zone.ts'
import { dateTime, illegalArgument, nullPointer, zoneRules } from '../../errors/java-throwable.ts'
import type { JMap } from '../collections/map.ts'
import { stringHash } from '../equality.ts'
import type { JEnum } from '../java-enum.ts'
import { JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import type { JLocale } from '../lang/locale.ts'
import type { Temporal } from './temporal.ts'
import { unsupportedField } from './temporal.ts'
import { type ChronoField, field } from './units.ts'

const CYCLE_SECONDS = 146_097 * 86_400

/** A second of a nearer year with the same offsets. Milliseconds of far years are not exact as numbers. */
const near = (seconds: number): number =>
  Math.abs(seconds) < 1e12 ? seconds : (seconds % CYCLE_SECONDS) + Math.sign(seconds) * 4 * CYCLE_SECONDS

const WINTER = Date.UTC(2024, 0, 1)

/** Zones whose names the ICU data have, for those that they take for UTC or do not have. */
const NAMED: Readonly<Record<string, string>> = {
  GMT: 'Africa/Abidjan',
  'Etc/GMT': 'Africa/Abidjan',
  '-05:00': 'America/Panama',
  '-07:00': 'America/Phoenix',
  '-10:00': 'Pacific/Honolulu',
}

/** The name of a zone in the ICU data. */
export function zoneName(id: string, locale: string, style: Intl.DateTimeFormatOptions['timeZoneName'], at: number) {
  const format = new Intl.DateTimeFormat(locale, { timeZone: NAMED[id] ?? id, timeZoneName: style })
  return format.formatToParts(at).find((part) => part.type === 'timeZoneName')!.value
}

export class ZoneId extends JObject {
  readonly zone: TimeZone

  constructor(zone: TimeZone) {
    super()
    this.zone = zone
  }

  get $class(): string {
    return 'java.time.ZoneRegion'
  }

  override get $listed(): string {
    return 'java.time.ZoneId'
  }

  get id(): string {
    return this.zone.id
  }

  offsetAt(utcSeconds: number): ZoneOffset {
    return ZoneOffset.of(this.zone.offsetAt(near(utcSeconds) * 1000) / 1000)
  }

  /** The valid offsets of a local time: none in a gap, two if clocks are set back. */
  offsetsOfLocal(localSeconds: number): ZoneOffset[] {
    const local = near(localSeconds)
    return instantsOf(this.zone, local * 1000).map((utcMs) => ZoneOffset.of(local - utcMs / 1000))
  }

  /** The seconds by which a local time in a gap moves forward. */
  gapOfLocal(localSeconds: number): number {
    const local = near(localSeconds)
    const utc = this.zone.toUtc(local * 1000) / 1000
    return utc + this.offsetAt(utc).seconds - local
  }

  getId_0(): string {
    return this.id
  }

  getDisplayName_2(style: JEnum, locale: JLocale): string {
    const isFixed = this.zone.fixedOffsetMs !== undefined
    if (style.name === 'NARROW' || (isFixed && !/^(UTC|GMT)$/.test(this.id))) return this.id
    const full = zoneName(this.id, 'en', isFixed ? 'long' : 'longGeneric', WINTER)
    if (!isFixed && !/^((Central|Eastern|Western) European|Eastern|Central|Mountain|Pacific) Time$/.test(full))
      throw illegalArgument(`this name of time zone [${this.id}] is not supported`)
    if (!style.name.startsWith('FULL')) return isFixed ? this.id : full.replace(/[^A-Z]/g, '')
    return zoneName(this.id, locale.tag === '' ? 'en' : locale.tag, isFixed ? 'long' : 'longGeneric', WINTER)
  }

  normalized_0(): ZoneId {
    const { fixedOffsetMs } = this.zone
    return fixedOffsetMs === undefined ? this : ZoneOffset.of(fixedOffsetMs / 1000)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof ZoneId && other.id === this.id
  }

  override hashCode_0(): number {
    return stringHash(this.id)
  }

  override toString_0(): string {
    return this.id
  }
}

const OFFSET_MAX = 18 * 3600

export class ZoneOffset extends ZoneId {
  readonly seconds: number

  private constructor(seconds: number) {
    super(offsetZone(seconds))
    this.seconds = seconds
  }

  static of(seconds: number): ZoneOffset {
    if (Math.abs(seconds) > OFFSET_MAX) throw dateTime('Zone offset not in valid range: -18:00 to +18:00')
    let offset = OFFSETS.get(seconds)
    if (offset === undefined) {
      offset = new ZoneOffset(seconds)
      OFFSETS.set(seconds, offset)
    }
    return offset
  }

  /** The offset of hours, minutes and seconds of one sign. */
  static ofParts(hours: number, minutes: number, seconds: number): ZoneOffset {
    const parts = [hours, minutes, seconds]
    for (const [i, name] of ['hours', 'minutes', 'seconds'].entries()) {
      const most = i === 0 ? 18 : 59
      if (Math.abs(parts[i]!) > most)
        throw dateTime(
          `Zone offset ${name} not in valid range: value ${parts[i]} is not in the range -${most} to ${most}`,
        )
    }
    const sign = hours > 0 ? 'positive' : 'negative'
    if (hours * minutes < 0 || hours * seconds < 0)
      throw dateTime(`Zone offset minutes and seconds must be ${sign} because hours is ${sign}`)
    if (minutes * seconds < 0) throw dateTime('Zone offset minutes and seconds must have the same sign')
    return ZoneOffset.of(hours * 3600 + minutes * 60 + seconds)
  }

  override getDisplayName_2(): string {
    return this.id
  }

  override get $class(): string {
    return 'java.time.ZoneOffset'
  }

  override get $listed(): string {
    return 'java.time.ZoneOffset'
  }

  override offsetAt(): ZoneOffset {
    return this
  }

  override offsetsOfLocal(): ZoneOffset[] {
    return [this]
  }

  getTotalSeconds_0(): number {
    return this.seconds
  }

  compareTo_1(other: ZoneOffset): number {
    return other.seconds - this.seconds
  }

  fieldValue(name: ChronoField): number | undefined {
    return name.name === 'OFFSET_SECONDS' ? this.seconds : undefined
  }

  get_1(name: ChronoField): number {
    if (name !== field('OFFSET_SECONDS')) throw unsupportedField(name)
    return this.seconds
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return temporal.with_2(field('OFFSET_SECONDS'), BigInt(this.seconds))
  }

  override hashCode_0(): number {
    return this.seconds
  }
}

const OFFSETS = new Map<number, ZoneOffset>()

export const UTC_OFFSET = ZoneOffset.of(0)

/** The zone of an id. Throws the same errors as the JVM. */
export function zoneOf(id: string | null, aliases?: JMap): ZoneId {
  if (id === null) throw nullPointer('zoneId')
  const name = aliases === undefined ? id : textOf(aliases.getOrDefault_2(id, id))
  return withJavaErrors(() => {
    const zone = timeZone(name)
    if (/^[Z+-]/.test(name)) return ZoneOffset.of(zone.fixedOffsetMs! / 1000)
    return new ZoneId(zone)
  })
}

function withJavaErrors<T>(find: () => T): T {
  try {
    return find()
  } catch (e) {
    if (!(e instanceof ApiError)) throw e
    throw e.type === 'zone_rules_exception' ? zoneRules(e.message) : dateTime(e.message)
  }
}

/** The offset of an id, which is read as one whatever it begins with. */
export function offsetOf(id: string): ZoneOffset {
  return withJavaErrors(() => (id === 'Z' ? UTC_OFFSET : ZoneOffset.of(parseOffset(id))))
}

/** The zone of an engine time zone. */
export function zoneFrom(zone: TimeZone): ZoneId {
  return /^[Z+-]/.test(zone.id) ? ZoneOffset.of(zone.fixedOffsetMs! / 1000) : new ZoneId(zone)
}
