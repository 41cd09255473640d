import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TopHitsCollector } from './top-hits-collector.ts'

// Goal: the heap keeps exactly the first entries of the sorted whole, ties in document order.
test('the collector keeps the best of random keys, ties in document order', () => {
  const keys = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), { maxLength: 60 })
  fc.assert(
    fc.property(
      keys,
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 1, max: 20 }),
      fc.nat(12),
      (all, size, blockSize, skip) => {
        const collector = new TopHitsCollector(size, 2)
        for (let start = 0; start < all.length; start += blockSize) {
          const block = all.slice(start, start + blockSize)
          const docs = Int32Array.from(block, (_, i) => start + i)
          collector.collect(docs, block.length, start, new Float32Array(blockSize), Float64Array.from(block.flat()), 0)
        }
        const sorted = all.map(([a, b], doc) => ({ a, b, doc })).sort((x, y) => x.a - y.a || x.b - y.b || x.doc - y.doc)
        assert.deepEqual(
          [...collector.drain(skip).docs],
          sorted.slice(skip, Math.max(skip, size)).map(({ doc }) => doc),
        )
      },
    ),
  )
})

// Goal: many hits, which use another sort algorithm, give the same result. Method: one key with few values, so that
// there are many ties.
test('the collector keeps the best of many hits with many ties', () => {
  const collector = new TopHitsCollector(2_000, 1)
  const all = Array.from({ length: 5_000 }, (_, doc) => ({ key: ((doc * 7919) % 97) - 48 || -0, doc }))
  for (let start = 0; start < all.length; start += 1_000) {
    const block = all.slice(start, start + 1_000)
    const docs = Int32Array.from(block, ({ doc }) => doc - 500)
    const keys = Float64Array.from(block, ({ key }) => key)
    collector.collect(docs, block.length, start - 500, new Float32Array(1_000).fill(start), keys, 500)
  }
  const best = all.sort((a, b) => a.key - b.key || a.doc - b.doc).slice(100, 2_000)
  const { docs, scores } = collector.drain(100)
  assert.deepEqual(
    [...docs],
    best.map(({ doc }) => doc),
  )
  assert.deepEqual(
    [...scores],
    best.map(({ doc }) => Math.floor(doc / 1_000) * 1_000),
  )
})
