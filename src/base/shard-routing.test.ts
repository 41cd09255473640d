import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addShardsOfRouting, shardOfDocument } from './shard-routing.ts'

test("splitting an index keeps every document within its old shard's group", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.integer({ min: 1, max: 5 }), (id, routing, routingPartition) => {
      const before = shardOfDocument({ shardCount: 2, routingShards: 1024, routingPartition }, id, routing)
      const after = shardOfDocument({ shardCount: 8, routingShards: 1024, routingPartition }, id, routing)
      assert.equal(Math.floor(after / 4), before)
    }),
  )
})

test('a document of a partitioned index is on one of the shards that a search with its routing visits', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.integer({ min: 1, max: 40 }), (id, routing, routingPartition) => {
      const rule = { shardCount: 5, routingShards: 640, routingPartition }
      const searched = new Set<number>()
      addShardsOfRouting(rule, routing, searched)
      assert.ok(searched.has(shardOfDocument(rule, id, routing)))
    }),
  )
})

test('a document of a partitioned index cannot be found without its routing', () => {
  const rule = { shardCount: 5, routingShards: 640, routingPartition: 2 }
  assert.throws(() => shardOfDocument(rule, 'x', undefined), /A routing value is required/)
  assert.equal(typeof shardOfDocument({ ...rule, routingPartition: 1 }, 'x', undefined), 'number')
})
