/** java.util.Date. */
import { ISO_WEEKS } from '../../../time/civil-date.ts'
import { longHash } from '../equality.ts'
import { JObject } from '../java-object.ts'
import { registerConstructors, registerStatics } from '../registry.ts'
import { Instant } from '../time/instant.ts'
import { two } from '../time/local-date.ts'
import { fieldsOf } from './calendar-fields.ts'

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
    const { YEAR, MONTH, DAY_OF_MONTH, DAY_OF_WEEK, HOUR_OF_DAY, MINUTE, SECOND } = fieldsOf(
      Number(this.#millis),
      ISO_WEEKS,
    )
    const time = [HOUR_OF_DAY, MINUTE, SECOND].map(two).join(':')
    return `${WEEKDAYS[DAY_OF_WEEK - 1]} ${MONTHS[MONTH]} ${two(DAY_OF_MONTH)} ${time} UTC ${YEAR}`
  }

  toJsonValue(): string {
    const text = this.toInstant_0().toString_0()
    return /\.\d+Z$/.test(text) ? text : text.replace('Z', '.000Z')
  }
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

registerConstructors('java.util.Date', {
  0: () => new JDate(BigInt(Date.now())),
  1: (millis: bigint) => new JDate(millis),
})
registerStatics('java.util.Date', { from_1: (instant: Instant) => new JDate(instant.toEpochMilli_0()) })
