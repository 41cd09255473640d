import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

// Goal: explanations, more_like_this and synonyms as a client sees them, on an in-memory node.
let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
  const analysis = {
    filter: { same: { type: 'synonym_graph', synonyms: ['wlan, wi fi', 'fast, quick'] } },
    analyzer: { asked: { tokenizer: 'standard', filter: ['lowercase', 'same'] } },
  }
  const properties = { t: { type: 'text', search_analyzer: 'asked' }, k: { type: 'keyword' } }
  await search.request('PUT', '/books', { settings: { analysis }, mappings: { properties } })
  const texts = ['fox', 'the wi fi fox', 'fi wi', 'wlan at home', 'a fast fox', 'quick brown fox']
  for (const [i, t] of texts.entries()) {
    await search.request('PUT', `/books/_doc/${i + 1}?refresh=true`, { t, k: i % 2 === 0 ? 'even' : 'odd' })
  }
})
after(() => search.stop())

interface Hit {
  _id: string
  _score: number
  _shard: string
  _explanation: { value: number }
  matched_queries: unknown
}

/** The members of all responses below. */
interface Answer {
  matched: boolean
  explanation: { description: string }
  get: { _source: unknown }
  hits: { hits: Hit[] }
  explanations: { explanation: string }[]
  error: { reason: string; root_cause: { reason: string }[] }
}

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: Answer }> {
  const { status, body: answer } = await search.request(method, path, body)
  return { status, body: answer as unknown as Answer }
}

async function ids(query: unknown): Promise<string> {
  const { body } = await ask('POST', '/books/_search', { query, sort: ['_doc'] })
  return body.hits.hits.map((hit) => hit._id).join(' ')
}

test('_explain states whether a document matches and how its score is computed', async () => {
  const found = await ask('GET', '/books/_explain/1?_source=t', { query: { match: { t: 'fox' } } })
  assert.equal(found.body.matched, true)
  assert.equal(found.body.explanation.description, 'weight(t:fox in 0) [PerFieldSimilarity], result of:')
  assert.deepEqual(found.body.get._source, { t: 'fox' })
  const other = await ask('POST', '/books/_explain/3', { query: { term: { k: 'odd' } } })
  assert.deepEqual(other.body, {
    _index: 'books',
    _id: '3',
    matched: false,
    explanation: { value: 0, description: 'no matching term', details: [] },
  })
  const missing = await ask('GET', '/books/_explain/99', { query: { match_all: {} } })
  assert.deepEqual([missing.status, missing.body], [404, { _index: 'books', _id: '99', matched: false }])
  const empty = await ask('GET', '/books/_explain/1')
  assert.equal(empty.body.error.reason, 'Validation Failed: 1: query is missing;')
})

test('explain: true shows the score computation of each hit, including rescored hits', async () => {
  const rescore = { window_size: 1, query: { rescore_query: { match_all: {} }, query_weight: 2 } }
  const { body } = await ask('POST', '/books/_search', { explain: true, query: { match: { t: 'fox' } }, rescore })
  for (const hit of body.hits.hits) {
    assert.equal(hit._shard, '[books][0]')
    assert.equal(hit._explanation.value, hit._score)
  }
})

// Goal: a multi-word synonym matches as a phrase, in both directions, and never word by word.
test('a multi-word synonym is searched as a phrase in both directions', async () => {
  assert.equal(await ids({ match: { t: 'wlan' } }), '2 4')
  assert.equal(await ids({ match: { t: 'wi fi' } }), '2 4')
  assert.equal(await ids({ match: { t: { query: 'wlan', auto_generate_synonyms_phrase_query: false } } }), '2 3 4')
  assert.equal(await ids({ match_phrase: { t: 'wlan fox' } }), '2')
  assert.equal(await ids({ match: { t: { query: 'quick fox', operator: 'and' } } }), '5 6')
  assert.equal(await ids({ query_string: { query: 't:(wlan AND fox)' } }), '2')
  const { body } = await ask('GET', '/books/_validate/query?explain=true', { query: { match: { t: 'quick fox' } } })
  assert.equal(body.explanations[0]?.explanation, 'Synonym(t:fast t:quick) t:fox')
})

test('more_like_this reads its example documents from the index', async () => {
  const query = { more_like_this: { fields: ['t'], like: [{ _id: '6' }], min_term_freq: 1, min_doc_freq: 1 } }
  assert.equal(await ids(query), '1 2 5')
})

test('include_named_queries_score shows the scores of matched queries', async () => {
  const query = { bool: { should: [{ term: { k: { value: 'odd', _name: 'kind', boost: 2 } } }] } }
  const { body } = await ask('POST', '/books/_search?include_named_queries_score=true', { query })
  const [hit] = body.hits.hits
  assert.deepEqual(hit?.matched_queries, { kind: hit?._score })
})

test('expensive queries are rejected if search.allow_expensive_queries is false', async () => {
  const setting = (value: unknown) =>
    ask('PUT', '/_cluster/settings', { transient: { 'search.allow_expensive_queries': value } })
  await setting(false)
  const { status, body } = await ask('POST', '/books/_search', { query: { wildcard: { k: 'o*' } } })
  assert.equal(status, 400)
  assert.match(body.error.root_cause[0]!.reason, /\[wildcard\] queries cannot be executed/)
  await setting(null)
  assert.equal(await ids({ wildcard: { k: 'o*' } }), '2 4 6')
})
