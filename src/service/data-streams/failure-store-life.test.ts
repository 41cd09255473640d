import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { copyOfLent } from '../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../server/search-server.ts'
import { MovableClock } from '../../testing/movable-clock.ts'

const clock = new MovableClock(() => {})
let folder: string
let server: SearchServer

const open = (data: string, threads = 0) =>
  SearchServer.open({
    threads,
    maxContentBytes: 1e8,
    strictMediaTypes: false,
    log: silentLog,
    clock,
    dataFolder: join(folder, data),
    pathRepo: [join(folder, 'repos')],
  })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-failures-'))
  clock.set('2024-03-01T00:00:00Z')
  server = await open('data')
  await send('PUT', '/_index_template/logs', TEMPLATE)
})
afterEach(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const TEMPLATE = {
  index_patterns: ['logs*'],
  data_stream: {},
  template: {
    mappings: { properties: { count: { type: 'long' } } },
    data_stream_options: { failure_store: { enabled: true, lifecycle: { data_retention: '7d' } } },
  },
}

async function send(method: string, path: string, body?: unknown): Promise<any> {
  const answer = await server.dispatcher.dispatch({
    method,
    uri: path,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    signal: () => new AbortController().signal,
  })
  const copy = copyOfLent(answer.body)
  answer.onSent?.()
  return copy.length === 0 ? undefined : JSON.parse(copy.toString())
}

const fail = () => send('POST', '/logs/_doc?refresh=true', { '@timestamp': clock.now().toISOString(), count: 'x' })
const count = async () => (await send('GET', '/logs::failures/_count')).count

test('failed documents are kept for the retention of the failure store, over 30 days', async () => {
  for (let hour = 0; hour < 30 * 24; hour += 6) {
    await fail()
    clock.advance('6h')
    await server.node.lifecycle.runDue()
  }
  const [stream] = (await send('GET', '/_data_stream/logs')).data_streams
  assert.equal(stream.indices.length, 1)
  const { indices, lifecycle } = stream.failure_store
  assert.deepEqual(lifecycle, {
    enabled: true,
    data_retention: '7d',
    effective_retention: '7d',
    retention_determined_by: 'data_stream_configuration',
  })
  assert.ok(indices.length >= 8 && indices.length <= 9, `${indices.length} indices`)
  const left = await count()
  assert.ok(left >= 7 * 4 && left <= 9 * 4, `${left} documents`)
  const explained = (await send('GET', '/logs::failures/_lifecycle/explain')).indices
  assert.ok(Object.values(explained).every((index: any) => index.managed_by_lifecycle))
})

for (const threads of [0, 1]) {
  test(`a failure store survives a restart, with ${threads} threads`, async () => {
    await server.stop()
    server = await open('data', threads)
    assert.equal((await fail()).failure_store, 'used')
    const before = await send('GET', '/_data_stream/logs')
    await server.stop()
    server = await open('data', threads)
    assert.deepEqual(await send('GET', '/_data_stream/logs'), before)
    assert.equal((await fail()).failure_store, 'used')
    assert.equal(await count(), 2)
    const [hit] = (await send('GET', '/logs::failures/_search')).hits.hits
    assert.equal(hit._source.document.source.count, 'x')
  })
}

test('a snapshot of a data stream contains its failure store', async () => {
  await fail()
  await send('PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } })
  const { snapshot } = await send('PUT', '/_snapshot/r/s?wait_for_completion=true', { indices: 'logs' })
  assert.deepEqual(snapshot.indices, ['.ds-logs-2024.03.01-000001', '.fs-logs-2024.03.01-000002'])
  await server.stop()
  server = await open('other')
  await send('PUT', '/_snapshot/r', { type: 'fs', settings: { location: 'r' } })
  const body = { indices: 'logs', rename_pattern: 'logs', rename_replacement: 'logs-copy' }
  await send('POST', '/_snapshot/r/s/_restore?wait_for_completion=true', body)
  const [stream] = (await send('GET', '/_data_stream/logs-copy')).data_streams
  assert.deepEqual(
    stream.failure_store.indices.map((index: any) => index.index_name),
    ['.fs-logs-copy-2024.03.01-000002'],
  )
  assert.equal((await send('GET', '/logs-copy::failures/_count')).count, 1)
})
