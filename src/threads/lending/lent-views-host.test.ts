import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Arena } from '../../engine/memory/arena.ts'
import { LentViewsHost } from './lent-views-host.ts'
import { RemoteViews } from './remote-views.ts'

class Lacking extends Error {}

const host = new LentViewsHost(
  new RemoteViews(
    Arena.create(1 << 20),
    () => {},
    () => undefined,
  ),
  () => {
    throw new Lacking()
  },
)

test('every shard host operation that a searcher thread cannot perform requests the main thread', () => {
  const names = Object.getOwnPropertyNames(LentViewsHost.prototype).filter((name) => name !== 'constructor')
  assert.ok(names.length >= 13)
  for (const name of names as (keyof LentViewsHost)[]) {
    const operation = host[name] as (...args: unknown[]) => unknown
    assert.throws(() => operation.call(host, { indexUuid: 'unknown', shard: 0 }), Lacking, name)
  }
})

test('a shard host without a keeper, a lender and idle shards lacks these members', () => {
  for (const name of ['keeper', 'lender', 'searchStarts', 'then']) assert.equal(name in host, false, name)
})
