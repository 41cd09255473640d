/**
 * Runs one slice of a reindex or by-query operation: reads the matching documents page by page from a scroll, converts
 * each page to a bulk request, and counts the results.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, type ApiReply, succeed } from '../../base/api-client.ts'
import { ByteWriter } from '../shards/bulk/byte-writer.ts'
import type { HitPart } from '../shards/shard-host.ts'
import type { HitChange } from './bulk-lines.ts'
import { type BulkResult, countResults, noteIndices, readResults, SKIPPED } from './bulk-results.ts'
import type { ByQueryStatus } from './by-query-status.ts'
import { type HitPage, readHitPage } from './hit-page.ts'

export interface ByQueryPlan {
  readonly source: ApiClient
  readonly target: PageClient
  /** Path and query string of the search that opens the scroll. */
  readonly searchPath: string
  readonly scrollKeepAlive: string
  /** Path and query string of the bulk requests. */
  readonly bulkPath: string
  /** Of all slices together. */
  readonly maxDocs: number
  readonly proceedOnConflicts: boolean
  /** Whether the indices that are written to have to be known at the end. */
  readonly notesWritten: boolean
  readonly change: HitChange
  /**
   * The bulk action for hits that the writing thread reads directly from the page; undefined if only `change` can
   * convert them.
   */
  readonly hitAction?: HitPart['action'] | undefined
}

/** The search of a slice, and how many documents it may change. */
export interface SliceSearch {
  readonly body: Uint8Array
  readonly maxDocs: number
}

/** An API that also writes pages of hits. */
export interface PageClient extends ApiClient {
  writeHits(path: string, page: Uint8Array, hits: HitPart): Promise<ApiReply>
}

/** Bulk lines: operation `i` is `operations[starts[i], starts[i + 1])`. */
interface Lines {
  readonly operations: Uint8Array
  readonly starts: readonly number[]
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
/** The size of an action line in addition to the id and the source of its hit. */
const LINE_BYTES = 64
/** How long a batch may be prepared without yielding. */
const SLICE_MS = 5

export class ByQueryRun {
  readonly #plan: ByQueryPlan
  readonly #search: SliceSearch
  readonly #status: ByQueryStatus
  readonly #abort = new AbortController()
  readonly #failures: ByQueryFailure[] = []
  readonly #written = new Set<string>()
  #batchStartedMs = 0
  #wake: (() => void) | undefined

  constructor(plan: ByQueryPlan, search: SliceSearch, status: ByQueryStatus) {
    this.#plan = plan
    this.#search = search
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

  /** The indices that were written to, as far as the plan asks for them. Scripts and pipelines may have chosen them. */
  get written(): ReadonlySet<string> {
    return this.#written
  }

  async run(): Promise<ByQueryOutcome> {
    const { source, searchPath } = this.#plan
    const { body, maxDocs } = this.#search
    const status = this.#status
    let page = this.#page(await succeed(source.send('POST', searchPath, body)))
    try {
      if (page.shardFailures.length > 0 || page.timedOut)
        return { failures: [], searchFailures: page.shardFailures, timedOut: page.timedOut }
      status.total = Math.min(page.total, maxDocs)
      // As in Elasticsearch, only changed documents count, and documents that a script leaves alone do not.
      const left = () => maxDocs - status.changed
      while (!page.isEmpty && left() > 0 && !this.#abort.signal.aborted) {
        const doneBefore = status.done
        this.#batchStartedMs = performance.now()
        await this.#writeAll(page, left)
        if (this.#failures.length > 0 || left() <= 0 || page.scrollId === undefined) break
        await this.#throttle(status.done - doneBefore)
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
    return this.#page(await succeed(this.#plan.source.send('POST', '/_search/scroll', body)))
  }

  #page(response: Buffer): HitPage {
    return readHitPage(response, this.#plan.hitAction !== undefined)
  }

  /** A scroll that cannot be closed expires by itself. */
  async #closeScroll(scrollId: string): Promise<void> {
    const body = Buffer.from(JSON.stringify({ scroll_id: [scrollId] }))
    await this.#plan.source.send('DELETE', '/_search/scroll', body).catch(() => undefined)
  }

  /**
   * Writes the hits of a page while documents are `left` to change. A batch has that many hits at most; when some of them did
   * not change anything, such as conflicts, the next hits of the page are another batch.
   */
  async #writeAll(page: HitPage, left: () => number): Promise<void> {
    for (let from = 0; ; ) {
      const doneBefore = this.#status.done
      const limit = left()
      this.#status.batches++
      await this.#write(page, from, limit)
      from += limit
      const isOver = this.#failures.length > 0 || left() <= 0 || this.#abort.signal.aborted
      if (isOver || this.#status.done - doneBefore < limit || this.#read(page).count <= from) return
    }
  }

  /** Writes the hits of a page from the hit `from` on, at most `limit` of them. */
  async #write(page: HitPage, from: number, limit: number): Promise<void> {
    const { hitAction } = this.#plan
    if (hitAction !== undefined && from === 0) {
      await this.#writeHits(page, { action: hitAction, at: page.hitsAt, limit })
      return
    }
    const whole = this.#read(page)
    const lines = await this.#lines(whole, from, Math.min(whole.count, from + limit))
    if (lines.starts.length > 1) await this.#finish(await this.#send(lines.operations.slice()), () => lines)
  }

  /** The page with its hits. */
  #read(page: HitPage): HitPage {
    return this.#plan.hitAction === undefined ? page : readHitPage(page.body)
  }

  /** Hands the page to the thread that writes the documents. Bulk lines are made only for what has to be written again. */
  async #writeHits(page: HitPage, hits: HitPart): Promise<void> {
    const { target, bulkPath } = this.#plan
    // A copy, because the body of a request moves to the thread that executes it.
    const reply = await succeed(target.writeHits(bulkPath, new Uint8Array(page.body), hits))
    await this.#finish(reply, () => {
      const whole = this.#read(page)
      return this.#lines(whole, 0, Math.min(whole.count, hits.limit))
    })
  }

  /** The operations of the hits `[from, end)` as bulk lines. */
  async #lines(page: HitPage, from: number, end: number): Promise<Lines> {
    const { change } = this.#plan
    const out = new ByteWriter(page.body.length + (end - from) * LINE_BYTES)
    const starts: number[] = []
    let sliceStartedMs = performance.now()
    for (let hit = from; hit < end; hit++) {
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
    starts.push(out.length)
    return { operations: out.finish(), starts }
  }

  #send(operations: Uint8Array): Promise<Buffer> {
    const { target, bulkPath } = this.#plan
    return succeed(target.send('POST', bulkPath, operations))
  }

  /** Counts the results, and sends operations that were rejected with 429 again after a pause. */
  async #finish(first: Buffer, linesOf: () => Lines | Promise<Lines>): Promise<void> {
    let reply = first
    let waiting: number[] | undefined
    if (this.#plan.notesWritten) noteIndices(first, this.#written)
    for (let attempt = 0; !countResults(reply, this.#status); attempt++) {
      const canRetry = attempt < BULK_RETRIES && !this.#abort.signal.aborted
      const rejected: number[] = []
      readResults(reply).forEach((result, i) => {
        if (canRetry && result.status === 429) rejected.push(waiting === undefined ? i : waiting[i]!)
        else this.#count(result)
      })
      waiting = rejected
      if (waiting.length === 0) return
      this.#status.bulkRetries++
      await this.#pause(FIRST_RETRY_MS + 10 * Math.trunc(Math.exp(0.8 * attempt) - 1))
      const { operations, starts } = await linesOf()
      reply = await this.#send(Buffer.concat(waiting.map((i) => operations.subarray(starts[i], starts[i + 1]))))
      if (this.#plan.notesWritten) noteIndices(reply, this.#written)
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
