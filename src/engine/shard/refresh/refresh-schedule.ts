/**
 * When a shard refreshes by itself: `index.refresh_interval` after the first change since the last refresh, so that an
 * index nobody writes to costs nothing.
 *
 * An index with the default interval that nobody searches is left alone until somebody does (search idle): bulk loads
 * then make few large segments instead of one per second.
 */
import type { ShardSettings } from '../shard-settings.ts'

export class RefreshSchedule {
  readonly #refresh: () => Promise<void>
  readonly #nowMs: () => number
  #settings: ShardSettings
  #timer: NodeJS.Timeout | undefined
  #lastSearchMs: number
  /** A refresh was due while the index was search idle. */
  #dueOnSearch = false
  /** Since the last cut. */
  #changed = false
  #waiters: (() => void)[] = []
  /** Those of a refresh under way; undefined when there is none. */
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

  /** Called for every search; returns what it has to wait for, if a refresh was due. */
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

  /** A refresh begins: it will show what is written so far, and nothing that comes later. */
  cut(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#changed = false
    this.#waitersOfCut = this.#waiters
    this.#waiters = []
  }

  /** Everything written before the cut is visible now. */
  refreshed(): void {
    this.#dueOnSearch = false
    const waiters = this.#waitersOfCut ?? []
    this.#waitersOfCut = undefined
    for (const resolve of waiters) resolve()
    this.#arm()
  }

  /** The refresh of the last cut came to nothing. */
  failed(): void {
    this.#waiters = [...(this.#waitersOfCut ?? []), ...this.#waiters]
    this.#waitersOfCut = undefined
    this.#changed = true
    this.#arm()
  }

  /** Lets waiting requests go, also when the shard stops before they could see their documents. */
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
    // A refresh that failed (a full disk) is tried again after another interval.
    this.#arm()
  }
}
