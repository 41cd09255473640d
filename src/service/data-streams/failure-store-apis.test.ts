import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { startSearch } from '../../testing/index.ts'

const search = await startSearch({ listen: false, refresh: 'immediate' })
after(() => search.stop())
const send = async (method: string, path: string, body?: unknown) => (await search.request(method, path, body)).body
const stream = async (name = 'logs') => (await send('GET', `/_data_stream/${name}`)).data_streams[0]
const DAY = new Date().toISOString().slice(0, 10).replaceAll('-', '.')
const BAD = { '@timestamp': '2024-01-01', count: 'x' }
const putTemplate = (name: string, options: unknown, more: object = { data_stream: {} }) =>
  search.request('PUT', `/_index_template/${name}`, {
    index_patterns: [`${name}*`],
    ...more,
    template: { mappings: { properties: { count: { type: 'long' } } }, data_stream_options: options },
  })

beforeEach(async () => {
  await search.reset()
  await putTemplate('logs', { failure_store: { enabled: true } })
  await send('PUT', '/_data_stream/logs')
})

test('a failure store is shown with its indices and lifecycle', async () => {
  const lifecycle = {
    enabled: true,
    effective_retention: '30d',
    retention_determined_by: 'default_failures_retention',
  }
  assert.deepEqual((await stream()).failure_store, { enabled: true, rollover_on_write: true, indices: [], lifecycle })
  await send('POST', '/logs/_doc', BAD)
  const { failure_store: store, generation } = await stream()
  assert.equal(generation, 2)
  assert.equal(store.indices[0].index_name, `.fs-logs-${DAY}-000002`)
  assert.equal(store.indices[0].managed_by, 'Data stream lifecycle')
  assert.equal(store.rollover_on_write, false)
})

test('the options of data streams are set, shown and removed', async () => {
  const path = '/_data_stream/logs/_options'
  const shown = (options: object) => ({ data_streams: [{ name: 'logs', ...options }] })
  assert.deepEqual(await send('GET', path), shown({ options: { failure_store: { enabled: true } } }))
  const failureStore = { enabled: false, lifecycle: { enabled: true, data_retention: '10d' } }
  assert.deepEqual(await send('PUT', path, { failure_store: failureStore }), { acknowledged: true })
  assert.deepEqual(await send('GET', path), shown({ options: { failure_store: failureStore } }))
  const { enabled, lifecycle } = (await stream()).failure_store
  assert.deepEqual([enabled, lifecycle.effective_retention], [false, '10d'])
  assert.equal((await search.request('POST', '/logs/_doc', BAD)).status, 400)
  assert.deepEqual(await send('DELETE', path), { acknowledged: true })
  assert.deepEqual(await send('GET', path), shown({}))
  for (const body of [{ failure_store: {} }, { failure_store: { enabled: 'x' } }, { other: 1 }]) {
    assert.equal((await search.request('PUT', path, body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await search.request('GET', '/_data_stream/none/_options')).status, 404)
})

test('the cluster setting enables failure stores by name, and options take precedence', async () => {
  await putTemplate('other', undefined)
  assert.equal((await search.request('POST', '/other-1/_doc', BAD)).status, 400)
  await send('PUT', '/_cluster/settings', { persistent: { 'data_streams.failure_store.enabled': 'none,other*' } })
  assert.equal((await stream('other-1')).failure_store.enabled, true)
  assert.equal((await send('POST', '/other-1/_doc', BAD)).failure_store, 'used')
  await send('PUT', '/_data_stream/other-1/_options', { failure_store: { enabled: false } })
  assert.equal((await search.request('POST', '/other-1/_doc', BAD)).body.error.failure_store, 'not_enabled')
})

test('options of component templates are merged, and null removes them', async () => {
  await send('PUT', '/_component_template/c', {
    template: { data_stream_options: { failure_store: { enabled: true } } },
  })
  const composed = { composed_of: ['c'], data_stream: {} }
  await putTemplate('merged', { failure_store: { lifecycle: { data_retention: '7d' } } }, composed)
  const { template } = await send('POST', '/_index_template/_simulate/merged')
  assert.deepEqual(template.data_stream_options, {
    failure_store: { enabled: true, lifecycle: { enabled: true, data_retention: '7d' } },
  })
  const refused = await putTemplate('plain', undefined, { composed_of: ['c'] })
  assert.equal(
    refused.body.error.reason,
    'index template [plain] specifies data stream options that can only be used in combination with a data stream',
  )
  assert.equal((await putTemplate('plain', null, { composed_of: ['c'] })).status, 200)
})

test('faulty options of templates are rejected', async () => {
  const { status, body } = await putTemplate('f', { failure_store: {} })
  assert.equal(status, 400)
  let cause = body.error
  while (cause.caused_by !== undefined) cause = cause.caused_by
  assert.equal(cause.reason, 'Failure store configuration should have at least one non-null configuration value.')
  for (const options of [{ x: 1 }, { failure_store: { x: 1 } }, { failure_store: { enabled: 'x' } }, 'x']) {
    assert.equal((await putTemplate('f', options)).status, 400, JSON.stringify(options))
  }
})

describe('names with selectors', () => {
  beforeEach(async () => {
    await send('POST', '/logs/_doc', { '@timestamp': '2024-01-01', count: 1 })
    await send('POST', '/logs/_doc', BAD)
    await send('POST', '/_aliases', {
      actions: [{ add: { index: 'logs', alias: 'all-logs', filter: { term: { count: 1 } } } }],
    })
    await send('PUT', '/plain')
  })

  const counts: [string, number][] = [
    ['logs', 1],
    ['logs::data', 1],
    ['logs::failures', 1],
    ['logs::data,logs::failures', 2],
    ['lo*::failures', 1],
    ['_all::failures', 1],
    ['<logs>::failures', 1],
    ['all-logs::failures', 1],
    ['plain*::failures', 0],
    ['*', 1],
    ['*,-lo*::data', 0],
    [`.fs-logs-${DAY}-000002`, 1],
  ]
  for (const [name, count] of counts) {
    test(`${name} has ${count} documents`, async () => {
      assert.equal((await send('GET', `/${encodeURIComponent(name)}/_count`)).count, count)
      assert.equal((await send('GET', `/${encodeURIComponent(name)}/_search`)).hits.total.value, count)
    })
  }

  const refused: [string, string, number, string][] = [
    ['GET', '/plain::failures/_search', 404, 'no such index [plain::failures]'],
    ['GET', '/none::failures/_search', 404, 'no such index [none]'],
    [
      'GET',
      '/logs::x/_search',
      400,
      'Invalid index name [logs::x], invalid usage of :: separator, [x] is not a recognized selector',
    ],
    [
      'GET',
      '/logs::data::failures/_search',
      400,
      'Invalid index name [logs::data::failures], Invalid usage of :: separator, only one :: separator is allowed per expression',
    ],
    ['GET', '/::failures/_search', 400, 'index name [::failures] is invalid because the remote part is empty'],
    [
      'POST',
      '/plain::failures/_rollover',
      400,
      'rollover target is a [concrete index] but one of [alias,data_stream] was expected',
    ],
    ['POST', '/none::failures/_rollover', 404, 'rollover target [none] does not exist'],
    ['PUT', '/logs::failures/_doc/1?op_type=create', 400, "data_stream [logs::failures] must not contain ':'"],
    ...[
      ['DELETE', '/logs::failures'],
      ['GET', '/logs::failures/_alias'],
      ['GET', '/logs::failures/_doc/1'],
      ['PUT', '/logs::failures/_alias/z'],
      ['PUT', '/logs::failures/_mapping'],
      ['POST', '/logs::failures/_close'],
      ['POST', '/logs::failures/_analyze'],
    ].map(([method, path]): [string, string, number, string] => [
      method!,
      path!,
      400,
      'Index component selectors are not supported in this context but found selector in expression [logs::failures]',
    ]),
  ]
  for (const [method, path, status, reason] of refused) {
    test(`${method} ${path} answers ${status}`, async () => {
      const body = path.includes('_mapping')
        ? {}
        : path.includes('_analyze')
          ? { text: 'a' }
          : path.includes('_doc/1?')
            ? BAD
            : undefined
      const answer = await search.request(method, path, body)
      assert.deepEqual([answer.status, answer.body.error.reason], [status, reason])
    })
  }

  test('metadata of the failure store is shown', async () => {
    const name = `.fs-logs-${DAY}-000002`
    const index = (await send('GET', '/logs::failures'))[name]
    assert.equal(index.data_stream, 'logs')
    assert.equal(index.settings.index.hidden, 'true')
    assert.equal(index.mappings.dynamic, 'false')
    assert.equal(index.mappings.properties.error.properties.message.type, 'match_only_text')
    assert.deepEqual((await send('GET', '/_resolve/index/logs::failures')).data_streams, [
      { name: 'logs', backing_indices: [name], timestamp_field: '@timestamp' },
    ])
  })
})

test('a failure store is rolled over, changed by _modify and deleted with its stream', async () => {
  const names = async () => (await stream()).failure_store.indices.map((index: any) => index.index_name)
  const rollover = (query = '', body?: unknown) => send('POST', `/logs::failures/_rollover${query}`, body)
  assert.equal((await rollover('?dry_run')).old_index, '_none_')
  assert.match((await rollover('', { conditions: { max_docs: 1 } })).error.reason, /only supported without conditions/)
  const first = await rollover()
  assert.deepEqual([first.old_index, first.new_index, first.rolled_over], ['_none_', `.fs-logs-${DAY}-000002`, true])
  await send('POST', '/logs/_doc', BAD)
  const second = await rollover('', { conditions: { max_docs: 1 } })
  assert.deepEqual([second.old_index, second.new_index], [first.new_index, `.fs-logs-${DAY}-000003`])
  assert.equal((await search.request('DELETE', `/${second.new_index}`)).status, 400)

  const modify = (kind: string, index: string) =>
    search.request('POST', '/_data_stream/_modify', {
      actions: [{ [kind]: { data_stream: 'logs', index, failure_store: true } }],
    })
  await send('PUT', '/mine')
  assert.equal((await modify('add_backing_index', 'mine')).status, 200)
  assert.deepEqual(await names(), ['mine', first.new_index, second.new_index])
  assert.equal((await modify('add_backing_index', `.ds-logs-${DAY}-000001`)).status, 400)
  assert.equal((await modify('remove_backing_index', second.new_index)).status, 200)
  assert.equal((await modify('remove_backing_index', second.new_index)).status, 400)
  assert.equal((await send('DELETE', '/mine')).acknowledged, true)
  assert.deepEqual(await names(), [first.new_index])
  await send('DELETE', '/_data_stream/logs')
  assert.equal((await search.request('GET', `/${first.new_index}`)).status, 404)
  assert.equal((await search.request('GET', `/${second.new_index}`)).status, 200)
})
