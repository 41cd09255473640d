import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { encodeJson } from '../../base/json/json-writer.ts'
import { shardOfDocument } from '../../base/shard-routing.ts'
import { parseIndexDefinition } from '../definitions/create-index-request.ts'
import { SandpiperNode } from '../sandpiper-node.ts'
import { bulkOf } from './bulk-fixture.ts'
import type { DocumentGet, DocumentWrite } from './document-requests.ts'
import { type DocumentNames, DocumentService } from './document-service.ts'
import { parseMultiGet } from './multi-get-request.ts'

const WRITE: Omit<DocumentWrite, 'action' | 'index' | 'id' | 'body'> = {
  routing: undefined,
  version: undefined,
  versionType: 'internal',
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  refresh: 'false',
  retryOnConflict: 0,
  pipeline: undefined,
  requireAlias: false,
  requireDataStream: false,
  activeShards: undefined,
  sourceFilter: undefined,
}
const GET: Omit<DocumentGet, 'index' | 'id'> = {
  routing: undefined,
  realtime: true,
  refresh: false,
  version: undefined,
  sourceFilter: undefined,
  storedFields: undefined,
  limits: undefined,
}

describe('documents of an in-memory node', () => {
  let node: SandpiperNode
  before(async () => {
    node = await SandpiperNode.open({})
  })
  after(() => node.close())

  const write = (index: string, id: string | undefined, body: unknown, options: Partial<DocumentWrite> = {}) =>
    node.documents.write({ ...WRITE, action: 'index', index, id, body: encodeJson(body), ...options })
  const get = async (index: string, id: string, options: Partial<DocumentGet> = {}) => {
    const { status, body } = await node.documents.get({ ...GET, index, id, ...options })
    return { status, body: JSON.parse(encodeJson(body).toString()) }
  }
  const refuses = (promise: Promise<unknown>, type: string, reason?: string | RegExp) =>
    assert.rejects(promise, reason === undefined ? { type } : { type, message: reason })

  test('an index or update request creates the index, a delete or get does not', async () => {
    assert.equal((await write('made', '1', { n: 1 })).status, 201)
    await refuses(write('made-too', '1', { doc: {} }, { action: 'update' }), 'document_missing_exception')
    assert.equal(node.state.index('made-too')?.shardCount, 1)
    await refuses(write('absent', '1', {}, { action: 'delete' }), 'index_not_found_exception')
    await refuses(get('absent', '1'), 'index_not_found_exception')
    assert.equal(node.state.index('absent'), undefined)
  })

  test('a bulk request for existing indices only fails the items of a missing index and does not create it', async () => {
    const lines = [{ index: { _index: 'gone', _id: '1' } }, { n: 1 }]
    const { body } = await node.documents.bulk(bulkOf(lines, { existingOnly: true }))
    const [{ index: item }] = JSON.parse(Buffer.from(body).toString()).items
    assert.deepEqual([item.status, item.error.type], [404, 'index_not_found_exception'])
    assert.equal(node.state.index('gone'), undefined)
  })

  test('a write whose index was deleted meanwhile fails with index_not_found_exception', async () => {
    await write('going', '1', { n: 1 })
    const { target } = await node.writeTargets.resolve('going', {
      requireAlias: false,
      requireDataStream: false,
      isDelete: false,
    })
    const names: DocumentNames = {
      writeTarget: async () => target,
      failureTarget: async () => undefined,
      readTarget: () => ({ ...target, aliasRouting: undefined, reachedBy: ['going'] }),
      hasIndex: (uuid) => node.state.indexByUuid(uuid) !== undefined,
      ingestRoute: () => ({ default: undefined, final: undefined }),
    }
    const late = new DocumentService(node.shards.host, names, async () => undefined)
    await node.indices.delete(['going'], {})
    const gone = { type: 'index_not_found_exception', message: 'no such index [going]' }
    await assert.rejects(late.write({ ...WRITE, action: 'index', index: 'going', id: '2', body: encodeJson({}) }), gone)
    await assert.rejects(late.get({ ...GET, index: 'going', id: '1' }), gone)
  })

  test('indexing the same document twice increments its version', async () => {
    const { body } = await write('versions', '1', { n: 1 })
    assert.deepEqual([body['_version'], body['result']], [1, 'created'])
    const again = await write('versions', '1', { n: 2 })
    assert.deepEqual([again.status, again.body['_version'], again.body['result']], [200, 2, 'updated'])
  })

  test('a document is found with its routing, and not without it', async () => {
    const settings = { number_of_shards: 5, number_of_replicas: 0 }
    const definition = parseIndexDefinition({ settings, mappings: { _routing: { required: true } } })
    await node.indices.create('routed', definition)
    await write('routed', 'x', { n: 1 }, { routing: 'r1' })
    const found = await get('routed', 'x', { routing: 'r1' })
    assert.deepEqual([found.status, found.body._routing], [200, 'r1'])
    const shard = (routing: string) => shardOfDocument({ shardCount: 5, routingShards: 640 }, 'x', routing)
    const elsewhere = ['a', 'b', 'c', 'd'].find((routing) => shard(routing) !== shard('r1'))
    assert.equal((await get('routed', 'x', { routing: elsewhere })).status, 404)
    await refuses(get('routed', 'x'), 'routing_missing_exception', 'routing is required for [routed]/[x]')
    await refuses(write('routed', undefined, {}), 'routing_missing_exception')
  })

  test('documents of a partitioned index are spread over the shards of their routing and found with it', async () => {
    const settings = { number_of_shards: 8, number_of_replicas: 0, 'index.routing_partition_size': 3 }
    const mappings = { _routing: { required: true } }
    await node.indices.create('partitioned', parseIndexDefinition({ settings, mappings }))
    for (let i = 0; i < 30; i++) await write('partitioned', `d${i}`, { i }, { routing: 'r1' })
    for (let i = 0; i < 30; i++) assert.equal((await get('partitioned', `d${i}`, { routing: 'r1' })).status, 200)
    const rule = node.state.index('partitioned')!
    const shards = new Set(Array.from({ length: 30 }, (_, i) => shardOfDocument(rule, `d${i}`, 'r1')))
    assert.equal(rule.routingPartition, 3)
    assert.ok(shards.size <= 3)
    const create = (name: string, more: object, mapped: object = mappings) =>
      node.indices.create(name, parseIndexDefinition({ settings: { ...settings, ...more }, mappings: mapped }))
    await refuses(
      create('unrouted', {}, { properties: { n: { type: 'long' } } }),
      'illegal_argument_exception',
      /must have routing required/,
    )
    await refuses(
      create('wide', { 'index.routing_partition_size': 1024 }),
      'illegal_argument_exception',
      /routing partition size \[1024\]/,
    )
  })

  test('an invalid write lists all violated rules and creates no index', async () => {
    const internal = 'action_request_validation_exception'
    await refuses(write('rules', '1', {}, { ifSeqNo: 1 }), internal, /1: ifSeqNo is set, but primary term is \[0\];$/)
    await refuses(write('rules', '1', {}, { version: 1 }), internal, /internal versioning can not be used/)
    await refuses(write('rules', 'x'.repeat(513), {}), internal, /must be no longer than 512 bytes but was: 513;$/)
    await refuses(
      write('rules', '1', { upsert: {}, doc_as_upsert: true }, { action: 'update' }),
      internal,
      'Validation Failed: 1: script or doc is missing;2: doc must be specified if doc_as_upsert is enabled;',
    )
    assert.equal(node.state.index('rules'), undefined)
  })

  test('_source parameters select parts of the source', async () => {
    await write('sources', '1', { a: 1, b: { c: 2, d: 3 } })
    const only = (includes: string[], excludes: string[] = []) =>
      get('sources', '1', { sourceFilter: { enabled: true, includes, excludes } })
    assert.deepEqual((await only(['b.*'], ['b.d'])).body._source, { b: { c: 2 } })
    const none = await get('sources', '1', { sourceFilter: { enabled: false, includes: [], excludes: [] } })
    assert.equal('_source' in none.body, false)
    const source = await node.documents.source({ ...GET, index: 'sources', id: '1' })
    assert.equal(Buffer.from(source).toString(), '{"a":1,"b":{"c":2,"d":3}}')
    await refuses(node.documents.source({ ...GET, index: 'sources', id: '9' }), 'resource_not_found_exception')
  })

  test('an update inserts, merges, or is a noop', async () => {
    const update = (id: string, body: unknown) => write('updates', id, body, { action: 'update' })
    assert.equal((await update('1', { doc: { n: 1 }, upsert: { n: 100 } })).status, 201)
    const merged = await update('1', { doc: { deep: { x: 1 } }, _source: true })
    assert.equal(
      encodeJson(merged.body['get']).toString(),
      '{"_seq_no":1,"_primary_term":1,"found":true,"_source":{"n":100,"deep":{"x":1}}}',
    )
    const noop = await update('1', { doc: { n: 100 } })
    assert.deepEqual([noop.body['result'], noop.body['_version']], ['noop', 2])
    assert.deepEqual(noop.body['_shards'], { total: 0, successful: 0, failed: 0 })
    await refuses(update('1', { script: 'x' }), 'illegal_argument_exception', 'failed to execute script')
  })

  test('a missing stored script fails an update only if the script is run', async () => {
    const update = (id: string, body: object) =>
      write('scripted', id, { script: { id: 'nope' }, ...body }, { action: 'update' })
    await write('scripted', '1', { n: 1 })
    await refuses(update('1', {}), 'illegal_argument_exception', 'failed to execute script')
    await refuses(update('2', {}), 'document_missing_exception')
    assert.equal((await update('2', { upsert: { n: 2 } })).status, 201)
    await refuses(update('3', { upsert: {}, scripted_upsert: true }), 'illegal_argument_exception')
  })

  test('a multi-get answers each document separately', async () => {
    await write('many', '1', { n: 1 })
    const body = { docs: [{ _id: '1', _source: ['n'] }, { _id: '2' }, { _id: '1', _index: 'nowhere' }] }
    const defaults = {
      index: 'many',
      routing: undefined,
      realtime: true,
      refresh: false,
      sourceFilter: undefined,
      storedFields: undefined,
      limits: undefined,
    }
    const { docs } = await node.documents.multiGet(parseMultiGet(encodeJson(body), defaults))
    assert.deepEqual(
      docs.map((doc) => doc['found'] ?? (doc['error'] as { type: string }).type),
      [true, false, 'index_not_found_exception'],
    )
    const broken = (value: unknown) => () => parseMultiGet(encodeJson(value), { ...defaults, index: undefined })
    assert.throws(broken({ docs: [] }), { message: 'Validation Failed: 1: no documents to get;' })
    assert.throws(broken({ docs: [{ _id: '1' }, { _index: 'x' }] }), {
      message: 'Validation Failed: 1: index is missing for doc 0;2: id is missing for doc 1;',
    })
    assert.throws(broken({ ids: '1' }), { type: 'parsing_exception', details: { line: 1, col: 8 } })
  })

  test('a document is searchable only after a refresh', async () => {
    await write('seen', '1', { n: 1 })
    assert.equal((await get('seen', '1', { realtime: false })).status, 404)
    assert.equal((await get('seen', '1', { realtime: false, refresh: true })).status, 200)
  })

  // Goal: items reach the right shards in any mix, and every result is in its item's place. Method: a bulk request over
  // five shards with given ids, generated ids and routing; read every document back.
  test('a bulk request over several shards answers in the order of its items', async () => {
    await node.indices.create('spread', parseIndexDefinition({ settings: { number_of_shards: 5 } }))
    const heads = Array.from({ length: 60 }, (_, i) => {
      if (i % 3 === 0) return {}
      return i % 3 === 1 ? { _id: `id-${i}` } : { _id: `id-${i}`, routing: `r${i}` }
    })
    const lines = heads.map((head, i) => `${JSON.stringify({ index: head })}\n{"n":${i}}\n`)
    const { body } = await node.documents.bulk({
      body: Buffer.from(lines.join('')),
      defaultIndex: 'spread',
      defaultRouting: undefined,
      defaultPipeline: undefined,
      requireAlias: false,
      requireDataStream: false,
      refresh: 'false',
      sourceFilter: undefined,
      startedAtMs: 0,
    })
    const { errors, items } = JSON.parse(Buffer.from(body).toString())
    assert.equal(errors, false)
    for (const [i, head] of heads.entries()) {
      const id = items[i].index._id
      if (head._id !== undefined) assert.equal(id, head._id)
      const found = await get('spread', id, { routing: head.routing })
      assert.deepEqual(found.body._source, { n: i })
    }
  })
})
