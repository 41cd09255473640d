import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storageName } from '../../mapping/storage-name.ts'
import { openTestShard } from '../../search/search-fixture.ts'
import { globalOrdinals } from './global-ordinals.ts'

const PROPERTIES = { k: { type: 'keyword' }, f: { type: 'flattened' } }

// Goal: every term has one ordinal in the whole view, in term order, whatever segments it is in. Method: random terms
// in several segments, in a field and in a key of a flattened field, compared with a sorted set.
test('global ordinals number terms in order over all segments', () => {
  const term = fc.oneof(fc.constantFrom('a', 'b', 'ab', 'ba'), fc.string({ minLength: 1, maxLength: 4 }))
  fc.assert(
    fc.property(fc.array(fc.array(term, { maxLength: 6 }), { maxLength: 5 }), (batches) => {
      const shard = openTestShard(
        PROPERTIES,
        batches.map((batch, b) => batch.map((k, i) => ({ id: `${b}-${i}`, source: { k, f: { key: k } } }))),
      )
      const all = [...new Set(batches.flat())].map((text) => Buffer.from(text)).sort(Buffer.compare)
      const keyed = shard.mapping.field('f.key')!.asDocValues!
      for (const field of ['k', storageName(keyed)]) {
        const ordinals = globalOrdinals(shard.view, field)
        assert.deepEqual(
          Array.from({ length: ordinals.termCount }, (_, i) => Buffer.from(ordinals.term(i))),
          all,
        )
        for (const view of shard.view.segments) {
          const docValues = view.reader.sortedSetDocValues(field)
          const toGlobal = ordinals.ofSegment(view)
          for (let own = 0; own < (docValues?.termCount ?? 0); own++) {
            const global = toGlobal === undefined ? own : toGlobal[own]!
            assert.deepEqual(Buffer.from(ordinals.term(global)), Buffer.from(docValues!.term(own)))
          }
        }
        for (const [i, text] of all.entries()) assert.equal(ordinals.find(text), i)
      }
    }),
    { numRuns: 100 },
  )
})
