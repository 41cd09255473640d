/**
 * Operations that a shard applied in memory and then rolled back, because its log could not be written.
 *
 * The numbers of rolled-back operations are reused under a higher primary term. Term and number of an operation thus
 * determine whether it is durable.
 */
export class Rejections {
  /** For each term that ended with a rejection: the last operation that was kept. */
  readonly #lastSafe = new Map<number, number>()
  #error: Error | undefined

  note(primaryTerm: number, safeSeqNo: number, error: Error): void {
    const known = this.#lastSafe.get(primaryTerm) ?? Number.POSITIVE_INFINITY
    this.#lastSafe.set(primaryTerm, Math.min(known, safeSeqNo))
    this.#error = error
  }

  has(primaryTerm: number, seqNo: number): boolean {
    return seqNo > (this.#lastSafe.get(primaryTerm) ?? Number.POSITIVE_INFINITY)
  }

  /** Whether any operation of the term was rolled back. */
  hasTerm(primaryTerm: number): boolean {
    return this.#lastSafe.has(primaryTerm)
  }

  /** Why the last operations were rolled back. */
  get error(): Error | undefined {
    return this.#error
  }
}
