import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Arena } from '../../engine/memory/arena.ts'
import { bulkOf } from '../documents/bulk-fixture.ts'
import { ShardExecutor } from './shard-executor.ts'
import type { GetRequest, HostCallbacks, ShardConfig, WriteRequest, WriteTarget } from './shard-host.ts'

const root = mkdtempSync(join(tmpdir(), 'executor-'))
after(() => rmSync(root, { recursive: true, force: true }))

const callbacks: HostCallbacks = {
  mappingUpdate: () => Promise.reject(new Error('the mapping has every field')),
  writeTarget: () => Promise.reject(new Error('there are no bulk requests')),
  failureTarget: async () => undefined,
  ingestRoutes: async (names) => names.map(() => ({ default: undefined, final: undefined })),
  findScript: async () => undefined,
  shardFailed: () => undefined,
}

function newExecutor(): ShardExecutor {
  return new ShardExecutor({ arena: Arena.create(64 * 1024 * 1024), callbacks })
}

function config(name: string, shard: number): ShardConfig {
  return {
    indexUuid: name,
    indexName: name,
    shard,
    folder: join(root, name, String(shard)),
    settings: {},
    mapping: { properties: { n: { type: 'integer' } } },
    mappingVersion: 1,
    shardCount: 2,
  }
}

function write(key: ShardConfig, id: string): WriteRequest {
  return {
    key: { indexUuid: key.indexUuid, shard: key.shard },
    action: 'index',
    id,
    autoId: false,
    routing: undefined,
    source: Buffer.from('{"n":1}'),
    version: undefined,
    versionType: 'internal',
    ifSeqNo: undefined,
    ifPrimaryTerm: undefined,
    refresh: 'false',
    retryOnConflict: 0,
    requireTimestamp: false,
    sourceFilter: undefined,
  }
}

function get(key: ShardConfig, id: string): GetRequest {
  return { key: { indexUuid: key.indexUuid, shard: key.shard }, id, realtime: true, storedFields: [] }
}

test('opening a shard succeeds while another shard of its index fails to open', async () => {
  const executor = newExecutor()
  const [sound, damaged] = [config('mixed', 0), config('mixed', 1)]
  mkdirSync(damaged.folder!, { recursive: true })
  writeFileSync(join(damaged.folder!, 'commit-1'), 'not a commit point')
  const results = await Promise.allSettled([executor.openShard(damaged), executor.openShard(sound)])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.equal((await executor.write(write(sound, 'a'))).result, 'created')
  await assert.rejects(executor.write(write(damaged, 'a')), { status: 503 })
  await executor.close()
})

test('a shard that is closed while it opens ends up closed', async () => {
  const executor = newExecutor()
  const shard = config('short', 0)
  const opened = executor.openShard(shard)
  await executor.closeShard(shard, true)
  await opened
  await assert.rejects(executor.write(write(shard, 'a')), { status: 503 })
  await executor.close()
})

// Goal: two instances never write the same files. Method: close a shard twice while its commit is slow, and open it as soon
// as the second call has returned.
test('a shard that is opened while an earlier instance still closes keeps every document', async () => {
  const executor = newExecutor()
  const shard = config('reopened', 0)
  await executor.openShard(shard)
  await executor.write({ ...write(shard, 'a'), refresh: 'true' })
  const first = executor.closeShard(shard, false)
  const second = executor.closeShard(shard, false).then(() => executor.openShard(shard))
  await Promise.all([first, second])
  const found = async () => (await executor.get(get(shard, 'a')))?.version
  assert.equal(await found(), 1)
  await executor.closeShard(shard, false)
  await executor.openShard(shard)
  assert.equal(await found(), 1)
  await executor.close()
})

test('an executor that is closing opens no shard, and keeps the documents of those it closes', async () => {
  const executor = newExecutor()
  const shard = config('ending', 0)
  await executor.openShard(shard)
  await executor.write({ ...write(shard, 'a'), refresh: 'true' })
  const closed = executor.close()
  await executor.closeShard(shard, false)
  await assert.rejects(executor.openShard(shard), { status: 503, message: /the node is closing/ })
  await closed
  const again = newExecutor()
  await again.openShard(shard)
  assert.equal((await again.get(get(shard, 'a')))?.version, 1)
  await again.close()
})

test('a shard that is opened twice is open once', async () => {
  const executor = newExecutor()
  const shard = config('twice', 0)
  await Promise.all([executor.openShard(shard), executor.openShard(shard)])
  assert.equal((await executor.write(write(shard, 'a'))).result, 'created')
  assert.equal((await executor.write(write(shard, 'a'))).result, 'updated')
  await executor.close()
})

// Goal: an index is deleted while writes to it wait for the log. They are refused and not acknowledged, and the files of
// other shards do not change.
test('writes that wait for the log of a shard are refused when the shard is closed for deletion', async () => {
  const target: WriteTarget = {
    indexName: 'gone',
    indexUuid: 'gone',
    shardCount: 1,
    routingShards: 1024,
    replicas: 0,
    routingRequired: false,
    aliasRouting: undefined,
    requireTimestamp: false,
    appendOnly: false,
  }
  const executor = new ShardExecutor({
    arena: Arena.create(64 * 1024 * 1024),
    callbacks: { ...callbacks, writeTarget: async () => target },
  })
  const [gone, other] = [config('gone', 0), config('other', 0)]
  await executor.openShard(gone)
  await executor.write(write(gone, 'first'))
  const single = assert.rejects(executor.write(write(gone, 'a')), { status: 503, message: /it is closed/ })
  const bulk = executor.bulk(bulkOf([{ index: { _index: 'gone', _id: 'b' } }, { n: 1 }]))
  // Both are applied within one turn of the event loop, before the log is written.
  for (let step = 0; step < 1_000 && executor.stats(gone).maxSeqNo < 2; step++) await undefined
  assert.equal(executor.stats(gone).maxSeqNo, 2)
  await executor.closeShard(gone, true)
  rmSync(gone.folder!, { recursive: true })
  await executor.openShard(other)
  assert.equal((await executor.write(write(other, 'a'))).result, 'created')
  await single
  const { items } = JSON.parse(Buffer.from((await bulk).body).toString())
  assert.equal(items[0].index.status, 503)
  await executor.close()
  const again = newExecutor()
  await again.openShard(other)
  assert.equal(again.stats(other).maxSeqNo, 0)
  await again.close()
})
