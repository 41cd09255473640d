import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Arena } from '../../engine/memory/arena.ts'
import { ShardExecutor } from './shard-executor.ts'
import type { HostCallbacks, ShardConfig, WriteRequest } from './shard-host.ts'

const root = mkdtempSync(join(tmpdir(), 'executor-'))
after(() => rmSync(root, { recursive: true, force: true }))

const callbacks: HostCallbacks = {
  mappingUpdate: () => Promise.reject(new Error('the mapping has every field')),
  writeTarget: () => Promise.reject(new Error('there are no bulk requests')),
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

test('a shard that is opened twice is open once', async () => {
  const executor = newExecutor()
  const shard = config('twice', 0)
  await Promise.all([executor.openShard(shard), executor.openShard(shard)])
  assert.equal((await executor.write(write(shard, 'a'))).result, 'created')
  assert.equal((await executor.write(write(shard, 'a'))).result, 'updated')
  await executor.close()
})
