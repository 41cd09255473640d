/** The data of a folder that is kept for upgrade tests, and the requests whose answers must not change. */

type Step = readonly [method: string, path: string, body?: unknown]

const shore = (i: number) => ({
  title: `Sandpipers running along shore number ${i}`,
  pages: 100 + i,
  price: i * 1.25,
  published: `20${10 + (i % 15)}-0${1 + (i % 9)}-12`,
  place: { lat: i / 2, lon: -i },
  ip: `10.0.0.${i}`,
  authors: ['ann', 'bob'].slice(0, 1 + (i % 2)),
  available: i % 2 === 0,
  valid: { gte: '2020-01-01', lt: `20${21 + (i % 5)}-01-01` },
  big: 18_000_000 + i,
  suggest: `shore ${i}`,
  extra: { k: String(i % 3), n: { m: i } },
})

const bulk = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, i) => `{"index":{"_id":"${from + i}"}}\n${JSON.stringify(shore(from + i))}\n`,
  ).join('')

/** Requests that fill a new node: several segments, deleted and updated documents, operations that only the log holds. */
export const WRITES: readonly Step[] = [
  [
    'PUT',
    '/_component_template/base',
    { template: { settings: { number_of_shards: 1 }, mappings: { properties: { '@timestamp': { type: 'date' } } } } },
  ],
  [
    'PUT',
    '/_index_template/logs',
    { index_patterns: ['logs-*'], data_stream: {}, composed_of: ['base'], priority: 500 },
  ],
  [
    'PUT',
    '/books',
    {
      settings: {
        number_of_shards: 2,
        'index.sort.field': 'pages',
        'index.sort.order': 'desc',
        analysis: { analyzer: { stems: { tokenizer: 'standard', filter: ['lowercase', 'porter_stem'] } } },
      },
      mappings: {
        properties: {
          title: { type: 'text', analyzer: 'stems', fields: { raw: { type: 'keyword' } } },
          pages: { type: 'integer' },
          price: { type: 'scaled_float', scaling_factor: 100 },
          published: { type: 'date' },
          place: { type: 'geo_point' },
          ip: { type: 'ip' },
          authors: { type: 'keyword' },
          available: { type: 'boolean' },
          valid: { type: 'date_range' },
          big: { type: 'unsigned_long' },
          suggest: { type: 'completion' },
          extra: { type: 'flattened' },
        },
      },
      aliases: { library: { filter: { term: { available: true } } } },
    },
  ],
  ['POST', '/books/_bulk?refresh=true', bulk(0, 40)],
  ['POST', '/books/_bulk?refresh=true', bulk(40, 60)],
  ['POST', '/books/_flush'],
  ['DELETE', '/books/_doc/25?refresh=true'],
  ['POST', '/books/_bulk?refresh=true', bulk(60, 75)],
  ['POST', '/books/_update/26', { doc: { pages: 9 } }],
  [
    'PUT',
    '/orders',
    {
      mappings: {
        properties: { lines: { type: 'nested', properties: { sku: { type: 'keyword' }, n: { type: 'long' } } } },
      },
    },
  ],
  [
    'PUT',
    '/orders/_doc/1?routing=x',
    {
      lines: [
        { sku: 'a', n: 1 },
        { sku: 'b', n: 2 },
      ],
    },
  ],
  ['PUT', '/logs-app/_create/1', { '@timestamp': '2026-01-01T00:00:00Z', message: 'hello' }],
  ['POST', '/logs-app/_rollover'],
  ['PUT', '/logs-app/_create/2', { '@timestamp': '2026-01-02T00:00:00Z', message: 'again' }],
  ['PUT', '/_cluster/settings', { persistent: { 'search.max_buckets': 50000 } }],
  ['PUT', '/_scripts/find', { script: { lang: 'mustache', source: { query: { match: { title: '{{q}}' } } } } }],
]

/** Requests whose answers are recorded with the folder. */
export const READS: readonly Step[] = [
  ['POST', '/_refresh'],
  ['GET', '/books/_mapping'],
  ['GET', '/books/_alias'],
  ['GET', '/_index_template/logs'],
  ['GET', '/_component_template/base'],
  ['GET', '/_scripts/find'],
  ['GET', '/_cluster/settings'],
  ['GET', '/books/_doc/25'],
  ['GET', '/books/_doc/26'],
  ['GET', '/orders/_doc/1?routing=x'],
  ['GET', '/logs-app/_count'],
  [
    'POST',
    '/books/_search',
    { query: { match: { title: 'running sandpiper' } }, size: 5, sort: ['_score', { pages: 'desc' }] },
  ],
  [
    'POST',
    '/books/_search',
    {
      query: { match_phrase: { title: 'along shore' } },
      size: 3,
      sort: [{ pages: 'asc' }],
      highlight: { fields: { title: {} } },
    },
  ],
  [
    'POST',
    '/library/_search',
    {
      size: 0,
      track_total_hits: true,
      aggs: { authors: { terms: { field: 'authors' }, aggs: { price: { stats: { field: 'price' } } } } },
    },
  ],
  [
    'POST',
    '/books/_search',
    {
      size: 0,
      aggs: {
        pages: {
          composite: {
            size: 7,
            sources: [
              { year: { date_histogram: { field: 'published', calendar_interval: 'year' } } },
              { k: { terms: { field: 'authors' } } },
            ],
          },
        },
      },
    },
  ],
  [
    'POST',
    '/books/_search',
    { query: { geo_distance: { distance: '300km', place: '10,-20' } }, sort: [{ pages: 'desc' }], _source: ['ip'] },
  ],
  [
    'POST',
    '/books/_search',
    {
      query: {
        bool: {
          filter: [
            { range: { ip: { gte: '10.0.0.3', lte: '10.0.0.9' } } },
            { term: { 'extra.k': '1' } },
            { range: { valid: { gte: '2023-05-01' } } },
          ],
        },
      },
      sort: [{ big: 'asc' }],
    },
  ],
  ['POST', '/books/_search', { suggest: { s: { prefix: 'shore 1', completion: { field: 'suggest' } } }, size: 0 }],
  [
    'POST',
    '/orders/_search',
    {
      query: {
        nested: {
          path: 'lines',
          query: { bool: { must: [{ term: { 'lines.sku': 'b' } }, { range: { 'lines.n': { gte: 2 } } }] } },
          inner_hits: {},
        },
      },
    },
  ],
  [
    'POST',
    '/orders/_search',
    {
      size: 0,
      aggs: {
        l: {
          nested: { path: 'lines' },
          aggs: { s: { terms: { field: 'lines.sku' }, aggs: { o: { reverse_nested: {} } } } },
        },
      },
    },
  ],
]

export async function send(url: string, [method, path, body]: Step): Promise<{ status: number; body: unknown }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const sent = text === undefined ? {} : { body: text, headers: { 'content-type': type } }
  const answer = await fetch(url + path, { method, ...sent })
  const { took: _took, ...parsed } = (await answer.json()) as Record<string, unknown>
  return { status: answer.status, body: parsed }
}
