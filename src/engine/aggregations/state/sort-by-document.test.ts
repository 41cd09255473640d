import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sortByDocument } from './sort-by-document.ts'

test('sortByDocument, given any entries, returns them in document order and keeps the order of equal documents', () => {
  const doc = fc.oneof(fc.nat(3000), fc.nat(2 ** 31 - 1))
  fc.assert(
    fc.property(fc.array(doc, { minLength: 1 }), fc.nat(5), (docs, unused) => {
      const padding = new Array<number>(unused).fill(0)
      const buckets = docs.map((_, i) => i)
      const given = { docs: Int32Array.from([...docs, ...padding]), buckets: Int32Array.from([...buckets, ...padding]) }
      const sorted = sortByDocument(given, docs.length)
      const expected = buckets.slice().sort((a, b) => docs[a]! - docs[b]! || a - b)
      assert.deepEqual([...sorted.buckets.subarray(0, docs.length)], expected)
      assert.deepEqual(
        [...sorted.docs.subarray(0, docs.length)],
        expected.map((i) => docs[i]!),
      )
    }),
  )
})
