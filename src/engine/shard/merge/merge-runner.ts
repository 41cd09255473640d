/**
 * Runs merges: small ones in the shard's thread, large ones in a thread of their own, so that neither writes nor
 * searches wait for them. The thread is started with the first large merge and ends when idle for a while.
 */
import { breakers, threadLimits } from '../../../base/memory/process-memory.ts'
import { startWorker } from '../../../base/start-worker.ts'
import { type MergeContext, mergeSegments } from '../../segment/merge/segment-merger.ts'
import { CorruptSegmentError } from '../../segment/segment-file.ts'
import type { StoredSegment } from '../../segment/segment-reader.ts'
import type { Directory } from '../../store/directory.ts'
import { DiskDirectory } from '../../store/disk-directory.ts'
import { JobThread } from '../job-thread.ts'

export interface MergeJob {
  readonly directory: Directory
  readonly inputs: readonly { readonly reader: StoredSegment; readonly kept: Uint32Array | undefined }[]
  readonly context: MergeContext
  /** The file to write. */
  readonly outputName: string
}

export interface MergeOutcome {
  /** Per input: old document to new, -1 for dropped ones. */
  readonly docMaps: readonly Int32Array[]
  /** Documents of the new segment. */
  readonly docCount: number
  /** Whether the file is already synced. */
  readonly synced: boolean
}

export interface MergeRunner {
  run(job: MergeJob): Promise<MergeOutcome>
  close(): Promise<void>
}

/** The message to the merge thread, which returns the outcome. */
export interface MergeMessage {
  readonly folder: string
  readonly inputs: readonly { readonly name: string; readonly kept: Uint32Array | undefined }[]
  readonly context: MergeContext
  readonly outputName: string
}

/** Merges up to this size take a few milliseconds, less than starting a thread. */
const INLINE_BYTES_MAX = 512 * 1024

export class BackgroundMergeRunner implements MergeRunner {
  /** Merges run one after another: they throttle each other instead of a rate limit. */
  readonly #thread = new JobThread<MergeMessage, MergeOutcome>('merge', () =>
    startWorker('./merge-worker', import.meta.url, { workerData: breakers().share(), resourceLimits: threadLimits() }),
  )

  run(job: MergeJob): Promise<MergeOutcome> {
    const bytes = job.inputs.reduce((sum, { reader }) => sum + reader.fileBytes, 0)
    if (!(job.directory instanceof DiskDirectory) || bytes <= INLINE_BYTES_MAX) return mergeHere(job)
    return this.#thread.run({
      folder: job.directory.folder,
      inputs: job.inputs.map(({ reader, kept }) => ({ name: reader.name, kept })),
      context: job.context,
      outputName: job.outputName,
    })
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}

/** Runs in this thread after other pending events. */
async function mergeHere(job: MergeJob): Promise<MergeOutcome> {
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
