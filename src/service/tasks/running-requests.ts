/** Requests that are answered in other threads: they can be listed and cancelled while they run. */
import type { Clock } from '../../base/clock.ts'

export interface NewRequest {
  readonly action: string
  readonly description: string
  /** The client's `X-Opaque-Id`. */
  readonly opaqueId: string | undefined
  /** The child tasks on shards. */
  readonly parts: readonly { readonly action: string; readonly description: string }[]
  readonly cancel: () => void
}

export interface RunningRequest {
  readonly id: number
  readonly action: string
  readonly description: string
  readonly opaqueId: string | undefined
  readonly startedAtMs: number
  readonly parts: readonly RunningPart[]
  isCancelled: boolean
  readonly cancel: () => void
  /** Settles with the request and never rejects. */
  readonly done: Promise<void>
}

export interface RunningPart {
  readonly id: number
  readonly action: string
  readonly description: string
}

export class RunningRequests {
  readonly #clock: Clock
  readonly #nextId: () => number
  readonly #running = new Map<number, RunningRequest>()

  constructor(clock: Clock, nextId: () => number) {
    this.#clock = clock
    this.#nextId = nextId
  }

  /** Lists the request until `work` has settled. */
  track<T>({ parts, ...request }: NewRequest, work: Promise<T>): Promise<T> {
    const id = this.#nextId()
    const end = () => {
      this.#running.delete(id)
    }
    this.#running.set(id, {
      id,
      ...request,
      startedAtMs: this.#clock.nowMs(),
      parts: parts.map((part) => ({ id: this.#nextId(), ...part })),
      isCancelled: false,
      done: work.then(end, end),
    })
    return work
  }

  list(): RunningRequest[] {
    return [...this.#running.values()]
  }

  get(id: number): RunningRequest | undefined {
    return this.#running.get(id)
  }

  /** Cancels a request; undefined if it does not exist or was already cancelled. */
  cancel(id: number): RunningRequest | undefined {
    const request = this.#running.get(id)
    if (request === undefined || request.isCancelled) return undefined
    request.isCancelled = true
    request.cancel()
    return request
  }
}
