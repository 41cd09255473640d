/**
 * Runs one slice of a reindex or by-query operation: reads the matching documents page by page from a scroll, converts
 * each page to a bulk request, and counts the results.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, succeed } from '../../base/api-client.ts'
import { ByteWriter } from '../shards/bulk/byte-writer.ts'
import type { HitChange } from './bulk-lines.ts'
import { type BulkResult, countResults, readResults, SKIPPED } from './bulk-results.ts'
import type { ByQueryStatus } from './by-query-status.ts'
import { type HitPage, readHitPage } from './hit-page.ts'

export interface ByQueryPlan {
  readonly source: ApiClient
  readonly target: ApiClient
  /** Path, query string and body of the search that opens the scroll. */
  readonly searchPath: string
  readonly searchBody: Uint8Array
  readonly scrollKeepAlive: string
  /** Path and query string of the bulk requests. */
  readonly bulkPath: string
  readonly maxDocs: number
  readonly proceedOnConflicts: boolean
  readonly change: HitChange
}

export interface ByQueryFailure {
  readonly index: string
  readonly id: string
  readonly cause: unknown
  readonly status: number
}

/** A shard that could not be searched. */
export interface SearchFailure {
  readonly shard: unknown
}

export interface ByQueryOutcome {
  readonly failures: readonly ByQueryFailure[]
  readonly searchFailures: readonly unknown[]
  readonly timedOut: boolean
}

/** Elasticsearch's exponential backoff for bulk items rejected with 429. */
const BULK_RETRIES = 11
const FIRST_RETRY_MS = 500
/** What a line of metadata needs beside the id and the source of its hit. */
const LINE_BYTES = 64
/** How long a batch may be prepared without yielding. */
const SLICE_MS = 5

export class ByQueryRun {
  readonly #plan: ByQueryPlan
  readonly #status: ByQueryStatus
  readonly #abort = new AbortController()
  readonly #failures: ByQueryFailure[] = []
  #batchStartedMs = 0
  #wake: (() => void) | undefined

  constructor(plan: ByQueryPlan, status: ByQueryStatus) {
    this.#plan = plan
    this.#status = status
  }

  cancel(reason: string): void {
    this.#status.cancelReason ??= reason
    this.#abort.abort()
    this.#wake?.()
  }

  /** Ends a running pause; the next one uses the new rate. */
  rethrottle(requestsPerSecond: number): void {
    this.#status.requestsPerSecond = requestsPerSecond
    this.#wake?.()
  }

  async run(): Promise<ByQueryOutcome> {
    const { source, searchPath, searchBody, maxDocs } = this.#plan
    const status = this.#status
    let page = readHitPage(await succeed(source.send('POST', searchPath, searchBody)))
    try {
      if (page.shardFailures.length > 0 || page.timedOut)
        return { failures: [], searchFailures: page.shardFailures, timedOut: page.timedOut }
      status.total = Math.min(page.total, maxDocs)
      // As in Elasticsearch, only changed documents count, and documents that a script leaves alone do not.
      const left = () => maxDocs - status.changed
      while (page.count > 0 && left() > 0 && !this.#abort.signal.aborted) {
        const count = Math.min(page.count, left())
        this.#batchStartedMs = performance.now()
        status.batches++
        await this.#write(page, count)
        if (this.#failures.length > 0 || left() <= 0 || page.scrollId === undefined) break
        await this.#throttle(count)
        if (this.#abort.signal.aborted) break
        page = await this.#nextPage(page.scrollId)
        if (page.shardFailures.length > 0)
          return { failures: this.#failures, searchFailures: page.shardFailures, timedOut: page.timedOut }
      }
      return { failures: this.#failures, searchFailures: [], timedOut: false }
    } finally {
      if (page.scrollId !== undefined) await this.#closeScroll(page.scrollId)
    }
  }

  async #nextPage(scrollId: string) {
    const body = Buffer.from(JSON.stringify({ scroll: this.#plan.scrollKeepAlive, scroll_id: scrollId }))
    return readHitPage(await succeed(this.#plan.source.send('POST', '/_search/scroll', body)))
  }

  /** A scroll that cannot be closed expires by itself. */
  async #closeScroll(scrollId: string): Promise<void> {
    const body = Buffer.from(JSON.stringify({ scroll_id: [scrollId] }))
    await this.#plan.source.send('DELETE', '/_search/scroll', body).catch(() => undefined)
  }

  async #write(page: HitPage, count: number): Promise<void> {
    const { change } = this.#plan
    const out = new ByteWriter(page.body.length + count * LINE_BYTES)
    // The operations are out[starts[i], starts[i + 1]).
    const starts: number[] = []
    let sliceStartedMs = performance.now()
    for (let hit = 0; hit < count; hit++) {
      // Scripts run in this thread, so it yields between documents.
      if (performance.now() - sliceStartedMs > SLICE_MS) {
        await new Promise((resolve) => setImmediate(resolve))
        sliceStartedMs = performance.now()
      }
      starts.push(out.length)
      if (change(page, hit, out)) continue
      starts.pop()
      this.#status.noops++
    }
    if (starts.length === 0) return
    starts.push(out.length)
    await this.#bulk(out.finish(), starts)
  }

  /** Sends the operations, and retries those rejected with 429 after a pause. */
  async #bulk(operations: Uint8Array, starts: readonly number[]): Promise<void> {
    let waiting: number[] | undefined
    for (let attempt = 0; ; attempt++) {
      // A copy, because the body of a request moves to the thread that executes it.
      const body =
        waiting === undefined
          ? operations.slice()
          : Buffer.concat(waiting.map((i) => operations.subarray(starts[i], starts[i + 1])))
      const reply = await succeed(this.#plan.target.send('POST', this.#plan.bulkPath, body))
      if (countResults(reply, this.#status)) return
      const results = readResults(reply)
      const canRetry = attempt < BULK_RETRIES && !this.#abort.signal.aborted
      const rejected: number[] = []
      results.forEach((result, i) => {
        if (canRetry && result.status === 429) rejected.push(waiting === undefined ? i : waiting[i]!)
        else this.#count(result)
      })
      waiting = rejected
      if (waiting.length === 0) return
      this.#status.bulkRetries++
      await this.#pause(FIRST_RETRY_MS + 10 * Math.trunc(Math.exp(0.8 * attempt) - 1))
    }
  }

  #count({ action, result, status, error, _index, _id }: BulkResult): void {
    const counts = this.#status
    if (error !== undefined && status >= 300) {
      if (status === 409) counts.versionConflicts++
      if (status !== 409 || !this.#plan.proceedOnConflicts)
        this.#failures.push({ index: _index, id: _id, cause: error, status })
    } else if (result === SKIPPED) counts.noops++
    else if (action === 'delete') counts.deleted++
    else if (result === 'created') counts.created++
    else counts.updated++
  }

  /** Waits as long as the batch should have taken at the requested rate. */
  async #throttle(documents: number): Promise<void> {
    const { requestsPerSecond } = this.#status
    if (requestsPerSecond === Infinity) return
    const wantedMs = (documents / requestsPerSecond) * 1000
    const pauseMs = Math.round(wantedMs - (performance.now() - this.#batchStartedMs))
    if (pauseMs <= 0) return
    const startedMs = performance.now()
    this.#status.throttledUntilMs = Date.now() + pauseMs
    await this.#pause(pauseMs)
    this.#status.throttledUntilMs = 0
    this.#status.throttledMs += Math.round(performance.now() - startedMs)
  }

  /** Ends early if the operation is cancelled or rethrottled. */
  async #pause(ms: number): Promise<void> {
    const waking = new AbortController()
    this.#wake = () => waking.abort()
    if (this.#abort.signal.aborted) return
    await sleep(ms, undefined, { signal: waking.signal }).catch(() => undefined)
    this.#wake = undefined
  }
}
