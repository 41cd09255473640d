import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Exchange, JsonObject } from './exchange.ts'
import { GenerationCache } from './generation-cache.ts'
import type { PreparedSearch } from './known-requests.ts'
import { prepareLike, type ShapeVerdict, shapeOf, verdictOf } from './search-shapes.ts'

const exchange = { incoming: { method: 'POST', uri: '/i/_search', headers: {} } } as unknown as Exchange
const shape = (query: JsonObject) => shapeOf(exchange, { query }, (field) => field === 't')?.text

test('searches that differ only in the words of a text query have the same shape', () => {
  const one = shape({ bool: { must: [{ match: { t: 'bird' } }], filter: { term: { n: 1 } } } })
  assert.notEqual(one, undefined)
  assert.equal(shape({ bool: { must: [{ match: { t: 'tree' } }], filter: { term: { n: 1 } } } }), one)
  assert.notEqual(shape({ bool: { must: [{ match: { t: 'tree' } }], filter: { term: { n: 2 } } } }), one)
  assert.notEqual(shape({ bool: { must: [{ term: { t: 'tree' } }], filter: { term: { n: 1 } } } }), one)
  const long = (operator: string, query: unknown) => shape({ match: { t: { query, operator } } })
  assert.equal(long('and', 'bird'), long('and', 'tree'))
  assert.notEqual(long('and', 'bird'), long('or', 'bird'))
  assert.notEqual(shape({ match: { t: 'bird' } }), long('and', 'bird'))
})

test('a search without words that may be left out has no shape', () => {
  for (const query of [
    { match: { d: 'bird' } },
    { match: { t: 5 } },
    { match: { t: 'x'.repeat(500) } },
    { match: { t: 'bird', u: 'tree' } },
    { wildcard: { t: '*' } },
    { match_all: {} },
  ])
    assert.equal(shape(query), undefined)
})

test('known shapes are dropped when the metadata changes', () => {
  const shapes = new GenerationCache<ShapeVerdict>()
  shapes.keep('a', 1, 'passes')
  assert.equal(shapes.find('a', 1), 'passes')
  assert.equal(shapes.find('a', 2), undefined)
  shapes.keep('b', 2, 'rewritten')
  assert.equal(shapes.find('a', 2), undefined)
  assert.equal(shapes.find('b', 2), 'rewritten')
  assert.equal(shapes.find(undefined, 2), undefined)
})

test('words outside of the query are part of the shape', () => {
  const filtered = (word: string) =>
    shapeOf(exchange, { query: { match: { t: 'bird' } }, post_filter: { term: { t: word } } }, () => true)?.text
  assert.notEqual(filtered('a'), filtered('b'))
})

test('a search is rewritten like an earlier one of its shape if the query of that one was not changed', () => {
  const request: JsonObject = { query: { match: { t: 'bird' } }, sort: [{ d: { format: 'yyyy' } }] }
  const plan = { names: ['sort_format'], conditional: [], request: { ...request, sort: ['d'] } }
  const sent = { uri: '/i/_search?x=1', body: Buffer.from('old') }
  const prepared: PreparedSearch = { request, pit: undefined, plan, probe: undefined, sent }
  assert.equal(verdictOf(prepared), prepared)
  const like = prepareLike(prepared, { ...request, query: { match: { t: 'tree' } } })
  assert.equal(like.sent!.uri, sent.uri)
  assert.deepEqual(JSON.parse(like.sent!.body.toString()), { query: { match: { t: 'tree' } }, sort: ['d'] })
  assert.deepEqual(like.request['query'], { match: { t: 'tree' } })
  const renamed = { ...plan, request: { ...plan.request, query: { match: { u: 'bird' } } } }
  assert.equal(verdictOf({ ...prepared, plan: renamed }), 'rewritten')
  assert.equal(verdictOf({ ...prepared, plan: undefined, sent: undefined }), 'passes')
  const probe = { certain: 1, aggs: undefined, count: () => 1 }
  assert.equal(verdictOf({ ...prepared, probe }), 'rewritten')
})
