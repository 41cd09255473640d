/**
 * Aggregations over a few documents, with the responses of Elasticsearch 8.19 to the same requests.
 *
 * `aggregations.ndjson` has a request and its response per line. Kinds that Elasticsearch has in separate modules were
 * recorded from OpenSearch 2.19, which includes them (`aggregations-of-modules.ndjson`). Members that depend on the
 * machine (node, time, positions of shard failures) were removed from the recordings and are removed here.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

const MAPPINGS = {
  properties: {
    k: { type: 'keyword' },
    ks: { type: 'keyword' },
    n: { type: 'long' },
    g: { type: 'double' },
    f: { type: 'float' },
    w: { type: 'integer' },
    d: { type: 'date' },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    loc: { type: 'geo_point' },
    t: { type: 'text' },
    nest: { type: 'nested', properties: { x: { type: 'keyword' }, v: { type: 'long' } } },
  },
}

const DOCUMENTS: readonly Record<string, unknown>[] = [
  {
    k: 'a',
    ks: ['a', 'b'],
    n: 1,
    g: -4,
    w: 2,
    d: '2024-01-01T10:00:00Z',
    b: true,
    ip: '10.0.0.1',
    loc: { lat: 52.37, lon: 4.89 },
    t: 'quick fox',
  },
  {
    k: 'a',
    ks: ['b'],
    n: [2, 3],
    g: 0.5,
    w: 1,
    d: '2024-01-01T22:30:00Z',
    b: false,
    ip: '10.0.0.200',
    loc: { lat: 48.85, lon: 2.35 },
  },
  {
    k: 'b',
    ks: ['c', 'a'],
    n: 3,
    g: 3.25,
    w: 4,
    d: '2024-01-03T00:00:00Z',
    b: true,
    ip: '10.0.1.7',
    loc: [
      { lat: 40.7, lon: -74.0 },
      { lat: 41, lon: -73 },
    ],
  },
  { k: 'c', n: 44, w: 3, d: '2024-03-31T01:00:00Z', ip: '2001:db8::1', loc: { lat: -33.9, lon: 151.2 } },
  { k: 'd', n: 7, g: 10, d: '2024-10-27T00:30:00Z', b: true },
  { k: 'e', n: 50, g: 3.5, w: 3, d: '2024-10-27T01:30:00Z', loc: { lat: 0, lon: 179.9 } },
  { g: 2 },
  {
    k: 'b',
    n: 12,
    g: 7.75,
    w: 5,
    d: ['2024-05-05T05:05:05Z', '2023-05-05T05:05:05Z'],
    ip: '192.168.1.1',
    f: 1.5,
    nest: [
      { x: 'p', v: 1 },
      { x: 'q', v: 5 },
    ],
  },
]

interface Recorded {
  readonly typed?: boolean
  readonly request: { readonly query?: unknown; readonly aggs: Record<string, unknown> }
  readonly answer: Record<string, unknown>
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  'node',
  'index_uuid',
  'took',
  'root_cause',
  'failed_shards',
  'grouped',
  'phase',
])

const recorded = ['aggregations.ndjson', 'aggregations-of-modules.ndjson'].flatMap((file) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded),
)

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false, errorHelp: false })
  await search.request('PUT', '/things', { settings: { number_of_shards: 2 }, mappings: MAPPINGS })
  for (const [i, document] of DOCUMENTS.entries()) await search.request('PUT', `/things/_doc/${i}`, document)
  await search.request('POST', '/things/_refresh')
})
after(() => search.stop())

async function answerTo({ request, typed }: Recorded): Promise<unknown> {
  const path = `/things/_search?size=0${typed === true ? '&typed_keys' : ''}`
  const { status, body } = await search.request('POST', path, request)
  const answer = body.aggregations === undefined ? { error: body.error } : { aggregations: body.aggregations }
  return JSON.parse(JSON.stringify({ status, ...answer }, (name, value) => (LEFT_OUT.has(name) ? undefined : value)))
}

/** The names of the aggregation kinds in a case. */
function kindsOf(aggs: Record<string, unknown>): string {
  const kinds = Object.values(aggs).map(
    (definition) => Object.keys(definition as object).find((key) => key !== 'aggs' && key !== 'meta') ?? '',
  )
  return [...new Set(kinds)].join(', ')
}

const byKinds = new Map<string, Recorded[]>()
for (const one of recorded) {
  const kinds = kindsOf(one.request.aggs)
  byKinds.set(kinds, [...(byKinds.get(kinds) ?? []), one])
}

for (const [kinds, cases] of byKinds) {
  test(`${kinds}: the response equals the recorded one`, async () => {
    for (const one of cases) {
      assert.deepEqual(await answerTo(one), one.answer, JSON.stringify(one.request))
    }
  })
}

// Kinds that neither reference has. The expected values follow the documentation.
test('top_metrics, boxplot and string_stats have the documented results', async () => {
  const { body } = await search.request('POST', '/things/_search?size=0', {
    aggs: {
      top: { top_metrics: { metrics: [{ field: 'n' }, { field: 'k' }], sort: { g: 'desc' }, size: 2 } },
      box: { boxplot: { field: 'g' } },
      none: { boxplot: { field: 'absent' } },
      text: { string_stats: { field: 'ks', show_distribution: true } },
    },
  })
  const { top, box, none, text } = body.aggregations
  assert.deepEqual(top.top, [
    { sort: [10], metrics: { n: 7, k: 'd' } },
    { sort: [7.75], metrics: { n: 12, k: 'b' } },
  ])
  assert.deepEqual(box, { min: -4, max: 10, q1: 1.25, q2: 3.25, q3: 5.625, lower: -4, upper: 10 })
  assert.equal(none.q2, 'NaN')
  assert.deepEqual([text.count, text.min_length, text.avg_length, text.distribution.c], [5, 1, 1, 0.2])
})
