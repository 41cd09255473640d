/** Requests with `NAME` wherever a client can choose a name. */
export interface NamedRequest {
  readonly line: string
  readonly body?: string
}

const request = (line: string, body?: unknown): NamedRequest =>
  body === undefined ? { line } : { line, body: typeof body === 'string' ? body : JSON.stringify(body) }

const search = (body: object) => request('POST /idx/_search', { _source: false, sort: ['n'], ...body })
const aggregate = (aggs: object) => request('POST /idx/_search', { size: 0, aggs })

const analysis = {
  analyzer: { NAME: { type: 'custom', tokenizer: 'NAME', filter: ['NAME'], char_filter: ['NAME'] } },
  tokenizer: { NAME: { type: 'ngram', min_gram: 2, max_gram: 3 } },
  filter: { NAME: { type: 'stop', stopwords: ['xx'] } },
  char_filter: { NAME: { type: 'mapping', mappings: ['a => b'] } },
  normalizer: { NAME: { type: 'custom', filter: ['lowercase'] } },
}

const mappings = {
  _meta: { NAME: { NAME: 1 } },
  dynamic_templates: [{ NAME: { match: 'dyn_*', mapping: { type: 'keyword', meta: { NAME: 'x' } } } }],
  runtime: { 'rt.NAME': { type: 'long', script: { source: "emit(params['NAME'])", params: { NAME: 7 } } } },
  properties: {
    NAME: { type: 'long' },
    n: { type: 'integer' },
    text: {
      type: 'text',
      analyzer: 'NAME',
      similarity: 'NAME',
      fields: { NAME: { type: 'keyword', normalizer: 'NAME' } },
    },
    word: { type: 'text', term_vector: 'yes' },
    obj: { properties: { NAME: { type: 'keyword', store: true } } },
    nes: { type: 'nested', properties: { NAME: { type: 'keyword' } } },
    flat: { type: 'flattened' },
    sug: { type: 'completion', contexts: [{ name: 'NAME', type: 'category' }] },
    rel: { type: 'join', relations: { NAME: 'child' } },
    place: { type: 'geo_point' },
    date: { type: 'date' },
    ip: { type: 'ip' },
  },
}

const document = (i: number) => ({
  NAME: i,
  n: i,
  text: `abcd ${i}`,
  word: `NAME other ${i}`,
  obj: { NAME: `v${i}` },
  nes: [{ NAME: 'a' }, { NAME: `b${i}` }],
  flat: { NAME: 'x', inner: { NAME: 'y' } },
  sug: { input: 'NAME', contexts: { NAME: ['NAME'] } },
  rel: 'NAME',
  place: { lat: i, lon: i },
  date: `2026-01-0${i}`,
  ip: `10.0.0.${i}`,
  dyn_NAME: 'NAME',
  more: { NAME: { NAME: 'text' } },
})

const lines = (...items: unknown[]) => `${items.map((item) => JSON.stringify(item)).join('\n')}\n`

/** Aggregations that make buckets with names of their own. */
const KEYED_BUCKETS = {
  filters: { filters: { filters: { NAME: { match_all: {} }, b: { term: { NAME: 1 } } } } },
  other: { filters: { other_bucket_key: 'NAME', filters: { b: { term: { NAME: 1 } } } } },
  range: { range: { field: 'NAME', keyed: true, ranges: [{ key: 'NAME', from: 2 }, { to: 2 }] } },
  date_range: { date_range: { field: 'date', keyed: true, ranges: [{ key: 'NAME', from: '2026-01-02' }] } },
  ip_range: { ip_range: { field: 'ip', keyed: true, ranges: [{ key: 'NAME', from: '10.0.0.2' }] } },
  distance: {
    geo_distance: { field: 'place', origin: [0, 0], keyed: true, ranges: [{ key: 'NAME', to: 100_000_000 }] },
  },
  adjacency: { adjacency_matrix: { filters: { NAME: { match_all: {} }, b: { term: { n: 1 } } } } },
  terms: { terms: { field: 'obj.NAME' } },
  composite: { composite: { sources: [{ NAME: { terms: { field: 'NAME' } } }, { z: { terms: { field: 'n' } } }] } },
  after: { composite: { sources: [{ NAME: { terms: { field: 'NAME' } } }], after: { NAME: 1 } } },
  hits: {
    top_hits: { _source: ['NAME'], sort: ['n'], docvalue_fields: ['NAME'], script_fields: { NAME: { script: '1' } } },
  },
  metrics: { top_metrics: { metrics: [{ field: 'NAME' }], sort: { NAME: 'desc' } } },
  weighted: { weighted_avg: { value: { field: 'NAME' }, weight: { field: 'n' } } },
  matrix: { matrix_stats: { fields: ['NAME', 'n'] } },
  significant: { significant_terms: { field: 'obj.NAME', min_doc_count: 1 } },
  multi: { multi_terms: { terms: [{ field: 'NAME' }, { field: 'n' }] } },
  percentiles: { percentiles: { field: 'NAME', percents: [50] } },
  string: { string_stats: { field: 'obj.NAME', show_distribution: true } },
  scripted: {
    scripted_metric: {
      params: { NAME: 3 },
      init_script: "state['NAME'] = params['NAME']",
      map_script: "state['NAME'] += 1",
      combine_script: 'return state',
      reduce_script: 'return states',
    },
  },
  line: { geo_line: { point: { field: 'place' }, sort: { field: 'NAME' } } },
}

const PIPELINES = {
  NAME: {
    histogram: { field: 'NAME', interval: 1 },
    aggs: {
      NAME: { sum: { field: 'NAME' } },
      cum: { cumulative_sum: { buckets_path: 'NAME' } },
      script: { bucket_script: { buckets_path: { NAME: 'NAME' }, script: 'params.NAME + 1' } },
      select: { bucket_selector: { buckets_path: { NAME: 'NAME' }, script: 'params.NAME > 0' } },
      sorted: { bucket_sort: { sort: [{ NAME: 'desc' }] } },
    },
  },
  best: { max_bucket: { buckets_path: 'NAME>NAME' } },
  all: { stats_bucket: { buckets_path: 'NAME>NAME' } },
}

const AGGREGATIONS = Object.values(KEYED_BUCKETS).flatMap((kind) => [
  aggregate({ NAME: { ...kind, meta: { NAME: 1 } } }),
  aggregate({ outer: { terms: { field: 'n' }, aggs: { NAME: kind } }, NAME: { sum: { field: 'NAME' } } }),
])

export const REQUESTS: readonly NamedRequest[] = [
  request('PUT /idx', {
    settings: { analysis, similarity: { NAME: { type: 'BM25', b: 0.5 } } },
    mappings,
    aliases: { 'a-NAME': {} },
  }),
  // Names of analyzers must not begin with `_`.
  request('PUT /idx', {
    settings: { similarity: { NAME: { type: 'BM25', b: 0.5 } } },
    mappings: {
      ...mappings,
      properties: {
        ...mappings.properties,
        text: { type: 'text', similarity: 'NAME', fields: { NAME: { type: 'keyword' } } },
      },
    },
  }),
  request('PUT /_ingest/pipeline/NAME', {
    description: 'NAME',
    _meta: { NAME: 1 },
    processors: [
      { set: { field: 'NAME2', value: '{{NAME}}', tag: 'NAME' } },
      { set: { field: 'deep.NAME.NAME', value: 1 } },
      { append: { field: 'list.NAME', value: ['NAME'] } },
      {
        script: {
          source: "ctx['s'] = params['NAME']; ctx.more['NAME'] = 1; ctx['k'] = ctx.containsKey('NAME')",
          params: { NAME: 'p' },
          if: "ctx['more'] != null",
        },
      },
      { rename: { field: 'NAME2', target_field: 'was.NAME' } },
      { json: { field: 'json', target_field: 'NAME3', ignore_failure: true, if: "ctx.containsKey('json')" } },
      { kv: { field: 'kv', field_split: ' ', value_split: '=', target_field: 'kvs', ignore_missing: true } },
      { dissect: { field: 'line', pattern: '%{NAME} %{other}', ignore_missing: true } },
      {
        grok: {
          field: 'line',
          patterns: ['%{MINE:NAME} %{WORD:b}'],
          pattern_definitions: { MINE: '\\w+' },
          ignore_missing: true,
        },
      },
      { dot_expander: { field: 'dot.NAME', ignore_failure: true } },
    ],
  }),
  request('GET /_ingest/pipeline/NAME'),
  request('POST /_ingest/pipeline/NAME/_simulate?verbose=true', {
    docs: [
      {
        _source: { NAME: 'v', more: {}, json: '{"NAME":{"NAME":1}}', kv: 'NAME=1 b=2', line: 'one two', 'dot.NAME': 3 },
      },
    ],
  }),
  request('POST /_ingest/pipeline/NAME/_simulate', {
    docs: [{ _source: { NAME: 'v', more: { NAME: 2 }, list: { NAME: 'x' } } }],
  }),
  request('PUT /idx/_doc/p?pipeline=NAME', { n: 9, NAME: 9, more: { NAME: { NAME: 'x' } }, kv: 'NAME=1', line: 'a b' }),
  request('GET /idx/_doc/p'),
  request('DELETE /idx/_doc/p'),
  request(
    'POST /idx/_bulk?refresh=true',
    lines(
      { index: { _id: '1' } },
      document(1),
      { index: { _id: '2' } },
      document(2),
      { index: { _id: 'NAME' } },
      document(3),
    ),
  ),
  request('GET /idx/_doc/NAME'),
  request('GET /idx/_doc/NAME?_source_includes=NAME,obj.NAME&stored_fields=obj.NAME'),
  request('POST /idx/_mget', {
    docs: [
      { _id: 'NAME', _source: ['NAME'] },
      { _id: '1', stored_fields: ['obj.NAME'] },
    ],
  }),
  request('GET /idx/_mapping'),
  request('GET /idx/_mapping/field/NAME,obj.NAME,*NAME*?include_defaults=true'),
  request('GET /idx/_settings?flat_settings=true'),
  request('GET /idx/_settings'),
  request('GET /idx/_alias/a-NAME'),
  request('POST /_aliases', { actions: [{ add: { index: 'idx', alias: 'NAME', filter: { term: { NAME: 1 } } } }] }),
  request('GET /_alias'),
  request('GET /idx/_field_caps?fields=*'),
  request('GET /_field_caps?fields=NAME,obj.NAME,nes.NAME,more.NAME.NAME&include_unmapped=true'),
  request('POST /_field_caps?fields=x', { fields: ['NAME'], runtime_mappings: { NAME: { type: 'keyword' } } }),
  request('GET /idx/_analyze', { analyzer: 'NAME', text: 'abcd' }),
  request('GET /idx/_analyze', { tokenizer: 'NAME', filter: ['NAME'], text: 'abcd', explain: true }),
  request('GET /idx/_analyze', { normalizer: 'NAME', text: 'ABCD' }),
  request('GET /idx/_analyze', { field: 'text.NAME', text: 'ABCD' }),
  request('GET /_analyze', { analyzer: 'NAME', text: 'x' }),
  request('GET /_analyze', { tokenizer: 'standard', filter: ['NAME'], text: 'x' }),

  ...AGGREGATIONS,
  aggregate({ NAME: { terms: { field: 'NAME', order: { NAME: 'asc' } }, aggs: { NAME: { max: { field: 'n' } } } } }),
  aggregate({
    NAME: {
      nested: { path: 'nes' },
      aggs: { NAME: { terms: { field: 'nes.NAME' }, aggs: { NAME: { reverse_nested: {} } } } },
    },
  }),
  aggregate({
    NAME: { global: {}, aggs: { NAME: { filter: { match_all: {} }, aggs: { NAME: { missing: { field: 'NAME' } } } } } },
  }),
  aggregate({ NAME: { children: { type: 'child' } } }),
  aggregate({ NAME: { parent: { type: 'child' } } }),
  aggregate({ NAME: { NAME: { field: 'n' } } }),
  aggregate(PIPELINES),

  search({ docvalue_fields: ['NAME', 'obj.NAME', 'flat.NAME', 'text.NAME'] }),
  search({ fields: ['NAME', 'obj.*', 'nes', 'flat', 'flat.NAME', 'rt.NAME', 'more.NAME.NAME'] }),
  search({ fields: ['*'] }),
  search({ stored_fields: ['obj.NAME'] }),
  search({ _source: ['NAME', 'more.NAME'] }),
  search({ _source: { excludes: ['NAME', 'more.NAME.NAME'] } }),
  search({
    script_fields: {
      NAME: { script: { source: "params['NAME']", params: { NAME: 2 } } },
      b: { script: "doc['NAME'].value" },
    },
  }),
  search({
    script_fields: { NAME: { script: "params._source['NAME']" }, c: { script: "params._source.more['NAME']" } },
  }),
  search({ script_fields: { m: { script: "def m = ['NAME': 1]; m.put('NAME', m['NAME'] + 1); return m" } } }),
  search({ script_fields: { m: { script: { source: "params['p']", params: { p: { NAME: { NAME: 1 } } } } } } }),
  search({
    runtime_mappings: { NAME: { type: 'keyword', script: "emit('NAME')" } },
    fields: ['NAME'],
    aggs: { NAME: { terms: { field: 'NAME' } } },
  }),
  search({
    runtime_mappings: { c: { type: 'composite', script: "emit(['NAME': 1])", fields: { NAME: { type: 'long' } } } },
    fields: ['c.NAME'],
  }),
  search({
    query: {
      nested: {
        path: 'nes',
        query: { match_all: {} },
        inner_hits: { name: 'NAME', _source: ['nes.NAME'], fields: ['nes.NAME'], docvalue_fields: ['nes.NAME'] },
      },
    },
  }),
  search({ query: { has_parent: { parent_type: 'NAME', query: { match_all: {} }, inner_hits: { name: 'NAME' } } } }),
  search({
    collapse: {
      field: 'NAME',
      inner_hits: [
        { name: 'NAME', size: 1 },
        { name: 'b', size: 1, collapse: { field: 'NAME' } },
      ],
    },
  }),
  search({ query: { match: { word: 'NAME' } }, highlight: { fields: { NAME: {}, word: {}, 'text.NAME': {} } } }),
  search({
    query: { query_string: { query: 'NAME' } },
    highlight: { require_field_match: false, fields: { '*': {} } },
  }),
  search({
    query: {
      bool: { should: [{ term: { NAME: { value: 1, _name: 'NAME' } } }, { term: { n: { value: 2, _name: 'b' } } }] },
    },
  }),
  request('POST /idx/_search?include_named_queries_score=true', {
    query: { term: { NAME: { value: 1, _name: 'NAME' } } },
  }),
  search({ query: { NAME: {} } }),
  search({ query: { term: { NAME: { NAME: 1 } } } }),
  search({ NAME: 1 }),
  search({ query: { exists: { field: 'NAME' } } }),
  search({ query: { exists: { field: 'more.NAME' } } }),
  search({ query: { exists: { field: 'flat.NAME' } } }),
  search({ query: { term: { 'flat.inner.NAME': 'y' } } }),
  search({ query: { terms_set: { 'obj.NAME': { terms: ['v1'], minimum_should_match_field: 'NAME' } } } }),
  search({ query: { function_score: { functions: [{ gauss: { NAME: { origin: 1, scale: 1 } } }] } }, explain: true }),
  search({ query: { parent_id: { type: 'NAME', id: '1' } } }),
  search({ query: { intervals: { word: { match: { query: 'NAME' } } } } }),
  search({
    query: {
      more_like_this: {
        fields: ['word'],
        like: [{ doc: { word: 'NAME', NAME: 1 } }],
        min_term_freq: 1,
        min_doc_freq: 1,
        per_field_analyzer: { word: 'NAME' },
      },
    },
  }),
  search({ query: { multi_match: { query: '1', fields: ['NAME^2', 'n'] } }, explain: true }),
  search({ sort: [{ NAME: { order: 'desc' } }, { 'rt.NAME': 'asc' }] }),
  search({ sort: [{ unknown_NAME: { unmapped_type: 'NAME' } }] }),
  search({ stats: ['NAME'] }),
  search({ profile: true, query: { term: { NAME: 1 } } }),
  request('GET /idx/_stats/search?groups=NAME'),
  search({
    suggest: { NAME: { text: 'NAMx', term: { field: 'word' } }, b: { text: 'othe', term: { field: 'word' } } },
  }),
  search({ suggest: { text: 'othe', NAME: { phrase: { field: 'word' } } } }),
  search({ suggest: { NAME: { prefix: 'NA', completion: { field: 'sug', contexts: { NAME: ['NAME'] } } } } }),
  search({ suggest: { NAME: { text: 'x', NAME: { field: 'word' } } } }),
  request('GET /idx/_termvectors/1?fields=NAME,word,text,obj.NAME,text.NAME&term_statistics=true'),
  request('POST /idx/_termvectors', {
    doc: { NAME: 3, word: 'NAME', fresh: { NAME: 'some text' } },
    fields: ['NAME', 'word', 'fresh.NAME'],
    per_field_analyzer: { word: 'keyword', NAME: 'keyword' },
  }),
  request('POST /idx/_mtermvectors', { docs: [{ _id: 'NAME', fields: ['word', 'NAME'] }] }),
  request('POST /idx/_explain/1', { query: { term: { NAME: 1 } } }),
  request('POST /idx/_validate/query?explain=true', { query: { match: { NAME: '1' } } }),
  request('POST /idx/_terms_enum', { field: 'obj.NAME', string: 'v' }),
  request('POST /idx/_rank_eval', {
    requests: [
      { id: 'NAME', request: { query: { match_all: {} } }, ratings: [{ _index: 'idx', _id: 'NAME', rating: 1 }] },
      { id: 'b', request: { query: { NAME: 1 } }, ratings: [] },
    ],
    metric: { precision: { k: 2 } },
  }),
  request('POST /idx/_search/template', {
    source: '{"query":{"term":{"NAME":"{{NAME}}"}},"sort":["n"],"_source":false}',
    params: { NAME: 1 },
  }),
  request('POST /_render/template', {
    source: '{"a":"{{NAME}}","b":"{{x.NAME}}","c":"{{NAME.NAME}}"}',
    params: { x: { NAME: 2 } },
  }),
  request('POST /_render/template', { source: '{"a":"{{NAME}}{{#toJson}}NAME{{/toJson}}"}', params: {} }),
  request(
    'POST /_msearch',
    lines({ index: 'idx' }, { _source: false, size: 1, aggs: { NAME: { max: { field: 'NAME' } } } }),
  ),
  request('POST /_msearch/template', lines({ index: 'idx' }, { id: 'NAME' })),
  request('POST /idx/_async_search?wait_for_completion_timeout=10s', {
    size: 0,
    aggs: { NAME: { max: { field: 'NAME' } } },
  }),

  request('PUT /dynamic/_doc/1?refresh=true', { NAME: 'some text', more: { NAME: 'other text' } }),
  request('GET /dynamic/_termvectors/1?fields=NAME,more.NAME'),
  request('POST /dynamic/_search', {
    query: { more_like_this: { fields: ['NAME'], like: 'text', min_term_freq: 1, min_doc_freq: 1 } },
  }),
  request('POST /dynamic/_search', { fields: ['NAME', 'more.NAME'], _source: false }),
  request('PUT /_scripts/NAME', {
    script: { lang: 'painless', source: "ctx._source['NAME'] = params['NAME']", params: { NAME: 1 } },
  }),
  request('GET /_scripts/NAME'),
  request('GET /_scripts/un-NAME'),
  request('POST /idx/_update/1?_source=true', { script: { id: 'NAME', params: { NAME: 100 } } }),
  request('POST /idx/_update/1?_source=true', { script: { id: 'toXtring' } }),
  request('POST /idx/_update/1?_source=true', { doc: { more: { NAME: { b: 1 } }, NAME: 5 } }),
  request('POST /idx/_update/up?_source=true', {
    script: { source: "ctx._source['NAME'] += 1" },
    upsert: { NAME: 1, more: { NAME: { NAME: 'a' } } },
  }),
  request('POST /idx/_update/1?_source=true', { script: { source: "ctx._source.remove('NAME')" } }),
  request('POST /idx/_update/2?_source=true', { doc: { NAME: 2 } }),
  request('POST /_scripts/painless/_execute', {
    script: {
      source:
        "def m = new HashMap(); m.put('NAME', 1); return m.containsKey('NAME') + ':' + m['NAME'] + params['NAME'].size()",
      params: { NAME: {} },
    },
  }),
  request('POST /idx/_update_by_query?refresh=true', {
    query: { term: { n: 2 } },
    script: { source: "ctx._source['NAME'] = params['NAME']", params: { NAME: 20 } },
  }),
  request('POST /_reindex?refresh=true', {
    source: { index: 'idx', _source: ['NAME', 'more.NAME'] },
    dest: { index: 'copy' },
    script: { source: "ctx._source['b'] = ctx._source['NAME']" },
  }),
  request('GET /copy/_search?sort=_doc'),
  request('GET /copy/_mapping'),

  request('PUT /_component_template/NAME', {
    template: {
      mappings: { properties: { NAME: { type: 'keyword' } } },
      settings: { analysis },
      aliases: { 'x-NAME': {} },
    },
    _meta: { NAME: 1 },
  }),
  request('PUT /_index_template/NAME', {
    index_patterns: ['made-*'],
    composed_of: ['NAME'],
    template: {
      mappings: {
        properties: { other: { properties: { NAME: { type: 'long' } } } },
        runtime: { NAMErt: { type: 'long' } },
      },
      aliases: { 'y-NAME': {} },
    },
    _meta: { NAME: { NAME: 1 } },
  }),
  request('GET /_component_template/NAME'),
  request('GET /_index_template/NAME'),
  request('POST /_index_template/_simulate_index/made-1'),
  request('POST /_index_template/_simulate/NAME'),
  request('PUT /made-1/_doc/1', { NAME: 'x', other: { NAME: 1 } }),
  request('GET /made-1'),
  request('PUT /_template/NAME', {
    index_patterns: ['old-*'],
    mappings: { properties: { NAME: { type: 'keyword' } } },
    aliases: { 'z-NAME': {} },
  }),
  request('GET /_template/NAME'),
  request('PUT /old-1'),
  request('GET /old-1'),
  request('PUT /_index_template/streams', {
    index_patterns: ['logs-*'],
    data_stream: {},
    priority: 900,
    template: { mappings: { properties: { NAME: { type: 'keyword' } } } },
  }),
  request('PUT /logs-test/_create/1?refresh=true', { '@timestamp': '2026-01-01', NAME: 'x' }),
  request('POST /logs-test/_search', {
    fields: ['NAME'],
    _source: false,
    aggs: { NAME: { terms: { field: 'NAME' } } },
  }),
  request('PUT /_ilm/policy/NAME', {
    policy: { _meta: { NAME: 1 }, phases: { hot: { actions: { rollover: { max_docs: 1 } } } } },
  }),
  request('GET /_ilm/policy/NAME'),
  request('PUT /_ilm/policy/b', { policy: { phases: { NAME: {} } } }),
  request('PUT /_ilm/policy/b', { policy: { phases: { hot: { actions: { NAME: {} } } } } }),
  request('PUT /_cluster/settings', {
    persistent: { 'cluster.metadata.NAME': 'x' },
    transient: { cluster: { metadata: { NAMEb: { NAME: 'y' } } } },
  }),
  request('GET /_cluster/settings?flat_settings=true'),
  request('GET /_cluster/settings'),
  request('PUT /_cluster/settings', { persistent: { NAME: 1 } }),
  request('PUT /_cluster/settings', {
    persistent: { 'cluster.metadata.NAME': null },
    transient: { 'cluster.metadata.NAMEb.NAME': null },
  }),
  request('PUT /idx/_settings', { 'index.NAME': 1 }),
  request('PUT /idx/_settings', { NAME: { NAME: 1 } }),
  request('PUT /bad', { NAME: 1 }),
  request('PUT /bad', { settings: { NAME: 1 } }),
  request('PUT /bad', { mappings: { NAME: 1 } }),
  request('PUT /bad', { mappings: { properties: { a: { type: 'NAME' } } } }),
  request('PUT /bad', { mappings: { properties: { a: { type: 'keyword', NAME: 1 } } } }),
  request('PUT /bad', { mappings: { properties: { a: { type: 'text', analyzer: 'NAME' } } } }),
  request('PUT /bad', { settings: { analysis: { filter: { a: { type: 'NAME' } } } } }),
  request('PUT /bad', { settings: { similarity: { a: { type: 'NAME' } } } }),
  request('PUT /_ingest/pipeline/bad', { processors: [{ NAME: {} }] }),
  request('PUT /_ingest/pipeline/bad', { processors: [{ set: { field: 'a', value: 1, NAME: 1 } }] }),
  request('GET /NAME'),
  request('PUT /idx/_mapping', {
    properties: { later: { properties: { NAME: { type: 'keyword', meta: { NAME: 'u' } } } } },
  }),
  request('GET /idx/_mapping/field/later.NAME'),
  request('GET /_cat/aliases?format=json&h=alias,index'),
  request('GET /_nodes/stats/ingest?filter_path=nodes.*.ingest.pipelines'),
  request('GET /_cluster/state/metadata?filter_path=metadata.indices.idx.mappings'),
  request('GET /idx/_search?filter_path=hits.hits._source.NAME,hits.hits._source.obj.NAME&sort=n'),
  request('GET /idx/_field_usage_stats'),
  request('DELETE /_index_template/NAME'),
  request('DELETE /_component_template/NAME'),
  request('DELETE /_template/NAME'),
  request('DELETE /_ingest/pipeline/NAME'),
  request('DELETE /_scripts/NAME'),
  request('DELETE /_ilm/policy/NAME'),
  request('DELETE /idx/_alias/a-NAME'),
]
