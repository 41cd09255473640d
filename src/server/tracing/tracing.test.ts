import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { silentLog } from '../../base/log.ts'
import { SearchServer } from '../search-server.ts'
import { isTracingEnabled, readTraceSettings } from './trace-settings.ts'
import { isSampled } from './traced-dispatcher.ts'
import { startTracing } from './tracing.ts'

test('tracing is off unless an endpoint or an exporter is set, and OTEL_SDK_DISABLED turns it off', () => {
  assert.equal(isTracingEnabled({}), false)
  assert.equal(isTracingEnabled({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }), true)
  assert.equal(isTracingEnabled({ OTEL_TRACES_EXPORTER: 'otlp' }), true)
  assert.equal(isTracingEnabled({ OTEL_TRACES_EXPORTER: 'console' }), true)
  assert.equal(isTracingEnabled({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_EXPORTER: 'none' }), false)
  assert.equal(isTracingEnabled({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' }), false)
})

test('the variables for traces win over those for all signals, and invalid ones are rejected', () => {
  const settings = readTraceSettings(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x,a=b',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '500',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=ignored,deployment.environment=test',
      OTEL_SERVICE_NAME: 'books',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    },
    '1.0',
  )
  assert.equal(settings.endpoint.href, 'http://collector:4318/v1/traces')
  assert.deepEqual(settings.headers, { authorization: 'Bearer x', a: 'b' })
  assert.equal(settings.timeoutMs, 500)
  assert.deepEqual(settings.resource, {
    'service.name': 'books',
    'service.version': '1.0',
    'deployment.environment': 'test',
  })
  assert.deepEqual(settings.sampler, { ratio: 0.25, followsParent: true })
  const own = readTraceSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/exactly' }, '1')
  assert.equal(own.endpoint.href, 'https://c/exactly')
  assert.throws(() => readTraceSettings({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, '1'), /http\/json/)
  assert.throws(() => readTraceSettings({ OTEL_TRACES_EXPORTER: 'zipkin' }, '1'), /only otlp can be used/)
  assert.throws(() => readTraceSettings({ OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd' }, '1'), /only gzip and none/)
  assert.match(readTraceSettings({ OTEL_PROPAGATORS: 'b3' }, '1').warnings.join(), /traceparent/)
  assert.deepEqual(readTraceSettings({ OTEL_PROPAGATORS: 'tracecontext,baggage' }, '1').warnings, [])
  assert.throws(() => readTraceSettings({ OTEL_TRACES_SAMPLER: 'xray' }, '1'), /unknown value: xray/)
  assert.throws(() => readTraceSettings({ OTEL_BSP_MAX_QUEUE_SIZE: '-1' }, '1'), /positive whole number/)
})

test('a trace is sampled by its id, or as its parent was if the sampler follows the parent', () => {
  const low = `${'0'.repeat(31)}1`
  const high = 'f'.repeat(32)
  assert.equal(isSampled({ ratio: 0.5, followsParent: false }, low), true)
  assert.equal(isSampled({ ratio: 0.5, followsParent: false }, high, true), false)
  assert.equal(isSampled({ ratio: 0, followsParent: true }, low, true), true)
  assert.equal(isSampled({ ratio: 1, followsParent: true }, low, false), false)
})

interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
}

test('a request becomes a span with its route and status below the span of the client', async () => {
  const bodies: string[] = []
  const collector = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    bodies.push(gunzipSync(Buffer.concat(pieces)).toString())
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }
  const tracing = startTracing(environment, silentLog)
  const server = await SearchServer.open({
    threads: 0,
    listen: { host: '127.0.0.1', port: 0 },
    maxContentBytes: 1e6,
    strictMediaTypes: false,
    log: silentLog,
    tracing,
  })
  try {
    const traceId = 'a'.repeat(32)
    await fetch(`${server.url}/books/_search?q=secret`, {
      headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01`, 'x-opaque-id': 'me' },
    })
    await fetch(`${server.url}/`, { headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-00` } })
  } finally {
    await server.stop()
    collector.close()
  }
  assert.equal(bodies.length, 1, 'spans that wait are sent when the service stops')
  const { resourceSpans } = JSON.parse(bodies[0]!) as {
    resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[]
  }
  const { spans } = resourceSpans[0]!.scopeSpans[0]!
  assert.equal(spans.length, 1, 'the client does not record the second request')
  const [span] = spans
  assert.equal(span!.name, 'GET /{index}/_search')
  assert.equal(span!.traceId, 'a'.repeat(32))
  assert.equal(span!.parentSpanId, 'b'.repeat(16))
  assert.ok(BigInt(span!.endTimeUnixNano) >= BigInt(span!.startTimeUnixNano))
  const attributes = new Map(span!.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
  assert.equal(attributes.get('http.response.status_code'), '404')
  assert.equal(attributes.get('url.path'), '/books/_search')
  assert.equal(attributes.get('elasticsearch.opaque_id'), 'me')
  assert.ok(!bodies[0]!.includes('secret'), 'query strings are not recorded')
})
