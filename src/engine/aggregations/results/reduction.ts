/**
 * The merging of shard results. It counts the buckets it creates, because a client can request more than fit. Buckets
 * inside empty ones do not count for `search.max_buckets`, but they are limited too.
 */
import { tooManyBuckets } from '../../../base/errors/aggregation-errors.ts'

const EMPTY_MAX = 1 << 21

export class Reduction {
  readonly #bucketsMax: number
  #buckets: number
  #empty: number

  constructor(bucketsMax: number) {
    this.#bucketsMax = bucketsMax
    this.#buckets = 0
    this.#empty = 0
  }

  addBuckets(count: number): void {
    this.#buckets += count
    if (this.#buckets > this.#bucketsMax) throw tooManyBuckets(this.#bucketsMax)
  }

  /** Throws if this many more buckets would be too many, before they are created. */
  checkBuckets(count: number): void {
    if (this.#buckets + count > this.#bucketsMax) throw tooManyBuckets(this.#bucketsMax)
  }

  addEmptyBuckets(count: number): void {
    this.#empty += count
    if (this.#empty > EMPTY_MAX) throw tooManyBuckets(this.#bucketsMax)
  }
}
