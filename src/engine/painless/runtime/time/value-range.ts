/** java.time.temporal.ValueRange: the values a field can have. */
import { dateTime, illegalArgument } from '../../errors/java-throwable.ts'
import { JObject } from '../java-object.ts'
import { registerStatics } from '../registry.ts'

const INT_MIN = -2147483648n
const INT_MAX = 2147483647n

export class ValueRange extends JObject {
  readonly #least: bigint
  readonly #largestLeast: bigint
  readonly #smallestMost: bigint
  readonly #most: bigint

  constructor(least: bigint, largestLeast: bigint, smallestMost: bigint, most: bigint) {
    super()
    this.#least = least
    this.#largestLeast = largestLeast
    this.#smallestMost = smallestMost
    this.#most = most
  }

  static of(least: bigint, largestLeast: bigint, smallestMost: bigint, most: bigint): ValueRange {
    if (least > largestLeast) throw illegalArgument('Smallest minimum value must be less than largest minimum value')
    if (smallestMost > most) throw illegalArgument('Smallest maximum value must be less than largest maximum value')
    if (largestLeast > most) throw illegalArgument('Largest minimum value must be less than largest maximum value')
    if (least > smallestMost) throw illegalArgument('Smallest minimum value must be less than smallest maximum value')
    return new ValueRange(least, largestLeast, smallestMost, most)
  }

  static between(least: number, most: number, smallestMost = most, largestLeast = least): ValueRange {
    return new ValueRange(BigInt(least), BigInt(largestLeast), BigInt(smallestMost), BigInt(most))
  }

  get $class(): string {
    return 'java.time.temporal.ValueRange'
  }

  getMinimum_0(): bigint {
    return this.#least
  }

  getLargestMinimum_0(): bigint {
    return this.#largestLeast
  }

  getSmallestMaximum_0(): bigint {
    return this.#smallestMost
  }

  getMaximum_0(): bigint {
    return this.#most
  }

  isFixed_0(): boolean {
    return this.#least === this.#largestLeast && this.#smallestMost === this.#most
  }

  isIntValue_0(): boolean {
    return this.#least >= INT_MIN && this.#most <= INT_MAX
  }

  isValidValue_1(value: bigint): boolean {
    return value >= this.#least && value <= this.#most
  }

  isValidIntValue_1(value: bigint): boolean {
    return this.isIntValue_0() && this.isValidValue_1(value)
  }

  checkValidValue_2(value: bigint, field: JObject | null): bigint {
    if (!this.isValidValue_1(value)) throw this.#invalid(value, field)
    return value
  }

  checkValidIntValue_2(value: bigint, field: JObject | null): number {
    if (!this.isValidIntValue_1(value)) throw this.#invalid(value, field)
    return Number(value)
  }

  #invalid(value: bigint, field: JObject | null) {
    const what = field === null ? 'Invalid value' : `Invalid value for ${field.toString_0()}`
    return dateTime(`${what} (valid values ${this.toString_0()}): ${value}`)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof ValueRange && other.toString_0() === this.toString_0()
  }

  override hashCode_0(): number {
    const sum =
      this.#least +
      (this.#largestLeast << 16n) +
      (this.#largestLeast >> 48n) +
      (this.#smallestMost << 32n) +
      (this.#smallestMost >> 32n) +
      (this.#most << 48n) +
      (this.#most >> 16n)
    return Number(BigInt.asIntN(32, sum ^ (BigInt.asUintN(64, sum) >> 32n)))
  }

  override toString_0(): string {
    const pair = (a: bigint, b: bigint) => (a === b ? `${a}` : `${a}/${b}`)
    return `${pair(this.#least, this.#largestLeast)} - ${pair(this.#smallestMost, this.#most)}`
  }
}

registerStatics('java.time.temporal.ValueRange', {
  of_2: (least: bigint, most: bigint) => {
    if (least > most) throw illegalArgument('Minimum value must be less than maximum value')
    return ValueRange.of(least, least, most, most)
  },
  of_3: (least: bigint, smallestMost: bigint, most: bigint) => {
    if (least > smallestMost) throw illegalArgument('Minimum value must be less than smallest maximum value')
    return ValueRange.of(least, least, smallestMost, most)
  },
  of_4: ValueRange.of,
})
