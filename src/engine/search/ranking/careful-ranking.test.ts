import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestShard, runSearch } from '../search-fixture.ts'

const shard = openTestShard({ n: { type: 'integer' }, at: { type: 'date' } }, [
  [
    { id: '1', source: { n: 3, at: '2024-01-02' } },
    { id: '2', source: { n: 3, at: '2024-01-01' } },
  ],
  [
    { id: '3', source: { n: 4, at: '1969-01-01' } },
    { id: '4', source: { n: 2, at: '2024-01-01' } },
  ],
])

const JANUARY_2 = 1704153600000000000n

function page(order: 'asc' | 'desc', size: number, after?: readonly (number | bigint)[]): string {
  const sort = [{ n: order }, { at: { order: 'asc', numeric_type: 'date_nanos' } }]
  const { hits } = runSearch(shard, { sort, size }, { after })
  return hits.map(({ segment, doc }) => shard.view.segments[segment]!.reader.id(doc)).join('')
}

// Goal: a date out of range of nanoseconds fails the searches that have to compare it, and no others.
// Method: pages for which such a date decides the order, and pages for which it does not.
test('a key that may fail is read only where it decides', () => {
  const cannot = /milliSeconds \[-31536000000\] are before the epoch in 1970/
  // Until the page is full every document is a hit so far, and read as a whole.
  assert.throws(() => page('asc', 3), cannot)
  assert.equal(page('asc', 2), '42')
  assert.throws(() => page('desc', 1), cannot)
  // What came on an earlier page is not read again, unless its first key is where this page begins.
  assert.equal(page('desc', 10, [3, 0]), '214')
  assert.equal(page('desc', 10, [3, JANUARY_2]), '4')
  assert.throws(() => page('desc', 10, [4, 0]), cannot)
})
