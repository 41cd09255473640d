import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Tombstones } from '../tombstones.ts'
import { BufferedIds } from './buffered-ids.ts'

// Goal: the typed-array hash table behaves like a map, through growth, removals and clearing. Method: random operations
// on it and on a Map.
test('the id table of a buffer behaves like a Map', () => {
  const id = fc.integer({ min: 0, max: 2000 }).map((n) => `document ${n}`)
  const step = fc.oneof(
    { weight: 50, arbitrary: fc.record({ kind: fc.constant('put' as const), id }) },
    { weight: 10, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), id }) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3000, size: 'max' }), (steps) => {
      const map = new BufferedIds()
      const model = new Map<string, number>()
      const state = { version: 0, seqNo: 0, primaryTerm: 0 }
      steps.forEach(({ kind, id }, i) => {
        const bytes = Buffer.from(id)
        if (kind === 'put') {
          map.put(bytes, i, i + 1, i, 1)
          model.set(id, i)
        } else if (kind === 'remove') {
          map.remove(bytes)
          model.delete(id)
        } else {
          map.clear()
          model.clear()
        }
        assert.equal(map.find(bytes, state), model.get(id) ?? -1)
      })
      for (const [id, doc] of model) {
        assert.equal(map.find(Buffer.from(id), state), doc)
        assert.deepEqual(state, { version: doc + 1, seqNo: doc, primaryTerm: 1 })
      }
    }),
    { numRuns: 30 },
  )
})

test('tombstones expire by age, even if a document was deleted twice', () => {
  const tombstones = new Tombstones()
  const remove = (id: string, deletedAtMs: number) =>
    tombstones.set(Buffer.from(id), { version: 1, seqNo: 1, primaryTerm: 1, deletedAtMs })
  remove('a', 10)
  remove('b', 20)
  remove('a', 30)
  const state = { version: 0, seqNo: 0, primaryTerm: 0 }
  tombstones.prune(25)
  assert.equal(tombstones.find(Buffer.from('b'), state), false)
  assert.equal(tombstones.find(Buffer.from('a'), state), true)
  tombstones.prune(31)
  assert.equal(tombstones.find(Buffer.from('a'), state), false)
})

test('tombstones find what a map with times would find, whatever was deleted, removed and expired before', () => {
  const state = { version: 0, seqNo: 0, primaryTerm: 0 }
  const id = (n: number) => Buffer.from(`id-${n}`)
  const step = fc.record({ kind: fc.constantFrom('set', 'set', 'set', 'remove', 'prune'), n: fc.nat(40) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const tombstones = new Tombstones()
      const expected = new Map<number, number>()
      let now = 0
      for (const { kind, n } of steps) {
        if (kind === 'set') {
          // Many deletes of other documents, so that expired ones are given up.
          for (let i = 0; i < 200; i++) {
            tombstones.set(id(1000 + i), { version: 9, seqNo: 9, primaryTerm: 1, deletedAtMs: now })
          }
          tombstones.set(id(n), { version: ++now, seqNo: now, primaryTerm: 1, deletedAtMs: now })
          expected.set(n, now)
        } else if (kind === 'remove') {
          tombstones.remove(id(n))
          expected.delete(n)
        } else {
          tombstones.prune(now - n / 10)
          for (const [key, time] of expected) if (time < now - n / 10) expected.delete(key)
        }
      }
      for (let n = 0; n <= 40; n++) {
        assert.equal(tombstones.find(id(n), state), expected.has(n))
        if (expected.has(n)) assert.equal(state.version, expected.get(n))
      }
    }),
    { numRuns: 60 },
  )
})
