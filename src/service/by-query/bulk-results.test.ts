import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countResults, readResults } from './bulk-results.ts'
import { ByQueryStatus } from './by-query-status.ts'

const reply = (errors: boolean, items: object[]) => Buffer.from(JSON.stringify({ errors, took: 1, items }))
const item = (action: string, result: string, _id = 'x') => ({ [action]: { _index: 'i', _id, result, status: 200 } })

test('results of a bulk response without errors are counted by kind', () => {
  const counts = new ByQueryStatus(Infinity)
  const items = [
    item('index', 'created'),
    item('index', 'updated'),
    item('index', 'noop'),
    item('delete', 'deleted', '","result":"created'),
    item('delete', 'not_found'),
  ]
  assert.equal(countResults(reply(false, items), counts), true)
  assert.deepEqual([counts.created, counts.updated, counts.deleted], [1, 2, 2])
})

test('results of a bulk response with errors are not counted, but read one by one', () => {
  const counts = new ByQueryStatus(Infinity)
  const answer = reply(true, [item('index', 'created'), { index: { _index: 'i', _id: 'y', status: 409, error: {} } }])
  assert.equal(countResults(answer, counts), false)
  assert.equal(counts.created, 0)
  assert.deepEqual(
    readResults(answer).map(({ action, status }) => [action, status]),
    [
      ['index', 200],
      ['index', 409],
    ],
  )
})
