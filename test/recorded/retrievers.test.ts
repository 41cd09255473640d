/**
 * Retrievers: mistakes in them, leaves and compound ones in every part of a search, beside totals, aggregations, highlights,
 * names and explanations, over several shards and indices, in points in time, scrolls and multi-searches.
 *
 * `retrievers.ndjson` has a request per line with the response of Elasticsearch 8.19. It has no licence for `rrf` and `linear`
 * and no module for `pinned`; the tests below compute what these have to answer.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'
import { checkRecorded } from './check-recorded.ts'

const INDEX = 'ranked'
const f = Math.fround

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
  await search.request('PUT', `/${INDEX}`, {
    settings: { number_of_shards: 2 },
    mappings: {
      properties: {
        n: { type: 'integer' },
        k: { type: 'keyword' },
        t: { type: 'text' },
        v: { type: 'dense_vector', dims: 1, similarity: 'l2_norm', index_options: { type: 'flat' } },
      },
    },
  })
  const lines = Array.from({ length: 10 }, (_, n) => [
    { index: { _id: String(n) } },
    { n, k: n % 2 === 0 ? 'even' : 'odd', t: `word${n} all`, v: [n] },
  ])
  const body = lines.flat().map((line) => JSON.stringify(line))
  await search.request('PUT', `/${INDEX}/_bulk?refresh=true`, `${body.join('\n')}\n`)
})
after(() => search.stop())

test('retrievers have the responses of Elasticsearch', () => checkRecorded(search, 'retrievers.ndjson'))

interface Answer {
  readonly hits: {
    readonly total: { readonly value: number }
    readonly hits: readonly {
      readonly _id: string
      readonly _score: number
      readonly matched_queries?: readonly string[]
      readonly _explanation?: { readonly description: string; readonly details: readonly { description: string }[] }
    }[]
  }
  readonly aggregations?: { readonly kinds: { readonly buckets: readonly { key: string; doc_count: number }[] } }
}

async function retrieve(retriever: object, more: object = {}, parameters = ''): Promise<Answer> {
  const { status, body } = await search.request('POST', `/${INDEX}/_search${parameters}`, { retriever, ...more })
  assert.equal(status, 200, JSON.stringify(body))
  return body as Answer
}

async function refusal(retriever: object, more: object = {}): Promise<string> {
  const { status, body } = await search.request('POST', `/${INDEX}/_search`, { retriever, ...more })
  assert.equal(status, 400)
  return JSON.stringify(body)
}

const ranking = ({ hits }: Answer) => hits.hits.map(({ _id, _score }) => [_id, _score])

/** Documents from `from` to `to`, of which each scores its number. */
const byNumber = (from: number, to: number, name?: string) => ({
  standard: {
    query: {
      function_score: {
        query: { range: { n: { gte: from, lte: to } } },
        field_value_factor: { field: 'n' },
        boost_mode: 'replace',
      },
    },
    ...(name === undefined ? {} : { _name: name }),
  },
})

const nearest = (to: number, k: number) => ({ knn: { field: 'v', query_vector: [to], k, num_candidates: 10 } })

test('rrf adds the reciprocal ranks and counts all that its children match', async () => {
  const retriever = {
    rrf: { retrievers: [byNumber(3, 9, 'large'), nearest(8, 3)], rank_constant: 1, rank_window_size: 4 },
  }
  const answer = await retrieve(retriever, { aggs: { kinds: { terms: { field: 'k' } } } })
  // Large: 9, 8, 7, 6. Nearest to 8: 8, then 7 and 9 with equal scores, in the order of their shards and numbers.
  const [seven, nine] = (await retrieve(nearest(8, 3))).hits.hits.slice(1).map(({ _id }) => _id)
  assert.deepEqual(new Set([seven, nine]), new Set(['7', '9']))
  const rankOf = (id: string) => (id === seven ? 2 : 3)
  const expected = [
    ['8', f(f(1 / 3) + f(1 / 2))],
    ['9', f(f(1 / 2) + f(1 / (1 + rankOf('9'))))],
    ['7', f(f(1 / 4) + f(1 / (1 + rankOf('7'))))],
    ['6', f(1 / 5)],
  ]
  const shown = (rows: readonly (readonly unknown[])[]) => rows.map(([id, score]) => [id, f(score as number)])
  assert.deepEqual(shown(ranking(answer)), shown(expected))
  assert.equal(answer.hits.total.value, 7)
  assert.deepEqual(
    answer.aggregations!.kinds.buckets.map(({ key, doc_count: count }) => `${key}:${count}`),
    ['odd:4', 'even:3'],
  )
  assert.deepEqual(answer.hits.hits.at(-1)!.matched_queries, ['large'])
})

test('rrf passes its filter to every child, and pages within its window', async () => {
  const filter = { term: { k: 'even' } }
  const children = [byNumber(0, 9), nearest(0, 2)]
  const answer = await retrieve({ rrf: { retrievers: children, filter } }, { size: 2, from: 1 })
  assert.deepEqual(ranking(await retrieve({ rrf: { retrievers: children, filter } })).slice(1, 3), ranking(answer))
  assert.equal(answer.hits.total.value, 5)
  const whole = await retrieve({ rrf: { retrievers: [byNumber(0, 9)], rank_window_size: 3 } }, { size: 3, from: 2 })
  assert.deepEqual(
    whole.hits.hits.map(({ _id }) => _id),
    ['7'],
  )
  assert.match(
    await refusal({ rrf: { retrievers: [byNumber(0, 9)], rank_window_size: 3 } }, { size: 4 }),
    /be greater than or equal to \[size: 4\]/,
  )
})

test('rrf explains the rank of a document in each child', async () => {
  const retriever = { rrf: { retrievers: [byNumber(5, 9, 'large'), nearest(0, 1)] } }
  const [first] = (await retrieve(retriever, { explain: true, size: 1 })).hits.hits
  const { description, details } = first!._explanation!
  const ranks = first!._id === '9' ? '[1, 0]' : '[0, 1]'
  assert.equal(
    description,
    `rrf score: [0.016393442] computed for initial ranks ${ranks} with rankConstant: [60] as sum of [1 / (rank + rankConstant)] for each query`,
  )
  assert.ok(details.some((detail) => /result not found in query at index/.test(detail.description)))
})

test('linear adds weighted and normalized scores', async () => {
  const children = (weight: number, normalizer?: string) => [
    { retriever: byNumber(5, 9), weight, ...(normalizer === undefined ? {} : { normalizer }) },
  ]
  const scores = async (linear: object) => ranking(await retrieve({ linear })).map(([, score]) => score)
  assert.deepEqual(await scores({ retrievers: children(2) }), [18, 16, 14, 12, 10])
  assert.deepEqual(await scores({ retrievers: children(4, 'minmax') }), [4, 3, 2, 1, 1.4e-45])
  const length = Math.sqrt(81 + 64 + 49 + 36 + 25)
  const unit = [9, 8, 7, 6, 5].map((n) => f(n / length))
  assert.deepEqual(
    (await scores({ retrievers: children(1, 'l2_norm') })).map((score) => f(score as number)),
    unit,
  )
  assert.deepEqual(
    (await scores({ retrievers: children(1), normalizer: 'l2_norm' })).map((score) => f(score as number)),
    unit,
  )
  assert.deepEqual(await scores({ retrievers: children(2), min_score: 13 }), [18, 16, 14])
  assert.deepEqual(
    await scores({ retrievers: [...children(1), { retriever: byNumber(9, 9), weight: 3 }] }),
    [36, 8, 7, 6, 5],
  )
  assert.match(await refusal({ linear: { retrievers: children(-1) } }), /\[weight\] must be non-negative/)
  assert.match(await refusal({ linear: { retrievers: children(1, 'max') } }), /Unknown normalizer \[max\]/)
})

test('a text searched in fields takes the place of children', async () => {
  const one = { query: 'word3 all', fields: ['t', 'k'] }
  const [first] = (await retrieve({ rrf: one })).hits.hits
  assert.deepEqual([first!._id, first!._score], ['3', 0.016393442])
  assert.equal((await retrieve({ linear: { ...one, normalizer: 'minmax' } })).hits.hits[0]!._score, 1)
  assert.equal((await retrieve({ rrf: { query: 'word3' } })).hits.total.value, 1)
  assert.match(await refusal({ linear: one }), /\[normalizer\] must be provided when \[query\] is specified/)
  assert.match(
    await refusal({ rrf: { ...one, retrievers: [nearest(0, 1)] } }),
    /cannot combine \[retrievers\] and \[query\]/,
  )
  assert.match(await refusal({ rrf: { ...one, fields: ['t^2'] } }), /does not support per-field weights in \[fields\]/)
  assert.match(await refusal({ rrf: { fields: ['t'] } }), /\[query\] must be provided when \[fields\] is specified/)
  assert.match(await refusal({ rrf: {} }), /must provide \[retrievers\] or \[query\]/)
  await search.request('PUT', `/${INDEX}-too`)
  const { body } = await search.request('POST', `/${INDEX}*/_search`, { retriever: { rrf: one } })
  assert.match(JSON.stringify(body), /cannot specify \[query\] when querying multiple indices/)
})

test('pinned puts documents before those of its child, explained or not', async () => {
  const retriever = { pinned: { ids: ['1', '0'], retriever: byNumber(7, 9) } }
  const ids = ({ hits }: Answer) => hits.hits.map(({ _id }) => _id)
  assert.deepEqual(ids(await retrieve(retriever)), ['1', '0', '9', '8', '7'])
  const explained = await retrieve(retriever, { explain: true })
  assert.deepEqual(ids(explained), ['1', '0', '9', '8', '7'])
  assert.equal(explained.hits.hits[0]!._explanation!.description, 'Pinned document, original explanation:')
  const docs = [
    { _index: 'elsewhere', _id: '1' },
    { _index: INDEX, _id: '0' },
  ]
  assert.deepEqual(ids(await retrieve({ pinned: { docs, retriever: byNumber(8, 9) } })), ['0', '9', '8'])
  assert.match(await refusal({ pinned: { retriever: byNumber(7, 9) } }), /must be provided and non-empty/)
})

test('compound retrievers nest', async () => {
  const inner = { linear: { retrievers: [{ retriever: byNumber(0, 9) }] } }
  const rescore = {
    window_size: 5,
    query: { rescore_query: { constant_score: { filter: { term: { n: 5 } }, boost: 100 } } },
  }
  const answer = await retrieve({ rescorer: { retriever: inner, rescore } })
  assert.deepEqual(ranking(answer), [
    ['5', 105],
    ['9', 9],
    ['8', 8],
    ['7', 7],
    ['6', 6],
  ])
  const smaller = { linear: { retrievers: [{ retriever: byNumber(0, 9) }], rank_window_size: 2 } }
  assert.match(
    await refusal({ rrf: { retrievers: [smaller] } }),
    /to be smaller than or equal to its sub retriever's linear \[rank_window_size: 2\]/,
  )
})
