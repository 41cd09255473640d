import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startSearch } from '../../../testing/index.ts'

const search = await startSearch({ listen: false, refresh: 'immediate' })
after(() => search.stop())
const send = async (method: string, path: string, body?: unknown) => (await search.request(method, path, body)).body

beforeEach(async () => {
  await search.reset()
  await send('PUT', '/_index_template/logs', { index_patterns: ['logs*'], data_stream: {} })
})

test('the lifecycle of a data stream is set, shown and removed', async () => {
  await send('PUT', '/_data_stream/logs')
  assert.deepEqual(await send('PUT', '/_data_stream/logs/_lifecycle', { data_retention: '7d' }), { acknowledged: true })
  const lifecycle = {
    enabled: true,
    data_retention: '7d',
    effective_retention: '7d',
    retention_determined_by: 'data_stream_configuration',
  }
  assert.deepEqual(await send('GET', '/_data_stream/logs/_lifecycle'), {
    data_streams: [{ name: 'logs', lifecycle }],
    global_retention: {},
  })
  await send('PUT', '/_cluster/settings', { persistent: { 'data_streams.lifecycle.retention.max': '2d' } })
  const shown = await send('GET', '/_data_stream/logs/_lifecycle')
  assert.equal(shown.data_streams[0].lifecycle.retention_determined_by, 'max_global_retention')
  await send('DELETE', '/_data_stream/logs/_lifecycle')
  assert.deepEqual((await send('GET', '/_data_stream/logs/_lifecycle')).data_streams, [{ name: 'logs' }])
})

test('settings of a data stream apply to new backing indices, and policies to old ones too', async () => {
  await send('PUT', '/_data_stream/logs')
  const { data_streams: results } = await send('PUT', '/_data_stream/logs/_settings', {
    'index.number_of_shards': 2,
    'index.lifecycle.name': 'p',
  })
  assert.deepEqual(results[0].index_settings_results, {
    applied_to_data_stream_only: ['index.number_of_shards'],
    applied_to_data_stream_and_backing_indices: ['index.lifecycle.name'],
  })
  await send('POST', '/logs/_rollover')
  const indices = Object.values(await send('GET', '/logs/_settings?flat_settings=true')) as any[]
  assert.deepEqual(
    indices.map(({ settings }) => [settings['index.number_of_shards'], settings['index.lifecycle.name']]),
    [
      ['1', 'p'],
      ['2', 'p'],
    ],
  )
  const refused = await send('PUT', '/_data_stream/logs/_settings', { 'index.refresh_interval': '1s' })
  assert.equal(
    refused.data_streams[0].error,
    'Cannot set the following settings on a data stream: [index.refresh_interval]',
  )
})

test('an alias is migrated to a data stream with its documents', async () => {
  for (const index of ['old-1', 'old-2']) {
    await send('PUT', `/${index}`, {
      mappings: { properties: { '@timestamp': { type: 'date' } } },
      aliases: { logs: { is_write_index: index === 'old-1' } },
    })
    await send('PUT', `/${index}/_doc/1`, { '@timestamp': '2024-01-01' })
  }
  assert.deepEqual(await send('POST', '/_data_stream/_migrate/logs'), { acknowledged: true })
  const [stream] = (await send('GET', '/_data_stream/logs')).data_streams
  assert.deepEqual(
    stream.indices.map((index: any) => index.index_name),
    ['old-2', 'old-1'],
  )
  assert.equal((await send('GET', '/logs/_count')).count, 2)
  assert.equal((await search.request('POST', '/logs/_doc', { '@timestamp': '2024-01-02' })).status, 201)
  assert.equal((await search.request('POST', '/logs/_rollover')).body.rolled_over, true)
})

test('_shard_stores lists shards that lack a copy, and with status all every shard', async () => {
  await send('PUT', '/one', { settings: { number_of_replicas: 0 } })
  await send('PUT', '/two')
  assert.deepEqual(Object.keys((await send('GET', '/_shard_stores')).indices), ['two'])
  const { indices } = await send('GET', '/_shard_stores?status=all')
  assert.deepEqual(Object.keys(indices), ['one', 'two'])
  assert.equal(indices.one.shards['0'].stores[0].allocation, 'primary')
})

test('_disk_usage shows the bytes of fields by structure', async () => {
  await send('PUT', '/one/_doc/1', { t: 'some text', n: 5 })
  const { one } = await send('POST', '/one/_disk_usage?run_expensive_tasks=true')
  assert.ok(one.fields.t.inverted_index.total_in_bytes > 0)
  assert.ok(one.fields._source.stored_fields_in_bytes > 0)
  assert.ok(one.all_fields.total_in_bytes <= one.store_size_in_bytes)
  const refused = await search.request('POST', '/one/_disk_usage')
  assert.equal(refused.status, 400)
})

test('_info shows chosen statistics', async () => {
  assert.deepEqual(Object.keys(await send('GET', '/_info/ingest,http')), ['cluster_name', 'http', 'ingest'])
  const { body } = await search.request('GET', '/_info/nope')
  assert.equal(body.error.reason, 'request [/_info/nope] contains unrecognized target: [nope]')
})
