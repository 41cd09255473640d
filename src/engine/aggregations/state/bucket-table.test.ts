import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AggregationMemory } from './aggregation-memory.ts'
import { BucketTable } from './bucket-table.ts'

// Goal: a direct table numbers buckets like the hash table, even when it is converted to one. Method: random pairs,
// some with parents too large for the direct table.
test('the direct table and the hash table number buckets alike', () => {
  const pair = fc.tuple(fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 5000 })), fc.nat({ max: 299 }))
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 500 }), (pairs) => {
      const placed = new BucketTable(new AggregationMemory(), 300)
      const hashed = new BucketTable(new AggregationMemory())
      for (const [parent, key] of pairs) {
        assert.equal(placed.find(parent, key), hashed.find(parent, key))
        assert.equal(placed.add(parent, key), hashed.add(parent, key))
      }
      for (const [parent] of pairs) assert.deepEqual(placed.ofParent(parent), hashed.ofParent(parent))
      const places = placed.placesOf(21)
      for (const [parent, key] of pairs) {
        if (places !== undefined && parent < 21) assert.equal(places[parent * 300 + key], hashed.find(parent, key) + 1)
      }
    }),
  )
})

// Goal: any number is a valid key and finds its bucket again.
test('a bucket table numbers each key once, whatever its value', () => {
  const key = fc.oneof(fc.integer({ min: -70, max: 70 }), fc.double({ noNaN: true }), fc.constantFrom(0, -0, 1e15))
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: 3 }), key), { maxLength: 300 }), (pairs) => {
      const table = new BucketTable(new AggregationMemory())
      const expected = new Map<string, number>()
      for (const [parent, value] of pairs) {
        const name = `${parent} ${value}`
        if (!expected.has(name)) expected.set(name, expected.size)
        assert.equal(table.add(parent, value), expected.get(name))
      }
    }),
  )
})
