import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlowSearches } from './slow-searches.ts'

const ROUTE = '/{index}/_search'

test('the slowest searches of the last hour are kept in order, and nothing else', () => {
  const slow = new SlowSearches()
  slow.note(ROUTE, '/a/_search', Buffer.from('{"size":1}'), 200, 50, 0)
  slow.note(ROUTE, '/b/_search', undefined, 200, 90, 0)
  slow.note(ROUTE, '/quick/_search', undefined, 200, 1, 0)
  slow.note('/_bulk', '/_bulk', undefined, 200, 900, 0)
  slow.note(undefined, '/nothing', undefined, 404, 900, 0)
  assert.deepEqual(
    slow.list(0).map(({ path, ms }) => [path, ms]),
    [
      ['/b/_search', 90],
      ['/a/_search', 50],
    ],
  )
  assert.equal(slow.list(0)[1]!.body, '{"size":1}')
  assert.deepEqual(slow.list(3_600_001), [])
})

test('at most the maximum number of searches is kept, and the quickest is dropped first', () => {
  const slow = new SlowSearches()
  for (let ms = 10; ms < 60; ms++) slow.note(ROUTE, `/${ms}/_search`, undefined, 200, ms, 0)
  assert.equal(slow.list(0).length, 20)
  assert.equal(slow.list(0).at(-1)!.ms, 40)
})

test('bodies that are large or have escapes are not kept', () => {
  assert.equal(SlowSearches.isKeepable(Buffer.from('{"a":1}')), true)
  assert.equal(SlowSearches.isKeepable(Buffer.from('{"a":"\\n"}')), false)
  assert.equal(SlowSearches.isKeepable(Buffer.alloc(5000)), false)
  assert.equal(SlowSearches.isKeepable(Buffer.alloc(0)), false)
})
