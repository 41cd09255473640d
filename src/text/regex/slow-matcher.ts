/**
 * Runs grok expressions in a worker thread after they took too long on the main thread. A match that exceeds its
 * timeout ends with its thread; the next match gets a new thread.
 */
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../base/start-worker.ts'

export interface MatchJob {
  readonly source: string
  readonly text: string
}

/** The groups as in Ruby; null without a match. */
export interface MatchAnswer {
  readonly groups: (string | undefined)[] | null
}

/** An idle thread is ended after this time. */
const IDLE_MS = 10_000

/** A thread that has not begun with a match after this time is broken. Even a busy machine starts one in seconds. */
const START_MS = 60_000

export class SlowMatcher {
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  /** Matches run one after another. */
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves to `timeout` when the time is up. Undefined means no limit. */
  match(job: MatchJob, timeoutMs: number | undefined): Promise<MatchAnswer | 'timeout'> {
    const answer = this.#last.then(() => this.#matchNow(job, timeoutMs))
    this.#last = answer.catch(() => {})
    return answer
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    await this.#endThread()
  }

  async #matchNow(job: MatchJob, timeoutMs: number | undefined): Promise<MatchAnswer | 'timeout'> {
    clearTimeout(this.#idleTimer)
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    try {
      const answer = await this.#answerOf(worker, job, timeoutMs)
      if (answer === 'timeout') await this.#endThread()
      else this.#endWhenIdle()
      return answer
    } catch (error) {
      await this.#endThread()
      throw error
    }
  }

  #start(): Worker {
    const worker = startWorker('./match-thread', import.meta.url)
    // A thread that dies while it is idle is replaced by the next match.
    worker.on('error', () => {})
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }

  /**
   * Removes exactly the listeners that it adds: `removeAllListeners` would also remove those by which Node opens the
   * port of a worker when somebody listens again, and no later message would arrive.
   */
  #answerOf(worker: Worker, job: MatchJob, timeoutMs: number | undefined): Promise<MatchAnswer | 'timeout'> {
    return new Promise((resolve, reject) => {
      let timer = setTimeout(() => fail(new Error('the thread for slow expressions has not started')), START_MS)
      const end = (settle: () => void) => {
        clearTimeout(timer)
        worker.off('message', receive).off('error', fail).off('exit', failByExit)
        settle()
      }
      const fail = (error: Error) => end(() => reject(error))
      const failByExit = () => fail(new Error('the thread for slow expressions has ended'))
      const receive = (message: 'started' | MatchAnswer) => {
        if (message !== 'started') return end(() => resolve(message))
        clearTimeout(timer)
        if (timeoutMs !== undefined) timer = setTimeout(() => end(() => resolve('timeout')), timeoutMs)
      }
      worker.on('message', receive).on('error', fail).on('exit', failByExit)
      worker.postMessage(job)
    })
  }

  #endWhenIdle(): void {
    this.#idleTimer = setTimeout(() => void this.#endThread(), IDLE_MS)
    this.#idleTimer.unref()
    this.#worker?.unref()
  }

  async #endThread(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
