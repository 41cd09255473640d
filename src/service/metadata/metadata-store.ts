/**
 * Holds the current metadata and changes it, one change at a time, durably before anyone is notified.
 *
 * A change is computed against all accepted changes, including those not yet on disk, so that two requests cannot both
 * create a name. Readers see only durable changes. Changes that arrive while the disk is busy share the next sync. If
 * the disk fails, all pending changes fail together and the state reverts to the durable one.
 */
import { metadataNotWritten } from '../../base/errors/index-errors.ts'
import type { Directory } from '../../engine/store/directory.ts'
import type { Change, FlatSettings } from './metadata.ts'
import { MetadataLog } from './metadata-log.ts'
import { MetadataState } from './metadata-state.ts'

/** Called with each new state before the request that caused it is answered. */
export type MetadataListener = (state: MetadataState, previous: MetadataState) => void

interface Pending {
  readonly changes: readonly Change[]
  readonly state: MetadataState
  resolve(): void
  reject(error: unknown): void
}

export class MetadataStore {
  readonly #log: MetadataLog | undefined
  readonly #listeners: MetadataListener[] = []
  #durable: MetadataState
  #latest: MetadataState
  #pending: Pending[] = []
  #writing: Promise<void> | undefined
  /** Transient cluster settings, kept for this process only. */
  #transient: FlatSettings = {}

  private constructor(log: MetadataLog | undefined, state: MetadataState) {
    this.#log = log
    this.#durable = state
    this.#latest = state
  }

  /** An in-memory store that starts with `state`. */
  static inMemory(state: MetadataState): MetadataStore {
    return new MetadataStore(undefined, state)
  }

  /** Without a directory nothing outlives the process. */
  static open(directory: Directory | undefined): MetadataStore {
    if (directory === undefined) return new MetadataStore(undefined, MetadataState.empty())
    try {
      const { log, state } = MetadataLog.load(directory)
      return new MetadataStore(log, state)
    } catch (error) {
      // Open descriptors would be read again by the next attempt, even if the files were restored meanwhile.
      directory.close()
      throw error
    }
  }

  get state(): MetadataState {
    return this.#durable
  }

  get transientSettings(): FlatSettings {
    return this.#transient
  }

  setTransientSettings(settings: FlatSettings): void {
    this.#transient = settings
  }

  /** From now on states have the built-in templates, policies and pipelines whenever `isOffered` says so. */
  offerBuiltIns(isOffered: () => boolean): void {
    this.#durable = this.#durable.offering(isOffered)
    this.#latest = this.#durable
  }

  onChange(listener: MetadataListener): void {
    this.#listeners.push(listener)
  }

  /**
   * Applies the changes that `compute` derives from the newest state. `compute` runs immediately and must be
   * synchronous; an error it throws rejects. Resolves when the result is durable and visible. Without changes it
   * resolves when the state that `compute` has seen is durable, and rejects if a change in it is not written.
   */
  async update(compute: (state: MetadataState) => readonly Change[]): Promise<void> {
    const changes = compute(this.#latest)
    if (changes.length === 0 && this.#writing === undefined) return
    const state = changes.length === 0 ? this.#latest : this.#latest.with(changes)
    this.#latest = state
    if (this.#log === undefined) {
      this.#publish(state)
      return
    }
    const done = new Promise<void>((resolve, reject) => this.#pending.push({ changes, state, resolve, reject }))
    this.#writing ??= this.#writeAll()
    return done
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#log?.close()
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending
      this.#pending = []
      const records = batch.map(({ changes }) => changes).filter((changes) => changes.length > 0)
      try {
        if (records.length > 0) await this.#log!.append(records, this.#durable)
      } catch (error) {
        this.#fail([...batch, ...this.#pending], error)
        break
      }
      for (const { state, resolve } of batch) {
        if (state !== this.#durable) this.#publish(state)
        resolve()
      }
    }
    this.#writing = undefined
  }

  #fail(requests: readonly Pending[], error: unknown): void {
    this.#pending = []
    this.#latest = this.#durable
    const answer = metadataNotWritten(error, this.#log?.disk)
    for (const { reject } of requests) reject(answer)
  }

  #publish(state: MetadataState): void {
    const previous = this.#durable
    this.#durable = state
    for (const listener of this.#listeners) listener(state, previous)
  }
}
