import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import type { AfterValue } from '../request/search-after.ts'
import { openTestShard, runSearch } from '../search/search-fixture.ts'

const shard = openTestShard({ u: { type: 'unsigned_long' }, d: { type: 'date' }, b: { type: 'boolean' } }, [
  [
    { id: '1', source: { u: 7, d: '2024-01-01', b: true } },
    { id: '2', source: {} },
  ],
])

/** The number of hits behind a value, or the error. */
function after(sort: object, value: AfterValue): unknown {
  try {
    return runSearch(shard, { sort: [sort] }, { after: [value] }).hits.length
  } catch (error) {
    assert.ok(error instanceof ApiError && error.status === 400, String(error))
    return error.causedBy?.message ?? error.message
  }
}

test('a value that no unsigned number can be is refused with the reason', () => {
  const sort = { u: 'asc' }
  assert.equal(after(sort, 7), 1)
  assert.equal(after(sort, '6'), 2)
  assert.equal(after(sort, 18446744073709551615n), 0)
  assert.equal(after(sort, 1.5), 'For input string: "1.5"')
  assert.equal(after(sort, 'x'), 'For input string: "x"')
  assert.equal(after(sort, true), 'For input string: "true"')
  assert.equal(after(sort, -1), 'Illegal leading minus sign on unsigned string -1.')
  assert.equal(after(sort, 18446744073709552000n), 'String value 18446744073709552000 exceeds range of unsigned long.')
})

test('values of a field that is read as fractions are numbers, whatever its type', () => {
  const date = { d: { numeric_type: 'double' } }
  assert.equal(after(date, 'Infinity'), 0)
  assert.equal(after(date, 1704067200000), 1)
  assert.equal(after(date, '2024-01-01'), 'For input string: "2024-01-01"')
  assert.equal(after({ b: { numeric_type: 'double' } }, 'true'), 'For input string: "true"')
})

test('values for a field that the index lacks are read as its type reads them', () => {
  const lacking = (unmapped_type: string) => ({ x: { unmapped_type } })
  assert.equal(after(lacking('ip'), '7'), "'7' is not an IP string literal.")
  assert.equal(after(lacking('boolean'), true), 2)
  assert.equal(after(lacking('boolean'), '7'), 'Cannot parse boolean [7], expected either [true] or [false]')
  assert.equal(after(lacking('date'), '2023-06-01T00:00:00Z'), 2)
  assert.match(String(after(lacking('date'), 'zz')), /failed to parse date field \[zz\] with format/)
  assert.equal(after(lacking('keyword'), 7), 2)
})

test('ranges over unsigned numbers refuse what is no number, and are empty beyond the ends', () => {
  const count = (range: object) => runSearch(shard, { query: { range: { u: range } } }).total
  assert.throws(() => count({ gte: 'x' }), /neither a decimal digit number/)
  assert.throws(() => count({ gt: true }), /neither a decimal digit number/)
  assert.equal(count({ gt: 6.5 }), 1)
  assert.equal(count({ lt: 7.5 }), 1)
  assert.equal(count({ lt: 0 }), 0)
  assert.equal(count({ gt: '18446744073709551615' }), 0)
})
