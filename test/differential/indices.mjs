/**
 * Random administration: indices with settings, mappings and aliases, changes of all three, templates, names with wildcards, and each of
 * these with a mistake. The reference server has no data streams.
 */
import { maybeWrong } from './mutations.mjs'
import { call, parameters, plainWorld, SETTINGS } from './steps.mjs'

const MISTAKE = 0.35

const TYPES = {
  keyword: (rng) =>
    rng.options({
      ignore_above: [0.2, () => rng.pick([5, 0, '7'])],
      null_value: [0.2, () => rng.pick(['none', 5])],
      doc_values: [0.1, () => false],
      normalizer: [0.1, () => rng.pick(['lowercase', 'none'])],
      eager_global_ordinals: [0.1, () => true],
      split_queries_on_whitespace: [0.1, () => true],
      similarity: [0.1, () => rng.pick(['boolean', 'BM25', 'nope'])],
      time_series_dimension: [0.05, () => true],
    }),
  text: (rng) =>
    rng.options({
      analyzer: [0.2, () => rng.pick(['standard', 'english', 'nope'])],
      search_analyzer: [0.1, () => 'simple'],
      search_quote_analyzer: [0.1, () => 'whitespace'],
      fielddata: [0.1, () => true],
      norms: [0.1, () => false],
      index_options: [0.2, () => rng.pick(['docs', 'freqs', 'positions', 'offsets', 'all'])],
      position_increment_gap: [0.1, () => rng.pick([0, 5, -1])],
      term_vector: [0.1, () => rng.pick(['yes', 'with_positions_offsets', 'maybe'])],
      index_phrases: [0.1, () => true],
      index_prefixes: [0.15, () => rng.pick([{}, { min_chars: 1, max_chars: 3 }, { min_chars: 5, max_chars: 2 }])],
    }),
  long: (rng) => numeric(rng),
  integer: (rng) => numeric(rng),
  byte: (rng) => numeric(rng),
  double: (rng) => numeric(rng),
  half_float: (rng) => numeric(rng),
  date: (rng) =>
    rng.options({
      format: [0.4, () => rng.pick(['yyyy-MM-dd', 'epoch_second', 'strict_date||epoch_millis', 'bad [format'])],
      locale: [0.1, () => 'de'],
      null_value: [0.1, () => rng.pick(['2020-01-01', 'x'])],
      ignore_malformed: [0.1, () => true],
    }),
  date_nanos: () => ({}),
  boolean: (rng) => rng.options({ null_value: [0.3, () => rng.pick([true, 'false', 'x'])] }),
  ip: (rng) =>
    rng.options({ null_value: [0.2, () => rng.pick(['10.0.0.1', 'x'])], ignore_malformed: [0.2, () => true] }),
  geo_point: (rng) =>
    rng.options({ null_value: [0.2, () => rng.pick(['1,2', 'x'])], ignore_z_value: [0.2, () => false] }),
  binary: (rng) => rng.options({ doc_values: [0.3, () => true] }),
  integer_range: (rng) => rng.options({ coerce: [0.2, () => false] }),
  date_range: (rng) => rng.options({ format: [0.3, () => 'yyyy-MM-dd'] }),
  ip_range: () => ({}),
  nested: (rng) => ({
    ...rng.options({
      dynamic: [0.2, () => 'strict'],
      include_in_parent: [0.2, () => true],
      include_in_root: [0.1, () => true],
    }),
    properties: { k: { type: 'keyword' } },
  }),
  object: (rng) => ({
    ...rng.options({
      dynamic: [0.3, () => rng.pick([true, 'false', 'strict', 'runtime', 'maybe'])],
      enabled: [0.15, () => false],
      subobjects: [0.15, () => rng.pick([false, true, 'auto'])],
    }),
    properties: { k: { type: 'keyword' }, ...(rng.chance(0.2) ? { 'a.b': { type: 'long' } } : {}) },
  }),
  alias: (rng) => ({ path: rng.pick(['one', 'two', 'nope', 'obj.k']) }),
  completion: (rng) =>
    rng.options({
      max_input_length: [0.2, () => rng.pick([5, 0])],
      preserve_separators: [0.2, () => false],
      contexts: [
        0.3,
        () =>
          rng.pick([[{ name: 'c', type: 'category' }], [{ name: 'g', type: 'geo', precision: 4 }], [{ name: 'x' }]]),
      ],
    }),
  flattened: (rng) =>
    rng.options({
      depth_limit: [0.2, () => rng.pick([2, 0])],
      null_value: [0.1, () => 'n'],
      ignore_above: [0.1, () => 4],
      index_options: [0.1, () => 'freqs'],
    }),
  join: (rng) => ({ relations: rng.pick([{ q: 'a' }, { q: ['a', 'b'], a: 'v' }, {}, { q: 'q' }]) }),
  unknown_type: () => ({}),
}

const numeric = (rng) =>
  rng.options({
    coerce: [0.1, () => false],
    ignore_malformed: [0.1, () => true],
    null_value: [0.15, () => rng.pick([1, '2', 'x', 1.5])],
    store: [0.1, () => true],
    index: [0.1, () => false],
    doc_values: [0.1, () => false],
    script: [0.05, () => 'emit(1)'],
    on_script_error: [0.03, () => 'continue'],
    time_series_metric: [0.05, () => rng.pick(['gauge', 'counter', 'x'])],
  })

function definition(rng) {
  const type = rng.pick(Object.keys(TYPES))
  return {
    ...(type === 'object' && rng.chance(0.5) ? {} : { type }),
    ...TYPES[type](rng),
    ...rng.options({
      copy_to: [0.06, () => rng.pick(['two', ['one', 'three'], 'obj'])],
      meta: [0.06, () => rng.pick([{ unit: 'ms' }, { unit: 5 }])],
      fields: [0.08, () => ({ raw: { type: rng.pick(['keyword', 'text', 'nested', 'long']) } })],
      colour: [0.03, () => 'red'],
    }),
  }
}

const properties = (rng, low, high) =>
  Object.fromEntries(
    rng
      .sample(['one', 'two', 'three', 'obj', 'list', 'deep.er'], rng.int(low, high))
      .map((name) => [name, definition(rng)]),
  )

const mappings = (rng, low = 0) => ({
  ...rng.options({
    dynamic: [0.2, () => rng.pick([true, false, 'strict', 'runtime'])],
    date_detection: [0.1, () => false],
    numeric_detection: [0.1, () => true],
    dynamic_date_formats: [0.1, () => rng.pick([['yyyy/MM/dd'], ['bad [']])],
    dynamic_templates: [
      0.2,
      () => [
        {
          tpl: {
            ...rng.pick([
              { match_mapping_type: 'string' },
              { match: 'a*', unmatch: '*b' },
              { path_match: 'obj.*' },
              {},
            ]),
            mapping: rng.pick([{ type: 'keyword' }, { type: '{dynamic_type}' }, { type: 'nope' }, { runtime: {} }]),
          },
        },
      ],
    ],
    _source: [0.1, () => rng.pick([{ enabled: false }, { excludes: ['one'] }, { includes: ['t*'] }])],
    _routing: [0.05, () => ({ required: true })],
    _meta: [0.1, () => ({ by: 'x', list: [1, { a: null }] })],
    runtime: [
      0.1,
      () => ({ rt: rng.pick([{ type: 'long' }, { type: 'keyword', script: "emit('x')" }, { type: 'x' }, {}]) }),
    ],
  }),
  ...(rng.chance(0.9) || low > 0 ? { properties: properties(rng, low, 4) } : {}),
})

const DYNAMIC_SETTINGS = {
  number_of_replicas: [0, 1, -1, 'x', '0'],
  refresh_interval: ['1s', -1, '0', '5', '-2s', null],
  max_result_window: [100, 0, 20000],
  max_inner_result_window: [5],
  max_terms_count: [10, -1],
  max_regex_length: [50],
  max_docvalue_fields_search: [1, -1],
  max_script_fields: [0],
  'mapping.total_fields.limit': [20, 3, 'x'],
  'mapping.depth.limit': [2, 0],
  'mapping.nested_fields.limit': [1],
  'blocks.write': [true, 'false', 'maybe'],
  'blocks.read_only': [false],
  'query.default_field': ['one', ['one', 'two']],
  default_pipeline: ['_none', 'nope-pipeline'],
  priority: [5, -1],
  hidden: [true],
  'translog.durability': ['async', 'request', 'maybe'],
  'translog.flush_threshold_size': ['10mb', '1q'],
  'search.slowlog.threshold.query.warn': ['1s', '1q'],
  gc_deletes: ['30s', '-5s'],
  nonsense: [1],
  'merge.policy.max_merged_segment': ['1gb'],
  'highlight.max_analyzed_offset': [100, 0],
  'analyze.max_token_count': [2, 0],
}
const STATIC_SETTINGS = {
  number_of_shards: [1, 2, 0, 2000, 'x'],
  codec: ['best_compression', 'default', 'fast'],
  'sort.field': ['one', ['one', 'two']],
  'sort.order': ['desc', 'up'],
  number_of_routing_shards: [4, 3],
  routing_partition_size: [1, 2],
  'mapping.coerce': [false],
  'shard.check_on_startup': ['false', 'x'],
  'store.type': ['niofs', 'nope'],
  load_fixed_bitset_filters_eagerly: [false],
  'similarity.own.type': ['BM25', 'nope'],
  'analysis.analyzer.mine.tokenizer': ['standard', 'nope'],
  'analysis.filter.own.type': ['lowercase', 'nope'],
  creation_date: [5],
  uuid: ['x'],
  'version.created': [8000099],
}

function settings(rng, table, low, high) {
  const names = rng.sample(Object.keys(table), rng.int(low, high))
  return Object.fromEntries(names.map((name) => [rng.chance(0.6) ? name : `index.${name}`, rng.pick(table[name])]))
}

/**
 * With `reopen`, Elasticsearch compares static settings by the names as written with those of the index. It acknowledges names without
 * `index.` and changes nothing, not even what it rejects otherwise.
 */
const withPrefix = (update) =>
  Object.fromEntries(
    Object.entries(update).map(([name, value]) => [name.startsWith('index.') ? name : `index.${name}`, value]),
  )

const aliasBody = (rng) =>
  rng.options({
    filter: [0.3, () => rng.pick([{ term: { one: 'x' } }, { match_all: {} }, { nope: {} }])],
    routing: [0.2, () => rng.pick(['r', 5])],
    index_routing: [0.1, () => 'a'],
    search_routing: [0.1, () => 'a,b'],
    is_write_index: [0.2, () => rng.chance(0.5)],
    is_hidden: [0.1, () => true],
  })

const createBody = (rng) => ({
  settings: {
    ...SETTINGS,
    ...(rng.chance(0.4) ? settings(rng, { ...DYNAMIC_SETTINGS, ...STATIC_SETTINGS }, 1, 2) : {}),
  },
  ...rng.options({
    mappings: [0.7, () => mappings(rng)],
    aliases: [0.25, () => ({ [rng.pick(['ALIAS-one', 'ALIAS-two', 'ALIAS,three', 'ALIAS UP'])]: aliasBody(rng) })],
  }),
})

const SHOWN =
  'filter_path=-*.settings.index.uuid,-*.settings.index.creation_date,-*.settings.index.version,-*.settings.index.provided_name'
const NAMES = [
  'NAME',
  'NAME*',
  'NAME-alias',
  'NAME,NAME-none',
  'NAME-none',
  'NAME*,-NAME-two',
  '_all,-NAME',
  'NAME-alias*',
]
const CAT = 'format=json&s=index&h=index,status,health,pri,rep,docs.count,docs.deleted,shard,prirep,state'
const OPTIONS = {
  ignore_unavailable: [0.2, ['true', 'false']],
  allow_no_indices: [0.2, ['true', 'false']],
  expand_wildcards: [0.15, ['open', 'all', 'none', 'closed', 'hidden', 'maybe']],
}

/** NAME stands for the index of the case. */
const REQUESTS = [
  (rng) => call('PUT', '/NAME-two', maybeWrong(rng, MISTAKE, createBody(rng))),
  (rng) => call('PUT', '/NAME/_mapping', maybeWrong(rng, MISTAKE, mappings(rng, 1))),
  (rng) => call('PUT', '/NAME/_mapping', maybeWrong(rng, MISTAKE, mappings(rng, 1))),
  (rng) => {
    const options = parameters(rng, { preserve_existing: [0.2, ['true']], reopen: [0.1, ['true']] })
    const update = settings(rng, rng.chance(0.85) ? DYNAMIC_SETTINGS : STATIC_SETTINGS, 1, 2)
    return call(
      'PUT',
      `/${rng.pick(['NAME', 'NAME', 'NAME-two', 'NAME*'])}/_settings${options}`,
      maybeWrong(rng, 0.2, options.includes('reopen') ? withPrefix(update) : update),
    )
  },
  (rng) =>
    call(
      'POST',
      '/_aliases',
      maybeWrong(rng, MISTAKE, {
        actions: rng.times(rng.int(1, 3), () =>
          rng.pick([
            () => ({
              add: { index: rng.pick(['NAME', 'NAME*', 'NAME-none']), alias: 'NAME-alias', ...aliasBody(rng) },
            }),
            () => ({ add: { indices: ['NAME', 'NAME-two'], aliases: ['NAME-alias', 'NAME-alias2'] } }),
            () => ({
              remove: {
                index: 'NAME',
                alias: rng.pick(['NAME-alias', 'NAME-al*', 'NAME-none']),
                ...rng.options({ must_exist: [0.4, () => rng.chance(0.5)] }),
              },
            }),
            () => ({ remove_index: { index: rng.pick(['NAME-two', 'NAME-none']) } }),
          ])(),
        ),
      }),
    ),
  (rng) =>
    call(
      'PUT',
      `/NAME/_alias/${rng.pick(['NAME-alias', 'NAME', '_x', 'A%20b'])}`,
      maybeWrong(rng, 0.2, aliasBody(rng)),
    ),
  (rng) => call('DELETE', `/NAME/_alias/${rng.pick(['NAME-alias', '*', 'NAME-none', '_all'])}`),
  (rng) =>
    call(
      'GET',
      `/${rng.pick(NAMES)}/_alias${rng.pick(['', '/*', '/NAME-alias', '/NAME-none', '/NAME-*,-NAME-alias'])}`,
    ),
  (rng) => call('GET', `/${rng.pick(NAMES)}/_settings${parameters(rng, OPTIONS, SHOWN)}`),
  (rng) => call('GET', `/${rng.pick(NAMES)}/_mapping${parameters(rng, OPTIONS)}`),
  (rng) =>
    call(
      'GET',
      `/NAME/_mapping/field/${rng.pick(['one', 'o*', 'obj.*', 't*', 'none'])}${parameters(rng, { include_defaults: [0.2, ['true']] })}`,
    ),
  (rng) => call('GET', `/${rng.pick(NAMES)}/_count${parameters(rng, OPTIONS)}`),
  (rng) =>
    call(
      'POST',
      `/${rng.pick(NAMES)}/_search${parameters(rng, OPTIONS)}`,
      { size: 3 },
      { as: 'search', scores: false, unordered: true },
    ),
  (rng) =>
    call(
      'POST',
      `/${rng.pick(['NAME', 'NAME-two', 'NAME*', 'NAME-none'])}/${rng.pick(['_close', '_open', '_refresh', '_flush', '_forcemerge?max_num_segments=1', '_cache/clear'])}`,
    ),
  (rng) =>
    call('GET', `/_resolve/index/${rng.pick(NAMES)}${parameters(rng, { expand_wildcards: [0.3, ['all', 'closed']] })}`),
  (rng) =>
    call(
      'PUT',
      '/NAME/_doc/1?refresh=true',
      maybeWrong(rng, 0.2, {
        one: rng.pick([1, 'x', { k: 1 }]),
        two: rng.pick([null, [1, 2], '2024-01-01']),
        obj: { k: 'v' },
      }),
    ),
  (rng) =>
    call(
      'DELETE',
      `/${rng.pick(['NAME-two', 'NAME-none', 'NAME-two,NAME-none', 'NAME-alias'])}${parameters(rng, { ignore_unavailable: [0.3, ['true']] })}`,
    ),
  (rng) => call('HEAD', `/${rng.pick(NAMES)}${parameters(rng, OPTIONS)}`),
  (_rng) =>
    call(
      'GET',
      `/_cat/aliases/NAME*?h=alias,index,filter,routing.index,routing.search,is_write_index&format=json&s=alias,index`,
    ),
  (rng) => call('GET', `/_cat/${rng.pick(['indices', 'shards'])}/${rng.pick(['NAME', 'NAME*', 'NAME-none'])}?${CAT}`),
  (rng) =>
    call(
      'POST',
      `/NAME-alias/_rollover${rng.pick(['', '/NAME-two', '?dry_run=true'])}`,
      maybeWrong(
        rng,
        MISTAKE,
        rng.options({
          conditions: [
            0.7,
            () => rng.pick([{ max_docs: 1 }, { max_age: '1d', max_docs: 5 }, { min_docs: 1 }, { max_size: '1gb' }]),
          ],
          settings: [0.2, () => ({ number_of_replicas: 0 })],
          aliases: [0.1, () => ({ 'NAME-more': {} })],
        }),
      ),
    ),
]

export const fill = (value, name) =>
  JSON.parse(JSON.stringify(value).replaceAll('NAME', name).replaceAll('ALIAS', `${name}-alias`))

const DANGEROUS = /1e\+?20|100000000000000000000/

export const administration = {
  name: 'grammar-indices',
  casesPerWorld: 1,
  wish: null,
  makeCase(rng, _, name) {
    const world = plainWorld(name, { settings: SETTINGS, mappings: { properties: { uid: { type: 'keyword' } } } })
    const steps = [
      call('PUT', '/NAME-two', maybeWrong(rng, MISTAKE, createBody(rng))),
      call('GET', `/NAME-two?ignore_unavailable=true&${SHOWN}`),
      ...rng.times(rng.int(3, 8), () => rng.pick(REQUESTS)(rng)),
      call('GET', `/NAME*/_alias`),
      call('GET', `/NAME*/_mapping`),
    ].filter((step) => !DANGEROUS.test(JSON.stringify(step)))
    return {
      world,
      steps: [
        ...steps.map((step) => fill(step, name)),
        call('DELETE', `/${name}-*?expand_wildcards=all`, undefined, { always: true }),
      ],
    }
  },
}
