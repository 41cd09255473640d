/** The public types of `sandpiper-search/testing`. They name nothing else of the package. */

export interface StartSearchOptions {
  /** False: no socket, only `request`. Default: a free port of this machine. */
  readonly listen?: boolean
  /** A port of your choice instead of a free one. */
  readonly port?: number
  /** Keep the data in this folder instead of in memory. `reset`, `snapshot` and `restore` need a node in memory. */
  readonly dataFolder?: string
  /**
   * When written documents can be found:
   * - `default`: as in Elasticsearch, within a second or after a refresh
   * - `immediate`: every search sees all writes that were answered before it
   * - `manual`: only after a refresh the test asks for
   */
  readonly refresh?: 'default' | 'immediate' | 'manual'
  /** Servers that `_reindex` may read from, as patterns over `host:port`. */
  readonly reindexRemoteWhitelist?: readonly string[]
  /** Keep a list of all requests in `requests`. */
  readonly record?: boolean
}

export interface TestSearch {
  /** `http://127.0.0.1:40123`; empty without a socket. */
  readonly url: string
  /** Time as the service sees it: expiry of contexts, rollover by age, date math, `now`. */
  readonly clock: TestClock
  /** The requests so far, oldest first; empty unless `record` is set. */
  readonly requests: readonly RecordedRequest[]
  /** Sends a request without a socket. A body that is no string or buffer is sent as JSON, an array of lines as NDJSON. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  /** Forgets everything: indices, templates, settings, scripts, contexts, recorded requests, and moves of the clock. */
  reset(): Promise<void>
  /** Everything the service holds, to be restored later and any number of times. */
  snapshot(): Promise<SearchSnapshot>
  /** Goes back to a snapshot of this or another service. Open points in time and scrolls end. */
  restore(snapshot: SearchSnapshot): Promise<void>
  /**
   * Loads documents: the path or URL of a file, or its text. Lines are those of `sandpiper export`, or those of a bulk
   * request. Returns the number of documents.
   */
  seed(source: string | URL): Promise<number>
  stop(): Promise<void>
}

export interface TestClock {
  now(): Date
  /** Moves time on by milliseconds or by a duration such as `5m` or `7d`. */
  advance(by: number | string): void
  /** Moves time to a moment; it goes on from there. */
  set(to: Date | string | number): void
}

/** Opaque. */
export interface SearchSnapshot {
  readonly createdAt: Date
}

export interface RecordedRequest {
  readonly method: string
  /** Path and query string. */
  readonly path: string
  readonly body: string
  readonly status: number
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Parsed when it is JSON, text otherwise; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers whose shape they know
  readonly body: any
  readonly text: string
}
