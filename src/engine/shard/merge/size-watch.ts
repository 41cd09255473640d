/**
 * Limits what grows with writes: a full buffer becomes a segment, and a large log is committed, both automatically. If
 * documents arrive faster than segments are written, writes wait.
 */
import type { Flusher } from '../flush/flusher.ts'
import type { BufferBudget, BufferOwner } from '../refresh/buffer-budget.ts'
import type { Refresher } from '../refresh/refresher.ts'
import type { SegmentSet } from '../view/segment-set.ts'

const BUFFER_BYTES_MAX = 64 * 1024 * 1024
/** Writes wait if the buffer exceeds its size by this factor before the previous one has become a segment. */
const CROWDED = 1.5
/** Sizes are checked once per this many writes, or bytes of documents. */
const WRITES_PER_CHECK = 256
const BYTES_PER_CHECK = 1024 * 1024

export interface SizeWatchOptions {
  readonly segments: SegmentSet
  readonly refresher: Refresher
  readonly flusher: Flusher
  readonly bufferBytesMax: number | undefined
  /** Shared with other shards. */
  readonly budget: BufferBudget | undefined
  readonly flushThresholdBytes: () => number
  /** Called if a full buffer could not become a segment. It is retried when it has grown a little more. */
  readonly onFailure: (error: Error) => void
}

export class SizeWatch implements BufferOwner {
  readonly #options: SizeWatchOptions
  readonly #bufferBytesMax: number
  #writesUntilCheck = WRITES_PER_CHECK
  #bytesUntilCheck = BYTES_PER_CHECK
  #crowded = false
  /** Set during a replay, which does not yield to messages of another thread. */
  sealsHere = true

  constructor(options: SizeWatchOptions) {
    this.#options = options
    this.#bufferBytesMax = options.bufferBytesMax ?? BUFFER_BYTES_MAX
  }

  /** Called for every write, with the bytes of its document. */
  written(bytes: number): void {
    this.#bytesUntilCheck -= bytes
    if (--this.#writesUntilCheck === 0 || this.#bytesUntilCheck < 0) this.#check()
  }

  /** Called when a buffer has become a segment, or the shard is closed. */
  shrunk(): void {
    const { budget, segments } = this.#options
    budget?.note(this, segments.isBuffering ? segments.bufferBytes : 0)
  }

  closed(): void {
    this.#options.budget?.note(this, 0)
  }

  seal(): void {
    this.#sealFull()
  }

  settled(): Promise<void> {
    return this.#options.refresher.settled()
  }

  /** What the next write has to wait for; usually nothing. */
  room(): Promise<void> | undefined {
    if (!this.#crowded) return this.#options.budget?.room()
    this.#crowded = false
    return this.#options.refresher.settled()
  }

  #check(): void {
    this.#writesUntilCheck = WRITES_PER_CHECK
    this.#bytesUntilCheck = BYTES_PER_CHECK
    const { segments, refresher, flusher, flushThresholdBytes, budget } = this.#options
    const bytes = segments.active.memoryBytes
    if (bytes > this.#bufferBytesMax) this.#sealFull()
    this.#crowded = bytes > this.#bufferBytesMax * CROWDED && refresher.isBusy
    budget?.grown(this, segments.bufferBytes)
    flusher.checkLog(flushThresholdBytes())
  }

  #sealFull(): void {
    const { segments, refresher, onFailure } = this.#options
    if (!this.sealsHere) {
      refresher.sealFull().then(() => this.shrunk(), onFailure)
      return
    }
    try {
      segments.sealHere()
      this.shrunk()
    } catch (error) {
      onFailure(error as Error)
    }
  }
}
