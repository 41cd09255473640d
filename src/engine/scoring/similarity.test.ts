import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFloat } from '../../base/json/json-writer.ts'
import { openTestShard, runSearch } from '../search/search-fixture.ts'
import { LENGTH_OF_NORM } from './similarity.ts'

// Goal: exactly the floats of Elasticsearch. Method: its recorded scores for the same documents.
test('BM25 scores of a small index equal those of Elasticsearch', () => {
  const shard = openTestShard({ t: { type: 'text' } }, [
    [
      { id: '1', source: { t: 'fox' } },
      { id: '2', source: { t: 'fox fox dog' } },
    ],
  ])
  const { hits } = runSearch(shard, { query: { match: { t: 'fox' } } })
  assert.deepEqual(
    hits.map(({ score }) => formatFloat(score)),
    ['0.22920428', '0.2197849'],
  )
})

test('a keyword field has no norms, but its average length counts its values', () => {
  const shard = openTestShard({ k: { type: 'keyword' } }, [
    [
      { id: '1', source: { k: ['a', 'b', 'c'] } },
      { id: '2', source: { k: 'a' } },
    ],
  ])
  const { hits } = runSearch(shard, { query: { term: { k: 'b' } } })
  assert.deepEqual(
    hits.map(({ score }) => formatFloat(score)),
    ['0.8713851'],
  )
})

test('encoded lengths are exact up to 39 and coarse beyond', () => {
  assert.equal(LENGTH_OF_NORM[39], 39)
  assert.deepEqual(
    [40, 41, 48, 49].map((norm) => LENGTH_OF_NORM[norm]),
    [40, 42, 56, 60],
  )
})
