import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { encodeJson } from '../../base/json/json-writer.ts'
import { parseIndexDefinition } from '../definitions/create-index-request.ts'
import { bulkOf } from '../documents/bulk-fixture.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'
import { SandpiperNode } from '../sandpiper-node.ts'
import { parseSearchBody } from './request/search-request.ts'

// Goal: hits and aggregations requested together equal those requested separately. Method: random requests to an index
// with two shards and several segments, sent whole, without aggregations and without hits.
let node: SandpiperNode

before(async () => {
  node = await SandpiperNode.open({})
  const properties = {
    n: { type: 'integer' },
    fraction: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'text' },
    inner: { type: 'nested', properties: { k: { type: 'keyword' } } },
  }
  const definition = { settings: { number_of_shards: 2 }, mappings: { properties } }
  await node.indices.create('mixed', parseIndexDefinition(definition))
  for (let batch = 0; batch < 3; batch++) {
    const lines: unknown[] = []
    for (let i = batch * 100; i < batch * 100 + 100; i++) {
      const mixed = Math.imul(i + 1, 0x9e3779b1) >>> 0
      const t = ['alpha', 'beta', 'gamma'].filter((_, rank) => mixed % (rank + 2) === 0).join(' ')
      const source = {
        n: mixed % 50,
        fraction: (mixed % 97) / 7,
        k: `k${mixed % 5}`,
        t,
        inner: [{ k: `i${mixed % 3}` }],
      }
      lines.push({ index: { _index: 'mixed', _id: String(i) } }, source)
    }
    await node.documents.bulk(bulkOf(lines))
  }
})

after(() => node.close())

async function search(body: unknown) {
  const answer = await node.search.search({
    scope: { expressions: ['mixed'], options: EXPAND_OPEN_FORBID_CLOSED, routing: undefined, limits: undefined },
    body: parseSearchBody(Buffer.from(JSON.stringify(body))),
    allowPartialResults: true,
    totalAsInteger: false,
    globalFrequencies: false,
  })
  return JSON.parse(encodeJson(answer).toString())
}

const word = fc.constantFrom('alpha', 'beta', 'gamma')
const query = fc.oneof(
  fc.constant({ match_all: {} }),
  word.map((t) => ({ match: { t } })),
  fc.tuple(word, word).map(([a, b]) => ({ match: { t: `${a} ${b}` } })),
  fc.tuple(word, word).map(([a, b]) => ({ match_phrase: { t: `${a} ${b}` } })),
  fc.nat(50).map((gte) => ({ bool: { filter: { range: { n: { gte } } } } })),
  fc.tuple(word, fc.nat(4)).map(([t, k]) => ({ bool: { must: { match: { t } }, filter: { term: { k: `k${k}` } } } })),
  fc.nat(2).map((i) => ({ nested: { path: 'inner', query: { term: { 'inner.k': `i${i}` } } } })),
)
const AGGREGATIONS = {
  k: { terms: { field: 'k' }, aggs: { sum: { sum: { field: 'fraction' } } } },
  n: { histogram: { field: 'n', interval: 10 } },
  page: { composite: { size: 3, sources: [{ k: { terms: { field: 'k' } } }, { n: { terms: { field: 'n' } } }] } },
  all: { global: {}, aggs: { most: { max: { field: 'n' } } } },
  inner: { nested: { path: 'inner' }, aggs: { k: { terms: { field: 'inner.k' } } } },
  best: { top_hits: { size: 2, _source: false } },
  sampled: { sampler: { shard_size: 5 }, aggs: { k: { terms: { field: 'k' } } } },
}
const names = fc.uniqueArray(fc.constantFrom(...Object.keys(AGGREGATIONS)), { minLength: 1, maxLength: 3 })

test('a search with hits and aggregations returns what two separate searches return', async () => {
  await fc.assert(
    fc.asyncProperty(
      names,
      fc.record({
        query,
        size: fc.integer({ min: 1, max: 20 }),
        from: fc.nat(10),
        sort: fc.constantFrom(undefined, ['_doc'], [{ n: 'desc' }], [{ k: 'asc' }, '_score']),
        post_filter: fc.option(
          fc.nat(4).map((k) => ({ term: { k: `k${k}` } })),
          { nil: undefined },
        ),
        track_total_hits: fc.constantFrom(undefined, true, false, 20),
        min_score: fc.constantFrom(undefined, undefined, 0.3),
        collapse: fc.constantFrom(undefined, undefined, { field: 'k' }),
      }),
      async (chosen, body) => {
        const entries = Object.entries(AGGREGATIONS).filter(([name]) => chosen.includes(name))
        const aggs = Object.fromEntries(entries)
        const both = await search({ ...body, aggs })
        assert.deepEqual(both.hits, (await search(body)).hits)
        const { query: asked, min_score } = body
        assert.deepEqual(both.aggregations, (await search({ query: asked, min_score, size: 0, aggs })).aggregations)
      },
    ),
    { numRuns: 100 },
  )
})
