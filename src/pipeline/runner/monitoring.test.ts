import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PipelineMetrics } from './metrics.ts'
import { MonitoringServer } from './monitoring.ts'

test('the monitoring API answers with its head, the counters, and 404 for the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-monitoring-'))
  const metrics = new PipelineMetrics()
  metrics.in = 5
  metrics.inputs.push({ id: 'in_1', name: 'stdin', out: 5 })
  const pipeline = {
    id: 'main',
    workers: 2,
    batchSize: 125,
    batchDelayMs: 50,
    reloads: { successes: 1, failures: 0 },
    metrics,
  }
  const server = await MonitoringServer.start({
    host: '127.0.0.1',
    ports: '0',
    nodeName: 'n',
    hostName: 'h',
    version: '1.2.3',
    dataFolder: folder,
    pipelines: () => [pipeline],
  })
  try {
    const get = async (path: string) => {
      const response = await fetch(`http://${server.address}${path}`)
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const root = await get('/')
    assert.equal(root.status, 200)
    assert.deepEqual(
      {
        host: root.body['host'],
        version: root.body['version'],
        status: root.body['status'],
        address: root.body['http_address'],
      },
      { host: 'h', version: '1.2.3', status: 'green', address: server.address },
    )
    const stats = await get('/_node/stats/pipelines/main')
    const main = (stats.body['pipelines'] as { main: { events: { in: number }; plugins: { inputs: unknown[] } } }).main
    assert.equal(main.events.in, 5)
    assert.deepEqual(main.plugins.inputs, [
      { id: 'in_1', name: 'stdin', events: { out: 5, queue_push_duration_in_millis: 0 } },
    ])
    assert.deepEqual((await get('/_node/stats/reloads')).body['reloads'], { successes: 1, failures: 0 })
    const missing = await get('/x')
    assert.deepEqual(missing, { status: 404, body: { path: '/x', status: 404, error: { message: 'Not Found' } } })
    assert.equal((await get('/_node/pipelines/other')).status, 404)
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
})
