/** The public types of `sandpiper-search/testing`. They do not depend on the rest of the package. */

export interface StartSearchOptions {
  /** False: no socket, only `request`. Default: a free port on this machine. */
  readonly listen?: boolean
  /** A fixed port instead of a free one. */
  readonly port?: number
  /** Keep the data in this folder instead of in memory. `reset`, `snapshot` and `restore` require an in-memory node. */
  readonly dataFolder?: string
  /**
   * When written documents become searchable:
   * - `default`: as in Elasticsearch, within a second or after a refresh
   * - `immediate`: every search sees all writes acknowledged before it
   * - `manual`: only after an explicit refresh
   */
  readonly refresh?: 'default' | 'immediate' | 'manual'
  /** Servers that `_reindex` may read from, as patterns over `host:port`. */
  readonly reindexRemoteWhitelist?: readonly string[]
  /** False: errors have no `help` member, only what Elasticsearch answers. */
  readonly errorHelp?: boolean
  /** Record all requests in `requests`. */
  readonly record?: boolean
}

export interface TestSearch {
  /** `http://127.0.0.1:40123`; empty without a socket. */
  readonly url: string
  /** The time the service uses for expiry of contexts, rollover by age, date math and `now`. */
  readonly clock: TestClock
  /** The recorded requests, oldest first; empty unless `record` is set. */
  readonly requests: readonly RecordedRequest[]
  /**
   * Sends a request without a socket. A body that is neither a string nor a buffer is sent as JSON, an array of lines
   * as NDJSON.
   */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  /** Removes everything: indices, templates, settings, scripts, contexts, recorded requests and clock changes. */
  reset(): Promise<void>
  /** Captures the complete state of the service, to be restored any number of times. */
  snapshot(): Promise<SearchSnapshot>
  /** Restores a snapshot of this or another service. Open points in time and scrolls end. */
  restore(snapshot: SearchSnapshot): Promise<void>
  /**
   * Loads documents from the path or URL of a file, or from its text. Lines have the format of `sandpiper export`, whose
   * indices, data streams and templates are created first, or of a bulk request. Returns the number of documents.
   */
  seed(source: string | URL): Promise<number>
  stop(): Promise<void>
}

export interface TestClock {
  now(): Date
  /** Advances the time by milliseconds or by a duration such as `5m` or `7d`. */
  advance(by: number | string): void
  /** Sets the time; it continues from there. */
  set(to: Date | string | number): void
}

/** An opaque snapshot. */
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
  /** Names are in lower case, as those of Node's responses. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** The parsed JSON, or the text if it is not JSON; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers whose shape they know
  readonly body: any
  readonly text: string
}
