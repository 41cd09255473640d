/**
 * Schedules a shard's automatic refreshes: `index.refresh_interval` after the first change since the last refresh, so
 * that an index without writes costs nothing.
 *
 * An index with the default interval is not refreshed while it is search idle: bulk loads then create few large
 * segments and not one per second.
 */
import type { ShardSettings } from '../shard-settings.ts'

export class RefreshSchedule {
  readonly #refresh: () => Promise<void>
  readonly #nowMs: () => number
  #settings: ShardSettings
  #timer: NodeJS.Timeout | undefined
  #lastSearchMs: number
  /** Whether a refresh was due while the index was search idle. */
  #dueOnSearch = false
  /** Whether there were changes since the last cut. */
  #changed = false
  #waiters: (() => void)[] = []
  /** The requests that wait for the running refresh; undefined if there is none. */
  #waitersOfCut: (() => void)[] | undefined

  constructor(options: { settings: ShardSettings; refresh: () => Promise<void>; nowMs: () => number }) {
    this.#settings = options.settings
    this.#refresh = options.refresh
    this.#nowMs = options.nowMs
    this.#lastSearchMs = options.nowMs()
  }

  set settings(settings: ShardSettings) {
    this.#settings = settings
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#arm()
  }

  get waiting(): number {
    return this.#waiters.length
  }

  /** Called for every write. */
  changed(): void {
    this.#changed = true
    if (this.#timer === undefined) this.#arm()
  }

  /** Called for every search; returns what it has to wait for if a refresh was due. */
  searched(): Promise<void> | undefined {
    this.#lastSearchMs = this.#nowMs()
    return this.#dueOnSearch ? this.#refresh() : undefined
  }

  /** Resolves when every change so far is visible. */
  wait(): Promise<void> {
    const waiters = this.#changed ? this.#waiters : this.#waitersOfCut
    if (waiters === undefined) return Promise.resolve()
    // A request that waits for a refresh counts as a search.
    this.#lastSearchMs = this.#nowMs()
    const visible = new Promise<void>((resolve) => waiters.push(resolve))
    if (this.#dueOnSearch || this.#waiters.length > this.#settings.maxRefreshListeners) void this.#refresh()
    else this.#arm()
    // A request waits for the timer, so it keeps the process alive.
    this.#timer?.ref()
    return visible
  }

  /** A refresh starts: it will show everything written so far and nothing later. */
  cut(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#changed = false
    this.#waitersOfCut = this.#waiters
    this.#waiters = []
  }

  /** Everything written before the cut is now visible. */
  refreshed(): void {
    this.#dueOnSearch = false
    const waiters = this.#waitersOfCut ?? []
    this.#waitersOfCut = undefined
    for (const resolve of waiters) resolve()
    this.#arm()
  }

  /** The refresh of the last cut has failed. */
  failed(): void {
    this.#waiters = [...(this.#waitersOfCut ?? []), ...this.#waiters]
    this.#waitersOfCut = undefined
    this.#changed = true
    this.#arm()
  }

  /** Releases waiting requests, even if the shard stops before they could see their documents. */
  release(): void {
    const waiters = [...(this.#waitersOfCut ?? []), ...this.#waiters]
    this.#waitersOfCut = undefined
    this.#waiters = []
    for (const resolve of waiters) resolve()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#changed = false
    this.release()
  }

  #arm(): void {
    const { refreshIntervalMs } = this.#settings
    if (!this.#changed || this.#dueOnSearch || refreshIntervalMs < 0 || this.#timer !== undefined) return
    this.#timer = setTimeout(() => this.#due(), Math.max(refreshIntervalMs, 1))
    this.#timer.unref()
  }

  #due(): void {
    this.#timer = undefined
    const { refreshWhenIdle, searchIdleAfterMs } = this.#settings
    const idle = !refreshWhenIdle && this.#nowMs() - this.#lastSearchMs >= searchIdleAfterMs
    if (idle && this.#waiters.length === 0) {
      this.#dueOnSearch = true
      return
    }
    void this.#refresh()
    // A failed refresh (a full disk) is retried after another interval.
    this.#arm()
  }
}
