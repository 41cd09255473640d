/**
 * Sends spans to an OpenTelemetry collector in batches, as OTLP over HTTP with JSON bodies. A collector that does not
 * answer costs spans, never requests: the queue is bounded, and what does not fit is dropped and counted.
 */
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { gzipSync } from 'node:zlib'
import type { Log } from '../../base/log.ts'
import type { TraceSettings } from './trace-settings.ts'

/** A finished span. Times are in nanoseconds since 1970. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly startNanos: bigint
  readonly endNanos: bigint
  readonly attributes: Readonly<Record<string, string | number>>
  readonly isError: boolean
}

const SERVER_KIND = 2
const STATUS_ERROR = 2
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504])
const COMPLAIN_EVERY_MS = 60_000

export class SpanExporter {
  readonly #settings: TraceSettings
  readonly #log: Log
  readonly #scope: { readonly name: string; readonly version: string }
  readonly #ca: Buffer | undefined
  readonly #timer: NodeJS.Timeout
  #queue: Span[] = []
  #dropped = 0
  #sending: Promise<void> | undefined
  #complainedMs = Number.NEGATIVE_INFINITY

  constructor(settings: TraceSettings, version: string, log: Log) {
    this.#settings = settings
    this.#log = log
    this.#scope = { name: 'sandpiper', version }
    this.#ca = settings.caFile === undefined ? undefined : readFileSync(settings.caFile)
    this.#timer = setInterval(() => void this.flush(), settings.scheduleDelayMs).unref()
  }

  add(span: Span): void {
    if (this.#queue.length >= this.#settings.maxQueueSize) {
      this.#dropped++
      return
    }
    this.#queue.push(span)
    if (this.#queue.length >= this.#settings.maxBatchSize) void this.flush()
  }

  /** Sends what is queued. Never rejects. */
  flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sending
    await this.flush()
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, this.#settings.maxBatchSize)
      const problem = await this.#post(encodeSpans(batch, this.#settings.resource, this.#scope))
      if (problem?.isTemporary) {
        this.#complain(problem.reason)
        return
      }
      this.#queue = this.#queue.slice(batch.length)
      if (problem === undefined) continue
      this.#dropped += batch.length
      this.#complain(problem.reason)
    }
  }

  #post(json: string): Promise<{ readonly reason: string; readonly isTemporary: boolean } | undefined> {
    const { endpoint, compress, timeoutMs } = this.#settings
    const body = compress ? gzipSync(json) : Buffer.from(json)
    const headers = {
      ...this.#settings.headers,
      'content-type': 'application/json',
      'content-length': body.length,
      ...(compress ? { 'content-encoding': 'gzip' } : {}),
    }
    const options = { method: 'POST', headers, timeout: timeoutMs, ...(this.#ca === undefined ? {} : { ca: this.#ca }) }
    return new Promise((resolve) => {
      const send = endpoint.protocol === 'https:' ? httpsRequest : httpRequest
      const request = send(endpoint, options, (response) => {
        const status = response.statusCode!
        response.resume()
        response.on('close', () => {
          const isTemporary = RETRIED.has(status)
          resolve(status < 300 ? undefined : { reason: `the collector answered ${status}`, isTemporary })
        })
      })
      request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)))
      request.on('error', ({ message }) => resolve({ reason: message, isTemporary: true }))
      request.end(body)
    })
  }

  #complain(reason: string): void {
    const nowMs = performance.now()
    if (nowMs - this.#complainedMs < COMPLAIN_EVERY_MS) return
    this.#complainedMs = nowMs
    const { href } = this.#settings.endpoint
    this.#log.warn('traces cannot be sent', {
      endpoint: href,
      reason,
      waiting: this.#queue.length,
      dropped: this.#dropped,
    })
  }
}

/** The body of an OTLP request. */
export function encodeSpans(
  spans: readonly Span[],
  resource: Readonly<Record<string, string>>,
  scope: { readonly name: string; readonly version: string },
): string {
  const encoded = spans.map(({ startNanos, endNanos, attributes, isError, ...span }) => ({
    ...span,
    kind: SERVER_KIND,
    startTimeUnixNano: String(startNanos),
    endTimeUnixNano: String(endNanos),
    attributes: encodeAttributes(attributes),
    status: isError ? { code: STATUS_ERROR } : {},
  }))
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: encodeAttributes(resource) }, scopeSpans: [{ scope, spans: encoded }] }],
  })
}

function encodeAttributes(attributes: Readonly<Record<string, string | number>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}
