/** The contract of a shard host, tested for both kinds: shards in this thread and in a writer thread. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { hasBit } from '../base/bit-set.ts'
import { AnalysisRegistry } from '../engine/analysis/registry/analysis-registry.ts'
import { parseMapping } from '../engine/mapping/mapping.ts'
import type { MappingJson } from '../engine/mapping/mapping-api.ts'
import { mappingLimits } from '../engine/mapping/mapping-context.ts'
import type { BulkRequest, MainCallbacks, ShardHost, WriteRequest, WriteTarget } from '../service/shards/shard-host.ts'
import { createShardHost } from './create-shard-host.ts'

const KEY = { indexUuid: 'uuid', shard: 0 }
const WRITE: WriteRequest = {
  key: KEY,
  action: 'index',
  id: '1',
  autoId: false,
  routing: undefined,
  source: undefined,
  version: undefined,
  versionType: 'internal',
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  refresh: 'false',
  retryOnConflict: 0,
  requireTimestamp: false,
  sourceFilter: undefined,
}
const TARGET: WriteTarget = {
  indexName: 'idx',
  indexUuid: 'uuid',
  shardCount: 1,
  routingShards: 1024,
  replicas: 0,
  routingRequired: false,
  aliasRouting: undefined,
  requireTimestamp: false,
  appendOnly: false,
}

/** A fake of the metadata: one index whose mapping grows. */
class Index implements MainCallbacks {
  mapping = parseMapping(
    { properties: { n: { type: 'integer' } } },
    { analysis: AnalysisRegistry.fromSettings({}), limits: mappingLimits({}) },
  )
  readonly failures: string[] = []

  async mappingUpdate(_uuid: string, update: MappingJson) {
    this.mapping = this.mapping.merge(update)
    return { mapping: this.mapping.toJson(), version: this.mapping.version }
  }
  async writeTarget(name: string): Promise<WriteTarget> {
    if (name === 'idx') return TARGET
    return { error: { status: 404, type: 'index_not_found_exception', reason: `no such index [${name}]`, details: {} } }
  }
  async ingestRoutes(names: readonly string[]) {
    return names.map(() => ({ default: undefined, final: undefined }))
  }
  async failureTarget(): Promise<undefined> {
    return undefined
  }
  async findScript(): Promise<undefined> {
    return undefined
  }
  shardFailed(_key: unknown, reason: string) {
    this.failures.push(reason)
  }
  shardRecovered() {}
  shardConfig() {
    return undefined
  }
}

for (const threads of [0, 1]) {
  describe(`a shard host with ${threads} threads`, () => {
    let folder: string
    let index: Index
    let host: ShardHost

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sandpiper-host-'))
      index = new Index()
      await open()
    })
    afterEach(async () => {
      await host.close()
      rmSync(folder, { recursive: true })
    })

    async function open(): Promise<void> {
      host = createShardHost({ threads, dataFolder: folder, arenaBytesMax: 64 * 1024 * 1024 }, index)
      await host.openShard({
        ...KEY,
        indexName: 'idx',
        folder: join(folder, '0'),
        settings: { 'index.refresh_interval': '-1' },
        mapping: index.mapping.toJson(),
        mappingVersion: index.mapping.version,
        shardCount: 1,
      })
    }
    const write = (request: Partial<WriteRequest> & { body?: unknown }) =>
      host.write({ ...WRITE, ...request, source: Buffer.from(JSON.stringify(request.body ?? {})) })
    const get = async (id: string, realtime = true) => {
      const found = await host.get({ key: KEY, id, realtime, storedFields: [] })
      return found?.source === undefined ? undefined : Buffer.from(found.source).toString()
    }
    const bulk = async (text: string, options: Partial<BulkRequest> = {}) => {
      const { body } = await host.bulk({
        body: Buffer.from(text),
        defaultIndex: 'idx',
        defaultRouting: undefined,
        defaultPipeline: undefined,
        requireAlias: false,
        requireDataStream: false,
        refresh: 'false',
        sourceFilter: undefined,
        startedAtMs: Date.now(),
        ...options,
      })
      return JSON.parse(Buffer.from(body).toString())
    }
    const searchable = () => {
      const held = host.holdView(KEY)
      const ids = held.view.segments.flatMap(({ reader, live }) => {
        const docs = Array.from({ length: reader.docCount }, (_, doc) => doc)
        return docs.filter((doc) => live === undefined || hasBit(live, doc)).map((doc) => reader.id(doc))
      })
      const count = held.view.liveRoots
      held.release()
      return { count, ids }
    }

    test('documents are written, read, updated and deleted', async () => {
      const created = await write({ body: { n: 1 } })
      assert.deepEqual([created.result, created.version, created.seqNo], ['created', 1, 0])
      assert.equal(await get('1'), '{"n":1}')
      const updated = await write({
        action: 'update',
        body: { doc: { n: 2 } },
        sourceFilter: { enabled: true, includes: [], excludes: [] },
      })
      assert.deepEqual([updated.result, updated.version], ['updated', 2])
      assert.equal(Buffer.from(updated.source!).toString(), '{"n":2}')
      const sourceFilter = { enabled: true, includes: [], excludes: [] }
      const noop = await write({ action: 'update', body: { doc: { n: 2 } }, sourceFilter })
      assert.deepEqual([noop.result, Buffer.from(noop.source!).toString()], ['noop', '{"n":2}'])
      assert.equal((await write({ id: '2', body: { n: 3 }, refresh: 'true' })).result, 'created')
      assert.equal(await get('1'), '{"n":2}')
      assert.equal((await write({ action: 'delete' })).result, 'deleted')
      assert.equal(await get('1'), undefined)
      await assert.rejects(write({ action: 'update', body: { doc: {} } }), { type: 'document_missing_exception' })
    })

    test('errors keep their type, reason and details across the host', async () => {
      await write({ body: { n: 1 } })
      await assert.rejects(write({ action: 'create', body: { n: 1 } }), (error: Record<string, unknown>) => {
        assert.equal(error['status'], 409)
        assert.equal(error['message'], '[1]: version conflict, document already exists (current version [1])')
        assert.deepEqual(error['details'], { index_uuid: 'uuid', shard: '0', index: 'idx' })
        return true
      })
      await assert.rejects(write({ body: { n: 'x' } }), (error: { causedBy?: { type?: string } }) => {
        assert.equal(error.causedBy?.type, 'number_format_exception')
        return true
      })
    })

    test('a document with new fields waits for the mapping update and is written', async () => {
      await write({ body: { word: 'x', deep: { flag: true } } })
      assert.equal(index.mapping.field('deep.flag')?.type, 'boolean')
      assert.equal(await get('1'), '{"word":"x","deep":{"flag":true}}')
    })

    test('a bulk request fails item by item', async () => {
      const answer = await bulk(
        [
          '{"index":{"_id":"a"}}',
          '{"n":1,"new":1}',
          '{"create":{"_id":"a"}}',
          '{"n":2}',
          '{"index":{"_id":"b"}}',
          '{"n":"wrong"}',
          '{"update":{"_id":"a"}}',
          '{"doc":{"n":5}}',
          '{"delete":{"_id":"nobody"}}',
          '{"index":{"_index":"elsewhere","_id":"c"}}',
          '{}',
          '{"index":{}}',
          '{"n":9}',
          '',
        ].join('\n'),
      )
      const items = answer.items.map((item: Record<string, { status: number }>) => Object.entries(item)[0]!)
      assert.equal(answer.errors, true)
      assert.deepEqual(
        items.map(([action, { status }]: [string, { status: number }]) => `${action} ${status}`),
        ['index 201', 'create 409', 'index 400', 'update 200', 'delete 404', 'index 404', 'index 201'],
      )
      assert.equal(await get('a'), '{"n":5,"new":1}')
      assert.match(items[6][1]._id, /^.{20}$/)
      assert.equal(await get(items[6][1]._id), '{"n":9}')
    })

    test('a malformed bulk request changes nothing', async () => {
      await assert.rejects(bulk('{"index":{"_id":"a"}}\n{"n":1}\n{"what":{}}\n{}\n'), {
        type: 'illegal_argument_exception',
      })
      assert.equal(await get('a'), undefined)
    })

    test('a view shows refreshed documents and does not change while it is held', async () => {
      await write({ id: 'a', body: { n: 1 } })
      assert.equal(searchable().count, 0)
      assert.equal(await get('a', false), undefined)
      await write({ id: 'b', body: { n: 1 }, refresh: 'true' })
      assert.deepEqual(searchable(), { count: 2, ids: ['a', 'b'] })
      const held = host.holdView(KEY)
      await write({ action: 'delete', id: 'a', refresh: 'true' })
      await host.forceMerge(KEY, { maxSegments: 1, onlyExpungeDeletes: false })
      assert.deepEqual(searchable(), { count: 1, ids: ['b'] })
      assert.equal(held.view.liveRoots, 2)
      assert.equal(held.view.segments[0]!.reader.id(0), 'a')
      held.release()
      held.release()
      assert.equal(searchable().count, 1)
    })

    test('all documents exist after closing and reopening', async () => {
      await bulk('{"index":{"_id":"a"}}\n{"n":1,"later":"x"}\n{"index":{"_id":"b"}}\n{}\n{"delete":{"_id":"b"}}\n')
      await write({ id: 'c', body: { n: 3 }, routing: 'r' })
      await host.close()
      await open()
      assert.equal(await get('a'), '{"n":1,"later":"x"}')
      assert.equal(await get('b'), undefined)
      assert.equal((await host.get({ key: KEY, id: 'c', realtime: true, storedFields: [] }))?.routing, 'r')
      assert.equal((await host.stats(KEY)).maxSeqNo, 3)
    })

    test('a small write does not wait for a large bulk request', async () => {
      const large = '{"index":{}}\n{"n":1}\n'.repeat(20_000)
      const order: string[] = []
      const bulked = bulk(large).then(() => order.push('bulk'))
      const written = write({ id: 'small', body: { n: 1 } }).then(() => order.push('write'))
      await Promise.all([bulked, written])
      assert.deepEqual(order, ['write', 'bulk'])
    })

    test('a closed shard answers with an error, and its files are deleted on request', async () => {
      await host.closeShard(KEY, true)
      await assert.rejects(write({ body: {} }), { type: 'unavailable_shards_exception' })
      assert.throws(() => host.holdView(KEY), { type: 'unavailable_shards_exception' })
    })
  })
}
