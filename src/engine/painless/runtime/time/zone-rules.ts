/** java.time.zone.ZoneRules: the offsets of a zone and when they change. */
import { make } from '../collections/iterable.ts'
import type { JList } from '../collections/list.ts'
import { JObject } from '../java-object.ts'
import { Duration } from './amounts.ts'
import { Instant } from './instant.ts'
import { LocalDateTime } from './local-date-time.ts'
import { ZoneId, ZoneOffset } from './zone.ts'

const secondsOf = (seconds: number) => new Duration(BigInt(seconds) * 1_000_000_000n)

const DAY = 86_400
/** Changes are looked for in steps of a week: no zone changes twice within one. */
const STEP = 7 * DAY
/** The search for the next change ends after this time: a zone without a change until then has none. */
const HORIZON = 200 * 365 * DAY

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
    const year = new Date(at.seconds * 1000).getUTCFullYear()
    const offsets = [0, 6].map((month) => this.#zone.offsetAt(Date.UTC(year, month, 1) / 1000).seconds)
    return ZoneOffset.of(Math.min(...offsets))
  }

  getDaylightSavings_1(at: Instant): Duration {
    return secondsOf(this.getOffset_1(at).seconds - this.getStandardOffset_1(at).seconds)
  }

  isDaylightSavings_1(at: Instant): boolean {
    return this.getOffset_1(at) !== this.getStandardOffset_1(at)
  }

  nextTransition_1(after: Instant): ZoneOffsetTransition | null {
    if (this.isFixedOffset_0()) return null
    const end = Math.min(after.seconds + HORIZON, 4_102_444_800)
    for (let from = after.seconds; from < end; from += STEP) {
      if (this.#at(from) !== this.#at(from + STEP)) return this.#between(from, from + STEP)
    }
    return null
  }

  previousTransition_1(before: Instant): ZoneOffsetTransition | null {
    if (this.isFixedOffset_0()) return null
    for (let to = before.seconds - 1; to > -4_000_000_000; to -= STEP) {
      if (this.#at(to) !== this.#at(to - STEP)) return this.#between(to - STEP, to)
    }
    return null
  }

  getTransition_1(local: LocalDateTime): ZoneOffsetTransition | null {
    if (this.#zone.offsetsOfLocal(local.localSeconds).length === 1) return null
    return this.nextTransition_1(Instant.of(local.localSeconds - 2 * DAY))
  }

  #at(seconds: number): ZoneOffset {
    return this.#zone.offsetAt(seconds)
  }

  /** The first second with another offset than `low`. */
  #between(low: number, high: number): ZoneOffsetTransition {
    const before = this.#at(low)
    let from = low
    let to = high
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2)
      if (this.#at(middle) === before) from = middle
      else to = middle
    }
    return new ZoneOffsetTransition(to, before, this.#at(to))
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

export class ZoneOffsetTransition extends JObject {
  readonly #seconds: number
  readonly #before: ZoneOffset
  readonly #after: ZoneOffset

  constructor(seconds: number, before: ZoneOffset, after: ZoneOffset) {
    super()
    this.#seconds = seconds
    this.#before = before
    this.#after = after
  }

  get $class(): string {
    return 'java.time.zone.ZoneOffsetTransition'
  }

  getInstant_0(): Instant {
    return Instant.of(this.#seconds)
  }

  toEpochSecond_0(): bigint {
    return BigInt(this.#seconds)
  }

  getOffsetBefore_0(): ZoneOffset {
    return this.#before
  }

  getOffsetAfter_0(): ZoneOffset {
    return this.#after
  }

  getDateTimeBefore_0(): LocalDateTime {
    return LocalDateTime.ofLocalSeconds(this.#seconds + this.#before.seconds, 0)
  }

  getDateTimeAfter_0(): LocalDateTime {
    return LocalDateTime.ofLocalSeconds(this.#seconds + this.#after.seconds, 0)
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
    return Math.sign(this.#seconds - other.#seconds)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof ZoneOffsetTransition && other.toString_0() === this.toString_0()
  }

  override hashCode_0(): number {
    return this.#seconds | 0
  }

  override toString_0(): string {
    const kind = this.isGap_0() ? 'Gap' : 'Overlap'
    return `Transition[${kind} at ${this.getDateTimeBefore_0().toString_0()}${this.#before.id} to ${this.#after.id}]`
  }
}

/** Zones know their rules, whose classes need theirs. */
Object.defineProperty(ZoneId.prototype, 'getRules_0', {
  value(this: ZoneId) {
    return new ZoneRules(this)
  },
})
