/** A shard host for tests of the metadata side: it remembers what it was asked and holds no documents. */
import type { ShardHost, ShardKey, ShardStats } from '../shards/shard-host.ts'

export interface FakeHost extends ShardHost {
  readonly calls: string[]
  /** Shards that are open, as `uuid/number`. */
  readonly open: ReadonlySet<string>
}

export function createFakeHost(): FakeHost {
  const calls: string[] = []
  const open = new Set<string>()
  const id = (key: ShardKey) => `${key.indexUuid}/${key.shard}`
  const unsupported = async (): Promise<never> => {
    throw new Error('the fake host holds no documents')
  }
  return {
    calls,
    open,
    async openShard(config) {
      calls.push(`open ${config.indexName} ${config.shard}`)
      open.add(id(config))
    },
    async closeShard(key, deleteFiles) {
      calls.push(`${deleteFiles ? 'delete' : 'close'} ${key.shard}`)
      open.delete(id(key))
    },
    async setMapping(_uuid, _mapping, version) {
      calls.push(`mapping ${version}`)
    },
    async setSettings() {
      calls.push('settings')
    },
    write: unsupported,
    bulk: unsupported,
    get: unsupported,
    async refresh(key) {
      calls.push(`refresh ${key.shard}`)
    },
    async flush(key) {
      calls.push(`flush ${key.shard}`)
    },
    async forceMerge(key) {
      calls.push(`merge ${key.shard}`)
    },
    async stats() {
      return { flushTotal: 0 } as ShardStats
    },
    async segments() {
      return []
    },
    holdView() {
      throw new Error('the fake host holds no documents')
    },
    async close() {
      calls.push('close')
    },
  }
}
