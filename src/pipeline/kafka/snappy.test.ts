import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { COMPRESSIONS, pack, unpack } from './compression.ts'

// Goal: the reader gets the bytes back. Method: random texts of few words, so that copies of every length occur.
test('packed snappy batches are unpacked to the same bytes', () => {
  const words = fc.array(fc.constantFrom('a', 'bc', 'event ', '"message":"', 'x'.repeat(70)), { maxLength: 400 })
  fc.assert(
    fc.property(words, fc.uint8Array({ maxLength: 300 }), (repeating, random) => {
      const bytes = Buffer.concat([Buffer.from(repeating.join('')), random])
      assert.deepEqual(unpack(Buffer.from(pack(bytes, 'snappy')), COMPRESSIONS.indexOf('snappy')), bytes)
    }),
    { numRuns: 100 },
  )
  const large = Buffer.from('{"message":"the same line again"}'.repeat(10_000))
  assert.ok(pack(large, 'snappy').length < large.length / 10)
})
