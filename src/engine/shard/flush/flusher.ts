/**
 * Commits a shard, one commit at a time: on request, when its log has grown large, and when its oldest write has reached an age.
 */
import { Turns } from '../../../base/turns.ts'
import type { OperationLog } from '../../store/operation-log.ts'
import type { Refresher } from '../refresh/refresher.ts'
import type { ShardCounters } from '../shard-stats.ts'
import type { Committer, Cut } from './committer.ts'
import { FlushTimer } from './flush-timer.ts'

/** Thousands of shards may become due together, and a flush opens several files. */
export const unaskedFlushes = new Turns(16)

export interface FlusherOptions {
  readonly committer: Committer
  readonly refresher: Refresher
  readonly counters: ShardCounters
  readonly log: () => OperationLog
  /** The last operation so far. */
  readonly position: () => { readonly maxSeqNo: number; readonly primaryTerm: number }
  /** Starts a flush without a request. The shard decides whether it is possible and logs failures. */
  readonly flushUnasked: () => void
  /** Whether trimmed operations are read later, so that all of them must reach the log. */
  readonly keepsHistory: () => boolean
  /** The age of a write at which it is flushed. */
  readonly flushAgeMs: () => number
}

export class Flusher {
  readonly #options: FlusherOptions
  readonly #timer: FlushTimer
  #running: Promise<void> | undefined

  constructor(options: FlusherOptions) {
    this.#options = options
    this.#timer = new FlushTimer(options.flushUnasked, options.flushAgeMs)
  }

  /** Called for every write. */
  written(): void {
    this.#timer.written()
  }

  /** Called periodically. */
  checkLog(thresholdBytes: number): void {
    if (this.#running === undefined && this.#options.log().bytes > thresholdBytes) this.#options.flushUnasked()
  }

  /** Without `force`, only if there is something to commit. `check` throws if the shard can no longer be used. */
  flush(force: boolean, check: () => void): Promise<void> {
    const before = this.#running ?? Promise.resolve()
    const running = before
      .catch(ignore)
      .then(() => {
        check()
        return this.#flushNow(force)
      })
      .finally(() => {
        if (this.#running === running) this.#running = undefined
      })
    this.#running = running
    return running
  }

  stop(): void {
    this.#timer.stop()
  }

  async settled(): Promise<void> {
    await this.#running?.catch(ignore)
  }

  async #flushNow(force: boolean): Promise<void> {
    const { committer, refresher, counters, log, position, keepsHistory } = this.#options
    if (!force && !committer.isDue(position().maxSeqNo)) return
    let cut: Cut | undefined
    const view = await refresher.cut(() => {
      cut = { ...position(), logGeneration: log().rotate() }
    })
    try {
      if (keepsHistory()) await log().syncAll()
      await committer.commit(view, log(), cut!)
    } finally {
      view.release()
    }
    counters.flushTotal++
  }
}

function ignore(): void {}
