/**
 * Counts the bytes held by the aggregations of one search, so that a request for too much is rejected before the
 * process runs out of memory. Only doublings of arrays are counted. The results of a shard are kept while the next is
 * searched; its arrays are not.
 */
import { aggregationTooLarge } from '../../../base/errors/aggregation-errors.ts'
import type { MemoryClaim } from '../../../base/memory/circuit-breakers.ts'
import type { SearchGuard } from '../../scoring/search-guard.ts'

/** A fraction of the memory of a usual process; Elasticsearch's request breaker is 60 % of its heap. */
const AGGREGATION_BYTES_MAX = 1 << 30

/** The approximate size of a bucket object with its key and the results of its children. */
const RESULT_BYTES = 320
/** Creating this many buckets takes as long as processing a window of documents. */
const RESULTS_PER_STEP = 512

export class AggregationMemory {
  readonly #bytesMax: number
  /** The shared account of all searches. */
  readonly #claim: MemoryClaim | undefined
  #bytes: number
  #results: number

  constructor(bytesMax = AGGREGATION_BYTES_MAX, claim?: MemoryClaim) {
    this.#bytesMax = bytesMax
    this.#claim = claim
    this.#bytes = 0
    this.#results = 0
  }

  add(bytes: number): void {
    this.#bytes += bytes
    this.#check()
  }

  /** Counts one more bucket, and calls the guard, because the client may have disconnected. */
  addResult(guard: SearchGuard | undefined): void {
    if (++this.#results % RESULTS_PER_STEP !== 0) return
    this.#check()
    guard?.isOver()
  }

  /** The arrays of a shard are released. */
  endShard(): void {
    this.#bytes = 0
  }

  #check(): void {
    const bytes = this.#bytes + this.#results * RESULT_BYTES
    if (bytes > this.#bytesMax) throw aggregationTooLarge(bytes, this.#bytesMax)
    this.#claim?.resize(bytes)
  }

  /** The search is over. */
  end(): void {
    this.#claim?.release()
  }

  release(bytes: number): void {
    this.#bytes -= bytes
  }
}
