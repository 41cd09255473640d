/**
 * Runs merges: small ones where the shard is, large ones in a thread of their own, so that neither writes nor
 * searches wait for them. The thread is started when the first large merge comes and ends when there is none for a while.
 */
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../base/start-worker.ts'
import { CorruptSegmentError } from '../segment/segment-file.ts'
import { type MergeContext, mergeSegments } from '../segment/segment-merger.ts'
import type { StoredSegment } from '../segment/segment-reader.ts'
import type { Directory } from '../store/directory.ts'
import { DiskDirectory } from '../store/disk-directory.ts'

export interface MergeJob {
  readonly directory: Directory
  readonly inputs: readonly { readonly reader: StoredSegment; readonly live: Uint32Array | undefined }[]
  readonly context: MergeContext
  /** The file to write. */
  readonly outputName: string
}

export interface MergeOutcome {
  /** Per input: old document to new, -1 for those left out. */
  readonly docMaps: readonly Int32Array[]
  /** Documents of the new segment. */
  readonly docCount: number
  /** The file is safe on disk already. */
  readonly synced: boolean
}

export interface MergeRunner {
  run(job: MergeJob): Promise<MergeOutcome>
  close(): Promise<void>
}

/** What goes to the merge thread and what comes back. */
export interface MergeMessage {
  readonly folder: string
  readonly inputs: readonly { readonly name: string; readonly live: Uint32Array | undefined }[]
  readonly context: MergeContext
  readonly outputName: string
}
export type MergeReply =
  | { readonly outcome: MergeOutcome }
  | { readonly error: string; readonly code: string | undefined; readonly corrupt: boolean }

/** Merges up to this size take a few milliseconds, less than starting a thread. */
const INLINE_BYTES_MAX = 512 * 1024
const THREAD_IDLE_MS = 20_000

export class BackgroundMergeRunner implements MergeRunner {
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  /** Merges run one after the other: they are throttled by each other rather than by a rate. */
  #last: Promise<unknown> = Promise.resolve()

  run(job: MergeJob): Promise<MergeOutcome> {
    const bytes = job.inputs.reduce((sum, { reader }) => sum + reader.fileBytes, 0)
    if (!(job.directory instanceof DiskDirectory) || bytes <= INLINE_BYTES_MAX) return mergeHere(job)
    const { folder } = job.directory
    const result = this.#last.then(() => this.#runInThread(folder, job))
    this.#last = result.catch(ignore)
    return result
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    await this.#worker?.terminate()
    this.#worker = undefined
  }

  #runInThread(folder: string, job: MergeJob): Promise<MergeOutcome> {
    clearTimeout(this.#idleTimer)
    const worker = this.#worker ?? this.#startWorker()
    const message: MergeMessage = {
      folder,
      inputs: job.inputs.map(({ reader, live }) => ({ name: reader.name, live })),
      context: job.context,
      outputName: job.outputName,
    }
    return new Promise<MergeOutcome>((resolve, reject) => {
      const settle = () => {
        worker.off('message', onMessage)
        worker.off('error', onEnd)
        worker.off('exit', onEnd)
        this.#idleTimer = setTimeout(() => void this.close(), THREAD_IDLE_MS).unref()
      }
      const onMessage = (reply: MergeReply) => {
        settle()
        if ('outcome' in reply) resolve(reply.outcome)
        else if (reply.corrupt) reject(new CorruptSegmentError(job.outputName, reply.error))
        else reject(Object.assign(new Error(reply.error), { code: reply.code }))
      }
      const onEnd = (reason: unknown) => {
        settle()
        this.#worker = undefined
        reject(reason instanceof Error ? reason : new Error('the merge thread stopped'))
      }
      worker.on('message', onMessage)
      worker.on('error', onEnd)
      worker.on('exit', onEnd)
      worker.postMessage(message)
    })
  }

  #startWorker(): Worker {
    const worker = startWorker('./merge-worker', import.meta.url)
    // A process that is done need not wait for a merge: its output would only be an orphan.
    worker.unref()
    // A thread that dies between two merges is simply started again.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    this.#worker = worker
    return worker
  }
}

/** After other events had their turn, in this thread. */
export async function mergeHere(job: MergeJob): Promise<MergeOutcome> {
  await new Promise((resolve) => setImmediate(resolve))
  for (const { reader } of job.inputs) reader.pin()
  try {
    const merged = mergeSegments(job.inputs, job.context)
    if (merged.docCount > 0) job.directory.write(job.outputName, ...merged.chunks)
    return { docMaps: merged.docMaps, docCount: merged.docCount, synced: false }
  } finally {
    for (const { reader } of job.inputs) reader.unpin()
  }
}

/** Whether a failed merge means that the segments themselves cannot be trusted. */
export function isDamage(error: unknown): boolean {
  return error instanceof CorruptSegmentError
}

function ignore(): void {}
