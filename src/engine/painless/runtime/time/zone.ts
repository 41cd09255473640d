/** ZoneId and ZoneOffset. */
import { ApiError } from '../../../../base/api-error.ts'
import { instantsOf, offsetZone, type TimeZone, timeZone } from '../../../time/zone/time-zone.ts'
import { dateTime, nullPointer, zoneRules } from '../../errors/java-throwable.ts'
import type { JMap } from '../collections/map.ts'
import { stringHash } from '../equality.ts'
import type { JEnum } from '../java-enum.ts'
import { JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import type { JLocale } from '../lang/locale.ts'
import type { Temporal } from './temporal.ts'
import { unsupportedField } from './temporal.ts'
import { type ChronoField, field } from './units.ts'

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
    return ZoneOffset.of(this.zone.offsetAt(utcSeconds * 1000) / 1000)
  }

  /** The valid offsets of a local time: none in a gap, two if clocks are set back. */
  offsetsOfLocal(localSeconds: number): ZoneOffset[] {
    return instantsOf(this.zone, localSeconds * 1000).map((utcMs) => ZoneOffset.of(localSeconds - utcMs / 1000))
  }

  getId_0(): string {
    return this.id
  }

  getDisplayName_2(_style: JEnum, locale: JLocale): string {
    return (
      new Intl.DateTimeFormat(locale.tag === '' ? 'en' : locale.tag, { timeZone: this.id, timeZoneName: 'longGeneric' })
        .formatToParts(0)
        .find((part) => part.type === 'timeZoneName')?.value ?? this.id
    )
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
  try {
    const zone = timeZone(name)
    if (/^[Z+-]/.test(name)) return ZoneOffset.of(zone.fixedOffsetMs! / 1000)
    return new ZoneId(zone)
  } catch (e) {
    if (!(e instanceof ApiError)) throw e
    throw e.type === 'zone_rules_exception' ? zoneRules(e.message) : dateTime(e.message)
  }
}

/** The zone of an engine time zone. */
export function zoneFrom(zone: TimeZone): ZoneId {
  return /^[Z+-]/.test(zone.id) ? ZoneOffset.of(zone.fixedOffsetMs! / 1000) : new ZoneId(zone)
}
