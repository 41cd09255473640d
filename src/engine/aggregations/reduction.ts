/** The merging of the shards' results into one: counts the buckets it makes, because a client can ask for more than fit. */
import { tooManyBuckets } from '../../base/errors/aggregation-errors.ts'

export class Reduction {
  readonly #bucketsMax: number
  #buckets: number

  constructor(bucketsMax: number) {
    this.#bucketsMax = bucketsMax
    this.#buckets = 0
  }

  addBuckets(count: number): void {
    this.#buckets += count
    if (this.#buckets > this.#bucketsMax) throw tooManyBuckets(this.#bucketsMax)
  }
}
