/**
 * Goal: the console's completion table matches the service. Every entry exists in the service, and every clause of the
 * service has an entry.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AGGREGATIONS, filledIn, QUERIES, SEARCH_KEYS } from '../../src/console/views/requests/clauses.ts'
import { PARAMETER_PATHS } from '../../src/console/views/requests/parameters.ts'
import { aggregationNames, pipelineKind, pipelineNames } from '../../src/engine/aggregations/aggregation-kinds.ts'
import { QUERY_CLAUSES } from '../../src/engine/query/clauses.ts'
import { startSearch } from '../../src/testing/index.ts'

const search = await startSearch({ listen: false })
after(() => search.stop())
const created = await search.request('PUT', '/places', {
  mappings: {
    properties: {
      field: { type: 'keyword' },
      other: { type: 'keyword' },
      number: { type: 'double' },
      date: { type: 'date' },
      text: { type: 'text' },
      point: { type: 'geo_point' },
      address: { type: 'ip' },
      vector: { type: 'dense_vector', dims: 3 },
      tokens: { type: 'sparse_vector' },
      rank: { type: 'rank_feature' },
      relation: { type: 'join', relations: { parent: 'child' } },
      path: { type: 'nested', properties: { a: { type: 'keyword' } } },
    },
  },
})
assert.equal(created.status, 200, JSON.stringify(created.body))
await search.request('PUT', '/places/_doc/1?refresh=true', {
  field: 'a',
  number: 1,
  date: 0,
  text: 'a',
  point: '1,1',
  address: '10.0.0.1',
})

const sorted = (names: Iterable<string>) => [...names].sort()

test('the table has every query clause of the service and no other', () => {
  assert.deepEqual(sorted(QUERIES.map(({ name }) => name)), sorted(QUERY_CLAUSES.keys()))
})

test('the table has every aggregation of the service and no other', () => {
  assert.deepEqual(sorted(AGGREGATIONS.map(({ name }) => name)), sorted([...aggregationNames(), ...pipelineNames()]))
})

/** The kind of field a template needs. */
const FIELDS: readonly (readonly [clauses: RegExp, field: string])[] = [
  [/^geo_|^geo(hash|tile)/, 'point'],
  [/^distance_feature$|^date_|^auto_date/, 'date'],
  [/^ip_/, 'address'],
  [/^knn$/, 'vector'],
  [/^(sparse_vector|weighted_tokens)$/, 'tokens'],
  [/^rank_feature$/, 'rank'],
  [/^(match|combined|more_like|intervals|span|field_masking|significant_text)/, 'text'],
  [
    /^(avg|boxplot|matrix_stats|extended_stats|histogram|max|min|median|percentile|stats|sum|variable|weighted|range)/,
    'number',
  ],
]

function withField(name: string, template: string): unknown {
  const field = FIELDS.find(([clauses]) => clauses.test(name))?.[1] ?? 'field'
  const other = name === 'weighted_avg' ? 'number' : 'other'
  const filled = template.replaceAll('‹field›', field).replaceAll('‹other›', other).replaceAll('‹from›', '1')
  return JSON.parse(filledIn(filled))
}

const A = { span_term: { text: 'a' } }

test('the service accepts the template of every query', async () => {
  for (const { name, template } of QUERIES) {
    const query = { [name]: withField(name, template) }
    // A span_gap is only valid between two spans.
    const sent = name === 'span_gap' ? { span_near: { clauses: [A, query, A], slop: 0, in_order: true } } : query
    const { status, body } = await search.request('POST', '/places/_search', { query: sent })
    assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
  }
})

test('the service accepts the template of every aggregation', async () => {
  for (const { name, template } of AGGREGATIONS) {
    const value = withField(name, template)
    const isPipeline = pipelineKind(name) !== undefined
    const isSibling = /_bucket$/.test(name)
    const days = { date_histogram: { field: 'date', calendar_interval: 'day' } }
    const aggs = isSibling
      ? { days, it: { [name]: { ...(value as object), buckets_path: 'days>_count' } } }
      : isPipeline
        ? { days: { ...days, aggs: { it: { [name]: value } } } }
        : name === 'reverse_nested'
          ? { down: { nested: { path: 'path' }, aggs: { it: { [name]: value } } } }
          : {
              it: {
                [name]: value,
                ...(/sampler/.test(name) ? { aggs: { all: { value_count: { field: 'number' } } } } : {}),
              },
            }
    const { status, body } = await search.request('POST', '/places/_search', { size: 0, aggs })
    assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
  }
})

test('the service accepts every key of a search body', async () => {
  const bare: Record<string, unknown> = {
    query: { match_all: {} },
    aggs: {},
    // The field of the template is no vector.
    knn: { field: 'nowhere', query_vector: [1], k: 1, num_candidates: 1 },
    post_filter: { match_all: {} },
    retriever: { standard: {} },
    search_after: [1],
  }
  for (const { name, template } of SEARCH_KEYS) {
    if (name === 'pit') continue
    const value = bare[name] ?? JSON.parse(filledIn(template).replaceAll('"index"', '"places"'))
    const sort = name === 'search_after' ? { sort: ['_doc'] } : {}
    const { status, body } = await search.request('POST', '/places/_search', { ...sort, [name]: value })
    assert.equal(status, 200, `${name}: ${JSON.stringify(body)}`)
  }
})

test('every path with parameters is a route', async () => {
  const { body } = await search.request('GET', '/_sandpiper/routes')
  const paths = new Set((body as { routes: string[] }).routes.map((route) => route.split(' ')[1]))
  assert.deepEqual(
    PARAMETER_PATHS.filter((path) => !paths.has(path)),
    [],
  )
})
