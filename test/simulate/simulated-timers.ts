/**
 * Timers and clocks of simulated processes. While installed they replace the global ones: a timer fires when the
 * simulation selects it, the earliest first. The timers of a killed process never fire. Code that pauses after some
 * milliseconds of work does so after the same number of looks at the clock in every run.
 */

type Callback = (...args: unknown[]) => void

/** Has the members of Node's `Timeout` that code uses. */
class SimulatedTimeout {
  readonly callback: () => void
  readonly intervalMs: number | undefined
  readonly #delayMs: number
  readonly #timers: SimulatedTimers
  dueMs = 0

  constructor(timers: SimulatedTimers, callback: () => void, delayMs: number, isInterval: boolean) {
    this.#timers = timers
    this.#delayMs = Math.max(1, delayMs)
    this.intervalMs = isInterval ? this.#delayMs : undefined
    this.callback = callback
    this.refresh()
  }

  /** Starts the delay anew. */
  refresh(): this {
    this.dueMs = this.#timers.nowMs() + this.#delayMs
    this.#timers.add(this)
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return false
  }

  close(): this {
    this.#timers.remove(this)
    return this
  }
}

export class SimulatedTimers {
  readonly nowMs: () => number
  readonly #waiting = new Set<SimulatedTimeout>()
  #restore: (() => void) | undefined

  /** `nowMs` is the clock of the simulation. */
  constructor(nowMs: () => number) {
    this.nowMs = nowMs
  }

  install(): void {
    const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
    const dateNow = Date.now
    this.#restore = () => {
      Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval })
      Date.now = dateNow
      Reflect.deleteProperty(performance, 'now')
    }
    Date.now = () => Math.floor(this.nowMs())
    Object.defineProperty(performance, 'now', { value: () => this.nowMs(), configurable: true })
    const start =
      (isInterval: boolean) =>
      (callback: Callback, delayMs = 1, ...args: unknown[]) =>
        new SimulatedTimeout(this, () => callback(...args), delayMs, isInterval)
    const stop = (timer: unknown) => {
      if (timer instanceof SimulatedTimeout) timer.close()
      else clearTimeout(timer as NodeJS.Timeout)
    }
    Object.assign(globalThis, {
      setTimeout: start(false),
      setInterval: start(true),
      clearTimeout: stop,
      clearInterval: stop,
    })
  }

  uninstall(): void {
    this.#restore?.()
    this.#restore = undefined
    this.#waiting.clear()
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  add(timer: SimulatedTimeout): void {
    this.#waiting.add(timer)
  }

  remove(timer: SimulatedTimeout): void {
    this.#waiting.delete(timer)
  }

  /** The process was killed. */
  kill(): void {
    this.#waiting.clear()
  }

  /** Fires the earliest timer and returns when it was due. */
  fire(): number | undefined {
    let first: SimulatedTimeout | undefined
    for (const timer of this.#waiting) if (first === undefined || timer.dueMs < first.dueMs) first = timer
    if (first === undefined) return undefined
    const { dueMs, intervalMs } = first
    if (intervalMs === undefined) this.#waiting.delete(first)
    else first.dueMs += intervalMs
    first.callback()
    return dueMs
  }
}
