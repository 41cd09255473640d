/**
 * Sends bulk items until each is written or permanently rejected.
 *
 * Failed requests are retried forever, and so are items that the server could not accept at the moment. Invalid items
 * (400, 404) go to the dead letter queue. Conflicts (409) are dropped, because another writer stored that version.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, gzip as gzipCallback } from 'node:zlib'
import type { Log } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import type { BulkItem } from './bulk-item.ts'
import type { ElasticsearchConnection } from './connection.ts'

const gzip = promisify(gzipCallback)

/** Larger bodies are split, because servers reject bodies far above this size. */
const BODY_BYTES_MAX = 20 * 1024 * 1024

/** Waiting lists are joined up to this many items. */
const JOINED_ITEMS_MAX = 1000

export interface BulkSettings {
  readonly path: string
  /** Maximum concurrent requests. Further lists wait and are joined. */
  readonly requestsMax: number
  /** 0 disables compression. */
  readonly compressionLevel: number
  readonly retryInitialMs: number
  readonly retryMaxMs: number
  readonly deadLetterCodes: ReadonlySet<number>
  readonly droppedErrors: ReadonlySet<string>
  readonly silencedErrors: ReadonlySet<string>
}

interface ItemError {
  readonly type?: string
  readonly reason?: string
}

interface ItemResult {
  readonly status: number
  readonly error?: ItemError
}

/** The items of one `send` call. */
interface List {
  readonly items: readonly BulkItem[]
  resolve(): void
  reject(error: unknown): void
}

export class BulkSender {
  readonly #connection: ElasticsearchConnection
  readonly #settings: BulkSettings
  readonly #log: Log
  readonly #giveUp: (event: Event, reason: string) => Promise<void>
  readonly #signal: AbortSignal
  #waiting: List[] = []
  #requests = 0
  readonly #documents = { successes: 0, non_retryable_failures: 0, retryable_failures: 0, dlq_routed: 0 }
  readonly #bulkRequests = { successes: 0, with_errors: 0, failures: 0, responses: {} as Record<string, number> }

  /** `giveUp` receives events that can never be written. `signal` ends the waiting without a result. */
  constructor(
    connection: ElasticsearchConnection,
    settings: BulkSettings,
    log: Log,
    giveUp: (event: Event, reason: string) => Promise<void>,
    signal: AbortSignal,
  ) {
    this.#connection = connection
    this.#settings = settings
    this.#log = log
    this.#giveUp = giveUp
    this.#signal = signal
  }

  get counters() {
    return { documents: this.#documents, bulk_requests: this.#bulkRequests }
  }

  /** Resolves when each item is written or given up. */
  send(items: readonly BulkItem[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, resolve, reject })
      this.#startRequests()
    })
  }

  #startRequests(): void {
    while (this.#requests < this.#settings.requestsMax && this.#waiting.length > 0) {
      this.#requests++
      void this.#deliver(this.#takeJob()).finally(() => {
        this.#requests--
        this.#startRequests()
      })
    }
  }

  /** The first waiting list, and further lists that fit in one request with it. */
  #takeJob(): List[] {
    let count = 0
    let end = 0
    while (end < this.#waiting.length && (end === 0 || count + this.#waiting[end]!.items.length <= JOINED_ITEMS_MAX)) {
      count += this.#waiting[end++]!.items.length
    }
    return this.#waiting.splice(0, end)
  }

  async #deliver(lists: List[]): Promise<void> {
    let unsettled = lists
    try {
      let open: readonly BulkItem[] = lists.length === 1 ? lists[0]!.items : lists.flatMap(({ items }) => items)
      for (let waitMs = this.#settings.retryInitialMs; ; waitMs = Math.min(waitMs * 2, this.#settings.retryMaxMs)) {
        open = await this.#sendParts(open)
        // A list that shares a request with an item to be retried does not wait for that item.
        unsettled = settle(unsettled, open)
        if (unsettled.length === 0) return
        this.#signal.throwIfAborted()
        await sleep(waitMs, undefined, { signal: this.#signal })
      }
    } catch (error) {
      for (const { reject } of unsettled) reject(error)
    }
  }

  async #sendParts(items: readonly BulkItem[]): Promise<readonly BulkItem[]> {
    const again: BulkItem[] = []
    for (const part of splitBySize(items)) again.push(...(await this.#sendOnce(part)))
    return again
  }

  /** Returns the items to be retried. */
  async #sendOnce(items: readonly BulkItem[]): Promise<readonly BulkItem[]> {
    let text = ''
    for (let i = 0; i < items.length; i++) text += items[i]!.text
    let answer: { status: number; text: string }
    try {
      answer = await this.#post(text)
    } catch (error) {
      this.#bulkRequests.failures++
      this.#log.error(`Could not send ${items.length} documents, trying again: ${(error as Error).message}`)
      return items
    }
    const { responses } = this.#bulkRequests
    responses[answer.status] = (responses[answer.status] ?? 0) + 1
    if (answer.status !== 200) this.#bulkRequests.failures++
    if (answer.status === 200) return this.#readItems(items, answer.text)
    if (answer.status === 413) return this.#tooLarge(items)
    const message = `Bulk request answered ${answer.status}, trying again`
    if (answer.status === 429) this.#log.debug(message)
    else this.#log.error(message, { body: answer.text.slice(0, 500) })
    return items
  }

  /**
   * Splits the items in halves until they are small enough. A single document that is too large can never be accepted.
   */
  async #tooLarge(items: readonly BulkItem[]): Promise<readonly BulkItem[]> {
    if (items.length > 1) {
      const middle = items.length >> 1
      return [...(await this.#sendOnce(items.slice(0, middle))), ...(await this.#sendOnce(items.slice(middle)))]
    }
    this.#documents.dlq_routed++
    this.#complain('Could not index event to Elasticsearch.', 413, { type: 'content_too_long' })
    await this.#giveUp(
      items[0]!.event,
      'Could not index event to Elasticsearch. status: 413, the document is too large',
    )
    return []
  }

  async #post(text: string) {
    const { path, compressionLevel } = this.#settings
    const isPacked = compressionLevel > 0
    return this.#connection.send({
      method: 'POST',
      path,
      query: { filter_path: 'errors,items.*.error,items.*.status' },
      headers: { 'content-type': 'application/json', ...(isPacked ? { 'content-encoding': 'gzip' } : {}) },
      body: isPacked ? await gzip(text, { level: compressionLevel, strategy: constants.Z_DEFAULT_STRATEGY }) : text,
    })
  }

  async #readItems(items: readonly BulkItem[], text: string): Promise<readonly BulkItem[]> {
    const body = parseAnswer(text)
    if (body === undefined) {
      this.#log.error('The answer to a bulk request is no JSON, trying again', { body: text.slice(0, 500) })
      return items
    }
    if (body.errors !== true) {
      this.#bulkRequests.successes++
      this.#documents.successes += items.length
      return []
    }
    this.#bulkRequests.with_errors++
    const results = (body.items ?? []).map((item) => Object.values(item)[0])
    return this.#handle(items, (i) => results[i])
  }

  async #handle(
    items: readonly BulkItem[],
    resultOf: (i: number) => ItemResult | undefined,
  ): Promise<readonly BulkItem[]> {
    const again: BulkItem[] = []
    for (let i = 0; i < items.length; i++) {
      const result = resultOf(i)
      if (result?.status === 200 || result?.status === 201) this.#documents.successes++
      else if (result === undefined || !(await this.#isFinal(items[i]!, result))) again.push(items[i]!)
    }
    this.#documents.retryable_failures += again.length
    if (again.length > 0) this.#log.info(`Retrying ${again.length} documents that were not taken`)
    return again
  }

  async #isFinal(item: BulkItem, { status, error }: ItemResult): Promise<boolean> {
    const { deadLetterCodes, droppedErrors } = this.#settings
    if (status === 409 || droppedErrors.has(error?.type ?? '')) {
      this.#documents.non_retryable_failures++
      this.#complain('Failed action', status, error)
      return true
    }
    if (status === 400 || status === 404 || deadLetterCodes.has(status)) {
      this.#documents.dlq_routed++
      this.#complain('Could not index event to Elasticsearch.', status, error)
      await this.#giveUp(
        item.event,
        `Could not index event to Elasticsearch. status: ${status}, response: ${JSON.stringify(error ?? {})}`,
      )
      return true
    }
    return false
  }

  #complain(message: string, status: number, error: ItemError | undefined): void {
    if (!this.#settings.silencedErrors.has(error?.type ?? '')) this.#log.warn(message, { status, error })
  }
}

/** Resolves the lists without open items and returns the rest. */
function settle(lists: readonly List[], open: readonly BulkItem[]): List[] {
  const isOpen = new Set(open)
  return lists.filter((list) => {
    const isDone = isOpen.size === 0 || !list.items.some((item) => isOpen.has(item))
    if (isDone) list.resolve()
    return !isDone
  })
}

interface BulkAnswer {
  readonly errors?: boolean
  readonly items?: readonly Readonly<Record<string, ItemResult>>[]
}

function parseAnswer(text: string): BulkAnswer | undefined {
  try {
    return JSON.parse(text) as BulkAnswer
  } catch {
    return undefined
  }
}

/** Splits the items into requests below the size limit. A larger single item is sent alone. */
function* splitBySize(items: readonly BulkItem[]): Generator<readonly BulkItem[]> {
  let part: BulkItem[] = []
  let bytes = 0
  for (const item of items) {
    // A character has at most three bytes, so only texts close to the limit are measured exactly.
    const size = item.text.length * 3 < BODY_BYTES_MAX / 1000 ? item.text.length * 3 : Buffer.byteLength(item.text)
    if (part.length > 0 && bytes + size > BODY_BYTES_MAX) {
      yield part
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += size
  }
  if (part.length > 0) yield part
}
