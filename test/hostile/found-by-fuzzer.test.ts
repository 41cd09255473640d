/** Requests found by the fuzzer that once got a 500. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from '../../src/testing/index.ts'

const SETUP: readonly (readonly [method: string, path: string, body: unknown])[] = [
  [
    'PUT',
    '/found',
    { mappings: { properties: { d: { type: 'double' }, address: { type: 'ip' }, when: { type: 'date' } } } },
  ],
  ['PUT', '/found/_doc/1?refresh=true', { d: 1, address: '10.0.0.1' }],
  ['PUT', '/found/_doc/2?refresh=true', { d: 1e38 }],
]

const nested = { nested: { path: 'n', query: { match_all: {} } } }
const multiTerms = (...terms: unknown[]) => ({ aggs: { m: { multi_terms: { terms } } } })

const FOUND: readonly (readonly [status: number, method: string, path: string, body: unknown])[] = [
  [200, 'PUT', '/found-wildcard', { mappings: { properties: { w: { type: 'wildcard' } } } }],
  [400, 'POST', '/found/_update_by_query', 'null'],
  [400, 'POST', '/_ingest/pipeline/_simulate', 'null'],
  [400, 'POST', '/_ingest/pipeline/_simulate', { pipeline: { processors: [{ set: null }] }, docs: [{ _source: {} }] }],
  [400, 'POST', '/_ingest/pipeline/_simulate', { pipeline: { processors: [] }, docs: [{ _source: { _id: [1] } }] }],
  [
    400,
    'POST',
    '/_ingest/pipeline/_simulate',
    '{"pipeline":{"processors":[{"script":{"source":9223372036854775808}}]},"docs":[{"_source":{}}]}',
  ],
  [200, 'POST', '/found/_search', multiTerms({ field: 'd' }, { field: 'unmapped', missing: 'x' })],
  [200, 'POST', '/found/_search', multiTerms({ field: 'unmapped', missing: 5 }, { field: 'd' })],
  [200, 'POST', '/found/_search', multiTerms({ field: 'd' }, { field: 'u', missing: '2024', value_type: 'date' })],
  [
    400,
    'POST',
    '/found/_search',
    { runtime_mappings: { c: { type: 'composite', script: 'emit([:])', fields: { a: { type: 'nope' } } } } },
  ],
  [400, 'POST', '/found/_search', { aggs: { a: { auto_date_histogram: { field: 'd' } } } }],
  [400, 'POST', '/found/_search', { aggs: { a: { date_histogram: { field: 'd', calendar_interval: 'month' } } } }],
  [400, 'POST', '/found/_delete_by_query', { query: nested }],
  [400, 'POST', '/found/_search', { sort: [{ d: { nested: { path: 'n' } } }] }],
  [404, 'POST', '/found-gone/_termvectors/1', {}],
  [400, 'POST', '/found/_delete_by_query?slices=2147483648', { query: { match_all: {} } }],
  [400, 'POST', '/found/_search/template', { source: '{{#a}}{{.}}{{/a}}', params: { a: [1, 2, 3] }, explain: true }],
  [200, 'POST', '/found/_search', { runtime_mappings: { r: { type: 'date', format: [] } }, fields: ['r'] }],
  [400, 'PUT', '/found/_mapping', { dynamic_templates: [{ x: { match: 'c*', mapping: { type: 'token_count' } } }] }],
  [
    400,
    'PUT',
    '/found/_mapping',
    '{"dynamic_templates":[{"x":{"match":"c*","mapping":{"type":"keyword","ignore_above":9223372036854775808}}}]}',
  ],
  [
    400,
    'POST',
    '/found/_search',
    {
      aggs: {
        c: {
          composite: {
            sources: [{ d: { date_histogram: { field: 'd', calendar_interval: 'month', format: 'yyyy-MM' } } }],
            after: { d: 'x' },
          },
        },
      },
    },
  ],
  [
    200,
    'POST',
    '/found/_search',
    {
      query: { match_none: {} },
      aggs: {
        s: {
          sampler: {},
          aggs: {
            p: { ip_prefix: { field: 'address', prefix_length: 16 }, aggs: { m: { max: { field: 'when' } } } },
            b: { avg_bucket: { buckets_path: 'p>m' } },
          },
        },
      },
    },
  ],
]

test('every request that the fuzzer found gets the response of Elasticsearch', async () => {
  const search = await startSearch({ listen: false })
  try {
    for (const [method, path, body] of SETUP) assert.ok((await search.request(method, path, body)).status < 300)
    for (const [status, method, path, body] of FOUND) {
      const answer = await search.request(method, path, body, { 'content-type': 'application/json' })
      assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)} ${answer.text.slice(0, 300)}`)
    }
  } finally {
    await search.stop()
  }
})
