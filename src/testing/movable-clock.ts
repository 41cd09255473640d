import type { Clock } from '../base/clock.ts'
import { parseDuration } from '../base/duration.ts'
import type { TestClock } from './types.ts'

/** The system time plus an offset that tests can change. */
export class MovableClock implements Clock, TestClock {
  readonly #onMove: () => void
  #offsetMs = 0

  /** `onMove` is called after every change, so that timers expire immediately. */
  constructor(onMove: () => void) {
    this.#onMove = onMove
  }

  nowMs(): number {
    return Date.now() + this.#offsetMs
  }

  now(): Date {
    return new Date(this.nowMs())
  }

  advance(by: number | string): void {
    this.#offsetMs += typeof by === 'number' ? by : parseDuration(by, 'advance')
    this.#onMove()
  }

  set(to: Date | string | number): void {
    const ms = new Date(to).getTime()
    if (Number.isNaN(ms)) throw new Error(`not a moment in time: ${String(to)}`)
    this.#offsetMs = ms - Date.now()
    this.#onMove()
  }

  reset(): void {
    this.#offsetMs = 0
  }
}
