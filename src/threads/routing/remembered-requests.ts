/** Remembers requests by their bytes. */
import type { IncomingRequest } from '../../http/dispatcher.ts'

const REMEMBERED_MAX = 1_000
/** The memory of the second time; each further time doubles it. */
const FIRST_MS = 5_000
const LONGEST_MS = 600_000

interface Remembered {
  times: number
  untilMs: number
}

export class RememberedRequests {
  readonly #remembered = new Map<string, Remembered>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Remembers the request for good. */
  add(request: IncomingRequest): void {
    this.#put(fingerprint(request), { times: 0, untilMs: Number.POSITIVE_INFINITY })
  }

  /**
   * Remembers a request that may not be what it seemed, such as a search that took long because the machine was busy:
   * not yet the first time, then for some seconds, and longer each time it is added again.
   */
  suspect(request: IncomingRequest): void {
    const name = fingerprint(request)
    const times = (this.#remembered.get(name)?.times ?? 0) + 1
    const memoryMs = times === 1 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - 2))
    this.#put(name, { times, untilMs: this.#nowMs() + memoryMs })
  }

  forget(request: IncomingRequest): void {
    this.#remembered.delete(fingerprint(request))
  }

  has(request: IncomingRequest): boolean {
    if (this.#remembered.size === 0) return false
    const remembered = this.#remembered.get(fingerprint(request))
    return remembered !== undefined && this.#nowMs() < remembered.untilMs
  }

  #put(name: string, remembered: Remembered): void {
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear()
    this.#remembered.set(name, remembered)
  }
}

/** Pages of a composite aggregation differ only in `after` and cost the same. */
const AFTER = /"after"\s*:\s*\{[^{}]*\}/

/** Several lists are asked for the same request. */
const fingerprints = new WeakMap<IncomingRequest, string>()

function fingerprint(request: IncomingRequest): string {
  let name = fingerprints.get(request)
  if (name === undefined) {
    name = `${request.uri} ${request.body.toString('latin1').replace(AFTER, '')}`
    fingerprints.set(request, name)
  }
  return name
}
