/** java.time.zone.ZoneRules: the offsets of a zone and when they change. */
import { fromEpochDay, toEpochDay } from '../../../time/civil-date.ts'
import { lastTransition } from '../../../time/zone/time-zone.ts'
import { make } from '../collections/iterable.ts'
import type { JList } from '../collections/list.ts'
import { JObject } from '../java-object.ts'
import { registerStatics } from '../registry.ts'
import { Duration } from './amounts.ts'
import { Instant } from './instant.ts'
import { LocalDateTime } from './local-date-time.ts'
import { ZoneId, ZoneOffset } from './zone.ts'

const secondsOf = (seconds: number) => new Duration(BigInt(seconds) * 1_000_000_000n)

const DAY = 86_400
const CYCLE_DAYS = 146_097
const CYCLE = CYCLE_DAYS * DAY
/** No zone changed its offset before the first of these years. Zones repeat the changes of the last year in every later one. */
const FIRST = toEpochDay(1800, 1, 1) * DAY
const LAST = toEpochDay(2040, 1, 1) * DAY
const TWO_YEARS = 731 * DAY

export class ZoneRules extends JObject {
  readonly #zone: ZoneId

  constructor(zone: ZoneId) {
    super()
    this.#zone = zone
  }

  get $class(): string {
    return 'java.time.zone.ZoneRules'
  }

  isFixedOffset_0(): boolean {
    return this.#zone.zone.fixedOffsetMs !== undefined
  }

  getOffset_1(at: Instant | LocalDateTime): ZoneOffset {
    if (!(at instanceof LocalDateTime)) return this.#zone.offsetAt(at.seconds)
    const [first] = this.#zone.offsetsOfLocal(at.localSeconds)
    return first ?? this.#zone.offsetAt(at.localSeconds - this.#zone.offsetAt(at.localSeconds).seconds)
  }

  getValidOffsets_1(local: LocalDateTime): JList {
    return make.list(this.#zone.offsetsOfLocal(local.localSeconds))
  }

  isValidOffset_2(local: LocalDateTime, offset: ZoneOffset): boolean {
    return this.#zone.offsetsOfLocal(local.localSeconds).includes(offset)
  }

  /** The smaller of the offsets in winter and in summer. */
  getStandardOffset_1(at: Instant): ZoneOffset {
    const { year } = fromEpochDay(at.day)
    const offsets = [1, 7].map((month) => this.#zone.offsetAt(toEpochDay(year, month, 1) * DAY).seconds)
    return ZoneOffset.of(Math.min(...offsets))
  }

  getDaylightSavings_1(at: Instant): Duration {
    return secondsOf(this.getOffset_1(at).seconds - this.getStandardOffset_1(at).seconds)
  }

  isDaylightSavings_1(at: Instant): boolean {
    return this.getOffset_1(at) !== this.getStandardOffset_1(at)
  }

  nextTransition_1(after: Instant): ZoneOffsetTransition | null {
    if (this.isFixedOffset_0() || after.equals_1(Instant.MAX)) return null
    const cycles = cyclesOf(after)
    const from = Math.max(after.seconds - cycles * CYCLE, FIRST)
    const end = (Math.max(from, LAST) + TWO_YEARS) * 1000
    const { zone } = this.#zone
    for (let span = zone.spanAt(from * 1000); span.toMs < end; ) {
      const next = zone.spanAt(span.toMs)
      if (next.offsetMs !== span.offsetMs) return this.#transition(span.toMs, cycles)
      span = next
    }
    return null
  }

  previousTransition_1(before: Instant): ZoneOffsetTransition | null {
    if (this.isFixedOffset_0()) return null
    const cycles = cyclesOf(before)
    const to = (before.seconds - cycles * CYCLE - (before.nano > 0 ? 0 : 1)) * 1000
    const { zone } = this.#zone
    const recent = to > LAST * 1000 ? lastTransition(zone, to - TWO_YEARS * 1000, to) : undefined
    if (recent !== undefined) return this.#transition(recent, cycles)
    const found = to < FIRST * 1000 ? undefined : lastTransition(zone, FIRST * 1000, Math.min(to, LAST * 1000))
    return found === undefined ? null : this.#transition(found, 0)
  }

  getTransition_1(local: LocalDateTime): ZoneOffsetTransition | null {
    if (this.#zone.offsetsOfLocal(local.localSeconds).length === 1) return null
    return this.nextTransition_1(Instant.ofDay(local.date.epochDay - 2, local.time.nanos))
  }

  #transition(utcMs: number, cycles: number): ZoneOffsetTransition {
    const seconds = utcMs / 1000
    const before = this.#zone.offsetAt(seconds - 1)
    const local = LocalDateTime.ofDay(cycles * CYCLE_DAYS, (seconds % DAY) * 1e9 + before.seconds * 1e9)
    const date = local.date.plusDays(Math.trunc(seconds / DAY))
    return new ZoneOffsetTransition(new LocalDateTime(date, local.time), before, this.#zone.offsetAt(seconds))
  }

  override equals_1(other: unknown): boolean {
    return other instanceof ZoneRules && other.#zone.id === this.#zone.id
  }

  override hashCode_0(): number {
    return this.#zone.hashCode_0()
  }

  override toString_0(): string {
    return `ZoneRules[currentStandardOffset=${this.getStandardOffset_1(Instant.of(1_704_067_200)).toString_0()}]`
  }
}

/** The cycles of the calendar by which an instant of a far year is moved, so that its milliseconds are exact. */
const cyclesOf = ({ day }: Instant): number => Math.max(0, Math.floor((day - 5 * CYCLE_DAYS) / CYCLE_DAYS))

export class ZoneOffsetTransition extends JObject {
  readonly #local: LocalDateTime
  readonly #before: ZoneOffset
  readonly #after: ZoneOffset

  constructor(local: LocalDateTime, before: ZoneOffset, after: ZoneOffset) {
    super()
    this.#local = local
    this.#before = before
    this.#after = after
  }

  get $class(): string {
    return 'java.time.zone.ZoneOffsetTransition'
  }

  getInstant_0(): Instant {
    return Instant.ofDay(this.#local.date.epochDay, this.#local.time.nanos - this.#before.seconds * 1e9)
  }

  toEpochSecond_0(): bigint {
    return this.getInstant_0().getEpochSecond_0()
  }

  getOffsetBefore_0(): ZoneOffset {
    return this.#before
  }

  getOffsetAfter_0(): ZoneOffset {
    return this.#after
  }

  getDateTimeBefore_0(): LocalDateTime {
    return this.#local
  }

  getDateTimeAfter_0(): LocalDateTime {
    return this.#local.plusSeconds(this.#after.seconds - this.#before.seconds)
  }

  getDuration_0(): Duration {
    return secondsOf(this.#after.seconds - this.#before.seconds)
  }

  isGap_0(): boolean {
    return this.#after.seconds > this.#before.seconds
  }

  isOverlap_0(): boolean {
    return this.#after.seconds < this.#before.seconds
  }

  isValidOffset_1(offset: ZoneOffset): boolean {
    return this.isOverlap_0() && (offset === this.#before || offset === this.#after)
  }

  compareTo_1(other: ZoneOffsetTransition): number {
    return this.getInstant_0().compareTo_1(other.getInstant_0())
  }

  override equals_1(other: unknown): boolean {
    return other instanceof ZoneOffsetTransition && other.toString_0() === this.toString_0()
  }

  override hashCode_0(): number {
    const after = this.#after.hashCode_0()
    return this.#local.hashCode_0() ^ this.#before.hashCode_0() ^ ((after << 16) | (after >>> 16))
  }

  override toString_0(): string {
    const kind = this.isGap_0() ? 'Gap' : 'Overlap'
    return `Transition[${kind} at ${this.getDateTimeBefore_0().toString_0()}${this.#before.id} to ${this.#after.id}]`
  }
}

registerStatics('java.time.zone.ZoneRules', { of_1: (offset: ZoneOffset) => new ZoneRules(offset) })

/** Zones know their rules, whose classes need theirs. */
Object.defineProperty(ZoneId.prototype, 'getRules_0', {
  value(this: ZoneId) {
    return new ZoneRules(this)
  },
})
