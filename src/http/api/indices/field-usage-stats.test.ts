import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, refresh: 'immediate' })
  const properties = {
    title: { type: 'text' },
    tag: { type: 'keyword' },
    size: { type: 'long' },
    place: { type: 'geo_point' },
    kept: { type: 'keyword', store: true },
  }
  await search.request('PUT', '/use', { mappings: { properties } })
  const place = { lat: 1, lon: 2 }
  for (const [id, tag] of ['red', 'blue'].entries()) {
    await search.request('PUT', `/use/_doc/${id}`, { title: 'a quiet harbour', tag, size: id, place, kept: 'k' })
  }
})
after(() => search.stop())

interface Counts {
  readonly any: number
  readonly inverted_index: Readonly<Record<string, number>>
}

/** What the request adds to the counts: `tag: terms postings`. */
async function used(path: string, body: unknown): Promise<string[]> {
  const before = await fieldsOf()
  const { status } = await search.request('POST', path, body)
  assert.equal(status, 200)
  const lines: string[] = []
  for (const [field, counts] of Object.entries(await fieldsOf())) {
    const added = Object.entries(counts).filter(([name, count]) => count - (before[field]?.[name] ?? 0) === 1)
    if (added.length > 0) lines.push(`${field}: ${added.map(([name]) => name).join(' ')}`)
  }
  return lines
}

async function fieldsOf(): Promise<Record<string, Record<string, number>>> {
  const { body } = await search.request('GET', '/use/_field_usage_stats')
  const fields = body.use.shards[0].stats.fields as Record<string, Counts>
  return Object.fromEntries(
    Object.entries(fields).map(([name, { any: _any, inverted_index, ...others }]) => [
      name,
      { ...inverted_index, ...(others as Record<string, number>) },
    ]),
  )
}

const hits = ['_id: stored_fields', '_source: stored_fields']

test('a search counts each structure of a field that it reads once', async () => {
  assert.deepEqual(await used('/use/_search', { query: { match: { title: 'quiet' } } }), [
    ...hits,
    'title: terms postings term_frequencies norms',
  ])
  assert.deepEqual(await used('/use/_search', { query: { match_phrase: { title: 'quiet harbour' } } }), [
    ...hits,
    'title: terms postings term_frequencies positions proximity norms',
  ])
  assert.deepEqual(await used('/use/_search', { query: { bool: { filter: { term: { tag: 'red' } } } } }), [
    ...hits,
    'tag: terms postings',
  ])
  assert.deepEqual(await used('/use/_search', { size: 0, aggs: { s: { sum: { field: 'size' } } } }), [
    'size: doc_values',
  ])
  assert.deepEqual(await used('/use/_search', { sort: ['size'] }), [...hits, 'size: doc_values points'])
})

test('the fetch phase counts what the hits show', async () => {
  assert.deepEqual(await used('/use/_search', { _source: false }), ['_id: stored_fields'])
  assert.deepEqual(await used('/use/_search', { stored_fields: ['kept'] }), [
    '_id: stored_fields',
    'kept: stored_fields',
  ])
  assert.deepEqual(await used('/use/_search', { _source: false, docvalue_fields: ['tag'] }), [
    '_id: stored_fields',
    'tag: doc_values',
  ])
})

test('a search without documents to read, a cached answer and statistics count nothing', async () => {
  assert.deepEqual(await used('/use/_search', { size: 0 }), [])
  const cached = { size: 0, aggs: { m: { avg: { field: 'size' } } } }
  assert.deepEqual(await used('/use/_search', cached), ['size: doc_values'])
  assert.deepEqual(await used('/use/_search', cached), [])
  assert.deepEqual(await used('/use/_forcemerge', undefined), [])
})

test('counts, explanations and geo queries count like searches', async () => {
  assert.deepEqual(await used('/use/_count', { query: { term: { tag: 'red' } } }), ['tag: terms postings'])
  assert.deepEqual(await used('/use/_explain/0', { query: { match: { title: 'quiet' } } }), [
    '_id: terms',
    'title: terms postings term_frequencies norms',
  ])
  const box = { top_left: { lat: 3, lon: 0 }, bottom_right: { lat: 0, lon: 3 } }
  assert.deepEqual(await used('/use/_search', { query: { geo_bounding_box: { place: box } } }), [
    ...hits,
    'place: doc_values points',
  ])
})

test('the answer has the members of Elasticsearch, and `fields` selects among them', async () => {
  const { body } = await search.request('GET', '/use/_field_usage_stats?fields=_s*,missing&human')
  assert.deepEqual(body._shards, { total: 1, successful: 1, failed: 0 })
  const [{ tracking_id: id, tracking_started_at: at, tracking_started_at_millis: millis, ...shard }] = body.use.shards
  assert.match(id, /^[\w-]{22}$/)
  assert.equal(Date.parse(at), millis)
  assert.equal(shard.routing.state, 'STARTED')
  const counts = shard.stats.fields._source.stored_fields
  const none = { terms: 0, postings: 0, term_frequencies: 0, positions: 0, offsets: 0, payloads: 0, proximity: 0 }
  const expected = {
    any: counts,
    inverted_index: none,
    stored_fields: counts,
    doc_values: 0,
    points: 0,
    norms: 0,
    term_vectors: 0,
    knn_vectors: 0,
  }
  assert.deepEqual(shard.stats, { all_fields: expected, fields: { _source: expected } })
})

test('field usage of missing and closed indices fails, and that of a pattern without indices is empty', async () => {
  assert.equal((await search.request('GET', '/absent/_field_usage_stats')).status, 404)
  const { body } = await search.request('GET', '/absent*/_field_usage_stats')
  assert.deepEqual(body, { _shards: { total: 0, successful: 0, failed: 0 } })
  await search.request('PUT', '/shut')
  await search.request('POST', '/shut/_close')
  const closed = await search.request('GET', '/shut/_field_usage_stats')
  assert.equal(closed.body.error.type, 'index_closed_exception')
})
