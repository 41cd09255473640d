/** Starts the writer thread. It loads its modules at once and waits for its startup data in the first message. */
import type { Worker } from 'node:worker_threads'
import { threadLimits } from '../../base/memory/process-memory.ts'
import { startWorker } from '../../base/start-worker.ts'
import type { WriterStart } from './thread-messages.ts'

export function startWriter(start: WriterStart, worker: Worker = launch()): Worker {
  worker.postMessage(start)
  return worker
}

/**
 * A writer thread that is launched before its startup data is known. A service with data launches it before it loads its own
 * modules, so that both threads load at the same time. Until it gets its startup data the thread does not keep the process alive.
 */
export class EarlyWriter {
  #worker: Worker | undefined

  constructor(worker: Worker = launch()) {
    this.#worker = worker
    worker.unref()
    // A thread that cannot be launched is launched again when it is needed, and then the failure is reported.
    const forget = () => {
      this.#worker = undefined
    }
    worker.once('error', forget)
    worker.once('exit', forget)
  }

  /** The thread with its startup data. A second call starts another thread. */
  start(start: WriterStart): Worker {
    const worker = this.#worker
    this.#worker = undefined
    worker?.ref()
    return startWriter(start, worker)
  }
}

function launch(): Worker {
  return startWorker('./writer-thread', import.meta.url, { resourceLimits: threadLimits() })
}
