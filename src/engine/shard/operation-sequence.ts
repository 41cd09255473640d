/**
 * The sequence of a shard's operations.
 *
 * An operation checks the document's current version, takes the next number, and goes into the write buffer and the
 * log. All of it is synchronous, so operations are ordered without locks.
 */
import { ApiError } from '../../base/api-error.ts'
import type { ShardLabel } from '../../base/errors/shard-errors.ts'
import type { ParsedDocument } from '../document/parsed-document.ts'
import type { Directory } from '../store/directory.ts'
import { type LogOp, OP_DELETE, OP_INDEX } from '../store/log-format.ts'
import type { LogRecord } from '../store/log-reader.ts'
import { type OperationLog, VolatileLog } from '../store/operation-log.ts'
import { diskError } from './disk-error.ts'
import type { DocumentTable, DocumentToStore } from './document-table.ts'
import type { Reparsed, ReplayTarget } from './flush/recovery.ts'
import { Retention } from './merge/retention.ts'
import type { DeleteOperation, IndexOperation, WriteResult } from './operations.ts'
import type { ShardCounters } from './shard-stats.ts'
import { checkCondition, nextVersion } from './version-rules.ts'

export interface OperationSequenceOptions {
  readonly label: ShardLabel
  readonly directory: Directory
  readonly documents: DocumentTable
  readonly counters: ShardCounters
  readonly nowMs: () => number
  /** The last operation in the commit point; -1 without one. */
  readonly maxSeqNo: number
  /** Called with the bytes of a document when its operation is in the buffer and the log. */
  readonly onWritten: (bytes: number) => void
  /** Called when an operation of the log is in the buffer again. */
  readonly onReplayed: (bytes: number) => void
  /** The buffer can no longer be trusted. Returns the error to answer with. */
  readonly fail: (reason: string) => ApiError
}

export class OperationSequence implements ReplayTarget {
  readonly #options: OperationSequenceOptions
  readonly #documents: DocumentTable
  readonly #retention: Retention
  /** Only counts until the replay is over. */
  #log: OperationLog = new VolatileLog()
  #primaryTerm = 1
  #maxSeqNo: number

  constructor(options: OperationSequenceOptions) {
    this.#options = options
    this.#documents = options.documents
    this.#maxSeqNo = options.maxSeqNo
    this.#retention = new Retention(this.#maxSeqNo + 1, options.nowMs)
  }

  get log(): OperationLog {
    return this.#log
  }

  get maxSeqNo(): number {
    return this.#maxSeqNo
  }

  get primaryTerm(): number {
    return this.#primaryTerm
  }

  /** The first operation whose deleted documents merges keep. */
  retainedFrom(committedSeqNo: number): number {
    return this.#retention.from(this.#maxSeqNo + 1, committedSeqNo)
  }

  /** The replay is over: operations are now logged under this term. */
  begin(log: OperationLog, primaryTerm: number): void {
    this.#log = log
    this.#primaryTerm = primaryTerm
  }

  /** Returns to the last operation of the commit point, for a replay of the log. */
  reset(maxSeqNo: number): void {
    this.#maxSeqNo = maxSeqNo
  }

  index(op: IndexOperation): WriteResult {
    this.#prepare()
    const { label, counters } = this.#options
    const current = this.#currentOf(op)
    checkCondition(label, op.idBytes, op.condition, op.create, current)
    const version = nextVersion(op.condition, current)
    const existed = current.isLive
    const seqNo = this.#maxSeqNo + 1
    this.#put(op, version, seqNo, this.#primaryTerm)
    this.#append(OP_INDEX, seqNo, version, op.idBytes, op.routing, op.source)
    counters.indexTotal++
    return { existed, version, seqNo, primaryTerm: this.#primaryTerm }
  }

  #currentOf({ autoId, isFound, idBytes }: IndexOperation) {
    if (autoId) return this.#documents.findNothing()
    return isFound ? this.#documents.found : this.#documents.find(idBytes)
  }

  delete(op: DeleteOperation): WriteResult {
    this.#prepare()
    const { label, counters } = this.#options
    const current = this.#documents.find(op.idBytes)
    checkCondition(label, op.idBytes, op.condition, false, current)
    const version = nextVersion(op.condition, current)
    const existed = current.isLive
    const seqNo = this.#maxSeqNo + 1
    this.#remove(op.idBytes, version, seqNo, this.#primaryTerm)
    this.#append(OP_DELETE, seqNo, version, op.idBytes, op.routing, undefined)
    counters.deleteTotal++
    return { existed, version, seqNo, primaryTerm: this.#primaryTerm }
  }

  replayIndex(record: LogRecord, parsed: ParsedDocument, { schemas, storedSource }: Reparsed): void {
    this.#documents.find(record.idBytes)
    const { idBytes, routing } = record
    this.#put({ idBytes, routing, parsed, schemas, storedSource }, record.version, record.seqNo, record.primaryTerm)
    this.#options.onReplayed(storedSource?.length ?? 0)
  }

  replayDelete(record: LogRecord): void {
    this.#documents.find(record.idBytes)
    this.#remove(record.idBytes, record.version, record.seqNo, record.primaryTerm)
  }

  #prepare(): void {
    this.#retention.catchUp(this.#maxSeqNo + 1)
    if (this.#log.failure === undefined) return
    try {
      this.#log.recover()
    } catch (error) {
      throw diskError(this.#options.label, error, this.#options.directory)
    }
  }

  #put(document: DocumentToStore, version: number, seqNo: number, primaryTerm: number): void {
    try {
      this.#documents.put(document, version, seqNo, primaryTerm)
    } catch (error) {
      if (error instanceof ApiError) throw error
      // Not caused by the document.
      throw this.#options.fail(`cannot add a document: ${(error as Error).message}`)
    }
    this.#maxSeqNo = seqNo
  }

  #remove(idBytes: Uint8Array, version: number, seqNo: number, primaryTerm: number): void {
    this.#documents.remove(idBytes, { version, seqNo, primaryTerm, deletedAtMs: this.#options.nowMs() })
    this.#maxSeqNo = seqNo
  }

  #append(
    op: LogOp,
    seqNo: number,
    version: number,
    idBytes: Uint8Array,
    routing: string | undefined,
    source: Uint8Array | undefined,
  ): void {
    try {
      this.#log.append(op, seqNo, this.#primaryTerm, version, idBytes, routing, source)
    } catch (error) {
      // The buffer has an operation that the log does not have.
      throw this.#options.fail(`cannot log an operation: ${(error as Error).message}`)
    }
    this.#options.onWritten(source?.length ?? 0)
  }
}
