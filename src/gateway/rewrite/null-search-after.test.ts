import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withRefusedNulls } from './null-search-after.ts'

const javaError = (javaClass: string) => ({
  type: 'null_pointer_exception',
  reason: `Cannot invoke "java.lang.${javaClass}.${javaClass.toLowerCase()}Value()" because "value" is null`,
})
const bodyOf = (reason: unknown) => Buffer.from(JSON.stringify({ _shards: { failures: [{ shard: 0, reason }] } }))
const refused = (position: number, field: string, type: string) => ({
  type: 'illegal_argument_exception',
  reason: `[search_after] value at position ${position} cannot be null for sort field [${field}] of type [${type}].`,
})

test('a shard that fails for a null in search_after has the error of Elasticsearch', () => {
  const cases = [
    [{ sort: [{ n: 'desc' }], search_after: [null] }, 'Long', refused(0, 'n', 'LONG')],
    [{ sort: ['k', { n: { format: 'x' } }], search_after: ['a', null] }, 'Double', refused(1, 'n', 'DOUBLE')],
    [{ sort: 'n', search_after: [null] }, 'Float', refused(0, 'n', 'FLOAT')],
  ] as const
  for (const [request, javaClass, expected] of cases) {
    assert.deepEqual(withRefusedNulls(bodyOf(javaError(javaClass)), request), bodyOf(expected))
  }
})

test('other failures, and those of several nulls, stay as they are', () => {
  const request = { sort: ['n'], search_after: [null] }
  const other = bodyOf({ type: 'null_pointer_exception', reason: 'Cannot invoke "x"' })
  assert.equal(withRefusedNulls(other, request), other)
  const failed = bodyOf(javaError('Long'))
  assert.equal(withRefusedNulls(failed, { sort: ['n', 'm'], search_after: [null, null] }), failed)
  assert.equal(withRefusedNulls(failed, { sort: ['n'], search_after: [1] }), failed)
  assert.equal(withRefusedNulls(failed, {}), failed)
})
