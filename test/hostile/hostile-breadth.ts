/** Requests that name very many things: indices, fields, patterns, buckets, contexts, points, steps of a pipeline. */
import { type HostileRequest, post, put, query, repeat, search, wrap } from './request-builders.ts'

const get = (name: string, path: string): HostileRequest => ({ name, method: 'GET', path })
const aggregation = (name: string, body: unknown) => search(name, { size: 0, aggs: { a: body } })
const simulate = (name: string, processors: readonly unknown[], source: object = { m: 'a' }) =>
  post(name, '/_ingest/pipeline/_simulate', { pipeline: { processors }, docs: [{ _source: source }] })
const ring = (points: number) => [
  ...repeat(points, (i) => [Math.cos((i * 2 * Math.PI) / points) * 40, Math.sin((i * 2 * Math.PI) / points) * 40]),
  [40, 0],
]
const STARS = '*a'.repeat(2_000)
const manyCells = (kind: string, precision: number) =>
  aggregation(`${kind} of the finest cells`, { [kind]: { field: 'place', precision, size: 65_536 } })

const QUERIES = [
  query('polygon of a hundred thousand points', {
    geo_shape: { place: { shape: { type: 'polygon', coordinates: [ring(100_000)] } } },
  }),
  query('polygon with ten thousand holes', {
    geo_shape: { place: { shape: { type: 'polygon', coordinates: [ring(8), ...repeat(10_000, () => ring(4))] } } },
  }),
  query('geometry collection, nested', {
    geo_shape: {
      place: {
        shape: JSON.parse(
          wrap(900, '{"type":"geometrycollection","geometries":[', '{"type":"point","coordinates":[1,1]}', ']}'),
        ),
      },
    },
  }),
  query('multipolygon of thousands', {
    geo_shape: { place: { shape: { type: 'multipolygon', coordinates: repeat(5_000, () => [ring(8)]) } } },
  }),
  query('geo_grid of a long hash', { geo_grid: { place: { geohash: 'u'.repeat(100_000) } } }),
  query('wildcard of alternating marks', { wildcard: { tag: { value: '*a?'.repeat(3_000), case_insensitive: true } } }),
  query('wildcards, many', { bool: { should: repeat(500, (i) => ({ wildcard: { tag: `*a*a*a*${i}*` } })) } }),
  query('regexps, many', { bool: { should: repeat(300, (i) => ({ regexp: { tag: `(a|b)*c{1,${i + 1}}` } })) } }),
  query('fuzzy clauses, many', {
    bool: { should: repeat(500, (i) => ({ fuzzy: { tag: { value: `abcdefgh${i}`, fuzziness: 2 } } })) },
  }),
  query('prefix clauses, thousands', { bool: { should: repeat(4_000, (i) => ({ prefix: { tag: `t${i}` } })) } }),
  query('ranges with date math, many', {
    bool: { should: repeat(1_000, () => ({ range: { when: { gte: `now${'-1d'.repeat(100)}/d` } } })) },
  }),
  query('range with a long format', { range: { when: { gte: '2024', format: 'yyyy||'.repeat(20_000) } } }),
  query('terms of long words', { terms: { tag: repeat(1_000, (i) => `${'x'.repeat(10_000)}${i}`) } }),
  query('ids of long texts', { ids: { values: repeat(1_000, (i) => `${'x'.repeat(10_000)}${i}`) } }),
  query('constant_score nested', JSON.parse(wrap(29, '{"constant_score":{"filter":', '{"match_all":{}}', '}}'))),
  query(
    'boosting of boosting',
    JSON.parse(
      wrap(12, '{"boosting":{"positive":', '{"match_all":{}}', ',"negative":{"match_all":{}},"negative_boost":0.5}}'),
    ),
  ),
  query('pinned with many documents', { pinned: { ids: repeat(100, String), organic: { match_all: {} } } }),
  query('span_multi over everything', { span_multi: { match: { regexp: { title: '.*(a|b)*.*' } } } }),
  query('nested span_or', JSON.parse(wrap(300, '{"span_or":{"clauses":[', '{"span_term":{"title":"quick"}}', ']}}'))),
  query('combined_fields of many fields', {
    combined_fields: { query: 'quick '.repeat(500), fields: repeat(200, () => 'title') },
  }),
  query('match_bool_prefix of many words', { match_bool_prefix: { title: 'quick '.repeat(5_000) } }),
  query('query_string with fields of every pattern', {
    query_string: { query: 'quick', fields: repeat(2_000, (i) => `*t*i*${i}*`) },
  }),
  query('query_string of ranges', { query_string: { query: 'size:[1 TO 2] '.repeat(900) } }),
  query('query_string of boosts', { query_string: { query: `title:quick${'^2'.repeat(20_000)}` } }),
  query('query_string of quotes', { query_string: { query: '"'.repeat(100_001) } }),
  query('query_string of escapes', { query_string: { query: '\\'.repeat(100_001) } }),
  query('query_string of nots', { query_string: { query: `${'NOT '.repeat(20_000)}quick` } }),
  query('distance_feature far away', {
    distance_feature: { field: 'when', pivot: `${'9'.repeat(10_000)}d`, origin: 'now' },
  }),
]

const AGGREGATIONS = [
  aggregation('histogram of a billion buckets', {
    histogram: { field: 'price', interval: 1e-9, extended_bounds: { min: 0, max: 1e9 }, min_doc_count: 0 },
  }),
  aggregation('date_histogram of a millisecond, with bounds', {
    date_histogram: { field: 'when', fixed_interval: '1ms', extended_bounds: { min: '1970', max: '2100' } },
  }),
  aggregation('terms of terms of terms', {
    terms: { field: '_id', size: 65_536 },
    aggs: {
      b: {
        terms: { field: '_id', size: 65_536, min_doc_count: 0 },
        aggs: { c: { terms: { field: '_id', min_doc_count: 0 } } },
      },
    },
  }),
  aggregation('date_range of thousands', {
    date_range: { field: 'when', ranges: repeat(20_000, (i) => ({ from: `now-${i}d`, to: 'now' })) },
  }),
  aggregation('ip_range of thousands', {
    ip_range: { field: 'address', ranges: repeat(20_000, (i) => ({ mask: `10.${i % 256}.0.0/16` })) },
  }),
  aggregation('filters, thousands', { filters: { filters: repeat(5_000, (i) => ({ term: { tag: `t${i}` } })) } }),
  aggregation('percentile_ranks, many', { percentile_ranks: { field: 'size', values: repeat(50_000, (i) => i) } }),
  aggregation('cardinality of the highest precision', {
    cardinality: { field: 'tag', precision_threshold: 2_000_000_000 },
  }),
  aggregation('top_hits of many', {
    terms: { field: 'tag' },
    aggs: { h: { top_hits: { size: 100, sort: repeat(500, () => ({ size: 'asc' })) } } },
  }),
  aggregation('matrix_stats of many fields', { matrix_stats: { fields: repeat(2_000, () => 'size') } }),
  aggregation('auto_date_histogram of many buckets', { auto_date_histogram: { field: 'when', buckets: 100_000_000 } }),
  aggregation('multi_terms nested', {
    multi_terms: { terms: repeat(1_000, () => ({ field: 'size' })), size: 1_000_000 },
  }),
  aggregation(
    'global aggregations, nested',
    JSON.parse(wrap(50, '{"filter":{"match_all":{}},"aggs":{"a":', '{"max":{"field":"size"}}', '}}')),
  ),
  aggregation('bucket paths of great length', { avg_bucket: { buckets_path: 'a>'.repeat(20_000) } }),
  search('pipelines of a long path', {
    size: 0,
    aggs: {
      h: { histogram: { field: 'size', interval: 1 } },
      p: { percentiles_bucket: { buckets_path: 'h>_count', percents: repeat(50_000, (i) => i / 500) } },
    },
  }),
  search('serial differences of wide lags', {
    size: 0,
    aggs: {
      h: {
        histogram: { field: 'size', interval: 0.001, min_doc_count: 0 },
        aggs: {
          d: { serial_diff: { buckets_path: '_count', lag: 1_000_000_000 } },
          c: { cumulative_sum: { buckets_path: '_count' } },
        },
      },
    },
  }),
  manyCells('geohash_grid', 12),
  manyCells('geotile_grid', 29),
  manyCells('geohex_grid', 15),
  search('composite after a long key', {
    size: 0,
    aggs: {
      c: {
        composite: { size: 65_536, sources: [{ t: { terms: { field: 'tag' } } }], after: { t: 'x'.repeat(1_000_000) } },
      },
    },
  }),
]

const SEARCHES = [
  search('huge from', { from: 2_000_000_000, size: 1 }),
  search('huge size', { size: 2_000_000_000 }),
  search('huge numbers for from', `{"from":${'9'.repeat(100_000)}}`),
  search('search_after of many values', { sort: ['size'], search_after: repeat(100_000, (i) => i) }),
  search('sort keys with nested filters', {
    sort: repeat(500, () => ({ size: { order: 'asc', nested: { path: 'n', filter: { match_all: {} } } } })),
  }),
  search('geo_distance sort of many points', {
    sort: { _geo_distance: { place: repeat(50_000, (i) => [i % 180, i % 90]), order: 'asc' } },
  }),
  search('stats groups, many', { stats: repeat(100_000, (i) => `g${i}`) }),
  search('runtime fields, thousands', {
    runtime_mappings: Object.fromEntries(repeat(3_000, (i) => [`r${i}`, { type: 'long' }])),
    query: { exists: { field: 'r1' } },
  }),
  search('runtime scripts, hundreds', {
    runtime_mappings: Object.fromEntries(repeat(300, (i) => [`r${i}`, { type: 'long', script: `emit(${i})` }])),
    fields: ['r*'],
  }),
  search('script of a long expression', { script_fields: { f: { script: `return ${'1+'.repeat(20_000)}1` } } }),
  search('script with deep parentheses', { script_fields: { f: { script: `return ${wrap(5_000, '(', '1', ')')}` } } }),
  search('script with many functions', {
    script_fields: { f: { script: `${repeat(3_000, (i) => `int f${i}(int x) { return x }`).join(' ')} return 1` } },
  }),
  search('script with many variables', {
    script_fields: { f: { script: `${repeat(5_000, (i) => `int v${i} = ${i};`).join(' ')} return 1` } },
  }),
  search('Lucene expression of a long formula', {
    script_fields: { f: { script: { lang: 'expression', source: `${"doc['size'].value+".repeat(5_000)}1` } } },
  }),
  search('knn of a long vector', {
    knn: { field: 'vector', query_vector: repeat(500_000, (i) => i), k: 10, num_candidates: 10_000 },
  }),
  search('inner hits of nested queries', {
    query: {
      nested: { path: 'n', ignore_unmapped: true, query: { match_all: {} }, inner_hits: { size: 2_000_000_000 } },
    },
  }),
  search('suggests of phrases with many generators', {
    suggest: {
      s: {
        text: 'quick brwon',
        phrase: { field: 'title', direct_generator: repeat(500, () => ({ field: 'title', suggest_mode: 'always' })) },
      },
    },
  }),
  search('completion with many contexts', {
    suggest: {
      s: {
        prefix: 'q',
        completion: { field: 'suggestion', size: 2_000_000_000, contexts: { c: repeat(10_000, (i) => `c${i}`) } },
      },
    },
  }),
  get('names of thousands of commas', `/${'hostile,'.repeat(1_800)}hostile/_search`),
  get('exclusions, thousands', `/hostile*${repeat(1_500, (i) => `,-h*${i}`).join('')}/_search?allow_no_indices=true`),
  get(
    'date math of many names',
    `/${repeat(60, (i) => `%3Chostile-%7Bnow-${i}d%7D%3E`).join(',')}/_search?ignore_unavailable=true`,
  ),
  get('q nested deeply', `/hostile/_search?q=${wrap(4_000, '(', 'x', ')')}`),
  get('q of parameters', `/hostile/_search?${repeat(1_500, (i) => `p${i}=1`).join('&')}`),
  get('stats of many metrics', `/hostile/_stats/${repeat(1_500, () => 'docs').join(',')}`),
  get('cat with many sort columns', `/_cat/indices?s=${repeat(1_500, () => 'index:desc').join(',')}`),
  get('cluster state by pattern', `/_cluster/state/metadata/${STARS}`),
  get('mappings by pattern', `/hostile/_mapping/field/${STARS}`),
  get('templates by pattern', `/_index_template/${STARS}`),
  get('snapshots by pattern', `/_snapshot/none/${STARS}`),
  get('tasks by pattern', `/_tasks?actions=${STARS}`),
  get('nodes by pattern', `/_nodes/${STARS}`),
  get('scroll of a long id', `/_search/scroll/${'A'.repeat(7_000)}`),
  post('scroll of a long id in the body', '/_search/scroll', { scroll_id: 'A'.repeat(5_000_000) }),
  post('point in time of a long id', '/_search', { pit: { id: 'A'.repeat(5_000_000) } }),
  post('scrolls to clear, thousands', '/_search/scroll?clear', { scroll_id: repeat(100_000, (i) => `x${i}`) }),
  post('field_caps with an index filter', '/hostile/_field_caps?fields=*', {
    index_filter: { bool: { should: repeat(4_000, (i) => ({ term: { tag: `t${i}` } })) } },
  }),
  post('rank_eval of thousands', '/hostile/_rank_eval', {
    requests: repeat(3_000, (i) => ({
      id: `r${i}`,
      request: { query: { match_all: {} } },
      ratings: [{ _index: 'hostile', _id: '1', rating: 1 }],
    })),
    metric: { precision: { k: 10 } },
  }),
  post('async search of costly work', '/hostile/_async_search?wait_for_completion_timeout=1s', {
    query: { regexp: { tag: '(a|b)*a(a|b){200}' } },
  }),
  {
    name: 'msearch of long headers',
    method: 'POST',
    path: '/_msearch',
    body: `{"index":"${'h*,'.repeat(1_000)}h"}\n{}\n`.repeat(1_000),
  },
  {
    name: 'msearch template of thousands',
    method: 'POST',
    path: '/_msearch/template',
    body: `{"index":"hostile"}\n{"source":"{\\"size\\":{{s}}}","params":{"s":1}}\n`.repeat(5_000),
  },
  post('SQL of a long text', '/_sql', { query: `SELECT ${'1+'.repeat(100_000)}1` }),
  post('ES|QL of a long text', '/_query', { query: `FROM hostile | EVAL x = ${'1+'.repeat(100_000)}1` }),
]

const PIPELINES = [
  simulate('grok that backtracks', [{ grok: { field: 'm', patterns: ['(a+)+%{WORD:x}$'] } }], {
    m: `${'a'.repeat(5_000)}!`,
  }),
  simulate(
    'grok of thousands of patterns',
    [{ grok: { field: 'm', patterns: repeat(3_000, (i) => `%{IP:i}x${i}`) } }],
    { m: 'a'.repeat(1_000) },
  ),
  simulate('grok definitions of each other', [
    {
      grok: {
        field: 'm',
        patterns: ['%{A30}'],
        pattern_definitions: Object.fromEntries([['A0', 'a'], ...repeat(30, (i) => [`A${i + 1}`, `%{A${i}}%{A${i}}`])]),
      },
    },
  ]),
  simulate(
    'dissect of many keys',
    [{ dissect: { field: 'm', pattern: repeat(10_000, (i) => `%{k${i}}`).join(' ') } }],
    { m: 'a '.repeat(10_000) },
  ),
  simulate('kv of many pairs', [{ kv: { field: 'm', field_split: '&', value_split: '=' } }], {
    m: repeat(100_000, (i) => `k${i}=v`).join('&'),
  }),
  simulate('kv with a regex', [{ kv: { field: 'm', field_split: '(a+)+b', value_split: '=' } }], {
    m: `${'a'.repeat(10_000)}!`,
  }),
  simulate('json in json', [{ json: { field: 'm', target_field: 'o' } }], { m: wrap(100_000, '[', '', ']') }),
  simulate('csv of many columns', [{ csv: { field: 'm', target_fields: repeat(50_000, (i) => `c${i}`) } }], {
    m: ','.repeat(50_000),
  }),
  simulate('date of many formats', [{ date: { field: 'm', formats: repeat(3_000, (i) => `yyyy-MM-dd${i}`) } }], {
    m: '2024-01-01',
  }),
  simulate(
    'scripts, many',
    repeat(500, () => ({ script: 'for (int i = 0; i < 100000; i++) { ctx.n = i }' })),
  ),
  simulate('script of a growing list', [
    { script: 'List l = [1]; for (int i = 0; i < 60; i++) { l.addAll(new ArrayList(l)) } ctx.l = l' },
  ]),
  simulate(
    'append of copies',
    repeat(1_000, () => ({ append: { field: 'm', value: repeat(100, String) } })),
  ),
  simulate(
    'foreach in foreach',
    [
      {
        foreach: {
          field: 'l',
          processor: { foreach: { field: '_ingest._value', processor: { append: { field: 'x', value: 1 } } } },
        },
      },
    ],
    { l: repeat(1_000, () => repeat(1_000, (i) => i)) },
  ),
  simulate(
    'set of templates',
    repeat(25, () => ({ set: { field: 'm', value: '{{m}}{{m}}' } })),
  ),
  simulate(
    'dot_expander of many names',
    [{ dot_expander: { field: '*' } }],
    Object.fromEntries(repeat(50_000, (i) => [`a.b${i}.c`, i])),
  ),
  simulate('fingerprint of many objects', [{ fingerprint: { fields: ['l'] } }], { l: repeat(200_000, (i) => ({ i })) }),
  simulate('user agents of great length', [{ user_agent: { field: 'm' } }], { m: 'Mozilla/5.0 ('.repeat(50_000) }),
  simulate('uri of great length', [{ uri_parts: { field: 'm' } }], {
    m: `http://a/${'%41'.repeat(300_000)}?${'a=b&'.repeat(100_000)}`,
  }),
  simulate(
    'processors, thousands',
    repeat(20_000, () => ({ lowercase: { field: 'm' } })),
  ),
  put('pipeline with a condition of great length', '/_ingest/pipeline/hostile', {
    processors: [{ set: { field: 'a', value: 1, if: `ctx.m == 1${' || ctx.m == 1'.repeat(5_000)}` } }],
  }),
]

const METADATA = [
  put('mapping of many fields of one object', '/hostile-wide', {
    settings: { 'index.mapping.total_fields.limit': 20_000 },
    mappings: { properties: Object.fromEntries(repeat(10_000, (i) => [`f${i}`, { type: 'keyword' }])) },
  }),
  get('field_caps of ten thousand fields', '/hostile-wide/_field_caps?fields=*'),
  get(
    'field_caps of ten thousand fields by patterns',
    `/hostile-wide/_field_caps?fields=${repeat(1_500, (i) => `*f*${i}`).join(',')}`,
  ),
  get('mapping of ten thousand fields', '/hostile-wide/_mapping?pretty'),
  get(
    'mapping of ten thousand fields by patterns',
    `/hostile-wide/_mapping/field/${repeat(1_500, (i) => `*f*${i}`).join(',')}`,
  ),
  {
    ...search('all of ten thousand fields', { query: { multi_match: { query: 'x', fields: ['*'] } } }),
    path: '/hostile-wide/_search',
  },
  {
    ...search('query_string over ten thousand fields', { query: { query_string: { query: 'a b c d e' } } }),
    path: '/hostile-wide/_search',
  },
  put('dynamic templates with regexes', '/hostile-regexes', {
    mappings: {
      dynamic_templates: repeat(1_000, (i) => ({
        [`t${i}`]: { match_pattern: 'regex', match: `^(a+)+${i}$`, mapping: { type: 'keyword' } },
      })),
    },
  }),
  post(
    'document of names against regexes',
    '/hostile-regexes/_doc',
    Object.fromEntries(repeat(300, (i) => [`${'a'.repeat(30)}${i}!`, 1])),
  ),
  put('index with synonyms, many', '/hostile-synonyms', {
    settings: {
      analysis: {
        filter: { s: { type: 'synonym_graph', synonyms: repeat(50_000, (i) => `a${i} b${i} c${i}, d${i}`) } },
        analyzer: { s: { tokenizer: 'whitespace', filter: ['s'] } },
      },
    },
  }),
  put('synonyms set of a hundred thousand rules', '/_synonyms/hostile', {
    synonyms_set: repeat(10_000, (i) => ({ id: `r${i}`, synonyms: `a${i}, b${i}` })),
  }),
  put('snapshot of a strange name', `/_snapshot/none/${'x'.repeat(3_000)}`, {}),
  put('stored script of a long text', '/_scripts/hostile', {
    script: { lang: 'painless', source: `return ${'1+'.repeat(50_000)}1` },
  }),
  put('component template of many settings', '/_component_template/hostile', {
    template: { settings: Object.fromEntries(repeat(10_000, (i) => [`index.a${i}`, 1])) },
  }),
  put('ILM policy of many phases', '/_ilm/policy/hostile', {
    policy: { phases: Object.fromEntries(repeat(5_000, (i) => [`p${i}`, {}])) },
  }),
  post('templates to simulate', '/_index_template/_simulate', {
    index_patterns: repeat(5_000, (i) => `h*${i}*`),
    template: {},
  }),
  post('reindex with a hostile script', '/_reindex', {
    source: { index: 'hostile' },
    dest: { index: 'hostile-copy' },
    script: { source: "while (true) { ctx._source.x = 'a' }" },
  }),
  post('update by query with a growing script', '/hostile/_update_by_query?conflicts=proceed', {
    script: { source: "for (int i = 0; i < 100000; i++) { ctx._source['k' + i] = 'x'.repeat(100) }" },
  }),
  post('mget of one document, many fields', '/_mget', {
    docs: repeat(2_000, () => ({ _index: 'hostile', _id: '1', _source: repeat(100, (i) => `*a*${i}`) })),
  }),
  post('reroute with many commands', '/_cluster/reroute', {
    commands: repeat(20_000, () => ({ cancel: { index: 'hostile', shard: 0, node: 'n' } })),
  }),
]

const CONTEXTS = [
  { ...post('points in time, ten thousand', '/hostile/_pit?keep_alive=1m', ''), times: 10_000 },
  { ...post('scrolls, ten thousand', '/hostile/_search?scroll=1m', { size: 1 }), times: 10_000 },
  { name: 'scrolls, all of them', method: 'DELETE', path: '/_search/scroll/_all' },
  { name: 'points in time, all of them', method: 'DELETE', path: '/_pit', body: '{"id":"_all"}' },
]

export const HOSTILE_BREADTH: readonly HostileRequest[] = [
  ...QUERIES,
  ...AGGREGATIONS,
  ...SEARCHES,
  ...PIPELINES,
  ...METADATA,
  ...CONTEXTS,
]
