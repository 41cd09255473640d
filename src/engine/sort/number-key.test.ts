import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hitIds, openTestShard, runSearch } from '../search/search-fixture.ts'

const context = openTestShard({ price: { type: 'scaled_float', scaling_factor: 10 } }, [
  [
    { id: 'a', source: { price: -2.1 } },
    { id: 'b', source: { price: [0.4, 3.9] } },
    { id: 'c', source: {} },
  ],
])

// Goal: a scaled_float field sorts by its displayed value and not by the integers in its doc values.
test('a scaled_float field sorts by its displayed values', () => {
  const whole = { price: { numeric_type: 'long', mode: 'sum', missing: -1 } }
  const { hits } = runSearch(context, { sort: [whole] })
  assert.deepEqual(
    hits.map(({ sort }) => sort),
    [[-2], [-1], [3]],
  )
  assert.equal(hitIds(context, { sort: [{ price: { missing: 1 } }] }).join(''), 'abc')
  assert.equal(hitIds(context, { sort: [{ price: { missing: 0.3 } }] }).join(''), 'acb')
})
