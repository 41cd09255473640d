/** Cuts long work into turns of a few milliseconds, so that a body of 100 MB does not keep a get waiting. */

const TURN_MS = 8
/** Looking at the clock costs as much as parsing a small document, so it is done once in a while. */
const STEPS_PER_LOOK = 16

export class Turns {
  #endMs = performance.now() + TURN_MS
  #steps = 0

  /** Call after each step of the work; when it returns true, await `next` before going on. */
  isOver(): boolean {
    return ++this.#steps % STEPS_PER_LOOK === 0 && performance.now() > this.#endMs
  }

  /** Resolves after other queued work has run. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#endMs = performance.now() + TURN_MS
  }
}
