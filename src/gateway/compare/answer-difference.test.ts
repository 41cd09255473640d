import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerDifference } from './answer-difference.ts'

const page = (...hits: readonly (readonly [string, number])[]) => ({
  took: Math.random(),
  _shards: { total: hits.length },
  hits: { total: { value: 9 }, hits: hits.map(([_id, n]) => ({ _index: 'i', _id, _source: { n }, sort: [n] })) },
})

test('answers that differ in times, shards and the order of equal hits are equal', () => {
  assert.equal(answerDifference(page(['a', 1], ['b', 1], ['c', 2]), page(['b', 1], ['a', 1], ['c', 2])), undefined)
  assert.equal(answerDifference({ _score: 1.000001 }, { _score: 1 }), undefined)
})

test('hits of the last rank may continue on the next page of the other service', () => {
  assert.equal(answerDifference(page(['a', 1], ['b', 2]), page(['a', 1], ['c', 2])), undefined)
})

test('the first difference is reported with its path', () => {
  const at = (a: unknown, b: unknown) => answerDifference(a, b)?.at
  assert.equal(at(page(['a', 1], ['b', 2]), page(['a', 1])), '.hits.hits.length')
  assert.equal(at(page(['a', 1], ['b', 2]), page(['c', 1], ['b', 2])), '.hits.hits[0]._id')
  assert.equal(at(page(['a', 1]), page(['a', 2])), '.hits.hits[0][0]')
  assert.equal(at({ aggregations: { x: { value: 1 } } }, { aggregations: { x: {} } }), '.aggregations.x.value')
  assert.equal(at({ a: 9007199254740993n }, { a: 'x' }), '.a')
})
