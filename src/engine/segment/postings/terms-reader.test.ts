import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTestShard } from '../../search/search-fixture.ts'

// Goal: an existing term is found at its ordinal, and a missing one at its insertion point, with and without samples.
// Method: random terms of few letters, so that many share their first bytes, compared with a sorted list.
test('an existing term is found at its ordinal, a missing one at its insertion point', () => {
  const letter = fc.constantFrom('a', 'b', 'c', '\u0001', 'é', 'z')
  const term = fc.array(letter, { maxLength: 12 }).map((letters) => letters.join(''))
  fc.assert(
    fc.property(
      fc.uniqueArray(term, { minLength: 1, maxLength: 1_200, size: 'max' }),
      fc.array(term, { maxLength: 50 }),
      (present, others) => {
        const shard = openTestShard({ k: { type: 'keyword' } }, [[{ id: '1', source: { k: present } }]])
        const terms = shard.view.segments[0]!.reader.terms('k')!
        const sorted = present.map((text) => Buffer.from(text)).sort(Buffer.compare)
        for (const text of [...present, ...others]) {
          const bytes = Buffer.from(text)
          const at = sorted.findIndex((each) => Buffer.compare(each, bytes) >= 0)
          const place = at < 0 ? sorted.length : at
          const isThere = sorted[place]?.equals(bytes) === true
          assert.equal(terms.find(bytes), isThere ? place : -place - 1)
        }
      },
    ),
    { numRuns: 15 },
  )
})
