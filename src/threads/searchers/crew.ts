/**
 * A crew of two threads that share a search: the leader answers the request, and the helper received the same request.
 * They coordinate through a few words of shared memory. The helper's results arrive through a port between the two.
 *
 * The leader never waits for a helper that has not started: it withdraws the offer and does all the work itself.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { SearchCrew } from '../../service/search/search-crew.ts'

/** Indexes of the shared words. */
const STATE = 0
/** Counts the results sent by the helper; a change wakes the leader. */
const GIVEN = 1

const OFFERED = 0
const BEGUN = 1
const ENDED = 2
/** The leader has withdrawn the offer or ended the search. */
const WITHDRAWN = 3

const PARTS = 2
/** A part that takes less time is faster in one thread. */
const WORTH_SHARING_MS = 0.7
/** Maximum wait before the state is checked again. */
const LOOK_AGAIN_MS = 1_000

export const newCrewWords = () => new Int32Array(new SharedArrayBuffer(8))

/** Marks the helper as ended, so that a waiting leader continues alone. */
export function endHelp(words: Int32Array): void {
  Atomics.store(words, STATE, ENDED)
  Atomics.add(words, GIVEN, 1)
  Atomics.notify(words, GIVEN)
}

interface Given {
  readonly request: number
  readonly step: number
  readonly found: unknown
}

export class LeadingCrew implements SearchCrew {
  readonly part = 0
  readonly parts = PARTS
  readonly #words: Int32Array
  readonly #port: MessagePort
  readonly #request: number
  readonly #startedMs = performance.now()
  #ownMs = 0

  /** `request` distinguishes results of this search from late results of an earlier one. */
  constructor(words: Int32Array, port: MessagePort, request: number) {
    this.#words = words
    this.#port = port
    this.#request = request
  }

  /** Whether the search had a part that was worth sharing. */
  get wasOfUse(): boolean {
    return this.#ownMs > WORTH_SHARING_MS
  }

  take(step: number): unknown {
    const words = this.#words
    this.#ownMs = performance.now() - this.#startedMs
    if (Atomics.compareExchange(words, STATE, OFFERED, WITHDRAWN) === OFFERED) return undefined
    for (;;) {
      const given = Atomics.load(words, GIVEN)
      const state = Atomics.load(words, STATE)
      const message = this.#receive(step)
      if (message !== undefined) return message.found
      if (state !== BEGUN) return undefined
      Atomics.wait(words, GIVEN, given, LOOK_AGAIN_MS)
    }
  }

  give(): never {
    throw new Error('the leader of a crew does not give')
  }

  /** Ends the search and drops unused results of the helper. */
  dismiss(): void {
    Atomics.store(this.#words, STATE, WITHDRAWN)
    while (receiveMessageOnPort(this.#port) !== undefined);
  }

  #receive(step: number): Given | undefined {
    for (;;) {
      const received = receiveMessageOnPort(this.#port) as { message: Given } | undefined
      if (received === undefined) return undefined
      const { message } = received
      if (message.request === this.#request && message.step === step) return message
    }
  }
}

export class HelpingCrew implements SearchCrew {
  readonly part = 1
  readonly parts = PARTS
  readonly #words: Int32Array
  readonly #port: MessagePort
  readonly #request: number

  constructor(words: Int32Array, port: MessagePort, request: number) {
    this.#words = words
    this.#port = port
    this.#request = request
  }

  /** Returns false if the leader has withdrawn the offer. */
  begin(): boolean {
    return Atomics.compareExchange(this.#words, STATE, OFFERED, BEGUN) === OFFERED
  }

  get isWithdrawn(): boolean {
    return Atomics.load(this.#words, STATE) === WITHDRAWN
  }

  take(): never {
    throw new Error('a helper does not take')
  }

  give(step: number, found: unknown): void {
    this.#port.postMessage({ request: this.#request, step, found } satisfies Given)
    Atomics.add(this.#words, GIVEN, 1)
    Atomics.notify(this.#words, GIVEN)
  }

  end(): void {
    endHelp(this.#words)
  }
}
