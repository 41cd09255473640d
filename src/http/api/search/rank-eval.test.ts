import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch } from '../../../testing/index.ts'

const search = await startSearch({ listen: false, refresh: 'immediate' })
after(() => search.stop())
before(async () => {
  for (let i = 1; i <= 5; i++) await search.request('PUT', `/i/_doc/${i}`, { n: i })
})

const rate = (ratings: Record<string, number>) =>
  Object.entries(ratings).map(([id, rating]) => ({ _index: 'i', _id: id, rating }))

async function evaluate(metric: object, ratings: Record<string, number>, request: object = { sort: ['n'] }) {
  const body = { requests: [{ id: 'q', request, ratings: rate(ratings) }], metric }
  return (await search.request('POST', '/i/_rank_eval', body)).body
}

// Hits are 1, 2, 3, 4, 5 in this order.
for (const [metric, ratings, score, details] of [
  [{ precision: { k: 4 } }, { 1: 1, 2: 0, 3: 2 }, 0.5, { relevant_docs_retrieved: 2, docs_retrieved: 4 }],
  [
    { precision: { ignore_unlabeled: true } },
    { 1: 1, 2: 0, 3: 2 },
    2 / 3,
    { relevant_docs_retrieved: 2, docs_retrieved: 3 },
  ],
  [{ recall: { k: 2 } }, { 1: 1, 2: 0, 5: 1 }, 0.5, { relevant_docs_retrieved: 1, relevant_docs: 2 }],
  [{ mean_reciprocal_rank: {} }, { 1: 0, 3: 1 }, 1 / 3, { first_relevant: 3 }],
  [{ mean_reciprocal_rank: {} }, { 9: 1 }, 0, { first_relevant: -1 }],
  [{ dcg: { k: 3 } }, { 1: 3, 2: 2, 3: 3 }, 7 + 3 / Math.log2(3) + 7 / 2, undefined],
  [{ expected_reciprocal_rank: { maximum_relevance: 3 } }, { 1: 3 }, 7 / 8, { unrated_docs: 4 }],
] as const) {
  test(`${JSON.stringify(metric)} of ratings ${JSON.stringify(ratings)} is ${score}`, async () => {
    const body = await evaluate(metric, ratings)
    assert.ok(Math.abs(body.metric_score - score) < 1e-9, `${body.metric_score}`)
    assert.equal(body.details.q.metric_score, body.metric_score)
    const [name] = Object.keys(metric)
    if (details !== undefined) assert.deepEqual(body.details.q.metric_details[name!], details)
  })
}

test('unrated hits, ratings and summaries are listed', async () => {
  const body = {
    requests: [{ id: 'q', request: { sort: ['n'] }, ratings: rate({ 1: 1 }), summary_fields: ['n'] }],
    metric: { precision: { k: 2 } },
  }
  const { details } = (await search.request('POST', '/i/_rank_eval', body)).body
  assert.deepEqual(details.q.unrated_docs, [{ _index: 'i', _id: '2' }])
  assert.deepEqual(
    details.q.hits.map((one: any) => [one.hit._id, one.hit._source, one.rating]),
    [
      ['1', { n: 1 }, 1],
      ['2', { n: 2 }, null],
    ],
  )
})

test('a failed search is reported beside the others', async () => {
  const requests = [
    { id: 'good', request: { sort: ['n'] }, ratings: rate({ 1: 1 }) },
    { id: 'bad', request: { query: { range: { n: { gte: 'x' } } } }, ratings: [] },
  ]
  const { body } = await search.request('POST', '/i/_rank_eval', { requests, metric: { precision: {} } })
  assert.deepEqual(Object.keys(body.details), ['good'])
  assert.deepEqual(Object.keys(body.failures), ['bad'])
})

test('searches are made from templates', async () => {
  const body = {
    templates: [{ id: 't', template: { source: '{"query":{"term":{"n":{{value}}}}}' } }],
    requests: [{ id: 'q', template_id: 't', params: { value: 3 }, ratings: rate({ 3: 1 }) }],
    metric: { precision: {} },
  }
  assert.equal((await search.request('POST', '/i/_rank_eval', body)).body.metric_score, 1)
})

for (const [body, reason] of [
  [{ requests: [], metric: { precision: {} } }, /Failed to build \[rank_eval\]/],
  [
    { requests: [{ id: 'q', request: {}, ratings: [] }], metric: { precision: { k: 0 } } },
    /failed to parse field \[metric\]/,
  ],
  [
    { requests: [{ id: 'q', request: { aggs: { a: {} } }, ratings: [] }], metric: { precision: {} } },
    /failed to parse field \[requests\]/,
  ],
] as const) {
  test(`${JSON.stringify(body)} is refused`, async () => {
    const answer = await search.request('POST', '/i/_rank_eval', body)
    assert.equal(answer.status, 400)
    assert.match(answer.body.error.reason, reason)
  })
}
