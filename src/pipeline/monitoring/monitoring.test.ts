import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Stall } from '../runner/batch-watch.ts'
import { PipelineMetrics } from '../runner/metrics.ts'
import type { PipelineLog } from '../runner/pipeline-log.ts'
import { MonitoringServer } from './monitoring.ts'
import type { MonitoredPipeline } from './node-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-monitoring-'))
const log: PipelineLog = { level: 'info', fatal() {}, error() {}, warn() {}, info() {}, debug() {} }
const metrics = new PipelineMetrics({
  inputs: [{ id: 'in_1', name: 'stdin', counts: { in: 0, out: 5, durationMs: 1.2 } }],
  filters: [
    {
      id: 'grok_2',
      name: 'grok',
      counts: { in: 5, out: 4, durationMs: 3 },
      counters: { matches: 3, failures: 2 },
    },
  ],
  outputs: [{ id: 'out_3', name: 'stdout', counts: { in: 4, out: 4, durationMs: 2 } }],
})
metrics.in = 5
const stalls: Stall[] = []
const pipeline: MonitoredPipeline = {
  id: 'main',
  workers: 2,
  batchSize: 125,
  batchDelayMs: 50,
  reloads: { successes: 1, failures: 1, lastFailureMs: 0, lastError: 'bad' },
  reloadIntervalMs: 3000,
  hasDeadLetters: false,
  configText: 'input { }',
  queue: { type: 'memory', events: 7, bytes: 0, bytesMax: 0 },
  metrics,
  stalls,
}
let server: MonitoringServer

const settings = {
  host: '127.0.0.1',
  ports: '0',
  nodeName: 'n',
  hostName: 'h',
  version: '1.2.3',
  ownVersion: '0.0.1',
  dataFolder: folder,
  log,
  pipelines: () => [pipeline],
}

before(async () => {
  server = await MonitoringServer.start(settings)
})
after(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

async function ask(path: string, init?: RequestInit): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://${server.address}${path}`, init)
  return { status: response.status, body: await response.json() }
}

/** The value at a place such as `jvm.mem` in the response to `path`. */
async function look(path: string, place: string): Promise<unknown> {
  let at = (await ask(path)).body
  for (const name of place.split('.')) at = (at as Record<string, unknown>)[name]
  return at
}

test("every monitoring response has the node's identity and status", async () => {
  const found = await Promise.all(['host', 'version', 'status', 'http_address'].map((place) => look('/', place)))
  assert.deepEqual(found, ['h', '1.2.3', 'green', server.address])
  const missing = await ask('/x')
  assert.deepEqual(missing, { status: 404, body: { path: '/x', status: 404, error: { message: 'Not Found' } } })
})

test('statistics count events by pipeline and plugin', async () => {
  const main = (place: string) => look('/_node/stats/pipelines/main', `pipelines.main.${place}`)
  assert.equal(await main('events.in'), 5)
  const { inputs, codecs, filters, outputs } = (await main('plugins')) as Record<string, Record<string, unknown>[]>
  const withoutFlow = (plugins: Record<string, unknown>[]) => plugins.map(({ flow: _, ...rest }) => rest)
  assert.deepEqual(withoutFlow(inputs!), [
    { id: 'in_1', name: 'stdin', events: { out: 5, queue_push_duration_in_millis: 1 } },
  ])
  assert.deepEqual(codecs, [])
  assert.deepEqual(withoutFlow(filters!), [
    { id: 'grok_2', name: 'grok', events: { in: 5, out: 4, duration_in_millis: 3 }, matches: 3, failures: 2 },
  ])
  assert.deepEqual(withoutFlow(outputs!), [
    { id: 'out_3', name: 'stdout', events: { in: 4, out: 4, duration_in_millis: 2 } },
  ])
  assert.deepEqual(Object.keys(inputs![0]!['flow'] as object), ['throughput'])
  assert.deepEqual(filters![0]!['flow'], {
    worker_utilization: (filters![0]!['flow'] as Record<string, unknown>)['worker_utilization'],
    worker_millis_per_event: { current: 0.6, lifetime: 0.6 },
  })
  const empty = { queue_size_in_bytes: 0, max_queue_size_in_bytes: 0 }
  assert.deepEqual(await main('queue'), { type: 'memory', events_count: 7, ...empty })
  assert.deepEqual(await main('reloads.last_error'), { message: 'bad', backtrace: null })
  assert.equal(await main('reloads.last_failure_timestamp'), '1970-01-01T00:00:00.000Z')
  assert.equal(typeof (await main('flow.input_throughput.lifetime')), 'number')
  assert.equal(typeof (await look('/_node/stats/flow', 'flow.worker_concurrency.current')), 'number')
  assert.equal(await look('/_node/stats/queue', 'queue.events_count'), 0)
  assert.deepEqual(await look('/_node/stats/reloads', 'reloads'), { successes: 1, failures: 1 })
  assert.ok(Number(await look('/_node/stats/jvm', 'jvm.mem.heap_used_in_bytes')) > 0)
  assert.ok(Number(await look('/_node/stats/jvm', 'jvm.mem.pools.old.used_in_bytes')) > 0)
  assert.equal(typeof (await look('/_node/stats/jvm', 'jvm.gc.collectors.young.collection_count')), 'number')
  assert.ok(Number(await look('/_node/stats/process', 'process.max_file_descriptors')) !== 0)
})

test('the API reports pipelines, plugins, system and health', async () => {
  assert.equal(await look('/_node', 'jvm.pid'), process.pid)
  assert.equal(typeof (await look('/_node/os', 'os.name')), 'string')
  assert.match(String(await look('/_node', 'pipelines.main.hash')), /^[0-9a-f]{64}$/)
  assert.equal(await look('/_node/pipelines/main', 'pipelines.main.config_reload_interval'), 3_000_000_000)
  assert.equal((await ask('/_node/pipelines/other')).status, 404)
  const plugins = (await look('/_node/plugins', 'plugins')) as { name: string }[]
  assert.equal(await look('/_node/plugins', 'total'), plugins.length)
  assert.ok(plugins.some(({ name }) => name === 'logstash-filter-grok'))
  const state = await look('/_health_report', 'indicators.pipelines.indicators.main.details.status.state')
  assert.equal(state, 'RUNNING')
})

test('a batch that does not move is reported', async () => {
  stalls.push({ kind: 'filter', name: 'dns', id: 'd', events: 3, seconds: 61 })
  try {
    assert.equal(await look('/', 'status'), 'yellow')
    const symptom = await look('/_health_report', 'indicators.pipelines.indicators.main.symptom')
    assert.equal(symptom, 'A batch has not moved for 61 s in filter dns')
    const found = await look('/_node/stats/pipelines/main', 'pipelines.main.stalled_batches.0.waits_for.name')
    assert.equal(found, 'dns')
  } finally {
    stalls.pop()
  }
})

test('hot threads are available as JSON and as text', async () => {
  assert.equal(await look('/_node/hot_threads', 'hot_threads.threads.0.name'), 'main')
  const text = await (await fetch(`http://${server.address}/_node/hot_threads?human=true`)).text()
  assert.match(text, /^::: \{\}\nHot threads at .*\n=+\n[\d.]+ % of cpu usage/)
})

test('the log level can be changed and reset at run time', async () => {
  const put = (path: string, body?: object) =>
    ask(path, { method: 'PUT', ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  assert.equal((await put('/_node/logging', { 'logger.logstash.runner': 'DEBUG' })).status, 200)
  assert.deepEqual(await look('/_node/logging', 'loggers'), { 'logstash.runner': 'DEBUG' })
  assert.equal(log.level, 'debug')
  assert.equal((await put('/_node/logging', { 'logger.x': 'loud' })).status, 400)
  await put('/_node/logging/reset')
  assert.equal(log.level, 'info')
})

test('with credentials configured other requests are rejected', async () => {
  const closed = await MonitoringServer.start({ ...settings, credentials: { user: 'u', password: 'p' } })
  try {
    const get = async (headers: Record<string, string>) =>
      (await fetch(`http://${closed.address}/_node/stats`, { headers })).status
    const right = `Basic ${Buffer.from('u:p').toString('base64')}`
    assert.deepEqual(
      [await get({}), await get({ authorization: 'Basic eDp5' }), await get({ authorization: right })],
      [401, 401, 200],
    )
  } finally {
    closed.close()
  }
})

test('the monitoring API does not start on an address that other machines can reach without a password', async () => {
  await assert.rejects(MonitoringServer.start({ ...settings, host: '0.0.0.0' }), /on 0\.0\.0\.0 it needs a password/)
  const credentials = { user: 'u', password: 'p' }
  const secured = await MonitoringServer.start({ ...settings, host: '0.0.0.0', credentials })
  const port = secured.address.split(':').at(-1)
  assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 401)
  secured.close()
})
