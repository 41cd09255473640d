import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { diskStorage } from '../../engine/store/disk-storage.ts'
import { createInlineHost } from './create-inline-host.ts'
import { LazyHost } from './lazy-host.ts'
import type { HostCallbacks, ShardConfig, ShardKey } from './shard-host.ts'

const OPEN_MAX = 2
const SHARDS = 4
const LATER_MS = 60_000

const callbacks: HostCallbacks = {
  mappingUpdate: async () => ({ mapping: {}, version: 1 }),
  writeTarget: () => Promise.reject(new Error('not asked')),
  findScript: async () => undefined,
  failureTarget: async () => undefined,
  ingestRoutes: () => Promise.reject(new Error('not asked')),
  shardFailed: (_key, reason) => assert.fail(reason),
}

/** Four shards of which two may be open, and a clock that the test sets. */
async function withShards(work: (fixture: Fixture) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-lazy-'))
  const fixture = new Fixture(folder)
  try {
    for (const key of fixture.keys) await fixture.host.openShard(fixture.configOf(key))
    await work(fixture)
  } finally {
    await fixture.host.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

class Fixture {
  readonly keys: readonly ShardKey[] = Array.from({ length: SHARDS }, (_, i) => ({ indexUuid: `uuid-${i}`, shard: 0 }))
  readonly host: LazyHost
  readonly #folder: string
  nowMs = 0

  constructor(folder: string) {
    this.#folder = folder
    this.host = new LazyHost(createInlineHost(callbacks, {}), {
      storage: diskStorage,
      onFailure: (_key, reason) => assert.fail(reason),
      configOf: (key) => this.configOf(key),
      openMax: OPEN_MAX,
      monotonicMs: () => this.nowMs,
    })
  }

  configOf(key: ShardKey): ShardConfig {
    return {
      ...key,
      indexName: key.indexUuid,
      folder: join(this.#folder, key.indexUuid),
      settings: { 'index.refresh_interval': '-1' },
      mapping: { dynamic: 'false' },
      mappingVersion: 1,
      shardCount: 1,
    }
  }

  async write(key: ShardKey, id: string): Promise<void> {
    await this.host.write({
      action: 'index',
      key,
      id,
      source: Buffer.from('{"n":1}'),
      refresh: 'true',
    } as unknown as Parameters<LazyHost['write']>[0])
  }

  get asleep(): number[] {
    return this.keys.flatMap((key, i) => (this.host.isSleeping(key) ? [i] : []))
  }

  docs(key: ShardKey): number {
    const held = this.host.holdView(key)
    try {
      return held.view.liveRoots
    } finally {
      held.release()
    }
  }
}

test('shards that were not used for longest are closed when too many are open, and open with all they had', () =>
  withShards(async (fixture) => {
    const { host, keys } = fixture
    for (const key of keys) await fixture.write(key, 'a')
    await host.closeIdle()
    assert.deepEqual(fixture.asleep, [], 'all were used a moment ago')
    fixture.nowMs += LATER_MS
    await host.searchStarts(keys[0]!)
    await host.closeIdle()
    assert.deepEqual(fixture.asleep, [1, 2])
    const stats = await host.stats(keys[1]!)
    assert.deepEqual([stats.docs, stats.indexTotal], [1, 1], 'a sleeping shard keeps its counters')
    await host.searchStarts(keys[1]!)
    assert.equal(fixture.docs(keys[1]!), 1)
    await fixture.write(keys[2]!, 'b')
    assert.equal(fixture.docs(keys[2]!), 2)
    assert.equal((await host.stats(keys[2]!)).indexTotal, 2)
    assert.deepEqual(fixture.asleep, [])
  }))

test('a shard that a context reads stays open until the context ends', () =>
  withShards(async (fixture) => {
    const { host, keys } = fixture
    const lease = host.keeper!.lease(keys[0]!)
    fixture.nowMs += LATER_MS
    await host.closeIdle()
    assert.deepEqual(fixture.asleep, [1, 2])
    lease.release()
    await host.wake(keys[1]!)
    fixture.nowMs += LATER_MS
    await host.closeIdle()
    assert.deepEqual(fixture.asleep, [0, 2])
  }))

test('a request that comes while its shard is being closed waits, and finds it open', () =>
  withShards(async (fixture) => {
    const { host, keys } = fixture
    for (const key of keys) await fixture.write(key, 'a')
    fixture.nowMs += LATER_MS
    const closing = host.closeIdle()
    await Promise.all(keys.map((key) => host.searchStarts(key)))
    for (const key of keys) assert.equal(fixture.docs(key), 1)
    await closing
    for (const key of keys) assert.equal((await host.stats(key)).docs, 1)
  }))

test('a view that is held stays readable while its shard is closed and opened again', () =>
  withShards(async (fixture) => {
    const { host, keys } = fixture
    await fixture.write(keys[0]!, 'a')
    const held = host.holdView(keys[0]!)
    fixture.nowMs += LATER_MS
    await host.closeIdle()
    assert.deepEqual(fixture.asleep, [0, 1])
    await fixture.write(keys[0]!, 'b')
    assert.equal(fixture.docs(keys[0]!), 2)
    assert.equal(held.view.segments[0]!.reader.id(0), 'a')
    assert.equal(held.view.liveRoots, 1)
    held.release()
    assert.equal(fixture.docs(keys[0]!), 2)
  }))
