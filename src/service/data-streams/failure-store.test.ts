import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { startSearch } from '../../testing/index.ts'

const search = await startSearch({ listen: false, refresh: 'immediate' })
after(() => search.stop())
const send = async (method: string, path: string, body?: unknown) => (await search.request(method, path, body)).body
const bulk = (...lines: unknown[]) =>
  send('POST', '/_bulk', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
const failures = async (stream = 'logs') => (await send('GET', `/${stream}::failures/_search`)).hits.hits
const stream = async (name = 'logs') => (await send('GET', `/_data_stream/${name}`)).data_streams[0]
const DAY = new Date().toISOString().slice(0, 10).replaceAll('-', '.')
const GOOD = { '@timestamp': '2024-01-01', count: 1 }
const BAD = { '@timestamp': '2024-01-01', count: 'x' }

const template = (more: object = {}, settings: object = {}) =>
  send('PUT', '/_index_template/logs', {
    index_patterns: ['logs*'],
    data_stream: {},
    template: {
      settings: { number_of_replicas: 0, ...settings },
      mappings: { properties: { count: { type: 'long' } } },
      data_stream_options: { failure_store: { enabled: true, ...more } },
    },
  })

beforeEach(async () => {
  await search.reset()
  await template()
})

describe('writes to a data stream with a failure store', () => {
  test('a document that the mapping refuses is kept with its error', async () => {
    await send('POST', '/logs/_doc', GOOD)
    const { status, body } = await search.request('POST', '/logs/_doc', BAD)
    assert.equal(status, 201)
    assert.equal(body._index, `.fs-logs-${DAY}-000002`)
    assert.equal(body.failure_store, 'used')
    const [hit] = await failures()
    assert.equal(hit._id, body._id)
    const { document, error } = hit._source
    assert.deepEqual(Object.keys(hit._source), ['@timestamp', 'document', 'error'])
    assert.deepEqual([document.index, document.source], ['logs', BAD])
    assert.equal(error.type, 'document_parsing_exception')
    assert.match(error.message, new RegExp(`failed to parse field \\[count\\] .* with id '${document.id}'`))
    assert.match(error.stack_trace, /^document_parsing_exception: .*\nCaused by: illegal_argument_exception: For input/)
    assert.equal((await send('GET', '/logs/_count')).count, 1)
  })

  test('bulk items say whether the failure store was used, and only conflicts are errors', async () => {
    const create = (_id: string) => ({ create: { _index: 'logs', _id } })
    const answer = await bulk(create('1'), GOOD, create('2'), BAD, create('3'), { count: 1 }, create('1'), GOOD)
    const items = answer.items.map(({ create: item }: any) => [item.status, item.failure_store, item._index])
    const [data, store] = [`.ds-logs-${DAY}-000001`, `.fs-logs-${DAY}-000002`]
    assert.deepEqual(items, [
      [201, undefined, data],
      [201, 'used', store],
      [201, 'used', store],
      [409, undefined, data],
    ])
    assert.equal(answer.errors, true)
    const kept = (await failures()).map((hit: any) => [hit._source.document.id, hit._source.error.message])
    assert.deepEqual(kept.map(([id]: string[]) => id).sort(), ['2', '3'])
    assert.ok(answer.items[1].create._id !== '2')
  })

  test('requests that a data stream refuses regardless of the document are errors', async () => {
    const { items } = await bulk(
      { index: { _index: 'logs', _id: 'a' } },
      GOOD,
      {
        create: { _index: 'logs', routing: 'r' },
      },
      GOOD,
    )
    assert.deepEqual(
      items.map((item: any) => (Object.values(item)[0] as any).failure_store),
      [undefined, undefined],
    )
    assert.deepEqual(
      items.map((item: any) => (Object.values(item)[0] as any).status),
      [400, 400],
    )
  })

  test('a failure index that cannot be written to is named beside the error', async () => {
    await send('POST', '/logs/_doc', BAD)
    await send('PUT', `/.fs-logs-${DAY}-000002/_settings`, { 'index.blocks.write': true })
    const { status, body } = await search.request('POST', '/logs/_doc', BAD)
    assert.equal(status, 400)
    assert.equal(body.error.failure_store, 'failed')
    assert.equal(body.error.type, 'document_parsing_exception')
    assert.equal(body.error.suppressed[0].type, 'cluster_block_exception')
    assert.equal(body.error.root_cause[0].failure_store, undefined)
    const { items } = await bulk({ create: { _index: 'logs', _id: '7' } }, BAD)
    assert.equal(items[0].create.failure_store, 'failed')
    assert.equal(items[0].create._id, '7')
    assert.equal(items[0].create.error.suppressed[0].type, 'cluster_block_exception')
  })

  test('a stream whose failure store is off says that it is not enabled, and one without options says nothing', async () => {
    await template({ enabled: false })
    const { status, body } = await search.request('POST', '/logs/_doc', BAD)
    assert.deepEqual([status, body.error.failure_store], [400, 'not_enabled'])
    const { items } = await bulk({ create: { _index: 'logs' } }, BAD)
    assert.equal(items[0].create.failure_store, 'not_enabled')
    await send('DELETE', '/_data_stream/logs/_options')
    assert.equal((await search.request('POST', '/logs/_doc', BAD)).body.error.failure_store, undefined)
    await send('PUT', '/plain', { mappings: { properties: { count: { type: 'long' } } } })
    assert.equal((await search.request('POST', '/plain/_doc', BAD)).body.error.failure_store, undefined)
  })
})

describe('pipelines of a data stream with a failure store', () => {
  beforeEach(async () => {
    const fail = { fail: { message: 'no {{a}}', tag: 'mine' } }
    await send('PUT', '/_ingest/pipeline/inner', { processors: [{ set: { field: 'a', value: 'x' } }, fail] })
    await send('PUT', '/_ingest/pipeline/outer', { processors: [{ pipeline: { name: 'inner' } }] })
    await template({}, { default_pipeline: 'outer' })
  })

  test('a failed document is kept as it was received, with the place of the failure', async () => {
    const { body } = await search.request('POST', '/logs/_doc', { '@timestamp': '2024-01-01', a: 1 })
    assert.deepEqual([body._index, body.failure_store], [`.fs-logs-${DAY}-000001`, 'used'])
    const { document, error } = (await failures())[0]._source
    assert.deepEqual(document, { index: 'logs', source: { '@timestamp': '2024-01-01', a: 1 } })
    assert.deepEqual(
      { ...error, stack_trace: undefined },
      {
        type: 'fail_processor_exception',
        message: 'no x',
        stack_trace: undefined,
        pipeline_trace: ['outer', 'inner'],
        pipeline: 'inner',
        processor_tag: 'mine',
        processor_type: 'fail',
      },
    )
    const shown = await stream()
    assert.deepEqual([shown.generation, shown.indices.length, shown.failure_store.indices.length], [1, 1, 1])
  })

  test('items of a bulk request keep their ids in the failure document', async () => {
    const { items } = await bulk({ create: { _index: 'logs', _id: '9' } }, { a: 1 }, { create: { _index: 'logs' } }, {})
    assert.deepEqual(
      items.map(({ create }: any) => [create._index, create.status, create.failure_store]),
      Array(2).fill([`.fs-logs-${DAY}-000001`, 201, 'used']),
    )
    const documents = (await failures()).map((hit: any) => hit._source.document)
    assert.deepEqual(documents[0], { id: '9', index: 'logs', source: { a: 1 } })
  })

  test('a rerouted document goes to the failure store of its new stream', async () => {
    await send('PUT', '/_ingest/pipeline/outer', { processors: [{ reroute: { destination: 'logs-other' } }] })
    await send('PUT', '/_index_template/other', {
      index_patterns: ['logs-other'],
      priority: 5,
      data_stream: {},
      template: {
        settings: { default_pipeline: 'inner' },
        data_stream_options: { failure_store: { enabled: true } },
      },
    })
    await send('POST', '/logs/_doc', GOOD)
    const [hit] = await failures('logs-other')
    assert.equal(hit._source.document.index, 'logs')
    assert.equal((await search.request('GET', '/logs')).status, 404)
  })
})
