import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

interface Failure {
  readonly type: string
  readonly reason: string
  readonly caused_by?: Failure
  readonly failed_shards?: readonly { readonly reason: Failure }[]
}

// Goal: the errors of aggregations and highlighters have the types and causes of Elasticsearch.
let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
  const properties = { k: { type: 'keyword' }, n: { type: 'long' }, t: { type: 'text' } }
  await search.request('PUT', '/docs', { mappings: { properties } })
  await search.request('PUT', '/docs/_doc/1?refresh=true', { k: 'a', n: 5, t: 'red fox' })
})
after(() => search.stop())

const failure = async (body: unknown) =>
  ((await search.request('POST', '/docs/_search', body)).body as { error: Failure }).error

/** The types of an error and its causes, with the reason of the last one. */
function chain(error: Failure): string[] {
  return error.caused_by === undefined ? [error.type, error.reason] : [error.type, ...chain(error.caused_by)]
}

test('a query of an aggregation or a highlighter that cannot be created fails without another error around it', async () => {
  const query = { match_phrase_prefix: { k: 'quick' } }
  const reason = 'Can only use phrase prefix queries on text fields - not on [k] which is of type [keyword]'
  for (const body of [
    { aggs: { a: { filter: query } } },
    { aggs: { a: { filters: { filters: { f: query } } } } },
    { aggs: { a: { adjacency_matrix: { filters: { f: query } } } } },
    { aggs: { a: { significant_terms: { field: 'k', background_filter: query } } } },
    { highlight: { fields: { t: { highlight_query: query } } } },
  ]) {
    const [shard] = (await failure(body)).failed_shards!
    assert.deepEqual(chain(shard!.reason), ['illegal_argument_exception', reason], JSON.stringify(body))
  }
  const [shard] = (await failure({ query })).failed_shards!
  assert.equal(shard!.reason.type, 'query_shard_exception')
})

test('a wrong filter of an adjacency_matrix is reported with its name', async () => {
  const error = await failure({ aggs: { a: { adjacency_matrix: { filters: { mine: { nothing: {} } } } } } })
  assert.match(error.reason, /\[adjacency_matrix\] failed to parse field \[filters\]$/)
  assert.match(error.caused_by!.reason, /\[filters\] failed to parse field \[mine\]$/)
})

test('two methods of percentiles are an error of the last member that Elasticsearch needs', async () => {
  const all = await failure({ aggs: { p: { percentiles: { field: 'n', percents: [1], hdr: {}, tdigest: {} } } } })
  assert.match(all.reason, /\[percentiles\] failed to parse field \[tdigest\]$/)
  const two = await failure({ aggs: { p: { percentile_ranks: { field: 'n', hdr: {}, tdigest: {} } } } })
  assert.equal(two.reason, 'Failed to build [percentile_ranks] after last required field arrived')
  for (const error of [all, two]) assert.equal(chain(error).at(-1), 'Only one percentiles method should be declared.')
})

test('whole numbers beyond 32 bits are accepted where Elasticsearch has 64', async () => {
  const aggs = {
    c: { cardinality: { field: 'n', precision_threshold: 3_000_000_000 } },
    d: { date_histogram: { field: 'n', fixed_interval: '1d', offset: 3_000_000_000 } },
  }
  const { body } = await search.request('POST', '/docs/_search', { size: 0, aggs })
  const { c, d } = (body as { aggregations: Record<string, unknown> }).aggregations
  assert.deepEqual([c, d], [{ value: 1 }, { buckets: [{ key: -24_000_000, doc_count: 1 }] }])
})
