import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestShard } from '../../search/search-fixture.ts'
import { parseQueryBody } from '../parse-query.ts'

const context = openTestShard(
  {
    k: { type: 'keyword' },
    n: { type: 'nested', properties: { k: { type: 'keyword' }, i: { type: 'integer' }, t: { type: 'text' } } },
  },
  [[{ id: '1', source: { n: [{ k: 'a', i: 3, t: 'quick fox' }] } }]],
)

const plan = (query: unknown) =>
  parseQueryBody(Buffer.from(JSON.stringify({ nested: { path: 'n', query } }))).plan(context, true, 1)

// Goal: texts show the filter on objects exactly where Elasticsearch adds one.
test('a query that might match other documents is filtered by the nested path', () => {
  const texts: [unknown, string, string][] = [
    [{ term: { 'n.k': 'a' } }, 'n.k:a', 'n.k:a'],
    [{ term: { 'n.i': 3 } }, 'n.i:[3 TO 3]', 'n.i:[3 TO 3]'],
    [{ bool: { must: [{ prefix: { 'n.k': 'a' } }, { term: { 'n.k': 'a' } }] } }, '+n.k:a* +n.k:a', '+n.k:a* +n.k:a'],
    [{ term: { k: 'a' } }, '+k:a #_nested_path:n', '+k:a #_nested_path:n'],
    [{ prefix: { 'n.k': 'a' } }, '+n.k:a* #_nested_path:n', '+n.k:a* #_nested_path:n'],
    [{ fuzzy: { 'n.t': 'quikc' } }, '+n.t:quikc~1 #_nested_path:n', '+(n.t:quick)^0.8 #_nested_path:n'],
    [{ match_all: {} }, '+*:* #_nested_path:n', 'ConstantScore(_nested_path:n)'],
  ]
  for (const [query, written, rewritten] of texts) {
    assert.equal(plan(query).text(false), `ToParentBlockJoinQuery (${written})`)
    assert.equal(plan(query).text(true), `ToParentBlockJoinQuery (${rewritten})`)
  }
})

test('the nested filter is part of the explanation', () => {
  const segment = context.view.segments[0]!
  const [inner] = plan({ prefix: { 'n.k': 'a' } }).explain(segment, 1).details
  assert.equal(inner!.description, 'sum of:')
  assert.deepEqual(
    inner!.details.map(({ value, description }) => [value, description]),
    [
      [1, 'n.k:a*'],
      [0, 'match on required clause, product of:'],
    ],
  )
})
