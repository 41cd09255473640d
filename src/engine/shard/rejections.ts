/**
 * Which operations a shard applied in memory and then had to take back, because its log could not be written.
 *
 * Operations that were taken back give their numbers to later ones, under a higher primary term. So the term and the number of an
 * operation tell whether it is one of those that are safe.
 */
export class Rejections {
  /** Of each term that ended with a rejection: the last operation that stayed. */
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

  /** Why the last operations were taken back. */
  get error(): Error | undefined {
    return this.#error
  }
}
