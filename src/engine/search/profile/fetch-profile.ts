/** Times of the fetch phase, by kind of content. */
import { nanosSince } from './query-profile.ts'

export interface PhaseTime {
  nanos: number
  count: number
}

export class FetchProfile {
  readonly phases = new Map<string, PhaseTime>()
  #nanos = 0
  #hits = 0

  get nanos(): number {
    return this.#nanos
  }

  get hits(): number {
    return this.#hits
  }

  /** One hit, with everything it takes. */
  hit<T>(work: () => T): T {
    const begin = process.hrtime.bigint()
    try {
      return work()
    } finally {
      this.#nanos += nanosSince(begin)
      this.#hits++
    }
  }

  phase<T>(name: string, work: () => T): T {
    const begin = process.hrtime.bigint()
    try {
      return work()
    } finally {
      const nanos = nanosSince(begin)
      const known = this.phases.get(name)
      if (known === undefined) this.phases.set(name, { nanos, count: 1 })
      else {
        known.nanos += nanos
        known.count++
      }
    }
  }
}
