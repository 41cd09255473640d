import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoredBlockCache } from './stored-block-cache.ts'

const block = (bytes: number) => new Uint8Array(bytes)

test('the least recently used block is evicted', () => {
  const cache = new StoredBlockCache(30)
  cache.add(1, block(10))
  cache.add(2, block(10))
  cache.add(3, block(10))
  assert.notEqual(cache.get(1), undefined)
  cache.add(4, block(10))
  assert.equal(cache.get(2), undefined)
  assert.deepEqual(
    [1, 3, 4].map((key) => cache.get(key)?.length),
    [10, 10, 10],
  )
})

test('a block beyond the budget is kept until the next one arrives', () => {
  const cache = new StoredBlockCache(30)
  cache.add(1, block(100))
  assert.equal(cache.get(1)?.length, 100)
  cache.add(2, block(10))
  assert.equal(cache.get(1), undefined)
  assert.equal(cache.get(2)?.length, 10)
})
