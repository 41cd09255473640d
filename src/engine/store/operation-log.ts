/** The log that keeps a shard's operations durable until a commit point contains them. */
import type { LogOp } from './log-format.ts'

export interface OperationLog {
  /** Appends one operation, in memory; `sync` makes it durable. */
  append(
    op: LogOp,
    seqNo: number,
    primaryTerm: number,
    version: number,
    idBytes: Uint8Array,
    routing: string | undefined,
    source?: Uint8Array,
  ): void
  /** Resolves when everything appended so far is durable; rejects if it could not be written. */
  sync(): Promise<void>
  /** Like `sync`, even if requests do not wait for it. */
  syncAll(): Promise<void>
  /**
   * The last write failed: operations that were not durable are removed from the log, unless they were acknowledged
   * before they were synced (async durability). `recover` tests whether the problem persists, and throws while it does.
   */
  readonly failure: Error | undefined
  recover(): void
  /** The first operation that may still be rolled back; infinite if there is none, or durability is asynchronous. */
  readonly firstUnsafe: number
  /** The newest commit point is durable. */
  noteCommit(generation: number): void
  /** Applies to files that are started from now on. */
  setPrimaryTerm(primaryTerm: number): void
  /** Starts a new generation for the following operations and returns its number. */
  rotate(): number
  /** Removes the generations before this one: a commit point contains their operations. */
  trim(generation: number): void
  readonly operations: number
  readonly bytes: number
  /** The files that are not trimmed yet, oldest first, with their synced bytes. */
  readonly files: readonly { readonly generation: number; readonly bytes: number }[]
  /** The last operation that would survive a power failure; -1 without one. */
  readonly durableSeqNo: number
  setDurability(durability: Durability): void
  /** Writes the rest, unless nobody needs it, and closes the files. */
  close(options: { sync: boolean }): Promise<void>
}

export interface Durability {
  /** With `async`, `sync` resolves immediately and the log is synced every `syncIntervalMs`. */
  readonly mode: 'request' | 'async'
  readonly syncIntervalMs: number
}

/** The log of an in-memory shard. Its data would be lost with the process anyway, so it only counts. */
export class VolatileLog implements OperationLog {
  readonly failure = undefined
  readonly firstUnsafe = Number.POSITIVE_INFINITY
  readonly files = []
  readonly durableSeqNo = -1
  operations = 0
  bytes = 0
  #generation = 1
  #sinceRotation = { operations: 0, bytes: 0 }

  append(
    _op: LogOp,
    _seqNo: number,
    _primaryTerm: number,
    _version: number,
    idBytes: Uint8Array,
    _routing: string | undefined,
    source?: Uint8Array,
  ): void {
    const bytes = idBytes.length + (source?.length ?? 0)
    this.operations++
    this.bytes += bytes
    this.#sinceRotation.operations++
    this.#sinceRotation.bytes += bytes
  }

  async sync(): Promise<void> {}

  async syncAll(): Promise<void> {}

  recover(): void {}

  noteCommit(): void {}

  setPrimaryTerm(): void {}

  rotate(): number {
    this.#sinceRotation = { operations: 0, bytes: 0 }
    return ++this.#generation
  }

  trim(): void {
    this.operations = this.#sinceRotation.operations
    this.bytes = this.#sinceRotation.bytes
  }

  setDurability(): void {}

  async close(): Promise<void> {}
}
