/**
 * Writes the segment of a frozen buffer in a separate thread, so that the writer thread continues to accept writes. The
 * buffer's lists are in shared memory and are not copied.
 */
import { breakers, threadLimits } from '../../../base/memory/process-memory.ts'
import { startWorker } from '../../../base/start-worker.ts'
import type { PackedBuffer, WriteBuffer } from '../../segment/buffer/write-buffer.ts'
import type { Directory } from '../../store/directory.ts'
import { DiskDirectory } from '../../store/disk-directory.ts'
import { JobThread } from '../job-thread.ts'

/** The message to the sealing thread. */
export interface SealMessage {
  readonly folder: string
  readonly buffer: PackedBuffer
  readonly nestedPaths: readonly string[]
  /** The file to write. */
  readonly outputName: string
}

export interface SealOutcome {
  /** Document number in the buffer to that in the segment; undefined if they are the same. */
  readonly docMap: Int32Array | undefined
  /** Live documents when the buffer was frozen; undefined if all were. */
  readonly live: Uint32Array | undefined
}

export interface SealJob {
  readonly directory: Directory
  /** A frozen buffer: nothing is added to it. */
  readonly buffer: WriteBuffer
  readonly nestedPaths: readonly string[]
  readonly outputName: string
}

export interface Sealer {
  /** Whether files of this directory can be written from another thread. */
  reaches(directory: Directory): boolean
  run(job: SealJob): Promise<SealOutcome>
  close(): Promise<void>
}

export class BackgroundSealer implements Sealer {
  readonly #thread = new JobThread<SealMessage, SealOutcome>('sealing', () =>
    startWorker('./seal-worker', import.meta.url, { workerData: breakers().share(), resourceLimits: threadLimits() }),
  )

  reaches(directory: Directory): boolean {
    return directory instanceof DiskDirectory
  }

  run({ directory, buffer, nestedPaths, outputName }: SealJob): Promise<SealOutcome> {
    const { folder } = directory as DiskDirectory
    return this.#thread.run({ folder, buffer: buffer.pack(), nestedPaths, outputName })
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }
}
