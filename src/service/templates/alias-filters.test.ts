import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSearch } from '../../testing/index.ts'

const search = await startSearch({ listen: false })
after(() => search.stop())

const PROPERTIES = {
  k: { type: 'keyword' },
  d: { type: 'date' },
  n: { type: 'long' },
  o: { type: 'nested' },
  g: { type: 'geo_point' },
}
const putTemplate = (filter: unknown) =>
  search.request('PUT', '/_index_template/t', {
    index_patterns: ['t-*'],
    template: { mappings: { properties: PROPERTIES }, aliases: { a: { filter } } },
  })
const LOOKUP = { terms: { k: { index: 'other', id: '1', path: 'p' } } }

// The reasons are those of Elasticsearch 8.19.
const REFUSED: [string, unknown, RegExp][] = [
  ['a nested path', { nested: { path: 'o', query: { match_all: {} } } }, /^\[nested\] failed to find nested object/],
  ['a script with a fault', { script: { script: 'this is bad(' } }, /^compile error$/],
  ['a regular expression with a fault', { regexp: { zz: '(' } }, /^unexpected end-of-string$/],
  ['a lookup of terms', LOOKUP, /^async actions are left after rewrite$/],
  ['a lookup of terms inside', { bool: { filter: [LOOKUP] } }, /^async actions are left after rewrite$/],
  ['a query string with a fault', { query_string: { query: 'a AND (' } }, /^Failed to parse query \[a AND \(\]$/],
  ['a join', { has_child: { type: 'x', query: { match_all: {} } } }, /no join field has been configured$/],
  ['a point of the mapping', { geo_distance: { distance: '1km', g: [0, 0] } }, /^failed to find geo field \[g\]$/],
]
for (const [what, filter, reason] of REFUSED) {
  test(`${what} in the filter of a template's alias is refused`, async () => {
    const { status, body } = await putTemplate(filter)
    assert.equal(status, 400)
    assert.equal(body.error.reason, 'composable template [t] template after composition is invalid')
    assert.equal(body.error.caused_by.reason, 'failed to parse filter for alias [a]')
    assert.match(body.error.caused_by.caused_by.reason, reason)
  })
}

// The filter is bound to an index without fields, so that values for the fields of the mapping are not checked.
for (const filter of [
  { nested: { path: 'x', ignore_unmapped: true, query: { match_all: {} } } },
  { script: { script: "doc['zz'].value > 1" } },
  { range: { d: { gte: 'no date' } } },
  { term: { n: 'x' } },
  { wildcard: { n: 'a*' } },
]) {
  test(`${JSON.stringify(filter)} in a template's alias is accepted`, async () => {
    assert.equal((await putTemplate(filter)).status, 200)
  })
}

test('an alias of an index is refused if its filter looks up terms', async () => {
  await search.request('PUT', '/i')
  const { status, body } = await search.request('PUT', '/i/_alias/a', { filter: LOOKUP })
  assert.deepEqual([status, body.error.caused_by.reason], [400, 'async actions are left after rewrite'])
})
