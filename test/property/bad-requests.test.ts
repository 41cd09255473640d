// Goal: no invalid request gets a 5xx or harms the service. Method: valid requests with random parts replaced, renamed,
// dropped or added. A failure prints its seed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

let search: TestSearch

before(async () => {
  search = await startSearch({ listen: false })
})
after(() => search.stop())

type Sample = readonly [method: string, path: string, body?: unknown]

const SAMPLES: readonly Sample[] = [
  [
    'PUT',
    '/books',
    {
      settings: { number_of_shards: 2, number_of_replicas: 0, analysis: { analyzer: { mine: { type: 'standard' } } } },
      mappings: {
        dynamic_templates: [{ words: { match: 'w_*', mapping: { type: 'keyword' } } }],
        properties: {
          n: { type: 'integer', coerce: false },
          t: { type: 'text', analyzer: 'mine', fields: { k: { type: 'keyword', ignore_above: 9 } } },
          d: { type: 'date', format: 'yyyy||epoch_millis' },
          o: { properties: { ip: { type: 'ip' } } },
          c: { type: 'nested' },
        },
      },
      aliases: { shelf: { filter: { term: { n: 1 } }, routing: 'a' } },
    },
  ],
  ['PUT', '/books/_mapping', { properties: { z: { type: 'geo_point' } }, dynamic: 'strict' }],
  ['PUT', '/books/_settings', { index: { refresh_interval: '1s', number_of_replicas: 0 } }],
  ['GET', '/books/_settings?flat_settings=true'],
  [
    'POST',
    '/_aliases',
    { actions: [{ add: { index: 'books', alias: 'b' } }, { remove: { index: 'books', alias: 'b' } }] },
  ],
  [
    'PUT',
    '/_index_template/logs',
    { index_patterns: ['logs-*'], priority: 5, template: { settings: {} }, data_stream: {} },
  ],
  ['PUT', '/_component_template/part', { template: { mappings: { properties: { a: { type: 'keyword' } } } } }],
  ['PUT', '/_template/old', { index_patterns: ['old-*'], order: 1, settings: { number_of_shards: 1 } }],
  ['PUT', '/books/_doc/1?refresh=true', { n: 1, t: 'red sand', d: '2020', o: { ip: '10.0.0.1' }, c: [{ x: 1 }] }],
  ['POST', '/books/_update/1', { doc: { n: 2 }, upsert: { n: 0 }, detect_noop: true, _source: ['n'] }],
  ['POST', '/_mget', { docs: [{ _index: 'books', _id: '1', _source: ['n'], routing: 'a' }] }],
  ['POST', '/_bulk', '{"index":{"_index":"books","_id":"2"}}\n{"n":2}\n{"delete":{"_index":"books","_id":"3"}}\n'],
  [
    'POST',
    '/books/_search',
    {
      query: {
        bool: {
          must: [{ match: { t: 'sand' } }],
          filter: [{ range: { n: { gte: 1 } } }],
          should: [{ exists: { field: 'd' } }],
        },
      },
      sort: [{ n: 'asc' }, '_score'],
      size: 3,
      from: 0,
      _source: ['n'],
    },
  ],
  ['POST', '/books/_count', { query: { term: { n: 1 } } }],
  ['POST', '/_analyze', { analyzer: 'standard', text: ['one two'], explain: true }],
  [
    'PUT',
    '/_cluster/settings',
    { transient: { 'search.max_buckets': 10 }, persistent: { 'action.auto_create_index': 'true' } },
  ],
  ['GET', '/_cluster/health?level=shards&timeout=1ms'],
  ['GET', '/_cat/indices?v&h=index,docs.count&s=index:desc&bytes=b'],
  ['GET', '/_nodes/stats/indices,os/docs'],
  ['GET', '/_resolve/index/*?expand_wildcards=all'],
  ['POST', '/books/_close'],
  ['POST', '/books/_open'],
  ['DELETE', '/books'],
]

/** Errors that Elasticsearch reports with a 500. */
const DELIBERATE: ReadonlySet<string> = new Set(['settings_exception'])

const JUNK = fc.constantFrom<unknown>(
  null,
  1,
  -1,
  1.5,
  '',
  'x',
  '*',
  true,
  [],
  {},
  [null],
  [[]],
  { a: 1 },
  1e300,
  '\u0000',
  '_all',
  { type: 'text' },
)
const NAMES = ['foo', 'type', '', 'a.b', '*', 'index', 'query', '__proto__']

/** A copy of `value` with random damage. */
function damaged(value: unknown): fc.Arbitrary<unknown> {
  const kept = Array.isArray(value)
    ? fc.tuple(...value.map(damaged))
    : value !== null && typeof value === 'object'
      ? fc
          .tuple(...Object.entries(value).map(([name, member]) => fc.tuple(damagedName(name), damaged(member))))
          .map((members) => Object.fromEntries(members.filter(([name]) => name !== undefined)))
      : fc.constant(value)
  return fc.oneof({ weight: 10, arbitrary: kept }, { weight: 1, arbitrary: JUNK })
}

function damagedName(name: string): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant(name) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, `${name}x`, ...NAMES) },
  )
}

/** Replaces random bytes of a text. */
function damagedText(text: string): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(fc.nat(text.length), fc.nat(3), fc.constantFrom('', '{', '"', 'x', '\n', '%zz', '&', ',')), {
      maxLength: 2,
    })
    .map((edits) => edits.reduce((now, [at, cut, put]) => now.slice(0, at) + put + now.slice(at + cut), text))
}

const request = fc.constantFrom(...SAMPLES).chain(([method, path, body]) =>
  fc.record({
    method: fc.oneof(
      { weight: 15, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom('PUT', 'POST', 'GET', 'HEAD', 'PATCH') },
    ),
    path: fc.oneof({ weight: 4, arbitrary: fc.constant(path) }, { weight: 1, arbitrary: damagedText(path) }),
    body: typeof body === 'string' ? damagedText(body) : body === undefined ? fc.constant(undefined) : damaged(body),
  }),
)

test('a malformed request gets a 4xx with a reason', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, body }) => {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await search.request(method, path.startsWith('/') ? path : `/${path}`, text)
      const fine = answer.status < 500 || DELIBERATE.has(answer.body.error.type)
      assert.ok(fine, `${method} ${path} ${text}\n${answer.status} ${answer.text}`)
    }),
    { numRuns: 600 },
  )
  assert.equal((await search.request('GET', '/_cluster/health')).status, 200)
})
