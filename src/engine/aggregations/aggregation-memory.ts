/**
 * Counts the bytes that the aggregations of one search hold, so that a request for too much is refused before the process
 * runs out of memory. Small growth is not worth counting; arrays report when they double.
 */
import { aggregationTooLarge } from '../../base/errors/aggregation-errors.ts'

/** A share of what a process of the usual size has; Elasticsearch's request breaker is 60 % of its heap. */
export const AGGREGATION_BYTES_MAX = 1 << 30

export class AggregationMemory {
  readonly #bytesMax: number
  #bytes: number

  constructor(bytesMax = AGGREGATION_BYTES_MAX) {
    this.#bytesMax = bytesMax
    this.#bytes = 0
  }

  add(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#bytesMax) throw aggregationTooLarge(this.#bytes, this.#bytesMax)
  }

  release(bytes: number): void {
    this.#bytes -= bytes
  }
}
