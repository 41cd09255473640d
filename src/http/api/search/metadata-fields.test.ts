import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

// Goal: metadata fields are searched as in Elasticsearch. The numbers were recorded there.
let search: TestSearch

before(async () => {
  search = await startSearch({ listen: false })
  const properties = { k: { type: 'keyword', ignore_above: 3 } }
  await search.request('PUT', '/few', { settings: { number_of_shards: 1 }, mappings: { properties } })
  const write = (id: string, routing: string | undefined, k: string) =>
    search.request('PUT', `/few/_doc/${id}?refresh=true${routing === undefined ? '' : `&routing=${routing}`}`, { k })
  await write('1', 'r1', 'too long')
  await write('2', 'r2', 'too long')
  await write('3', 'r1', 'fit')
  await write('4', undefined, 'fit')
})
after(() => search.stop())

async function hits(query: unknown): Promise<string> {
  const { status, body } = await search.request('POST', '/few/_search', { query })
  if (status !== 200) return (body as { error: { root_cause: { reason: string }[] } }).error.root_cause[0]!.reason
  const found = (body as { hits: { hits: { _id: string; _score: number }[] } }).hits.hits
  return found.map(({ _id, _score }) => `${_id}=${_score}`).join(' ')
}

test('queries on _routing and _ignored score by inverse document frequency', async () => {
  assert.equal(await hits({ term: { _routing: 'r1' } }), '1=0.4700036 3=0.4700036')
  assert.equal(await hits({ match: { _routing: 'r1' } }), '1=0.4700036 3=0.4700036')
  assert.equal(await hits({ terms: { _routing: ['r1', 'r2'] } }), '1=1 2=1 3=1')
  assert.equal(await hits({ term: { _ignored: 'k' } }), '1=0.18232156 2=0.18232156')
})

test('wildcard, prefix and range queries on _routing compare terms', async () => {
  assert.equal(await hits({ prefix: { _routing: 'r' } }), '1=1 2=1 3=1')
  assert.equal(await hits({ wildcard: { _routing: '*2' } }), '2=1')
  assert.equal(await hits({ range: { _routing: { gt: 'r1' } } }), '2=1')
})

test('queries on metadata fields that are not searchable are rejected', async () => {
  assert.match(await hits({ range: { _id: { gte: '1' } } }), /does not support range queries/)
  assert.match(await hits({ term: { _seq_no: 'x' } }), /For input string: "x"/)
  assert.match(await hits({ match: { _source: 'x' } }), /does not support match queries/)
  assert.match(await hits({ exists: { field: '_field_names' } }), /Cannot run exists query on _field_names/)
})
