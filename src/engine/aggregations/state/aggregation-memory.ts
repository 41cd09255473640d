/**
 * Counts the bytes that the aggregations of one search hold, so that a request for too much is refused before the process
 * runs out of memory. Small growth is not worth counting; arrays report when they double. Results of one shard stay while the next
 * is looked at, its arrays do not.
 */
import { aggregationTooLarge } from '../../../base/errors/aggregation-errors.ts'
import type { MemoryClaim } from '../../../base/memory/circuit-breakers.ts'
import type { SearchGuard } from '../../scoring/search-guard.ts'

/** A share of what a process of the usual size has; Elasticsearch's request breaker is 60 % of its heap. */
const AGGREGATION_BYTES_MAX = 1 << 30

/** About what a bucket costs as an object with its key and the results of its children. */
const RESULT_BYTES = 320
/** Buckets that take as long to be made as a window of documents does. */
const RESULTS_PER_STEP = 512

export class AggregationMemory {
  readonly #bytesMax: number
  /** What all searches hold together is counted there. */
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

  /** Accounts for one more bucket, and asks the guard: the client may have gone away while very many are made. */
  addResult(guard: SearchGuard | undefined): void {
    if (++this.#results % RESULTS_PER_STEP !== 0) return
    this.#check()
    guard?.isOver()
  }

  /** The arrays of a shard are let go. */
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
