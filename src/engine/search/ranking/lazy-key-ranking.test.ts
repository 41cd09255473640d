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

// Goal: a date outside the range of nanoseconds fails only the searches that have to compare it. Method: pages for
// which such a date decides the order, and pages for which it does not.
test('a sort key that may fail is read only if it decides', () => {
  const cannot = /milliSeconds \[-31536000000\] are before the epoch in 1970/
  // Until the page is full every document is a hit and is read completely.
  assert.throws(() => page('asc', 3), cannot)
  assert.equal(page('asc', 2), '42')
  assert.throws(() => page('desc', 1), cannot)
  // Documents of an earlier page are not read again, unless their first key equals the start of this page.
  assert.equal(page('desc', 10, [3, 0]), '214')
  assert.equal(page('desc', 10, [3, JANUARY_2]), '4')
  assert.throws(() => page('desc', 10, [4, 0]), cannot)
})
