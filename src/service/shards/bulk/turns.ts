/** Splits long work into turns of a few milliseconds, so that a body of 100 MB does not delay a get. */

const TURN_MS = 8
/** Reading the clock costs as much as parsing a small document, so it is read once in this many steps. */
const STEPS_PER_LOOK = 16

export class Turns {
  #endMs = performance.now() + TURN_MS
  #steps = 0

  /**
   * Must be called after each step; if it returns true, await `next` before continuing. The clock is read after every costly
   * step, such as one that runs a script.
   */
  isOver(isCostly: boolean): boolean {
    return (isCostly || ++this.#steps % STEPS_PER_LOOK === 0) && performance.now() > this.#endMs
  }

  /** Resolves after other queued work has run. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#endMs = performance.now() + TURN_MS
  }
}
