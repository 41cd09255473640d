import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenShard } from './open-index.ts'
import { OpenLogs } from './open-logs.ts'

test('the least recently written shards are flushed if too many logs are open', () => {
  const flushed: string[] = []
  const shards = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => {
      const flush = async () => void flushed.push(name)
      return [name, { shard: { flush } } as unknown as OpenShard]
    }),
  )
  const logs = new OpenLogs(2)
  for (const name of ['a', 'a', 'b', 'a', 'c']) logs.note(shards[name]!)
  assert.deepEqual(flushed, ['b'])
  logs.forget(shards['a']!)
  logs.note(shards['d']!)
  assert.deepEqual(flushed, ['b'], 'a closed shard does not count')
  logs.note(shards['a']!)
  assert.deepEqual(flushed, ['b', 'c'])
})
