/** Captured counters of the last day, the older the fewer, so that rates over windows of time can be told. */

interface Captured {
  readonly atMs: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A window, and the distance that samples of its age keep. */
export const WINDOWS: readonly (readonly [name: string, lengthMs: number, distanceMs: number])[] = [
  ['current', 10 * SECOND, SECOND],
  ['last_1_minute', MINUTE, 3 * SECOND],
  ['last_5_minutes', 5 * MINUTE, 15 * SECOND],
  ['last_15_minutes', 15 * MINUTE, 30 * SECOND],
  ['last_1_hour', HOUR, MINUTE],
  ['last_24_hours', DAY, 15 * MINUTE],
]

export class CounterHistory<S extends Captured> {
  /** The counters at the start. */
  readonly start: S
  /** In ascending order of time. */
  #samples: S[] = []

  constructor(start: S) {
    this.start = start
  }

  get size(): number {
    return this.#samples.length
  }

  capture(sample: S): void {
    this.#samples.push(sample)
    this.#samples = this.#thinned(sample.atMs)
  }

  /** The newest sample that is at least that old; undefined if the start is younger. */
  before(nowMs: number, lengthMs: number): S | undefined {
    const latestMs = nowMs - lengthMs
    const found = this.#samples.findLast(({ atMs }) => atMs <= latestMs)
    return found ?? (this.start.atMs <= latestMs ? this.start : undefined)
  }

  /** Drops samples between neighbours that are close for their age, and all but one that are older than a day. */
  #thinned(nowMs: number): S[] {
    const kept: S[] = []
    this.#samples.forEach((sample, i) => {
      const next = this.#samples[i + 1]
      const last = kept.at(-1)
      const isNeeded =
        next === undefined ||
        (last === undefined ? nowMs - next.atMs < DAY : next.atMs - last.atMs > distanceAt(nowMs - sample.atMs))
      if (isNeeded) kept.push(sample)
    })
    return kept
  }
}

/** Samples that are a little older than a window keep its distance, because one of them is the base of its rate. */
function distanceAt(ageMs: number): number {
  const window = WINDOWS.find(([, lengthMs, distanceMs]) => ageMs <= lengthMs + 2 * distanceMs)
  return (window ?? WINDOWS.at(-1)!)[2]
}
