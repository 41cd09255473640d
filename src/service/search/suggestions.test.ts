import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { parseIndexDefinition } from '../definitions/create-index-request.ts'
import { bulkOf } from '../documents/bulk-fixture.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'
import { SandpiperNode } from '../sandpiper-node.ts'
import { parseSearchBody } from './request/search-request.ts'

// Goal: suggestions, profiles and failed fetches of several shards are combined in one response.
let node: SandpiperNode

before(async () => {
  node = await SandpiperNode.open({})
  const properties = { t: { type: 'text' }, c: { type: 'completion' } }
  await node.indices.create(
    'words',
    parseIndexDefinition({ settings: { number_of_shards: 2 }, mappings: { properties } }),
  )
  const lines = Array.from({ length: 6 }, (_, i) => [
    { index: { _index: 'words', _id: String(i) } },
    { t: i % 2 === 0 ? 'quick brown' : 'quick red', c: { input: `word ${i}`, weight: i } },
  ]).flat()
  await node.documents.bulk(bulkOf(lines))
})

after(() => node.close())

async function search(body: unknown, typedKeys = false) {
  const answer = await node.search.search({
    scope: { expressions: ['words'], options: EXPAND_OPEN_FORBID_CLOSED, routing: undefined, limits: undefined },
    body: parseSearchBody(Buffer.from(JSON.stringify(body))),
    allowPartialResults: true,
    totalAsInteger: false,
    globalFrequencies: false,
    typedKeys,
  })
  return JSON.parse(encodeJson(answer).toString())
}

test('a search for suggestions alone has no hits, and frequencies of shards add up', async () => {
  const answer = await search({ suggest: { s: { text: 'quikc', term: { field: 't' } } } })
  assert.deepEqual(answer.hits.total, { value: 0, relation: 'eq' })
  assert.deepEqual(answer.suggest.s, [
    { text: 'quikc', offset: 0, length: 5, options: [{ text: 'quick', score: 0.8, freq: 6 }] },
  ])
})

test('completions contain their documents, and typed_keys adds the suggester type to names', async () => {
  const body = { _source: ['c.weight'], suggest: { s: { prefix: 'wor', completion: { field: 'c', size: 2 } } } }
  const { suggest } = await search(body, true)
  assert.deepEqual(suggest['completion#s'][0].options, [
    { text: 'word 5', _index: 'words', _id: '5', _score: 5, _source: { c: { weight: 5 } } },
    { text: 'word 4', _index: 'words', _id: '4', _score: 4, _source: { c: { weight: 4 } } },
  ])
})

test('a profile lists the clauses of every shard with their match counts', async () => {
  const { profile, hits } = await search({ profile: true, query: { match: { t: 'quick brown' } } })
  assert.equal(profile.shards.length, 2)
  let matched = 0
  for (const { searches, fetch } of profile.shards) {
    const [query] = searches[0].query
    assert.equal(query.type, 'BooleanQuery')
    assert.equal(query.description, 't:quick t:brown')
    assert.deepEqual(
      query.children.map(({ type }: { type: string }) => type),
      ['TermQuery', 'TermQuery'],
    )
    assert.equal(searches[0].collector[0].children[0].name, 'SimpleTopScoreDocCollector')
    assert.equal(fetch.type, 'fetch')
    matched += query.breakdown.score_count
  }
  assert.equal(matched, hits.total.value)
})

test('a shard that fails to fetch its hits is reported as failed', async () => {
  const body = { query: { match: { t: 'quick' } }, highlight: { type: 'fvh', fields: { t: {} } } }
  await assert.rejects(search(body), (error: unknown) => {
    assert.ok(error instanceof ApiError)
    return error.type === 'search_phase_execution_exception' && error.status === 400
  })
})
