/** IntSummaryStatistics, LongSummaryStatistics and DoubleSummaryStatistics. */

import { compareDoubles } from '../equality.ts'
import { JObject } from '../java-object.ts'
import { LONG_MAX, LONG_MIN } from '../numbers.ts'
import { registerConstructors } from '../registry.ts'
import { formatFixed } from '../text/format-number.ts'

export class Statistics extends JObject {
  readonly kind: string
  count = 0
  #whole = 0n
  #sum = 0
  #compensation = 0
  #simple = 0
  #min: number | bigint
  #max: number | bigint

  constructor(kind: string) {
    super()
    this.kind = kind
    const long = kind === 'Long'
    this.#min = kind === 'Int' ? 2147483647 : long ? LONG_MAX : Number.POSITIVE_INFINITY
    this.#max = kind === 'Int' ? -2147483648 : long ? LONG_MIN : Number.NEGATIVE_INFINITY
  }

  get $class(): string {
    return `java.util.${this.kind}SummaryStatistics`
  }

  accept(value: number | bigint): void {
    this.count++
    if (this.kind === 'Double') {
      const number = value as number
      this.#simple += number
      this.#add(number)
      this.#min = Number.isNaN(number) || compareDoubles(number, this.#min as number) < 0 ? number : this.#min
      this.#max = compareDoubles(number, this.#max as number) > 0 ? number : this.#max
      return
    }
    this.#whole = BigInt.asIntN(64, this.#whole + BigInt(value))
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
  }

  /** Kahan's summation, as Java sums doubles. */
  #add(value: number): void {
    const corrected = value - this.#compensation
    const next = this.#sum + corrected
    this.#compensation = next - this.#sum - corrected
    this.#sum = next
  }

  sum(): number {
    const sum = this.#sum - this.#compensation
    return Number.isNaN(sum) && !Number.isFinite(this.#simple) ? this.#simple : sum
  }

  accept_1(value: number | bigint): void {
    this.accept(value)
  }

  getCount_0(): bigint {
    return BigInt(this.count)
  }

  getMin_0(): number | bigint {
    return this.#min
  }

  getMax_0(): number | bigint {
    return this.#max
  }

  getSum_0(): number | bigint {
    return this.kind === 'Double' ? this.sum() : this.#whole
  }

  getAverage_0(): number {
    if (this.count === 0) return 0
    return (this.kind === 'Double' ? this.sum() : Number(this.#whole)) / this.count
  }

  combine_1(other: Statistics): void {
    if (other.count === 0) return
    this.count += other.count
    this.#whole = BigInt.asIntN(64, this.#whole + other.#whole)
    this.#simple += other.#simple
    this.#add(other.#sum)
    this.#add(-other.#compensation)
    if (other.#min < this.#min) this.#min = other.#min
    if (other.#max > this.#max) this.#max = other.#max
  }

  override toString_0(): string {
    const text = (value: number | bigint) => (this.kind === 'Double' ? formatFixed(value as number, 6) : String(value))
    const average = formatFixed(this.getAverage_0(), 6)
    return `${this.kind}SummaryStatistics{count=${this.count}, sum=${text(this.getSum_0())}, min=${text(this.#min)}, average=${average}, max=${text(this.#max)}}`
  }
}

for (const kind of ['Int', 'Long', 'Double'])
  registerConstructors(`java.util.${kind}SummaryStatistics`, { 0: () => new Statistics(kind) })
