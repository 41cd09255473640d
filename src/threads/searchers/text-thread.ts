/**
 * A thread for requests that only transform text: `_analyze` and templates. The rules come with the request, and some
 * take very long for some texts. The thread runs one request at a time, and is ended when the client disconnects or the
 * time is up.
 */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { taskCancelled } from '../../base/errors/task-errors.ts'
import type { Answer, IncomingRequest } from '../../http/dispatcher.ts'
import { cancelFlag } from './cancel-flag.ts'
import { type Searcher, SearcherAbandoned } from './searcher.ts'

const TIME_MS = 10_000

export class TextThread {
  readonly #start: () => Searcher
  #thread: Searcher | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(start: () => Searcher) {
    this.#start = start
  }

  answer(incoming: IncomingRequest): Promise<Answer | undefined> {
    const answered = this.#last.then(() => this.#answerNow(incoming))
    this.#last = answered.catch(() => {})
    return answered
  }

  /** Must be called when the thread has ended by itself. */
  forget(thread: Searcher): void {
    if (this.#thread === thread) this.#thread = undefined
  }

  async close(): Promise<void> {
    await this.#thread?.close()
  }

  async #answerNow(incoming: IncomingRequest): Promise<Answer | undefined> {
    const signal = incoming.signal()
    if (signal.aborted) throw taskCancelled()
    this.#thread ??= this.#start()
    const thread = this.#thread
    const { cancelled, ended } = cancelFlag(signal)
    const giveUp = () => {
      this.forget(thread)
      thread.abandon()
    }
    const timer = setTimeout(giveUp, TIME_MS)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await thread.search(incoming, [], { weight: 'costly', cancelled })
    } catch (error) {
      this.forget(thread)
      if (error instanceof SearcherAbandoned) throw signal.aborted ? taskCancelled() : tookTooLong()
      throw error instanceof ApiError && error.status === 503 ? tookTooMuch(error) : error
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      ended()
    }
  }
}

const tookTooLong = () =>
  illegalArgument(`The request was not answered within ${TIME_MS / 1_000} seconds and was stopped`)
const tookTooMuch = (cause: ApiError) =>
  new ApiError(429, 'circuit_breaking_exception', 'The request needs more memory than a thread has', {
    causedBy: cause,
  })
