/**
 * Documents with a `_doc_count`, which represent several documents, with the bucket counts of Elasticsearch 8.19.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

const DOCUMENTS = [
  {
    _doc_count: 10,
    k: 'a',
    ks: ['a', 'b'],
    n: 1,
    d: '2024-01-01',
    ip: '10.0.0.1',
    p: '1,1',
    o: [{ x: 'u' }, { x: 'v' }],
  },
  { k: 'b', n: 2, ks: 'b', d: '2024-01-02', ip: '10.0.0.2', p: '2,2', o: [{ x: 'u' }] },
  { _doc_count: 5, k: 'a', n: [2, 3], ks: ['b', 'c'], d: '2024-02-01', ip: '10.0.1.1', p: '60,60' },
  { _doc_count: 3, k: 'c', n: 40, d: '2025-01-01' },
]

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
  const keyword = { type: 'keyword' }
  const properties = {
    k: keyword,
    ks: keyword,
    n: { type: 'long' },
    d: { type: 'date' },
    ip: { type: 'ip' },
    p: { type: 'geo_point' },
    o: { type: 'nested', properties: { x: keyword } },
  }
  await search.request('PUT', '/counted', { settings: { number_of_shards: 2 }, mappings: { properties } })
  for (const [i, document] of DOCUMENTS.entries()) await search.request('PUT', `/counted/_doc/${i}`, document)
  await search.request('POST', '/counted/_refresh')
})
after(() => search.stop())

async function aggregate(aggregation: object): Promise<Record<string, unknown>> {
  const { body } = await search.request('POST', '/counted/_search?size=0', { aggs: { x: aggregation } })
  assert.equal(body.hits.total.value, 4)
  return body.aggregations.x
}

/** Returns `key: doc_count` of all buckets. */
async function counts(aggregation: object): Promise<Record<string, number>> {
  const { buckets } = (await aggregate(aggregation)) as { buckets: { key: unknown; doc_count: number }[] }
  const text = (key: unknown) => (typeof key === 'object' ? Object.values(key as object).join() : String(key))
  return Object.fromEntries(buckets.map(({ key, doc_count }) => [text(key), doc_count]))
}

test('the doc_count of a bucket is the sum of the _doc_count of its documents', async () => {
  assert.deepEqual(await counts({ terms: { field: 'k' } }), { a: 15, c: 3, b: 1 })
  assert.deepEqual(await counts({ terms: { field: 'n' } }), { 1: 10, 2: 6, 3: 5, 40: 3 })
  assert.deepEqual(await counts({ histogram: { field: 'n', interval: 10, min_doc_count: 1 } }), { 0: 16, 40: 3 })
  assert.deepEqual(await counts({ range: { field: 'n', ranges: [{ to: 3 }, { from: 2 }] } }), {
    '*-3.0': 16,
    '2.0-*': 9,
  })
  assert.deepEqual(await counts({ ip_prefix: { field: 'ip', prefix_length: 24 } }), { '10.0.0.0': 11, '10.0.1.0': 5 })
  assert.deepEqual(await counts({ geotile_grid: { field: 'p', precision: 3 } }), { '3/4/3': 11, '3/5/2': 5 })
  assert.deepEqual(await counts({ rare_terms: { field: 'k', max_doc_count: 10 } }), { b: 1, c: 3 })
  assert.deepEqual((await aggregate({ filter: { term: { k: 'a' } } }))['doc_count'], 15)
  assert.deepEqual((await aggregate({ missing: { field: 'ks' } }))['doc_count'], 3)
  assert.deepEqual((await aggregate({ global: {} }))['doc_count'], 19)
})

test('composite buckets sum _doc_count with every way of collecting documents', async () => {
  const terms = (field: string) => ({ [field]: { terms: { field } } })
  assert.deepEqual(await counts({ composite: { sources: [terms('k')] } }), { a: 15, b: 1, c: 3 })
  assert.deepEqual(
    await counts({ composite: { sources: [{ n: { histogram: { field: 'n', interval: 5 } } }], size: 1 } }),
    {
      0: 16,
    },
  )
  const pairs = { composite: { sources: [terms('k'), terms('n')] }, aggs: { s: { sum: { field: 'n' } } } }
  assert.deepEqual(await counts(pairs), { 'a,1': 10, 'a,2': 5, 'a,3': 5, 'b,2': 1, 'c,40': 3 })
})

test('a nested object counts as one, and its root document by its _doc_count', async () => {
  const nested = {
    nested: { path: 'o' },
    aggs: { x: { terms: { field: 'o.x' }, aggs: { r: { reverse_nested: {} } } } },
  }
  const { doc_count, x } = (await aggregate(nested)) as { doc_count: number; x: { buckets: unknown[] } }
  assert.equal(doc_count, 3)
  assert.deepEqual(x.buckets, [
    { key: 'u', doc_count: 2, r: { doc_count: 11 } },
    { key: 'v', doc_count: 1, r: { doc_count: 10 } },
  ])
})

test('metrics ignore _doc_count', async () => {
  assert.deepEqual(await aggregate({ value_count: { field: 'n' } }), { value: 5 })
  assert.deepEqual(await aggregate({ avg: { field: 'n' } }), { value: 9.6 })
})

test('a _doc_count that is not a positive integer is rejected', async () => {
  for (const [count, reason] of [
    [0, 'Field [_doc_count] must be a positive integer. Value [0] is not allowed.'],
    [1.5, '1.5 cannot be converted to Integer without data loss'],
  ]) {
    const { status, body } = await search.request('PUT', '/counted/_doc/9', { _doc_count: count })
    assert.deepEqual([status, body.error.caused_by.reason], [400, reason])
  }
})

test('sums of _doc_count may exceed 32 bits', async () => {
  const many = 2 ** 31 - 1
  const bulk = [1, 2, 3].flatMap((id) => [{ index: { _id: id } }, { _doc_count: many, k: 'a', n: 1, d: 0, ip: '::1' }])
  await search.request('PUT', '/many', {
    mappings: { properties: { k: { type: 'keyword' }, n: { type: 'long' }, d: { type: 'date' }, ip: { type: 'ip' } } },
  })
  await search.request('POST', '/many/_bulk?refresh', bulk.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const kinds = [
    { terms: { field: 'k' } },
    { terms: { field: 'n' } },
    { histogram: { field: 'n', interval: 1 } },
    { date_histogram: { field: 'd', fixed_interval: '1d' } },
    { range: { field: 'n', ranges: [{ to: 5 }] } },
    { ip_prefix: { field: 'ip', prefix_length: 8, is_ipv6: true } },
    { composite: { sources: [{ k: { terms: { field: 'k' } } }] } },
    { terms: { field: 'k' }, aggs: { inside: { terms: { field: 'n' } } } },
  ]
  for (const x of kinds) {
    const { body } = await search.request('POST', '/many/_search?size=0', { aggs: { x } })
    assert.equal(body.aggregations.x.buckets[0].doc_count, 3 * many, JSON.stringify(x))
  }
  const { body } = await search.request('POST', '/many/_search?size=0', { aggs: { x: { filter: { match_all: {} } } } })
  assert.equal(body.aggregations.x.doc_count, 3 * many)
})
