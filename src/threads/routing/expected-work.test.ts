import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ExpectedWork, expectedWork } from './expected-work.ts'

/** The traits that are true for a search body. */
const traits = (body: unknown) =>
  Object.entries(expectedWork(Buffer.from(JSON.stringify(body))))
    .filter(([, holds]) => holds)
    .map(([name]) => name as keyof ExpectedWork)

test('match, range and filter queries are expected to be cheap', () => {
  const filter = [{ term: { service: 'profile' } }, { range: { at: { gte: 1 } } }]
  assert.deepEqual(traits({ query: { bool: { must: { match: { text: 'a b' } }, filter } }, size: 20 }), [])
  assert.deepEqual(traits({ query: { match_phrase: { text: 'a b' } }, sort: ['n'] }), [])
})

test('values of members do not change the expected work', () => {
  assert.deepEqual(traits({ query: { terms: { k: ['highlight', '"fuzzy":', 'nested'] } } }), [])
})

test('queries that may read all documents are costly at every depth', () => {
  const costly = [
    { query: { bool: { must_not: { constant_score: { filter: { wildcard: { k: '*a' } } } } } } },
    { post_filter: { regexp: { k: 'a.*' } } },
    { query: { match: { text: { query: 'a', fuzziness: 'AUTO' } } } },
    { query: { match_all: {} }, size: 1_000 },
    { from: 5_000 },
    { highlight: { fields: { text: {} } } },
  ]
  for (const body of costly) assert.deepEqual(traits(body), ['isCostly'], JSON.stringify(body))
})

test('runtime fields do not change the expected work', () => {
  const script = { source: 'emit(1)' }
  const runtime = { runtime_mappings: { r: { type: 'long', script } } }
  assert.deepEqual(traits({ ...runtime, query: { range: { r: { gte: 1 } } } }), [])
  assert.deepEqual(traits({ ...runtime, aggs: { a: { terms: { field: 'r' } } } }), ['aggregates'])
})

test('nested queries have their own trait and are costly with inner hits', () => {
  const nested = { path: 'c', query: { term: { 'c.k': 'a' } } }
  assert.deepEqual(traits({ query: { bool: { filter: [{ nested }] } } }), ['isNested'])
  assert.deepEqual(traits({ query: { nested: { ...nested, inner_hits: {} } } }), ['isCostly', 'isNested'])
})

test('aggregations are classified at every depth', () => {
  const under = (aggs: unknown) => ({ size: 0, aggs: { a: { terms: { field: 'k' }, aggs } } })
  assert.deepEqual(traits(under({ b: { avg: { field: 'n' } } })), ['aggregates'])
  assert.deepEqual(traits(under({ b: { cardinality: { field: 'n' } } })), ['aggregates', 'measures'])
  assert.deepEqual(traits(under({ b: { nested: { path: 'c' } } })), ['aggregates', 'isNested'])
  assert.deepEqual(traits(under({ b: { top_hits: {} } })), ['isCostly', 'aggregates'])
  const composite = { sources: [{ k: { terms: { field: 'k' } } }] }
  assert.deepEqual(traits({ aggs: { a: { composite } } }), ['aggregates', 'isCompositePage'])
})

test('estimating the work leaves the body unchanged, even if it is not JSON', () => {
  for (const text of ['{"query":{"match":{"t":"\\u00e9\\n"}}}', '{"a":"\\n', '{"query":', '']) {
    const body = Buffer.from(text)
    expectedWork(body)
    assert.equal(body.toString(), text)
  }
})
