/** Requests that read documents in every way there is. `INDEX` stands for the index. */
export interface LimitRequest {
  readonly name: string
  readonly method: string
  readonly uri: string
  readonly body: string | undefined
  /** The user that sends it; both if absent. */
  readonly only?: 'by-field' | 'by-document' | undefined
  /** The response legitimately differs from the mirror's; it must still show nothing hidden. */
  readonly differs?: boolean | undefined
}

type Options = Pick<LimitRequest, 'only' | 'differs'>

const request = (name: string, line: string, body?: unknown, options: Options = {}): LimitRequest => {
  const [method, uri] = line.split(' ') as [string, string]
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return { name, method, uri, body: text, ...options }
}

const search = (name: string, body: Record<string, unknown>, options: Options = {}) =>
  request(name, 'POST /INDEX/_search', { sort: ['n'], ...body }, options)

const query = (name: string, clause: unknown) => search(`a search with ${name}`, { query: clause })

const aggregation = (name: string, body: unknown, options: Options = {}) =>
  search(`the ${name} aggregation`, { size: 0, sort: undefined, aggs: { found: body } }, options)

const QUERIES: Record<string, unknown> = {
  match_all: { match_all: {} },
  'term on a hidden field': { term: { hidden_word: 'hidden-word-1' } },
  'terms on a hidden field': { terms: { hidden_word: ['hidden-word-1', 'hidden-word-2'] } },
  'match on a hidden field': { match: { hidden_text: 'hidden' } },
  'match on a title': { match: { title: 'common' } },
  'match on a word of hidden documents': { match: { title: 'hidden' } },
  match_phrase: { match_phrase: { hidden_text: 'hidden text' } },
  match_phrase_prefix: { match_phrase_prefix: { hidden_text: 'hidden te' } },
  multi_match: { multi_match: { query: 'hidden', fields: ['*'], lenient: true } },
  query_string: { query_string: { query: 'hidden* OR hidden_word:hidden-word-1', lenient: true } },
  simple_query_string: { simple_query_string: { query: 'hidden*', lenient: true } },
  prefix: { prefix: { hidden_word: 'hidden' } },
  wildcard: { wildcard: { hidden_word: 'hid*' } },
  regexp: { regexp: { hidden_word: 'hid.*' } },
  fuzzy: { fuzzy: { hidden_word: 'hidden-word-9' } },
  'range of a hidden number': { range: { hidden_number: { gte: 0 } } },
  'range of a hidden date': { range: { hidden_date: { gte: '2026-01-01' } } },
  'exists of a hidden field': { exists: { field: 'hidden_word' } },
  'exists of a hidden field without doc values': { exists: { field: 'hidden_bare' } },
  'exists of a hidden text': { exists: { field: 'hidden_text' } },
  'exists of an object': { exists: { field: 'object' } },
  'not exists': { bool: { must_not: { exists: { field: 'hidden_word' } } } },
  ids: { ids: { values: ['1', 'other-6'] } },
  'term on _id': { term: { _id: 'other-6' } },
  nested: { nested: { path: 'comments', query: { prefix: { 'comments.author': 'hidden' } } } },
  'nested on a hidden field': { nested: { path: 'comments', query: { prefix: { 'comments.hidden': 'hidden' } } } },
  geo_distance: { geo_distance: { distance: '20000km', hidden_place: { lat: 0, lon: 0 } } },
  geo_bounding_box: {
    geo_bounding_box: { hidden_place: { top_left: { lat: 80, lon: -170 }, bottom_right: { lat: -80, lon: 170 } } },
  },
  script: { script: { script: "doc['hidden_word'].size() > 0" } },
  'script on the source': { script: { script: "params._source != null && params._source.containsKey('hidden_word')" } },
  script_score: {
    script_score: {
      query: { match_all: {} },
      script: "doc['hidden_number'].size() == 0 ? 1 : doc['hidden_number'].value",
    },
  },
  function_score: {
    function_score: { field_value_factor: { field: 'hidden_number', missing: 1 }, min_score: 2, boost_mode: 'replace' },
  },
  more_like_this: {
    more_like_this: { fields: ['title'], like: [{ _id: 'other-6' }], min_term_freq: 1, min_doc_freq: 1 },
  },
  'terms lookup of a hidden document': { terms: { team: { index: 'INDEX', id: 'other-6', path: 'team' } } },
  'terms lookup of a hidden field': { terms: { kept: { index: 'INDEX', id: '1', path: 'hidden_word' } } },
  terms_set: { terms_set: { hidden_word: { terms: ['hidden-word-1'], minimum_should_match_script: { source: '1' } } } },
  distance_feature: { distance_feature: { field: 'hidden_date', origin: '2026-02-01', pivot: '1d' } },
  intervals: { intervals: { hidden_text: { match: { query: 'hidden' } } } },
  span_term: { span_term: { hidden_text: 'hidden' } },
  'a runtime field that reads a hidden one': { exists: { field: 'shown_rt' } },
  'a runtime field that reads the source': { exists: { field: 'shown_source_rt' } },
  constant_score: { constant_score: { filter: { term: { hidden_number: 1 } } } },
  boosting: {
    boosting: { positive: { match_all: {} }, negative: { exists: { field: 'hidden_word' } }, negative_boost: 0.1 },
  },
  dis_max: { dis_max: { queries: [{ term: { hidden_word: 'hidden-word-1' } }] } },
  pinned_by_name: {
    bool: { should: [{ term: { hidden_word: { value: 'hidden-word-1', _name: 'named' } } }, { match_all: {} }] },
  },
}

const AGGREGATIONS: Record<string, unknown> = {
  'terms on teams': { terms: { field: 'team' } },
  'terms on a hidden field': { terms: { field: 'hidden_word' } },
  'terms with min_doc_count 0': { terms: { field: 'team', min_doc_count: 0 } },
  'terms with min_doc_count 0 on a hidden field': { terms: { field: 'hidden_word', min_doc_count: 0 } },
  'terms on numbers with min_doc_count 0': { terms: { field: 'n', min_doc_count: 0 } },
  'terms of a script': { terms: { script: "doc['hidden_word'].size() == 0 ? 'none' : doc['hidden_word'].value" } },
  'terms on a runtime field': { terms: { field: 'shown_rt' } },
  rare_terms: { rare_terms: { field: 'kept' } },
  multi_terms: { multi_terms: { terms: [{ field: 'team' }, { field: 'hidden_word', missing: 'none' }] } },
  cardinality: { cardinality: { field: 'team' } },
  'cardinality of a hidden field': { cardinality: { field: 'hidden_word' } },
  value_count: { value_count: { field: 'hidden_word' } },
  stats: { stats: { field: 'n' } },
  'stats of a hidden field': { stats: { field: 'hidden_number' } },
  min: { min: { field: 'hidden_number' } },
  max: { max: { field: 'n' } },
  percentiles: { percentiles: { field: 'n' } },
  string_stats: { string_stats: { field: 'kept' } },
  histogram: { histogram: { field: 'n', interval: 1 } },
  date_histogram: { date_histogram: { field: 'at', calendar_interval: 'day' } },
  auto_date_histogram: { auto_date_histogram: { field: 'at', buckets: 10 } },
  range: { range: { field: 'hidden_number', ranges: [{ from: 0 }] } },
  filter: { filter: { exists: { field: 'hidden_word' } } },
  filters: { filters: { filters: { red: { term: { team: 'red' } }, hid: { term: { hidden_number: 1 } } } } },
  global: { global: {}, aggs: { inside: { terms: { field: 'kept' } } } },
  missing: { missing: { field: 'hidden_word' } },
  nested: { nested: { path: 'comments' }, aggs: { inside: { terms: { field: 'comments.author' } } } },
  'nested on a hidden field': {
    nested: { path: 'comments' },
    aggs: { inside: { terms: { field: 'comments.hidden' } } },
  },
  composite: { composite: { sources: [{ team: { terms: { field: 'team' } } }] } },
  'composite on a hidden field': {
    composite: { sources: [{ word: { terms: { field: 'hidden_word', missing_bucket: true } } }] },
  },
  top_hits: { top_hits: { size: 10, sort: ['n'], fields: ['*'], docvalue_fields: ['hidden_word'] } },
  top_metrics: { top_metrics: { metrics: { field: 'n' }, sort: { n: 'desc' } } },
  geo_bounds: { geo_bounds: { field: 'hidden_place' } },
  geo_centroid: { geo_centroid: { field: 'place' } },
  significant_terms: { significant_terms: { field: 'kept', min_doc_count: 1 } },
  sampler: { sampler: {}, aggs: { inside: { terms: { field: 'team' } } } },
  scripted_metric: {
    scripted_metric: {
      init_script: 'state.n = 0',
      map_script: "state.n += doc['hidden_word'].size()",
      combine_script: 'return state.n',
      reduce_script: 'int n = 0; for (s in states) { n += s } return n',
    },
  },
}

const READS: readonly LimitRequest[] = [
  search('a search with fields', { fields: ['*'] }),
  search('a search with hidden fields', { fields: ['hidden*', { field: 'hidden_date', format: 'yyyy' }, 'shown_rt'] }),
  search('a search with docvalue_fields', { docvalue_fields: ['hidden_word', 'hidden_number', 'n', 'shown_rt'] }),
  search('a search with stored_fields', { stored_fields: ['kept', 'hidden_word', '_source'] }),
  search('a search with script_fields', {
    script_fields: {
      doc: { script: "doc['hidden_word'].size() == 0 ? 'none' : doc['hidden_word'].value" },
      field: { script: "field('hidden_word').get('none')" },
      source: { script: "params._source['hidden_word']" },
    },
  }),
  search('a search with runtime_mappings', {
    runtime_mappings: {
      own: { type: 'keyword', script: "for (v in doc['hidden_word']) { emit(v) }" },
      own_source: { type: 'keyword', script: "def v = params._source['hidden_text']; if (v != null) { emit(v) }" },
      hidden_text: { type: 'keyword' },
    },
    fields: ['own', 'own_source', 'hidden_text'],
    aggs: { own: { terms: { field: 'own' } } },
  }),
  search('a search with _source patterns', { _source: ['hidden*', 'object.*', 'comments.*', 'n'] }),
  search('a search that highlights', {
    query: { query_string: { query: 'common hidden', fields: ['title', 'hidden_text'] } },
    highlight: { fields: { '*': { require_field_match: false } } },
  }),
  search('a search sorted by a hidden field', { sort: ['hidden_word', 'hidden_number', 'n'] }),
  search('a search sorted by a script', {
    sort: [{ _script: { type: 'number', script: "doc['hidden_number'].size()", order: 'desc' } }, 'n'],
  }),
  search('a search sorted by distance', { sort: [{ _geo_distance: { hidden_place: [0, 0] } }, 'n'] }),
  search('a search after a hit', { search_after: [2] }),
  search('a search collapsed by a field', { collapse: { field: 'team', inner_hits: { name: 'all', sort: ['n'] } } }),
  search('a search collapsed by a hidden field', { collapse: { field: 'hidden_word' } }),
  search('a search with inner hits', {
    query: { nested: { path: 'comments', query: { match_all: {} }, inner_hits: { fields: ['*'] } } },
  }),
  search('a search with a rescore', {
    sort: undefined,
    query: { term: { n: 1 } },
    rescore: { window_size: 10, query: { rescore_query: { exists: { field: 'hidden_word' } } } },
  }),
  search('a search with a post filter', { post_filter: { exists: { field: 'hidden_word' } } }),
  search('a search that counts all', { track_total_hits: true, size: 0 }),
  search('a search with min_score', { sort: undefined, min_score: 100 }),
  search('a search with terminate_after', { sort: undefined, terminate_after: 100, size: 0 }),
  // Hidden fields match no pattern, so that the shards are skipped.
  search('a search for fields by pattern', { query: { exists: { field: 'hidden*' } } }, { differs: true }),
  request('a search by parameters', 'GET /INDEX/_search?q=hidden*&sort=n'),
  request('a search with global statistics', 'POST /INDEX/_search?search_type=dfs_query_then_fetch', {
    sort: ['n'],
    query: { match: { title: 'common' } },
  }),
  search(
    'a search of completions',
    { suggest: { s: { prefix: 'hid', completion: { field: 'hidden_suggest' } } } },
    { only: 'by-field' },
  ),
  search(
    'a search of suggestions',
    { suggest: { s: { text: 'hiddn', term: { field: 'hidden_text', suggest_mode: 'always' } } } },
    { only: 'by-field' },
  ),
  request('an asynchronous search', 'POST /INDEX/_async_search', { sort: ['n'], fields: ['*'] }, { differs: true }),
  request('_count', 'GET /INDEX/_count'),
  request('_count with a query', 'POST /INDEX/_count', { query: { exists: { field: 'hidden_word' } } }),
  request('_cat/count', 'GET /_cat/count/INDEX?h=count'),
  request('a get', 'GET /INDEX/_doc/1'),
  request('a get of a hidden document', 'GET /INDEX/_doc/other-6', undefined, { only: 'by-document' }),
  request('a get with stored fields', 'GET /INDEX/_doc/1?stored_fields=kept,hidden_word'),
  request('a get that is not realtime', 'GET /INDEX/_doc/1?realtime=false'),
  request('a get with _source_includes', 'GET /INDEX/_doc/1?_source_includes=hidden*,n'),
  request('a HEAD', 'HEAD /INDEX/_doc/1'),
  request('a HEAD of a hidden document', 'HEAD /INDEX/_doc/other-6'),
  request('_source', 'GET /INDEX/_source/1'),
  request('_mget', 'POST /_mget', {
    docs: [
      { _index: 'INDEX', _id: '1' },
      { _index: 'INDEX', _id: '2', stored_fields: ['hidden_word'] },
    ],
  }),
  request('_mget by ids', 'POST /INDEX/_mget', { ids: ['1', '2'] }),
  request('_termvectors', 'GET /INDEX/_termvectors/1?field_statistics=false'),
  request('_termvectors of all fields', 'GET /INDEX/_termvectors/1?fields=*&field_statistics=false'),
  request('_mtermvectors', 'POST /INDEX/_mtermvectors?field_statistics=false&fields=*', { ids: ['1', '2'] }),
  request('_explain', 'POST /INDEX/_explain/1?_source=true', { query: { term: { hidden_word: 'hidden-word-1' } } }),
  request('_explain of a visible field', 'POST /INDEX/_explain/1?stored_fields=kept,hidden_word', {
    query: { term: { n: 1 } },
  }),
  request('_terms_enum', 'POST /INDEX/_terms_enum', { field: 'hidden_word', string: 'hidden' }),
  request('_validate/query', 'POST /INDEX/_validate/query', { query: { term: { hidden_word: 'hidden-word-1' } } }),
  request(
    '_msearch',
    'POST /_msearch',
    '{"index":"INDEX"}\n{"sort":["n"],"fields":["*"]}\n{"index":"INDEX"}\n{"size":0}\n',
  ),
  request('_search/template', 'POST /INDEX/_search/template', {
    source: { sort: ['n'], query: { prefix: { hidden_word: '{{p}}' } } },
    params: { p: 'hidden' },
  }),
  request('_msearch/template', 'POST /_msearch/template', '{"index":"INDEX"}\n{"source":{"sort":["n"]}}\n'),
  request('_field_caps', 'GET /INDEX/_field_caps?fields=*', undefined, { only: 'by-field', differs: true }),
  request(
    '_field_caps of fields with values',
    'GET /INDEX/_field_caps?fields=*&include_empty_fields=false',
    undefined,
    { only: 'by-field', differs: true },
  ),
  request('_mapping', 'GET /INDEX/_mapping', undefined, { only: 'by-field', differs: true }),
  request('_mapping/field', 'GET /INDEX/_mapping/field/*', undefined, { only: 'by-field', differs: true }),
  request('GET of the index', 'GET /INDEX', undefined, { only: 'by-field', differs: true }),
]

export const REQUESTS: readonly LimitRequest[] = [
  ...Object.entries(QUERIES).map(([name, clause]) => query(name, clause)),
  ...Object.entries(AGGREGATIONS).map(([name, body]) => aggregation(name, body)),
  ...READS,
]
