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
