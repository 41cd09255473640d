/**
 * The shards with writes since their last flush. Each has two open files, so their number is bounded: the least
 * recently written shards are flushed, which closes their log.
 */
import { openLogsMax } from '../../base/files/descriptor-limit.ts'
import { unaskedFlushes } from '../../engine/shard/flush/flusher.ts'
import type { OpenShard } from './open-index.ts'

export class OpenLogs {
  readonly #max: number
  /** In order of writes, the least recently written first. */
  readonly #written = new Set<OpenShard>()
  #newest: OpenShard | undefined

  constructor(max: number = openLogsMax()) {
    this.#max = max
  }

  /** Must be called for every write. */
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
    // If the flush fails, the log stays open. The next write to the shard reports the error.
    unaskedFlushes.take(() => oldest.shard.flush()).catch(() => {})
  }
}
