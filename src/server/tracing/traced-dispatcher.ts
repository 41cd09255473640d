/** Records a span for every request that is sampled, below the span of the client when it sent a `traceparent` header. */
import { randomBytes } from 'node:crypto'
import type { Answer, IncomingRequest, RequestDispatcher } from '../../http/dispatcher.ts'
import type { SpanExporter } from './span-exporter.ts'
import type { Sampler } from './trace-settings.ts'

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/
const ZEROS = /^0+$/
const SAMPLED = 1
const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8
const MS_TO_NANOS = 1e6

/** The route of a request, such as `/{index}/_search`. */
export type RouteOf = (method: string, path: string) => string | undefined

export class TracedDispatcher implements RequestDispatcher {
  readonly #inner: RequestDispatcher
  readonly #exporter: SpanExporter
  readonly #sampler: Sampler
  readonly #routeOf: RouteOf

  constructor(inner: RequestDispatcher, exporter: SpanExporter, sampler: Sampler, routeOf: RouteOf) {
    this.#inner = inner
    this.#exporter = exporter
    this.#sampler = sampler
    this.#routeOf = routeOf
  }

  dispatch(incoming: IncomingRequest): Answer | Promise<Answer> {
    const parent = parentOf(incoming)
    const traceId = parent?.traceId ?? randomBytes(TRACE_ID_BYTES).toString('hex')
    if (!isSampled(this.#sampler, traceId, parent?.isSampled)) return this.#inner.dispatch(incoming)
    const startMs = performance.now()
    const answer = this.#inner.dispatch(incoming)
    const finish = (finished: Answer) => {
      this.#record(incoming, finished, traceId, parent?.spanId, startMs)
      return finished
    }
    return answer instanceof Promise ? answer.then(finish) : finish(answer)
  }

  #record(
    { method, uri, headers, body }: IncomingRequest,
    answer: Answer,
    traceId: string,
    parentSpanId: string | undefined,
    startMs: number,
  ): void {
    const path = uri.split('?', 1)[0]!
    const route = this.#routeOf(method, path)
    const attributes: Record<string, string | number> = {
      'http.request.method': method,
      'url.path': path,
      'http.response.status_code': answer.status,
      'http.request.body.size': body.length,
      'http.response.body.size': answer.body.length,
    }
    if (route !== undefined) attributes['http.route'] = route
    if (headers['user-agent'] !== undefined) attributes['user_agent.original'] = headers['user-agent']
    const opaqueId = headers['x-opaque-id']
    if (typeof opaqueId === 'string') attributes['elasticsearch.opaque_id'] = opaqueId
    this.#exporter.add({
      traceId,
      spanId: randomBytes(SPAN_ID_BYTES).toString('hex'),
      parentSpanId,
      name: route === undefined ? method : `${method} ${route}`,
      startNanos: nanosOf(startMs),
      endNanos: nanosOf(performance.now()),
      attributes,
      isError: answer.status >= 500,
    })
  }
}

function parentOf({ headers }: IncomingRequest) {
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(String(headers['traceparent'] ?? '')) ?? []
  if (traceId === undefined || spanId === undefined || ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags!, 16) & SAMPLED) === SAMPLED }
}

/** The decision depends on the trace id alone, so that every service of a trace decides alike. */
export function isSampled({ ratio, followsParent }: Sampler, traceId: string, parentIsSampled?: boolean): boolean {
  if (followsParent && parentIsSampled !== undefined) return parentIsSampled
  if (ratio >= 1) return true
  return Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < ratio
}

const nanosOf = (monotonicMs: number) =>
  BigInt(Math.round((performance.timeOrigin + monotonicMs) * 1e3)) * BigInt(MS_TO_NANOS / 1e3)
