import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeSlots, ValueSlots } from './value-slots.ts'

const DOCS = 1500

// Goal: reading many documents gives the same slots as reading each alone, across words and counts, and with repeated
// documents. Method: sparse doc values, read at random documents in order.
test('reading the slots of many documents equals reading each alone', () => {
  const places = fc.array(fc.nat({ max: DOCS - 1 }), { maxLength: 400 })
  fc.assert(
    fc.property(places, places, fc.boolean(), (withValue, read, dense) => {
      const holders = Int32Array.from(new Set(dense ? read : withValue)).sort()
      const { shape, docsWithValue, bytes } = encodeSlots(holders, holders.length, DOCS)
      const docValues = new ValueSlots(shape, docsWithValue, holders.length, DOCS, bytes)
      const docs = Int32Array.from([...read, ...withValue.slice(0, 20)]).sort()
      const offsets = new Int32Array(docs.length + 1)
      const slots = docValues.readSlots(docs, docs.length, offsets, new Int32Array(docs.length))
      for (const [i, doc] of docs.entries()) {
        const expected = docValues.has(doc) ? [docValues.start(doc)] : []
        assert.deepEqual([...slots.subarray(offsets[i], offsets[i + 1])], expected)
      }
    }),
  )
})
