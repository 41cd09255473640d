import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { murmur3, murmur3OfUtf16, routingShardCount } from './murmur3.ts'

test('hashes of routing values equal those of Elasticsearch', () => {
  assert.equal(murmur3OfUtf16('abc'), 1118836419)
  assert.equal(murmur3OfUtf16('document-12345'), -1495563343)
  assert.equal(murmur3OfUtf16('é😀'), -2021158552)
})

test('the hash of a string equals the hash of its UTF-16 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer(), (text, seed) => {
      const bytes = Buffer.from(text, 'utf16le')
      assert.equal(murmur3(bytes, 0, bytes.length, seed), murmur3OfUtf16(text, seed))
    }),
  )
})

test('the number of routing shards leaves room for splitting an index', () => {
  const counts = [1, 2, 3, 5, 8, 512, 513, 1024].map(routingShardCount)
  assert.deepEqual(counts, [1024, 1024, 768, 640, 1024, 1024, 1026, 2048])
})
