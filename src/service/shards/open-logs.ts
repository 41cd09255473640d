/**
 * The shards that were written to since their last flush. Each has two files open, so the number is bounded: those that were written
 * to least recently are flushed, which closes their log.
 */
import { openLogsMax } from '../../base/files/descriptor-limit.ts'
import { unaskedFlushes } from '../../engine/shard/flush/flusher.ts'
import type { OpenShard } from './open-index.ts'

export class OpenLogs {
  readonly #max: number
  /** The least recently written first. */
  readonly #written = new Set<OpenShard>()
  #newest: OpenShard | undefined

  constructor(max: number = openLogsMax()) {
    this.#max = max
  }

  /** Called for every write. */
  note(open: OpenShard): OpenShard {
    if (open === this.#newest) return open
    this.#newest = open
    this.#written.delete(open)
    this.#written.add(open)
    if (this.#written.size > this.#max) this.#flushOldest()
    return open
  }

  forget(open: OpenShard): void {
    this.#written.delete(open)
    if (this.#newest === open) this.#newest = undefined
  }

  #flushOldest(): void {
    const oldest = this.#written.values().next().value!
    this.#written.delete(oldest)
    // A flush that fails leaves the log open. The shard says why when it is written to.
    unaskedFlushes.take(() => oldest.shard.flush()).catch(() => {})
  }
}
