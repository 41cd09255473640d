import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSearch } from '../../../testing/index.ts'

// Goal: answers of a real Elasticsearch 8.19 to requests that are refused, or that name an index by an alias. Method: the same
// requests against a node in memory.
const search = await startSearch({ listen: false })
after(() => search.stop())

// biome-ignore lint/suspicious/noExplicitAny: members of answers are read by their names
type Body = any
const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> =>
  await search.request(method as 'GET', path, body as never)

test('stored_fields is refused in reindex and by-query operations, before the source is looked for', async () => {
  await ask('PUT', '/i')
  const problem = 'Validation Failed: 1: stored_fields is not supported in this context;'
  for (const path of ['/i/_delete_by_query', '/i/_update_by_query']) {
    const query = { match_all: {} }
    assert.equal((await ask('POST', path, { stored_fields: 'a', query })).body.error.reason, problem)
    assert.equal((await ask('POST', `${path}?stored_fields=a`, { query })).body.error.reason, problem)
  }
  const { body } = await ask('POST', '/i/_delete_by_query', { stored_fields: 'a' })
  assert.match(body.error.reason, /1: stored_fields is not supported in this context;2: query is missing;/)
  const source = { index: 'missing', stored_fields: ['a'] }
  assert.equal((await ask('POST', '/_reindex', { source, dest: { index: 'j' } })).body.error.reason, problem)
})

test('an error of _mget for a missing routing names the index behind an alias', async () => {
  await ask('PUT', '/routed', { aliases: { by_alias: {} }, mappings: { _routing: { required: true } } })
  const { docs } = (await ask('POST', '/_mget', { docs: [{ _index: 'by_alias', _id: '1' }] })).body
  assert.equal(docs[0]._index, 'routed')
  const missing = await ask('POST', '/_mget', { docs: [{ _index: 'nowhere', _id: '1' }] })
  assert.equal(missing.body.docs[0]._index, 'nowhere')
})

test('a document that contains itself fails in the index it came from, with the pipeline that did it', async () => {
  const script = { script: { source: 'ctx.self = ctx' } }
  await ask('PUT', '/_ingest/pipeline/self', { processors: [script] })
  await ask('PUT', '/_ingest/pipeline/moved', { processors: [{ set: { field: '_index', value: 'far' } }, script] })
  const reason = (id: string | null) =>
    `Failed to generate the source document for ingest pipeline [self] for document [z/${id}]`
  const { error } = (await ask('PUT', '/z/_doc/1?pipeline=self', { a: 1 })).body
  assert.deepEqual([error.reason, error.caused_by.reason], [reason('1'), 'Iterable object is self-referencing itself'])
  const bulk = await ask('POST', '/z/_bulk?pipeline=self', [{ index: {} }, { a: 1 }])
  assert.equal(bulk.body.items[0].index.error.reason, reason(null))
  const template = { data_stream_options: { failure_store: { enabled: true } } }
  await ask('PUT', '/_index_template/t', { index_patterns: ['near', 'far'], data_stream: {}, template })
  const lines = [{ create: {} }, { '@timestamp': '2026-01-01' }]
  const { items } = (await ask('POST', '/near/_bulk?pipeline=moved', lines)).body
  assert.match(items[0].create._index, /^\.fs-near-/)
  assert.equal((await ask('GET', '/_data_stream/far')).status, 404)
})

test('parameters of _msearch hold for all searches that do not say otherwise', async () => {
  await ask('PUT', '/two', { settings: { number_of_shards: 2 } })
  const shards = async (uri: string, header: object) => {
    const query = { match_all: { _name: 'q' } }
    return (await ask('POST', uri, [header, { query }])).body.responses[0]
  }
  assert.equal((await shards('/_msearch', { index: 'two' }))._shards.total, 2)
  assert.equal((await shards('/_msearch?routing=1', { index: 'two' }))._shards.total, 1)
  await ask('PUT', '/two/_doc/1?refresh=true', {})
  const { hits } = await shards('/_msearch?include_named_queries_score=true', { index: 'two' })
  assert.deepEqual(hits.hits[0].matched_queries, { q: 1 })
})

test('modes of indices that are missing are refused as such, and lookup needs a single shard', async () => {
  const create = (settings: object) => ask('PUT', '/mode', { settings })
  for (const mode of ['time_series', 'logsdb']) {
    const { status, body } = await create({ 'index.mode': mode, 'index.routing_path': 'a' })
    assert.deepEqual([status, body.error.reason.startsWith(`[index.mode=${mode}] is not implemented`)], [400, true])
  }
  const alone = await create({ 'index.routing_path': 'a' })
  assert.equal(alone.body.error.reason, '[index.routing_path] requires [index.mode=time_series]')
  const two = await create({ 'index.mode': 'lookup', number_of_shards: 2 })
  assert.match(two.body.error.reason, /must have \[index.number_of_shards\] set to 1 or unset; provided 2$/)
  assert.equal((await create({ 'index.mode': 'lookup' })).status, 200)
  assert.equal((await ask('GET', '/mode/_settings')).body.mode.settings.index.mode, 'lookup')
})
