/** The ways of reading the values of a field: bodies of searches, and other requests. */
export interface Read {
  readonly name: string
  /** Reads the document and no other structure. */
  readonly isOfSource?: boolean
  readonly body: (path: string, sample: unknown) => unknown
}

const ALL_FIELDS = '*'
const order = [{ n: 'asc' }, '_doc']

const query = (name: string, clause: (path: string, sample: unknown) => unknown): Read => ({
  name: `the query ${name}`,
  body: (path, sample) => {
    const inner = clause(path, sample)
    const isNested = path.startsWith('nes.')
    return {
      _source: false,
      sort: ['_score', ...order],
      query: isNested ? { nested: { path: 'nes', query: inner } } : inner,
    }
  },
})

const aggregation = (name: string, make: (path: string, sample: unknown) => object): Read => ({
  name: `the aggregation ${name}`,
  body: (path, sample) => {
    const own = { a: make(path, sample) }
    const aggs = path.startsWith('nes.') ? { inside: { nested: { path: 'nes' }, aggs: own } } : own
    return { size: 0, aggs }
  },
})

const search = (name: string, body: Read['body'], isOfSource = false): Read => ({
  name,
  isOfSource,
  body: (path, sample) => ({ _source: false, sort: order, ...(body(path, sample) as object) }),
})

const onField = (kind: string, more: object = {}) => aggregation(kind, (field) => ({ [kind]: { field, ...more } }))

const text = (sample: unknown) => String(sample)
const start = (sample: unknown) => text(sample).slice(0, 3)
const read = (path: string) => `doc['${path}']`
const emitAll = (path: string) => `for (v in ${read(path)}) { emit(v.toString()) }`
const inList = (path: string) => `def l = new ArrayList(); for (v in ${read(path)}) { l.add(v.toString()) } return l`

const nestedHits = (innerHits: object) => ({
  query: { nested: { path: 'nes', query: { match_all: {} }, inner_hits: { ...innerHits, sort: ['_doc'] } } },
})

export const SEARCHES: readonly Read[] = [
  query('term', (path, sample) => ({ term: { [path]: sample } })),
  query('terms', (path, sample) => ({ terms: { [path]: [sample, sample] } })),
  query('match', (path, sample) => ({ match: { [path]: sample } })),
  query('match_phrase', (path, sample) => ({ match_phrase: { [path]: text(sample) } })),
  query('match_bool_prefix', (path, sample) => ({ match_bool_prefix: { [path]: start(sample) } })),
  query('prefix', (path, sample) => ({ prefix: { [path]: start(sample) } })),
  query('wildcard', (path, sample) => ({ wildcard: { [path]: `${start(sample)}*` } })),
  query('regexp', (path, sample) => ({ regexp: { [path]: `${start(sample)}.*` } })),
  query('fuzzy', (path, sample) => ({ fuzzy: { [path]: text(sample) } })),
  query('range', (path, sample) => ({ range: { [path]: { gte: sample, lte: sample } } })),
  query('exists', (field) => ({ exists: { field } })),
  query('not exists', (field) => ({ bool: { must_not: { exists: { field } } } })),
  query('query_string', (path, sample) => ({
    query_string: { query: `"${sample}"`, lenient: true, ...(path === ALL_FIELDS ? {} : { fields: [path] }) },
  })),
  query('query_string on a pattern', (path, sample) => ({
    query_string: { query: `${start(sample)}*`, fields: [`${path}*`], lenient: true },
  })),
  query('simple_query_string', (path, sample) => ({
    simple_query_string: { query: `"${sample}"`, fields: [path], lenient: true },
  })),
  query('multi_match', (path, sample) => ({
    multi_match: { query: text(sample), fields: [path], lenient: true, type: 'phrase' },
  })),
  query('combined_fields', (path, sample) => ({ combined_fields: { query: text(sample), fields: [path] } })),
  query('terms_set', (path, sample) => ({
    terms_set: { [path]: { terms: [sample], minimum_should_match_script: { source: '1' } } },
  })),
  query('more_like_this', (path, sample) => ({
    more_like_this: { fields: [path], like: [text(sample), { _id: '1' }], min_term_freq: 1, min_doc_freq: 1 },
  })),
  query('distance_feature', (field) => ({ distance_feature: { field, origin: '2026-01-03', pivot: '1d' } })),
  query('intervals', (path, sample) => ({ intervals: { [path]: { match: { query: text(sample) } } } })),
  query('span_term', (path, sample) => ({ span_term: { [path]: text(sample) } })),
  query('geo_distance', (path) => ({ geo_distance: { distance: '500km', [path]: { lat: 1, lon: -1 } } })),
  query('field_value_factor', (field) => ({ function_score: { field_value_factor: { field, missing: 1 } } })),
  query('script_score', (path) => ({
    script_score: { query: { match_all: {} }, script: { source: `1 + ${read(path)}.size()` } },
  })),
  query('script', (path) => ({ script: { script: `${read(path)}.size() > 0` } })),

  query('knn', (field) => ({ knn: { field, query_vector: [3, 1], k: 3, num_candidates: 3 } })),
  query('sparse_vector', (field) => ({ sparse_vector: { field, query_vector: { one: 1, two: 0.5 } } })),
  query('rank_feature', (field) => ({ rank_feature: { field, saturation: { pivot: 2 } } })),
  query('script_score of a vector', (path) => ({
    script_score: {
      query: { match_all: {} },
      script: {
        source: `${read(path)}.size() == 0 ? 0 : 1 / (1 + l2norm(params.v, '${path}'))`,
        params: { v: [3, 1] },
      },
    },
  })),

  onField('terms', { size: 50 }),
  onField('rare_terms'),
  onField('significant_terms', { min_doc_count: 1 }),
  aggregation('significant_text', (field) => ({ significant_text: { field, min_doc_count: 1 } })),
  aggregation('multi_terms', (field) => ({ multi_terms: { terms: [{ field }, { field: 'n' }], size: 50 } })),
  aggregation('composite', (field) => ({ composite: { size: 50, sources: [{ c: { terms: { field } } }] } })),
  onField('cardinality'),
  onField('value_count'),
  onField('missing'),
  onField('stats'),
  onField('min'),
  onField('max'),
  onField('percentiles'),
  onField('string_stats', { show_distribution: true }),
  onField('histogram', { interval: 5 }),
  onField('date_histogram', { calendar_interval: 'day' }),
  onField('range', { ranges: [{ from: 5 }] }),
  onField('ip_range', { ranges: [{ mask: '192.168.0.0/30' }] }),
  onField('geo_bounds'),
  onField('geohash_grid'),
  aggregation('top_hits', (field) => ({
    top_hits: {
      sort: [{ [field]: { order: 'desc', unmapped_type: 'long' } }],
      _source: false,
      docvalue_fields: [field],
    },
  })),
  aggregation('top_metrics', (field) => ({ top_metrics: { metrics: { field }, sort: { [field]: 'desc' }, size: 3 } })),
  aggregation('filter', (path, sample) => ({ filter: { term: { [path]: sample } } })),
  aggregation('scripted_metric', (path) => ({
    scripted_metric: {
      init_script: 'state.l = []',
      map_script: `for (v in ${read(path)}) { state.l.add(v.toString()) }`,
      combine_script: 'state.l.sort(null); return state.l',
      reduce_script: 'return states',
    },
  })),
  aggregation('terms with a script', (path) => ({ terms: { size: 50, script: { source: inList(path) } } })),

  search('a sort', (path) => ({ sort: [{ [path]: { order: 'desc', mode: 'max' } }, '_doc'] })),
  search('a sort with missing values first', (path) => ({ sort: [{ [path]: { missing: '_first' } }, '_doc'] })),
  search('search_after', (path, sample) => ({ sort: [{ [path]: 'asc' }, { n: 'asc' }], search_after: [sample, 0] })),
  search('a sort by a script', (path) => ({
    sort: [{ _script: { type: 'number', script: `${read(path)}.size()` } }, '_doc'],
  })),
  search('collapse', (field) => ({
    collapse: { field, inner_hits: { name: 'same', docvalue_fields: [field], _source: false } },
  })),
  search('a knn section', (field) => ({
    sort: undefined,
    knn: { field, query_vector: [3, 1], k: 3, num_candidates: 3, inner_hits: { _source: false, fields: [field] } },
  })),
  search('a knn section beside a query', (field, sample) => ({
    sort: undefined,
    query: { match: { kw: text(sample) } },
    knn: { field, query_vector: [3, 1], k: 2, num_candidates: 3, filter: { range: { n: { gte: 20 } } } },
  })),
  search('retrievers', (field, sample) => ({
    sort: undefined,
    retriever: {
      rrf: {
        retrievers: [
          { standard: { query: { match: { [field]: text(sample) } } } },
          { knn: { field, query_vector: [3, 1], k: 3, num_candidates: 3 } },
        ],
      },
    },
  })),
  search('docvalue_fields', (path) => ({ docvalue_fields: [path] })),
  search('fields', (path) => ({ fields: [path] }), true),
  search('fields of a pattern', (path) => ({ fields: [`${path}*`] })),
  search('stored_fields', (path) => ({ stored_fields: [path] })),
  search('the source', (path) => (path === ALL_FIELDS ? {} : { _source: [path, `${path}.*`] }), true),
  search('script_fields', (path) => ({ script_fields: { s: { script: inList(path) } } })),
  search('script_fields of the field API', (path) => ({
    script_fields: { s: { script: `def l = []; for (v in field('${path}')) { l.add(v.toString()) } return l` } },
  })),
  search('script_fields of the source', (path) => ({
    script_fields: {
      s: { script: `def v = params._source['${path}']; return v == null || v instanceof Map ? '' : v.toString()` },
    },
  })),
  search('runtime_mappings with doc', (path) => ({
    runtime_mappings: { r: { type: 'keyword', script: emitAll(path) } },
    fields: ['r'],
    aggs: { r: { terms: { field: 'r', size: 50 } } },
  })),
  search('runtime_mappings of two steps', (path) => ({
    runtime_mappings: {
      r: { type: 'keyword', script: emitAll(path) },
      s: { type: 'keyword', script: "for (v in doc['r']) { emit(v) }" },
    },
    sort: ['s', '_doc'],
    query: { exists: { field: 's' } },
  })),
  search('a composite runtime field', (path) => ({
    runtime_mappings: {
      r: { type: 'composite', script: `emit(['s': ${read(path)}.size()])`, fields: { s: { type: 'long' } } },
    },
    sort: ['r.s', '_doc'],
    fields: ['r.s'],
  })),
  search('runtime_mappings of the source', (path) => ({
    runtime_mappings: { [path]: { type: 'keyword' } },
    aggs: { r: { terms: { field: path, size: 50 } } },
  })),
  search('a highlight', (path, sample) => ({
    query: { query_string: { query: `"${sample}"`, fields: [path], lenient: true } },
    highlight: { fields: { [path]: { require_field_match: false } } },
  })),
  search('a highlight of vectors', (path, sample) => ({
    query: { match: { tx: text(sample) } },
    highlight: { type: 'fvh', fields: { [path]: { require_field_match: false } } },
  })),
  search('a term suggester', (path, sample) => ({
    suggest: { s: { text: `${text(sample)}x`, term: { field: path, suggest_mode: 'always', min_doc_freq: 0 } } },
  })),
  search('a phrase suggester', (path, sample) => ({
    suggest: { s: { text: `${text(sample)}x`, phrase: { field: path, max_errors: 2 } } },
  })),
  search('a completion suggester', (path) => ({ suggest: { s: { prefix: 'com', completion: { field: path } } } })),
  search('explain', (path, sample) => ({ explain: true, query: { match: { [path]: sample } } })),
  search('rescore', (path, sample) => ({
    sort: undefined,
    query: { match_all: {} },
    rescore: { query: { rescore_query: { constant_score: { filter: { term: { [path]: sample } } } } } },
  })),
  search('inner_hits', (path) => nestedHits({ docvalue_fields: [path], _source: false })),
  search('the source of inner_hits', (path) => nestedHits({ _source: path }), true),
  search('a nested sort', (path) => ({ sort: [{ [path]: { nested: { path: 'nes' }, order: 'desc' } }, '_doc'] })),
  search('profiled counts', (path, sample) => ({
    size: 0,
    track_total_hits: true,
    query: { term: { [path]: sample } },
  })),
  search('post_filter', (path, sample) => ({ post_filter: { term: { [path]: sample } } })),
  search('min_score of a field', (path) => ({
    sort: undefined,
    min_score: 1.5,
    query: {
      function_score: { query: { match_all: {} }, script_score: { script: { source: `1 + ${read(path)}.size()` } } },
    },
  })),
]

export interface ApiRead {
  readonly title: string
  readonly path: string
  readonly method: string
  readonly uri: string
  readonly body?: string
}

const api = (path: string, line: string, body?: unknown): ApiRead => {
  const [method, uri] = line.split(' ') as [string, string]
  const request = { title: `${line} ${body === undefined ? '' : JSON.stringify(body)}`, path, method, uri }
  return body === undefined ? request : { ...request, body: JSON.stringify(body) }
}

const TERMS_ENUM_PATHS = ['kw', 'fl', 'fl.card', 'fl.pub', 'bare', 'bare.card', 'obj.b', 'a._b', 'tx.kw', 'constant']

export const API_READS: readonly ApiRead[] = [
  ...TERMS_ENUM_PATHS.map((field) => api(field, 'POST /INDEX/_terms_enum', { field, size: 50 })),
  ...TERMS_ENUM_PATHS.map((field) => api(field, 'POST /INDEX/_terms_enum', { field, string: '4111' })),
  ...['4111-1', 'open', 'word0', 'number1'].map((value) => api('*', `GET /INDEX/_search?q=${value}&_source=false`)),
  ...['4111-1', 'word0'].map((value) => api('*', `GET /INDEX/_count?q=${value}`)),
  api('', 'GET /INDEX/_doc/1'),
  api('', 'GET /INDEX/_source/1'),
  api('', 'POST /INDEX/_mget', { ids: ['0', '1', '5'] }),
  api('', 'GET /INDEX/_doc/1?_source=false&stored_fields=stored,kw'),
  api('', 'GET /INDEX/_search?sort=n'),
  api('', 'GET /INDEX/_termvectors/1?term_statistics=true&fields=tx,kw,fl,fl.card,target,sayt'),
  api('fl.card', 'POST /INDEX/_explain/1', { query: { term: { 'fl.card': '4111-1' } } }),
  api('fl', 'POST /INDEX/_explain/1', { query: { term: { fl: '4111-1' } } }),
  api('fl.card', 'POST /INDEX/_async_search?wait_for_completion_timeout=10s', {
    query: { prefix: { 'fl.card': '4' } },
    sort: ['n'],
  }),
  api('fl', 'POST /INDEX/_search/template', {
    source: '{"size":0,"aggs":{"a":{"terms":{"field":"{{f}}"}}}}',
    params: { f: 'fl' },
  }),
  api('fl', 'POST /INDEX/_rank_eval', {
    requests: [
      { id: 'r', request: { query: { prefix: { fl: '4' } } }, ratings: [{ _index: 'INDEX', _id: '1', rating: 1 }] },
    ],
    metric: { precision: { k: 3 } },
  }),
  api('', 'GET /INDEX/_mvt/place/1/0/0?grid_precision=0'),
]
