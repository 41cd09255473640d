/**
 * Trials of patterns and configurations in a thread with limits of time and memory: an endless expression, or a filter that creates events
 * endlessly, costs the service only that thread.
 */
import type { Worker } from 'node:worker_threads'
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { startWorker } from '../../base/start-worker.ts'
import type { TrialJob, TrialReply } from './workbench-thread.ts'

const TIME_MS = 6000
/** The time limit for loading the tool, which is not part of a trial and is slow on a busy machine. */
const START_MS = 60_000
const MEMORY_MB = 192
/** A thread that was unused for this long is terminated. */
const IDLE_MS = 30_000
const WAITING_MAX = 8
const MONITORING_MS = 2000

interface Pending {
  readonly job: TrialJob
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export class Workbench {
  #worker: Worker | undefined
  #running: Pending | undefined
  readonly #waiting: Pending[] = []
  #timer: NodeJS.Timeout | undefined
  readonly #timeMs: number

  constructor(timeMs = TIME_MS) {
    this.#timeMs = timeMs
  }

  /** The JSON of the result. */
  run(job: TrialJob): Promise<unknown> {
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(new ApiError(429, 'es_rejected_execution_exception', 'too many trials at once; try again'))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject })
      this.#next()
    })
  }

  /** Ends the thread; trials that run or wait fail. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    const open = [...(this.#running === undefined ? [] : [this.#running]), ...this.#waiting.splice(0)]
    this.#running = undefined
    for (const { reject } of open) reject(illegalArgument('trials have ended'))
    await worker?.terminate()
  }

  #next(): void {
    if (this.#running !== undefined) return
    clearTimeout(this.#timer)
    const next = this.#waiting.shift()
    if (next === undefined) {
      this.#timer = setTimeout(() => void this.close(), IDLE_MS)
      this.#timer.unref()
      return
    }
    this.#running = next
    if (this.#worker !== undefined) {
      this.#begin(this.#worker, next)
      return
    }
    try {
      this.#worker = this.#start()
      this.#timer = setTimeout(() => this.#giveUp('the pipeline tool did not start'), START_MS)
    } catch (error) {
      // The system may refuse another thread.
      this.#giveUp(`the pipeline tool did not start: ${(error as Error).message}`)
    }
  }

  #begin(worker: Worker, { job }: Pending): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#giveUp(`stopped after ${this.#timeMs} ms`), this.#timeMs)
    worker.postMessage(job)
  }

  #start(): Worker {
    const worker = startWorker('./workbench-thread', import.meta.url, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
      env: {},
    })
    worker.unref()
    worker.on('message', (reply: TrialReply) => {
      if ('ready' in reply) {
        if (this.#running !== undefined && this.#worker === worker) this.#begin(worker, this.#running)
        return
      }
      const done = this.#running
      this.#running = undefined
      if ('error' in reply) done?.reject(illegalArgument(reply.error))
      else done?.resolve(reply.result)
      this.#next()
    })
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#giveUp(`the trial failed: ${error.message}`)
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#giveUp('the thread of the trial has ended')
    })
    return worker
  }

  /** Terminates the thread and its current trial. The next trial starts a new thread. */
  #giveUp(reason: string): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
    const done = this.#running
    this.#running = undefined
    done?.reject(illegalArgument(reason))
    this.#next()
  }
}

/** The pipelines that the monitoring API of a pipeline tool on this machine reports. */
export async function runningPipelines(port: number): Promise<unknown> {
  const base = `http://127.0.0.1:${port}`
  const read = async (path: string) => {
    const response = await fetch(base + path, { signal: AbortSignal.timeout(MONITORING_MS), redirect: 'error' })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return response.json()
  }
  try {
    const [node, pipelines, stats] = await Promise.all([
      read('/'),
      read('/_node/pipelines'),
      read('/_node/stats/pipelines'),
    ])
    return { port, reachable: true, node, pipelines, stats }
  } catch {
    return { port, reachable: false }
  }
}
