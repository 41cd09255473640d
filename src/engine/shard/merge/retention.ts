/**
 * From which operation on a shard keeps documents that were deleted or replaced, and the marks of deletes, through merges.
 *
 * Nothing here reads that history. Elasticsearch keeps it for replicas that come back, and deleted documents count for scores, take
 * document numbers and show in statistics, so keeping fewer of them would be seen. Its two reasons to keep an operation: it came
 * after the last commit, or after the lease of the shard's copy was renewed, which happens every 30 seconds.
 */

const RENEWAL_MS = 30_000

export class Retention {
  readonly #nowMs: () => number
  /** The first operation the lease keeps. */
  #leasedFrom: number
  #renewalAtMs: number

  constructor(leasedFrom: number, nowMs: () => number) {
    this.#nowMs = nowMs
    this.#leasedFrom = leasedFrom
    this.#renewalAtMs = nowMs() + RENEWAL_MS
  }

  /**
   * To be called before the operation `nextSeqNo` happens: a renewal that was due before it covers those before it. So there
   * needs to be no timer.
   */
  catchUp(nextSeqNo: number): void {
    const overdueMs = this.#nowMs() - this.#renewalAtMs
    if (overdueMs < 0) return
    this.#leasedFrom = nextSeqNo
    this.#renewalAtMs += (Math.floor(overdueMs / RENEWAL_MS) + 1) * RENEWAL_MS
  }

  /** The first operation to keep. */
  from(nextSeqNo: number, committedSeqNo: number): number {
    this.catchUp(nextSeqNo)
    return Math.min(this.#leasedFrom, committedSeqNo + 1)
  }
}
