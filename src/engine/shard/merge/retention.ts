/**
 * The first operation whose history (deleted and replaced documents, delete markers) a shard keeps through merges.
 *
 * Nothing in this engine reads that history; leases on changes keep files of the log (`history/`). Elasticsearch keeps it for
 * returning replicas. Deleted documents affect
 * scores, take document numbers and show in statistics, so keeping fewer of them would be visible. Elasticsearch keeps
 * an operation for two reasons: it came after the last commit, or after the retention lease of the shard's copy was
 * renewed, which happens every 30 seconds.
 */

const RENEWAL_MS = 30_000

export class Retention {
  readonly #nowMs: () => number
  /** The first operation that the lease retains. */
  #leasedFrom: number
  #renewalAtMs: number

  constructor(leasedFrom: number, nowMs: () => number) {
    this.#nowMs = nowMs
    this.#leasedFrom = leasedFrom
    this.#renewalAtMs = nowMs() + RENEWAL_MS
  }

  /**
   * Must be called before the operation `nextSeqNo`: a renewal that was due before it covers the earlier operations.
   * This makes a timer unnecessary.
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
