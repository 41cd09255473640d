import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { parseIndexDefinition } from '../definitions/create-index-request.ts'
import { bulkOf } from '../documents/bulk-fixture.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'
import { SandpiperNode } from '../sandpiper-node.ts'
import { parseSearchBody } from './request/search-request.ts'

// Goal: searches over several indices and shards give one combined response. Method: an in-memory node with two indices
// (one with two shards), searched with complete request bodies.
let node: SandpiperNode

before(async () => {
  node = await SandpiperNode.open({})
  const properties = { n: { type: 'integer' }, k: { type: 'keyword' }, t: { type: 'text' }, d: { type: 'date' } }
  const create = (name: string, body: unknown) => node.indices.create(name, parseIndexDefinition(body))
  await create('one', { settings: { number_of_shards: 2 }, mappings: { properties } })
  await create('two', { mappings: { properties: { n: { type: 'text' }, k: { type: 'keyword' } } } })
  const lines: unknown[] = []
  for (let i = 0; i < 10; i++) {
    const source = { n: i, k: i % 2 === 0 ? 'even' : 'odd', t: `word${i} shared`, d: `2024-01-${10 + i}` }
    lines.push({ index: { _index: 'one', _id: String(i) } }, source)
  }
  lines.push({ index: { _index: 'two', _id: 'x' } }, { k: 'even' })
  await node.documents.bulk(bulkOf(lines))
})

after(() => node.close())

async function search(names: string, body: unknown, allowPartialResults = true) {
  const answer = await node.search.search({
    scope: {
      expressions: names === '' ? [] : names.split(','),
      options: EXPAND_OPEN_FORBID_CLOSED,
      routing: undefined,
      limits: undefined,
    },
    body: parseSearchBody(Buffer.from(JSON.stringify(body))),
    allowPartialResults,
    totalAsInteger: false,
    globalFrequencies: false,
  })
  return JSON.parse(encodeJson(answer).toString())
}

const ids = (answer: { hits: { hits: { _id: string }[] } }) => answer.hits.hits.map(({ _id }) => _id).join('')

test('consecutive pages over several shards contain all hits', async () => {
  assert.equal(ids(await search('one', { sort: [{ n: 'desc' }], size: 4 })), '9876')
  assert.equal(ids(await search('one', { sort: [{ n: 'desc' }], from: 4, size: 4 })), '5432')
  assert.equal(ids(await search('one', { sort: [{ n: 'desc' }], from: 8, size: 4 })), '10')
})

test('totals are exact up to track_total_hits', async () => {
  const total = async (trackTotalHits: unknown) =>
    (await search('one', { size: 0, track_total_hits: trackTotalHits })).hits.total
  assert.deepEqual(await total(true), { value: 10, relation: 'eq' })
  assert.deepEqual(await total(3), { value: 3, relation: 'gte' })
  assert.equal(await total(false), undefined)
})

test('a hit has the requested members', async () => {
  const body = {
    query: { ids: { values: ['3'] } },
    _source: ['n'],
    fields: [{ field: 'd', format: 'yyyy/MM' }],
    docvalue_fields: ['k'],
    version: true,
    sort: ['n'],
  }
  const [hit] = (await search('one', body)).hits.hits
  assert.deepEqual(hit, {
    _index: 'one',
    _id: '3',
    _version: 1,
    _score: null,
    _source: { n: 3 },
    fields: { d: ['2024/01'], k: ['odd'] },
    sort: [3],
  })
})

test('a failed shard is reported next to the results of the others', async () => {
  const answer = await search('one,two', { sort: ['n'], size: 1 })
  assert.deepEqual([answer._shards.total, answer._shards.failed], [3, 1])
  assert.match(answer._shards.failures[0].reason.reason, /Fielddata is disabled on \[n\] in \[two\]/)
  await assert.rejects(search('one,two', { sort: ['n'] }, false), { message: 'Partial shards failure', status: 400 })
})

test('a shard that fails to fetch one of its hits returns none of them', async () => {
  const properties = { n: { type: 'integer' }, c: { type: 'nested', properties: { x: { type: 'integer' } } } }
  const lines: unknown[] = []
  for (const name of ['sound', 'broken']) {
    await node.indices.create(name, parseIndexDefinition({ mappings: { properties } }))
    lines.push({ index: { _index: name, _id: `${name[0]}1` } }, { n: 1, c: { x: 1 } })
  }
  lines.push({ index: { _index: 'broken', _id: 'b2' } }, { n: 2, c: { x: -1 } })
  await node.documents.bulk(bulkOf(lines))
  // Its score is computed when the hits are listed, and a negative score is an error.
  const query = { function_score: { field_value_factor: { field: 'c.x' } } }
  const nested = { path: 'c', query, score_mode: 'none', inner_hits: {} }
  const answer = await search('sound,broken', { query: { nested }, sort: ['n'] })
  assert.deepEqual([ids(answer), answer.hits.total.value, answer._shards.failed], ['s1', 3, 1])
})

test('a search in which every shard fails is an error', async () => {
  await assert.rejects(search('one', { query: { match: { n: 'abc' } } }), (error: ApiError) => {
    assert.equal(error.message, 'all shards failed')
    assert.equal(error.rootCauses?.[0]?.message, 'failed to create query: For input string: "abc"')
    return error instanceof ApiError && error.status === 400
  })
})

test('hits of a top_hits aggregation are explained, and nested ones have the score of their document', async () => {
  const properties = { t: { type: 'text' }, c: { type: 'nested', properties: { x: { type: 'integer' } } } }
  await node.indices.create('scored', parseIndexDefinition({ mappings: { properties } }))
  const source = { t: 'word', c: [{ x: 1 }, { x: 2 }] }
  await node.documents.bulk(bulkOf([{ index: { _index: 'scored', _id: '1' } }, source]))
  const top = { top_hits: { explain: true, _source: false } }
  const aggs = { top, c: { nested: { path: 'c' }, aggs: { top } } }
  const answer = await search('scored', { query: { match: { t: 'word' } }, size: 0, aggs })
  const [hit] = answer.aggregations.top.hits.hits
  assert.equal(hit._shard, '[scored][0]')
  assert.match(hit._explanation.description, /^weight\(t:word in 2\)/)
  assert.equal(hit._explanation.value, hit._score)
  const objects = answer.aggregations.c.top.hits.hits.map((object: { _score: number }) => object._score)
  assert.deepEqual(objects, [hit._score, hit._score])
})

test('collapsed hits have inner hits of their groups', async () => {
  const answer = await search('one', {
    collapse: { field: 'k', inner_hits: { name: 'top', size: 1, sort: [{ n: 'desc' }], _source: false } },
    sort: ['n'],
    _source: false,
  })
  assert.equal(ids(answer), '01')
  assert.deepEqual(answer.hits.hits[0].fields, { k: ['even'] })
  assert.deepEqual(answer.hits.hits[1].inner_hits.top.hits.total, { value: 5, relation: 'eq' })
  assert.equal(answer.hits.hits[1].inner_hits.top.hits.hits[0]._id, '9')
})

test('_count and _field_caps cover all targets of a request', async () => {
  const scope = {
    expressions: ['one', 'two'],
    options: EXPAND_OPEN_FORBID_CLOSED,
    routing: undefined,
    limits: undefined,
  }
  assert.equal((await node.search.count(scope, undefined, undefined))['count'], 11)
  const options = {
    fields: ['n'],
    includeUnmapped: false,
    filters: ['-metadata'],
    types: [],
    includeEmptyFields: true,
    runtimeFields: new Map(),
  }
  const { fields } = (await node.search.fieldCaps(scope, options, undefined)) as { fields: Record<string, object> }
  assert.deepEqual(Object.keys(fields['n']!).sort(), ['integer', 'text'])
})

test('a search with contradictory options is rejected', () => {
  const parse = (text: string) => () => parseSearchBody(Buffer.from(text))
  assert.throws(parse('{"foo":1}'), { message: 'Unknown key for a VALUE_NUMBER in [foo].' })
  assert.throws(parse('{"query":[]}'), { message: 'Unknown key for a START_ARRAY in [query].' })
  assert.throws(parse('{"size":-1}'), { message: '[size] parameter cannot be negative, found [-1]' })
  assert.throws(parse('[]'), { message: 'Expected [START_OBJECT] but found [START_ARRAY]' })
  assert.doesNotThrow(parse('{"script_fields":{}}'))
  assert.throws(parse('{"script_fields":{"a":1}}'))
})

test('if every shard is skipped, the total is zero whatever the request says, and terminated_early is absent', async () => {
  const none = { query: { match_none: {} }, sort: ['k'] }
  for (const options of [{ track_total_hits: false }, { terminate_after: 5 }]) {
    const { hits, terminated_early } = await search('one', { ...none, ...options })
    assert.deepEqual(hits.total, { value: 0, relation: 'eq' })
    assert.equal(terminated_early, undefined)
  }
})

test('stored_fields _none_ shows the id if a mapped field is highlighted', async () => {
  const shown = async (field: string) => {
    const body = {
      query: { term: { k: 'odd' } },
      size: 1,
      stored_fields: '_none_',
      highlight: { fields: { [field]: {} } },
    }
    return '_id' in (await search('one', body)).hits.hits[0]
  }
  assert.equal(await shown('t'), true)
  assert.equal(await shown('missing'), false)
})

test('stored_fields _none_ hides routing and ignored fields, also if a field is highlighted', async () => {
  const mappings = { properties: { t: { type: 'text' }, k: { type: 'keyword', ignore_above: 2 } } }
  await node.indices.create('routed', parseIndexDefinition({ mappings }))
  await node.documents.bulk(
    bulkOf([{ index: { _index: 'routed', _id: '1', routing: 'r' } }, { t: 'fox', k: 'ignored' }]),
  )
  const body = { query: { match: { t: 'fox' } }, highlight: { fields: { t: {} } } }
  const members = async (more: object) => Object.keys((await search('routed', { ...body, ...more })).hits.hits[0])
  assert.deepEqual(await members({ stored_fields: '_none_' }), ['_index', '_id', '_score', 'highlight'])
  const all = ['_index', '_id', '_score', '_routing', '_ignored', '_source', 'highlight']
  assert.deepEqual(await members({}), all)
})
