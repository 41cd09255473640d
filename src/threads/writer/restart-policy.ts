/**
 * When a writer thread that has died is replaced: at once, then after growing pauses. A thread that has lived for a while
 * starts the count again. After several deaths in a row there is something that another start does not help, such as a log
 * whose recovery needs more memory than there is.
 */

/** The pauses before each start in a row. */
const PAUSES_MS: readonly number[] = [0, 500, 1000, 2000, 4000]
/** A thread that lived this long did not die of its start. */
const STABLE_MS = 60_000

export interface RestartPolicyOptions {
  readonly pausesMs?: readonly number[] | undefined
  /** A monotonic clock. */
  readonly nowMs?: (() => number) | undefined
}

export class RestartPolicy {
  readonly #pausesMs: readonly number[]
  readonly #nowMs: () => number
  /** Starts since a thread last lived for long. */
  #starts = 0
  #startedAtMs = Number.NEGATIVE_INFINITY
  #stopped = false
  #endPause: (() => void) | undefined

  constructor(options: RestartPolicyOptions = {}) {
    this.#pausesMs = options.pausesMs ?? PAUSES_MS
    this.#nowMs = options.nowMs ?? (() => performance.now())
  }

  /** Called after a death. Resolves with true when another thread may start, or with false if none should. */
  async next(): Promise<boolean> {
    if (this.#nowMs() - this.#startedAtMs >= STABLE_MS) this.#starts = 0
    const pauseMs = this.#pausesMs[this.#starts]
    if (pauseMs === undefined || this.#stopped) return false
    this.#starts++
    if (pauseMs > 0) await this.#pause(pauseMs)
    this.#startedAtMs = this.#nowMs()
    return !this.#stopped
  }

  /** No thread is needed any more. */
  stop(): void {
    this.#stopped = true
    this.#endPause?.()
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
