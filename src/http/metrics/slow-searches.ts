/** The slowest searches of the last hour, for people who ask what takes so long. A search that is quicker than all of them costs one comparison. */

export interface SlowSearch {
  readonly path: string
  /** The body as text; undefined if it was empty, large or had escapes. */
  readonly body: string | undefined
  readonly atMs: number
  readonly ms: number
  readonly status: number
}

const KEPT = 20
const HOUR_MS = 3_600_000
/** Quicker searches are never listed. */
const LEAST_MS = 5
const BODY_BYTES_MAX = 4096
const SEARCHES = /\/(_search|_msearch|_count|_async_search|template)$/

export class SlowSearches {
  #searches: SlowSearch[] = []
  #leastMs = LEAST_MS

  /** Only searches that took at least this long need to be noted. */
  get leastMs(): number {
    return this.#leastMs
  }

  /** Whether the body may be kept; asked before the request is handled, because strings with escapes are decoded in place. */
  static isKeepable(body: Buffer): boolean {
    return body.length > 0 && body.length <= BODY_BYTES_MAX && !body.includes(0x5c)
  }

  note(
    route: string | undefined,
    path: string,
    body: Buffer | undefined,
    status: number,
    ms: number,
    nowMs: number,
  ): void {
    if (ms < this.#leastMs || route === undefined || !SEARCHES.test(route)) return
    const recent = this.#searches.filter(({ atMs }) => nowMs - atMs < HOUR_MS)
    recent.push({ path, body: body?.toString('utf8'), atMs: nowMs, ms, status })
    recent.sort((a, b) => b.ms - a.ms)
    this.#searches = recent.slice(0, KEPT)
    this.#leastMs = this.#searches.length < KEPT ? LEAST_MS : this.#searches.at(-1)!.ms
  }

  /** The slowest first. */
  list(nowMs: number): readonly SlowSearch[] {
    const recent = this.#searches.filter(({ atMs }) => nowMs - atMs < HOUR_MS)
    if (recent.length < KEPT) this.#leastMs = LEAST_MS
    return recent
  }
}
