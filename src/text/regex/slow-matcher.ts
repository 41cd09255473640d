/**
 * Matches of grok's expressions in a thread of their own: for those that took too long on the main thread, where everything else waits
 * for them. A match that takes longer than its timeout ends with the thread; the next one gets a new thread.
 */
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../base/start-worker.ts'

export interface MatchJob {
  readonly source: string
  readonly text: string
}

/** What the groups found, counted as in Ruby; null without a match. */
export interface MatchAnswer {
  readonly groups: (string | undefined)[] | null
}

/** A thread that had nothing to do for so long is ended. */
const IDLE_MS = 10_000

export class SlowMatcher {
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  /** Matches follow one another. */
  #last: Promise<unknown> = Promise.resolve()

  /** `timeout` when the time was over; no time means no limit. */
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
    this.#worker ??= startWorker('./match-thread', import.meta.url)
    const worker = this.#worker
    const answer = await new Promise<MatchAnswer | 'timeout'>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const end = (settle: () => void) => {
        clearTimeout(timer)
        worker.removeAllListeners()
        settle()
      }
      worker.on('message', (message: 'started' | MatchAnswer) => {
        if (message !== 'started') end(() => resolve(message))
        else if (timeoutMs !== undefined) timer = setTimeout(() => end(() => resolve('timeout')), timeoutMs)
      })
      worker.on('error', (error) => end(() => reject(error)))
      worker.on('exit', () => end(() => reject(new Error('the thread for slow expressions has ended'))))
      worker.postMessage(job)
    }).catch(async (error) => {
      await this.#endThread()
      throw error
    })
    if (answer === 'timeout') await this.#endThread()
    else this.#endWhenIdle()
    return answer
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
