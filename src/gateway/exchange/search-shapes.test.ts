import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Exchange, JsonObject } from './exchange.ts'
import { GenerationCache } from './generation-cache.ts'
import { type ShapeVerdict, shapeOf } from './search-shapes.ts'

const exchange = { incoming: { method: 'POST', uri: '/i/_search', headers: {} } } as unknown as Exchange
const shape = (query: JsonObject) => shapeOf(exchange, { query }, (field) => field === 't')

test('searches that look for other words in a text have one shape', () => {
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

test('a search has no shape without words that may be left out', () => {
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

test('shapes hold until the metadata changes', () => {
  const shapes = new GenerationCache<ShapeVerdict>()
  shapes.keep('a', 1, 'passes')
  assert.equal(shapes.find('a', 1), 'passes')
  assert.equal(shapes.find('a', 2), undefined)
  shapes.keep('b', 2, 'rewritten')
  assert.equal(shapes.find('a', 2), undefined)
  assert.equal(shapes.find('b', 2), 'rewritten')
  assert.equal(shapes.find(undefined, 2), undefined)
})
