/**
 * The write-ahead log of a shard on disk: an operation is acknowledged after its record is written and synced.
 *
 * Group commit: `append` only encodes into the current batch. While one batch is being written and synced, later
 * operations collect in the next, and all their requests wait for the same fsync.
 *
 * A small batch is written synchronously, and on a fast disk synced synchronously too: passing it to another thread
 * takes longer than doing it. That starts after requests that have already arrived were applied, so that they share it.
 *
 * If a write or sync fails, the waiting requests get the error, and their operations must leave no trace: the file is
 * truncated to its synced length, the batches are dropped, and `onRejected` tells the shard to revert what it applied
 * in memory. After a failed sync the contents of a file are unknown, so later batches go to a new one. With async
 * durability the operations were already acknowledged: the batches then stay in the queue, and `recover` writes them
 * again. Until `recover` has succeeded nothing new may be appended.
 */
import { FolderTakenError } from '../../base/files/folder-owner.ts'
import type { Directory, WritableFile } from './directory.ts'
import { LogBatch } from './log-batch.ts'
import { encodeFileHeader, FILE_HEADER_BYTES, type LogOp, logFileName } from './log-format.ts'
import type { LogGeneration } from './log-reader.ts'
import type { Durability, OperationLog } from './operation-log.ts'
import type { SyncedLengthFile } from './synced-length.ts'

/** Larger generations would make a replay read more at once. */
const GENERATION_BYTES_MAX = 64 * 1024 * 1024
/** In async mode a batch this large does not wait for the interval. */
const ASYNC_BATCH_BYTES_MAX = 4 * 1024 * 1024
/** Batches up to this size are written synchronously. */
const SMALL_BATCH_BYTES = 64 * 1024
/** Small batches are synced synchronously while that takes less than this on average. */
const FAST_SYNC_MS = 0.5
/** Minimum bytes that must fit on the disk before writes are accepted again after a failure. */
const PROBE_BYTES_MIN = 4096
const PROBE_BYTES_MAX = 16 * 1024 * 1024
/** A crash may leave this file; the next start deletes it. */
export const PROBE_FILE = 'log.probe.tmp'
const DONE = Promise.resolve()

/** The log was closed before the operations were written. */
export class LogClosedError extends Error {
  constructor() {
    super('the log is closed')
    this.name = 'LogClosedError'
  }
}

/** Operations that were rolled back: they will not become durable, and the log has no trace of them. */
export interface LogRejection {
  readonly error: Error
  /** Operations up to this one are durable. */
  readonly safeSeqNo: number
  /**
   * Why the file could not be truncated. A later start finds the record that its tail was rejected, if that could be
   * written.
   */
  readonly uncut: Error | undefined
}

export interface WriteAheadLogOptions {
  readonly primaryTerm: number
  readonly read: readonly LogGeneration[]
  readonly nextGeneration: number
  readonly synced: SyncedLengthFile
  /** Removes the file of a trimmed generation; it is deleted if this is absent. */
  readonly retire?: ((generation: number) => void) | undefined
  /** Called before the waiting requests are rejected. */
  readonly onRejected?: ((rejection: LogRejection) => void) | undefined
  /** A monotonic clock. */
  readonly nowMs?: (() => number) | undefined
}

interface GenerationFile extends LogGeneration {
  readonly file: WritableFile
  /** Whether the file's name is not yet synced in its folder. */
  nameUnsafe: boolean
}

interface QueuedBatch {
  readonly batch: LogBatch
  readonly target: GenerationFile
  readonly done: PromiseWithResolvers
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export class WriteAheadLog implements OperationLog {
  failure: Error | undefined
  readonly #directory: Directory
  readonly #synced: SyncedLengthFile
  readonly #onRejected: (rejection: LogRejection) => void
  readonly #nowMs: () => number
  readonly #retire: (generation: number) => void
  #primaryTerm: number
  /** Generations that are not trimmed yet, oldest first. */
  readonly #generations: (LogGeneration & { file?: WritableFile })[]
  /** The file for appends; created with the first write, because most shards are not written to after a start. */
  #current: GenerationFile | undefined
  #nextGeneration: number
  #gathering: LogBatch
  /** The promise that the requests of the current batch wait for; created on demand. */
  #gatheringDone: PromiseWithResolvers | undefined
  /** Batches to be written, the running one first. */
  readonly #queue: QueuedBatch[] = []
  readonly #spare: LogBatch[] = []
  #writing = false
  #pumpScheduled = false
  /** A running average. Slow until proven otherwise. */
  #syncMs = 2 * FAST_SYNC_MS
  #durability: Durability = { mode: 'request', syncIntervalMs: 5000 }
  #timer: NodeJS.Timeout | undefined
  /** The size of the last failed batch. */
  #probeBytes = PROBE_BYTES_MIN

  /** Starts a new generation after those listed in `read`. */
  constructor(directory: Directory, options: WriteAheadLogOptions) {
    this.#directory = directory
    this.#synced = options.synced
    this.#onRejected = options.onRejected ?? ignore
    this.#nowMs = options.nowMs ?? (() => performance.now())
    this.#retire = options.retire ?? ((generation) => directory.delete(logFileName(generation)))
    this.#primaryTerm = options.primaryTerm
    this.#generations = options.read.map((generation) => ({ ...generation }))
    this.#nextGeneration = options.nextGeneration
    this.#gathering = new LogBatch()
  }

  get operations(): number {
    let sum = this.#gathering.recordCount
    for (const generation of this.#generations) sum += generation.operations
    for (const { batch } of this.#queue) sum += batch.recordCount
    return sum
  }

  get bytes(): number {
    let sum = this.#gathering.length
    for (const generation of this.#generations) sum += generation.bytes
    for (const { batch } of this.#queue) sum += batch.length
    return sum
  }

  get files(): readonly { readonly generation: number; readonly bytes: number }[] {
    return this.#generations
  }

  get durableSeqNo(): number {
    return this.#synced.current.maxSeqNo
  }

  get firstUnsafe(): number {
    if (this.#durability.mode === 'async') return Number.POSITIVE_INFINITY
    const oldest = this.#queue[0]?.batch ?? this.#gathering
    return oldest.isEmpty ? Number.POSITIVE_INFINITY : oldest.minSeqNo
  }

  append(
    op: LogOp,
    seqNo: number,
    primaryTerm: number,
    version: number,
    idBytes: Uint8Array,
    routing: string | undefined,
    source?: Uint8Array,
  ): void {
    this.#gathering.append(op, seqNo, primaryTerm, version, idBytes, routing, source)
  }

  sync(): Promise<void> {
    if (this.#durability.mode === 'async') {
      if (this.#gathering.length > ASYNC_BATCH_BYTES_MAX) void this.#syncNow().catch(ignore)
      return DONE
    }
    return this.#syncNow()
  }

  syncAll(): Promise<void> {
    return this.#syncNow()
  }

  setDurability(durability: Durability): void {
    this.#durability = durability
    clearInterval(this.#timer)
    this.#timer = undefined
    if (durability.mode === 'async') {
      this.#timer = setInterval(() => void this.#syncNow().catch(ignore), durability.syncIntervalMs)
      this.#timer.unref()
    } else {
      void this.#syncNow().catch(ignore)
    }
  }

  rotate(): number {
    this.#handOver()
    this.#current = undefined
    void this.#pump()
    return this.#nextGeneration
  }

  trim(generation: number): void {
    // A flush is a sign of inactivity, so the buffers of the last large requests are released.
    this.#spare.length = 0
    if (this.#gathering.isEmpty) this.#gathering.reset(true)
    for (let oldest = this.#generations[0]; oldest !== undefined; oldest = this.#generations[0]) {
      const { generation: old, file } = oldest
      if (old >= generation) return
      // Queued batches of the file are no longer needed, except one that is being written: then the file stays until
      // the next trim.
      const firstIdle = this.#writing ? 1 : 0
      if (firstIdle === 1 && this.#queue[0]?.target.generation === old) return
      while (this.#queue[firstIdle]?.target.generation === old) this.#queue.splice(firstIdle, 1)[0]!.done.resolve()
      file?.close()
      this.#generations.shift()
      this.#retire(old)
    }
  }

  recover(): void {
    if (this.failure === undefined) return
    if (this.failure instanceof LogClosedError) throw this.failure
    try {
      if (this.#queue.length === 0 && this.#gathering.isEmpty) this.#probe()
      else this.#writeAgain()
      this.failure = undefined
    } catch (error) {
      this.failure = error as Error
      throw error
    }
    void this.#pump()
  }

  noteCommit(commitGeneration: number): void {
    this.#synced.write({ ...this.#synced.current, commitGeneration })
    // Not awaited: until it is synced, a power failure leaves an older record. A shard that was just flushed may
    // release its descriptor.
    void this.#synced.sync().then(() => this.#synced.rest(), ignore)
  }

  setPrimaryTerm(primaryTerm: number): void {
    this.#primaryTerm = primaryTerm
  }

  /** The log must not be used afterwards. Without `sync`, operations that are not being written yet are rejected. */
  async close({ sync }: { sync: boolean }): Promise<void> {
    clearInterval(this.#timer)
    try {
      if (sync) {
        await this.#syncNow()
        await this.#synced.sync()
      } else await this.#abandon()
    } finally {
      // A scheduled write must not touch the closed files.
      this.failure ??= new LogClosedError()
      for (const { file } of this.#generations) file?.close()
      this.#synced.close()
    }
  }

  /** Drops every batch but the one that is being written, and waits for that one, because it needs its file open. */
  async #abandon(): Promise<void> {
    const error = new LogClosedError()
    this.failure ??= error
    const running = this.#writing ? this.#queue[0] : undefined
    const dropped = this.#queue.splice(running === undefined ? 0 : 1)
    const waiting = dropped.map(({ done }) => done)
    if (this.#gatheringDone !== undefined) waiting.push(this.#gatheringDone)
    this.#gatheringDone = undefined
    const first = dropped[0]?.batch ?? this.#gathering
    const safeSeqNo = first.minSeqNo - 1
    const isEmpty = first.isEmpty
    this.#gathering.reset()
    // With async durability the operations were acknowledged before.
    if (!isEmpty && this.#durability.mode === 'request') this.#onRejected({ error, safeSeqNo, uncut: undefined })
    for (const { reject } of waiting) reject(error)
    await running?.done.promise.catch(ignore)
  }

  /**
   * Tests whether the disk accepts as much as it rejected. The bytes go to a file of their own: after a power failure a
   * deleted file may be back, and as part of the log it would look damaged.
   */
  #probe(): void {
    this.#directory.assertOwned()
    const file = this.#directory.create(PROBE_FILE)
    try {
      file.writeSync(new Uint8Array(this.#probeBytes), 0, this.#probeBytes, 0)
      file.syncSync()
    } finally {
      file.close()
      this.#directory.delete(PROBE_FILE)
    }
  }

  /** Writes operations again that were acknowledged before they were synced. */
  #writeAgain(): void {
    for (;;) {
      if (this.#queue.length === 0) this.#handOver()
      const head = this.#queue[0]
      if (head === undefined) return
      const { batch, target } = head
      target.file.truncate(target.bytes)
      if (target.operations === 0) this.#writeHeader(target.file, target.generation)
      batch.finish(target.bytes, target.generation)
      target.file.writeSync(batch.bytes, 0, batch.length, target.bytes)
      target.file.syncSync()
      this.#written(head)
      this.#queue.shift()
    }
  }

  #syncNow(): Promise<void> {
    if (this.#gathering.isEmpty && this.#queue.length === 0) return DONE
    if (this.failure !== undefined) return Promise.reject(this.failure)
    if (this.#gathering.isEmpty) return this.#queue.at(-1)!.done.promise
    this.#gatheringDone ??= withResolvers()
    const { promise } = this.#gatheringDone
    if (!this.#writing && !this.#pumpScheduled) {
      this.#pumpScheduled = true
      setImmediate(() => {
        this.#pumpScheduled = false
        void this.#pump()
      })
    }
    return promise
  }

  /** Queues the current batch for the current file. If no file can be created, nothing changes. */
  #handOver(): void {
    if (this.#gathering.isEmpty) return
    this.#current ??= this.#newGeneration()
    const done = this.#gatheringDone ?? withResolvers()
    this.#queue.push({ batch: this.#gathering, target: this.#current, done })
    this.#gathering = this.#spare.pop() ?? new LogBatch()
    this.#gatheringDone = undefined
  }

  async #pump(): Promise<void> {
    if (this.#writing || this.failure !== undefined) return
    this.#writing = true
    try {
      for (;;) {
        if (this.#queue.length === 0) {
          if (this.#gatheringDone === undefined) break
          if (this.#current !== undefined && this.#current.bytes > GENERATION_BYTES_MAX) this.#current = undefined
          this.#handOver()
        }
        const head = this.#queue[0]!
        await this.#writeBatch(head)
        this.#written(head)
        this.#queue.shift()
      }
    } catch (error) {
      this.#fail(error as Error)
    } finally {
      this.#writing = false
    }
  }

  async #writeBatch({ batch, target }: QueuedBatch): Promise<void> {
    const { file } = target
    batch.finish(target.bytes, target.generation)
    const isSmall = batch.length <= SMALL_BATCH_BYTES
    if (isSmall) file.writeSync(batch.bytes, 0, batch.length, target.bytes)
    else await file.write(batch.bytes, 0, batch.length, target.bytes)
    const startedAtMs = this.#nowMs()
    if (isSmall && this.#syncMs < FAST_SYNC_MS) file.syncSync()
    else await file.sync()
    this.#syncMs += (this.#nowMs() - startedAtMs - this.#syncMs) / 8
    if (target.nameUnsafe) {
      await this.#directory.syncFolder()
      target.nameUnsafe = false
    }
  }

  #written({ batch, target, done }: QueuedBatch): void {
    const bytes = target.bytes + batch.length
    // Asserted after the sync: a later owner of the folder reads the batch, an earlier one may not have.
    this.#directory.assertOwned()
    this.#synced.note(target.generation, bytes, batch.maxSeqNo)
    target.bytes = bytes
    target.operations += batch.recordCount
    target.maxSeqNo = batch.maxSeqNo
    batch.reset()
    if (this.#spare.length < 2) this.#spare.push(batch)
    done.resolve()
  }

  #fail(error: Error): void {
    this.failure = error
    // Records after the failed batch cannot be durable either, so their requests need not wait.
    const waiting = this.#queue.map(({ done }) => done)
    if (this.#gatheringDone !== undefined) waiting.push(this.#gatheringDone)
    this.#gatheringDone = undefined
    if (this.#durability.mode === 'request') this.#reject(error)
    for (const { reject } of waiting) reject(error)
  }

  /** Removes every operation that is not durable from the log. The next one starts a new file. */
  #reject(error: Error): void {
    const safeSeqNo = this.firstUnsafe - 1
    const head = this.#queue[0]
    const wanted = head?.batch.length ?? this.#gathering.length
    this.#probeBytes = Math.min(Math.max(wanted, PROBE_BYTES_MIN), PROBE_BYTES_MAX)
    let uncut: Error | undefined
    if (error instanceof FolderTakenError) uncut = error
    else if (head !== undefined) {
      try {
        this.#cutBack(head.target)
      } catch (thrown) {
        uncut = thrown as Error
      }
    }
    this.#queue.length = 0
    this.#gathering.reset()
    this.#current = undefined
    this.#onRejected({ error, safeSeqNo, uncut })
  }

  /**
   * The rejection is recorded first: if the process ends before the file is truncated, or truncation fails, the next
   * start does it.
   */
  #cutBack({ file, generation, bytes }: GenerationFile): void {
    const { current } = this.#synced
    try {
      this.#synced.write({ ...current, generation, bytes, tailRejected: true })
    } catch {
      // Truncating the file is enough.
    }
    file.truncate(bytes)
    file.syncSync()
  }

  #newGeneration(): GenerationFile {
    const generation = this.#nextGeneration
    this.#directory.assertOwned()
    const file = this.#directory.create(logFileName(generation))
    try {
      this.#writeHeader(file, generation)
    } catch (error) {
      file.close()
      this.#directory.delete(logFileName(generation))
      throw error
    }
    const made = { generation, file, bytes: FILE_HEADER_BYTES, operations: 0, maxSeqNo: -1, nameUnsafe: true }
    this.#nextGeneration++
    this.#generations.push(made)
    return made
  }

  #writeHeader(file: WritableFile, generation: number): void {
    const { shard } = this.#synced.current
    file.writeSync(encodeFileHeader(generation, this.#primaryTerm, shard), 0, FILE_HEADER_BYTES, 0)
  }
}

function withResolvers(): PromiseWithResolvers {
  let resolve!: () => void
  let reject!: (error: Error) => void
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // A batch that no request waits for (async durability, rotation) may fail too: `failure` reports it.
  promise.catch(ignore)
  return { promise, resolve, reject }
}

function ignore(): void {}
