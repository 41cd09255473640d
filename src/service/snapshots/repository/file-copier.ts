/**
 * Copies files on a separate thread, one after the other. The thread starts with the first copy and ends when it is
 * idle.
 */
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../base/start-worker.ts'
import type { CopyJob, FetchJob, StoredFile, StoreJob } from './copy-file.ts'

interface Pending {
  readonly resolve: (value: StoredFile | undefined) => void
  readonly reject: (error: Error) => void
}

const IDLE_MS = 10_000

export class FileCopier {
  /** The jobs of the running thread. Each thread has its own: one that ends late must not end the jobs of its successor. */
  #pending = new Map<number, Pending>()
  readonly #startThread: () => Worker
  #worker: Worker | undefined
  #lastId = 0
  #idleTimer: NodeJS.Timeout | undefined

  constructor(startThread = () => startWorker('./copy-thread', import.meta.url)) {
    this.#startThread = startThread
  }

  async store(job: StoreJob): Promise<StoredFile> {
    return (await this.#run(job))!
  }

  async fetch(job: FetchJob): Promise<void> {
    await this.#run(job)
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #run(job: CopyJob): Promise<StoredFile | undefined> {
    clearTimeout(this.#idleTimer)
    this.#worker ??= this.#start()
    this.#worker.ref()
    const id = ++this.#lastId
    const worker = this.#worker
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      worker.postMessage({ id, job })
    })
  }

  #start(): Worker {
    const worker = this.#startThread()
    const own = new Map<number, Pending>()
    this.#pending = own
    worker.on('message', (answer: { id: number; value?: StoredFile; error?: { message: string; code?: string } }) => {
      const pending = own.get(answer.id)
      own.delete(answer.id)
      if (answer.error === undefined) pending?.resolve(answer.value)
      else pending?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
      if (own.size === 0 && this.#worker === worker) this.#endWhenIdle()
    })
    const ended = (reason: string) => {
      if (this.#worker === worker) this.#worker = undefined
      for (const { reject } of own.values()) reject(new Error(`the thread that copies files has ended: ${reason}`))
      own.clear()
    }
    worker.on('error', (error: Error) => ended(error.message))
    worker.on('exit', () => ended('it stopped'))
    return worker
  }

  #endWhenIdle(): void {
    this.#worker?.unref()
    this.#idleTimer = setTimeout(() => void this.close(), IDLE_MS)
    this.#idleTimer.unref()
  }
}
