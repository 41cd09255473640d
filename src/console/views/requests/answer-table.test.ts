import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExactNumber } from '../../api/lossless-json.ts'
import { tableOf } from './answer-table.ts'

test('hits become rows with dotted columns and exact numbers', () => {
  const table = tableOf({
    hits: {
      hits: [{ _index: 'a', _id: '1', _score: null, _source: { x: { y: new ExactNumber('90071992547409931') } } }],
    },
  })
  assert.deepEqual(table, { columns: ['_index', '_id', 'x.y'], rows: [['a', '1', '90071992547409931']] })
})

test('buckets become rows with the keys of composite and the values of metrics', () => {
  const table = tableOf({
    hits: { hits: [] },
    aggregations: { pages: { buckets: [{ key: { host: 'a', day: 1 }, doc_count: 3, took: { value: 1.5 } }] } },
  })
  assert.deepEqual(table, { columns: ['host', 'day', 'doc_count', 'took'], rows: [['a', '1', '3', '1.5']] })
})

test('a response without a list has no table', () => {
  assert.equal(tableOf({ acknowledged: true }), undefined)
  assert.equal(tableOf(undefined), undefined)
})
