/**
 * A thread that runs one job after another. It is started with the first job and ends when idle for a while. Its module
 * answers jobs with `answerJobs`.
 */
import { parentPort, type Worker, workerData } from 'node:worker_threads'
import type { SharedBreakers } from '../../base/memory/circuit-breakers.ts'
import { attachMemory, breakers } from '../../base/memory/process-memory.ts'
import { CorruptSegmentError } from '../segment/segment-file.ts'

type Reply<Result> =
  | { readonly result: Result }
  | { readonly error: string; readonly code: string | undefined; readonly corrupt: string | undefined }

/**
 * A new thread costs a tenth of a second and runs its first job without compiled code, at several times the cost. A node that is written to
 * has another job within this time.
 */
const IDLE_MS = 120_000

export class JobThread<Job, Result> {
  readonly #start: () => Worker
  readonly #purpose: string
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** `purpose` names the thread in errors. */
  constructor(purpose: string, start: () => Worker) {
    this.#purpose = purpose
    this.#start = start
  }

  run(job: Job): Promise<Result> {
    const result = this.#last.then(() => this.#send(job))
    this.#last = result.catch(ignore)
    return result
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    // A job that arrives while the thread ends gets a new thread.
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #send(job: Job): Promise<Result> {
    clearTimeout(this.#idleTimer)
    const worker = this.#worker ?? this.#startWorker()
    return new Promise<Result>((resolve, reject) => {
      const settle = () => {
        worker.off('message', onMessage)
        worker.off('error', onEnd)
        worker.off('exit', onEnd)
        this.#idleTimer = setTimeout(() => void this.close(), IDLE_MS).unref()
      }
      const onMessage = (reply: Reply<Result>) => {
        settle()
        if ('result' in reply) resolve(reply.result)
        else if (reply.corrupt !== undefined) reject(new CorruptSegmentError(reply.corrupt, reply.error))
        else reject(Object.assign(new Error(reply.error), { code: reply.code }))
      }
      const onEnd = (reason: unknown) => {
        settle()
        this.#worker = undefined
        reject(reason instanceof Error ? reason : new Error(`the ${this.#purpose} thread stopped`))
      }
      worker.on('message', onMessage)
      worker.on('error', onEnd)
      worker.on('exit', onEnd)
      worker.postMessage(job)
    })
  }

  #startWorker(): Worker {
    const worker = this.#start()
    // A finished process need not wait: the thread's unfinished output would only be an orphan.
    worker.unref()
    // A thread that ends between two jobs, by an error or otherwise, is started again for the next one.
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined
    }
    worker.on('error', forget)
    worker.on('exit', forget)
    this.#worker = worker
    return worker
  }
}

/** The counterpart in the thread's module. */
export function answerJobs<Job, Result>(work: (job: Job) => Result | Promise<Result>): void {
  attachMemory(workerData as SharedBreakers)
  const answer = async (job: Job): Promise<Reply<Result>> => {
    try {
      return { result: await work(job) }
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException
      return error instanceof CorruptSegmentError
        ? { error: error.problem, code, corrupt: error.file }
        : { error: message, code, corrupt: undefined }
    }
  }
  parentPort!.on('message', async (job: Job) => {
    const reply = await answer(job)
    parentPort!.postMessage(reply)
    breakers().collectIfAsked()
  })
}

function ignore(): void {}
