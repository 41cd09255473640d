import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFloat } from '../../../base/json/json-writer.ts'
import { parseQueryBody } from '../../query/parse-query.ts'
import { executeSearch } from '../execute-search.ts'
import { hitIds, openTestShard, runSearch } from '../search-fixture.ts'

const shard = openTestShard(
  { t: { type: 'text' }, n: { type: 'integer' }, p: { type: 'geo_point' }, k: { type: 'keyword' } },
  [
    [
      { id: '1', source: { t: 'fox', n: 1, p: [4.89, 52.37], k: 'a' } },
      { id: '2', source: { t: 'fox fox', n: 10, p: [2.35, 48.86], k: 'b' } },
    ],
    [
      { id: '3', source: { t: 'dog', n: 5, k: 'a' } },
      { id: '4', source: { n: 100, p: [-74, 40.7], k: 'b' } },
    ],
  ],
)

const scores = (query: unknown) => runSearch(shard, { query }).hits.map(({ score }) => formatFloat(score))

test('score functions change the ranking', () => {
  const factor = { field_value_factor: { field: 'n', modifier: 'log1p' } }
  assert.equal(hitIds(shard, { query: { function_score: { ...factor, boost_mode: 'replace' } } }).join(''), '4231')
  const weights = { functions: [{ filter: { term: { k: 'a' } }, weight: 3 }, { weight: 2 }], score_mode: 'sum' }
  assert.deepEqual(scores({ function_score: weights }), ['5.0', '5.0', '2.0', '2.0'])
  const near = { gauss: { n: { origin: 5, scale: 5 } }, boost_mode: 'replace' }
  assert.equal(hitIds(shard, { query: { function_score: near } })[0], '3')
  assert.throws(() => runSearch(shard, { query: { function_score: { field_value_factor: { field: 'p' } } } }))
})

test('an invalid function fails the search even if no score is needed', () => {
  const filter = { range: { n: { gte: 'many' } } }
  const query = { function_score: { functions: [{ filter, weight: 2 }] } }
  assert.throws(() => runSearch(shard, { query, sort: ['n'] }), /many/)
})

test('min_score drops documents whose function score is too low', () => {
  const query = { function_score: { field_value_factor: { field: 'n' }, boost_mode: 'replace', min_score: 10 } }
  assert.equal(hitIds(shard, { query }).join(''), '42')
})

test('geo queries and sorts find documents within a radius, inside a box and by distance', () => {
  const within = { geo_distance: { distance: '500km', p: { lat: 52, lon: 4 } } }
  assert.equal(hitIds(shard, { query: within }).join(''), '12')
  const box = { geo_bounding_box: { p: { top_left: [-80, 50], bottom_right: [3, 40] } } }
  assert.equal(hitIds(shard, { query: box }).join(''), '24')
  const polygon = { geo_shape: { p: { shape: 'POLYGON ((0 50, 10 50, 10 55, 0 55, 0 50))' } } }
  assert.equal(hitIds(shard, { query: polygon }).join(''), '1')
  const sort = [{ _geo_distance: { p: [2.35, 48.86], unit: 'km' } }]
  assert.equal(hitIds(shard, { sort }).join(''), '2143')
})

test('rescore reorders the best hits', () => {
  const { hits } = executeSearch(shard, {
    query: parseQueryBody(Buffer.from('{"match":{"t":"fox"}}')),
    filters: [],
    postFilter: undefined,
    minScore: undefined,
    window: 10,
    sort: undefined,
    trackScores: false,
    boost: 1,
    terminateAfter: undefined,
    collapse: undefined,
    rescores: [
      {
        windowSize: 10,
        query: parseQueryBody(Buffer.from('{"term":{"n":1}}')),
        queryWeight: 0,
        rescoreQueryWeight: 3,
        mode: 'total',
      },
    ],
  })
  assert.deepEqual(
    hits.map(({ score }) => score),
    [3, 0],
  )
})
