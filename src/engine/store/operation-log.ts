/** Where a shard's operations are kept safe until a commit point holds them. */
import type { LogOp } from './log-format.ts'

export interface OperationLog {
  /** Takes one operation, in memory; `sync` makes it safe. */
  append(
    op: LogOp,
    seqNo: number,
    primaryTerm: number,
    version: number,
    idBytes: Uint8Array,
    routing: string | undefined,
    source?: Uint8Array,
  ): void
  /** Resolves when everything appended so far is safe; rejects when it could not be written. */
  sync(): Promise<void>
  /** Like `sync`, also when requests do not wait for it. */
  syncAll(): Promise<void>
  /**
   * The last write failed: operations that were not safe are gone from the log, unless they were acknowledged before they were
   * synced (async durability). `recover` finds out whether the trouble is over, and throws while it lasts.
   */
  readonly failure: Error | undefined
  recover(): void
  /** The first operation that may still be rolled back; infinite when there is none, or durability is asynchronous. */
  readonly firstUnsafe: number
  /** The newest commit point is safe. */
  noteCommit(generation: number): void
  /** For the files that are begun from now on. */
  setPrimaryTerm(primaryTerm: number): void
  /** Begins a new generation for the operations from now on and returns its number. */
  rotate(): number
  /** Forgets the generations before this one: a commit point holds their operations. */
  trim(generation: number): void
  readonly operations: number
  readonly bytes: number
  setDurability(durability: Durability): void
  /** Writes what is left, unless it is of no use to anybody, and lets go of the files. */
  close(options: { sync: boolean }): Promise<void>
}

export interface Durability {
  /** With `async`, `sync` answers at once and the log is synced every `syncIntervalMs`. */
  readonly mode: 'request' | 'async'
  readonly syncIntervalMs: number
}

/** The log of a shard in memory: what it would keep is lost with the process anyway, so it only counts. */
export class VolatileLog implements OperationLog {
  readonly failure = undefined
  readonly firstUnsafe = Number.POSITIVE_INFINITY
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
