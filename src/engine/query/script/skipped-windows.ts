/** Windows of documents that are passed over, because the bounds of doc values tell that none of them has a competitive score. */

/** More than scores are rounded. */
export const SCORE_ERROR = 1e-6

/** Remembers how often a window could be skipped, so that it is seldom tried in vain. */
export class Skipping {
  #failed = 0
  #windows = 0

  get isWorthwhile(): boolean {
    return this.#failed < FAILURES_MAX || this.#windows++ % RETRY_WINDOWS === 0
  }

  note(skipped: boolean): boolean {
    this.#failed = skipped ? 0 : this.#failed + 1
    return skipped
  }
}

const FAILURES_MAX = 4
const RETRY_WINDOWS = 8
