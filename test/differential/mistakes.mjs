/** Requests that write, each with a mistake in its body, its lines or its parameters. */
import { settleExplanations } from './explanations.mjs'
import { maybeWrong, mutate } from './mutations.mjs'
import { query } from './queries.mjs'
import { call, parameters, plainWorld, SETTINGS, settled } from './steps.mjs'
import { KEYS, makeWorld, WORDS } from './world.mjs'

const IDS = ['1', '2', '3', 'é 4']

const PROPERTIES = {
  n: { type: 'integer' },
  k: { type: 'keyword' },
  t: { type: 'text' },
  at: { type: 'date' },
  ip: { type: 'ip' },
  b: { type: 'boolean' },
  p: { type: 'geo_point' },
  r: { type: 'integer_range' },
  f: { type: 'flattened' },
  o: { type: 'nested', properties: { k: { type: 'keyword' } } },
  ob: { properties: { n: { type: 'long' } } },
  c: { type: 'completion' },
  bi: { type: 'binary' },
  off: { enabled: false },
  h: { type: 'half_float' },
  ul: { type: 'byte', coerce: false },
}

const ODD = [
  null,
  true,
  'x',
  '',
  5,
  -1.5,
  1e300,
  '12',
  ' 7 ',
  [],
  [null],
  [1, 'a'],
  {},
  { a: 1 },
  [[1], [2]],
  '2024-01-01',
  '10.0.0.1',
  '1,2',
  { lat: 1, lon: 2 },
  { gte: 1, lte: 3 },
  { gte: 5, lt: 2 },
  [0.5, 1],
  'YWJj',
  { input: ['x'], weight: 2 },
  [{ k: 'a' }, { k: 1 }],
  2 ** 53,
  '-0',
  'NaN',
]

const document = (rng) =>
  Object.fromEntries(
    rng
      .sample([...Object.keys(PROPERTIES), 'dyn', 'ob.n', 'o.k', 'a..b', ' '], rng.int(1, 3))
      .map((name) => [name, rng.pick(ODD)]),
  )

const good = (rng) =>
  rng.options({ n: [0.8, () => rng.int(0, 9)], k: [0.6, () => rng.pick(KEYS)], t: [0.4, () => rng.pick(WORDS)] })

const anyDocument = (rng) => (rng.chance(0.5) ? document(rng) : good(rng))

function bulkLines(rng) {
  return rng
    .times(rng.int(1, 5), () => {
      const action = rng.pick(['index', 'index', 'create', 'update', 'delete'])
      const head = {
        [action]: {
          _id: rng.pick(IDS),
          ...rng.options({
            _index: [0.1, () => rng.pick(['NAME', 'NAME-auto', 'UP', 'NAME-alias'])],
            routing: [0.1, () => rng.pick(['r', 5, null])],
            version: [0.06, () => rng.pick([3, -1, 'x'])],
            version_type: [0.06, () => rng.pick(['external', 'internal', 'x'])],
            if_seq_no: [0.05, () => rng.int(0, 3)],
            if_primary_term: [0.05, () => 1],
            retry_on_conflict: [0.04, () => 2],
            require_alias: [0.03, () => true],
            pipeline: [0.03, () => 'nope'],
            dynamic_templates: [0.03, () => ({ k: 'nope' })],
            _type: [0.02, () => 't'],
            list_executed_pipelines: [0.02, () => true],
          }),
        },
      }
      const line = rng.chance(0.12) ? mutate(rng, head) : head
      // A generated id could not be equal.
      const named = line[action]
      if (named !== null && typeof named === 'object' && !Array.isArray(named)) named._id ??= 'kept'
      if (action === 'delete') return [line]
      if (action !== 'update') return [line, anyDocument(rng)]
      return [
        line,
        maybeWrong(rng, 0.2, {
          ...rng.pick([{ doc: anyDocument(rng) }, { script: { source: "ctx._source.k = 'z'" } }, { doc: {} }]),
          ...rng.options({
            doc_as_upsert: [0.3, () => true],
            upsert: [0.2, () => good(rng)],
            _source: [0.1, () => true],
            detect_noop: [0.1, () => false],
          }),
        }),
      ]
    })
    .flat()
}

const WRITE = {
  refresh: [0.2, ['true', 'false', 'wait_for', 'maybe']],
  routing: [0.08, ['r']],
  timeout: [0.05, ['1m', '1q']],
  version: [0.06, ['3', '-1', 'x']],
  version_type: [0.06, ['external', 'external_gte', 'internal', 'x']],
  if_seq_no: [0.05, ['0', '-1', 'x']],
  if_primary_term: [0.05, ['1', '0']],
  op_type: [0.05, ['create', 'index', 'x']],
  require_alias: [0.03, ['true']],
  pipeline: [0.04, ['_none', 'nope']],
  wait_for_active_shards: [0.04, ['1', 'all', 'x']],
  nonsense: [0.02, ['1']],
}
const BY_QUERY = {
  conflicts: [0.3, ['proceed', 'abort', 'x']],
  scroll_size: [0.15, ['1', '0', '100000', 'x']],
  slices: [0.15, ['1', '2', 'auto', '0', 'x']],
  max_docs: [0.15, ['1', '0', '-1', 'x']],
  requests_per_second: [0.1, ['-1', '0', '1000', 'x']],
  q: [0.1, ['k:a', '(', 'n:>3']],
  refresh: [0.2, ['true', 'wait_for']],
  pipeline: [0.05, ['nope']],
  routing: [0.05, ['r']],
  terminate_after: [0.03, ['1']],
  from: [0.03, ['1']],
  size: [0.03, ['1']],
  nonsense: [0.02, ['1']],
}
const SCRIPT = (rng) =>
  rng.pick([
    { source: 'ctx._source.n = 1' },
    { source: "ctx.op = 'noop'" },
    { source: "ctx.op = 'x'" },
    { source: 'ctx._id = "z"' },
    { source: 'nope(' },
    { id: 'nope' },
    { source: 'ctx._source.z = params.q', params: { q: [1] } },
    { source: 'x', lang: 'nope' },
  ])

/** How long an operation pauses depends on the speed of the machine. */
const UNTIMED = 'filter_path=-throttled_millis,-slices.throttled_millis'

/**
 * The options without `max_docs` for a script that skips documents: Elasticsearch opens no scroll for a single page and then fails with
 * status 500 (`Scroll.keepAlive()` of null) when it needs a second one, because skipped documents do not count.
 */
function maxDocs({ script }, options) {
  if (script?.source?.includes('noop') !== true) return options
  const { max_docs: _, ...rest } = options
  return rest
}

const QUERIES = [{ match_all: {} }, { term: { k: 'a' } }, { range: { n: { gte: 4 } } }, { ids: { values: ['1', '2'] } }]

const WRITES = [
  (rng) => call('PUT', `/NAME/_doc/${encodeURIComponent(rng.pick(IDS))}${parameters(rng, WRITE)}`, anyDocument(rng)),
  (rng) => call('PUT', `/NAME/_doc/${encodeURIComponent(rng.pick(IDS))}`, document(rng)),
  (rng) =>
    call(
      'POST',
      `/NAME/_update/${encodeURIComponent(rng.pick(IDS))}${parameters(rng, { ...WRITE, op_type: [0, []], pipeline: [0, []], _source: [0.1, ['true', 'k']], retry_on_conflict: [0.1, ['2', 'x']] })}`,
      maybeWrong(rng, 0.4, {
        ...rng.pick([{ doc: anyDocument(rng) }, { script: SCRIPT(rng) }]),
        ...rng.options({
          upsert: [0.3, () => good(rng)],
          doc_as_upsert: [0.2, () => true],
          scripted_upsert: [0.1, () => true],
          _source: [0.2, () => rng.pick([true, ['k'], { excludes: ['n'] }])],
        }),
      }),
    ),
  (rng) =>
    call(
      'POST',
      `/NAME/_bulk${parameters(rng, { refresh: [0.3, ['true']], routing: [0.05, ['r']], pipeline: [0.05, ['nope']], require_alias: [0.05, ['true']], _source: [0.1, ['true']], nonsense: [0.02, ['1']] })}`,
      undefined,
      { ndjson: bulkLines(rng) },
    ),
  (rng) => call('POST', `/NAME/_bulk`, undefined, { ndjson: bulkLines(rng) }),
  (rng) => {
    const script = rng.options({ script: [0.6, () => SCRIPT(rng)] })
    return call(
      'POST',
      `/NAME/_update_by_query${parameters(rng, maxDocs(script, BY_QUERY), UNTIMED)}`,
      maybeWrong(rng, 0.4, {
        query: rng.pick(QUERIES),
        ...script,
        ...rng.options({
          ...maxDocs(script, { max_docs: [0.1, () => 2] }),
          slice: [0.1, () => ({ id: 0, max: 2 })],
          conflicts: [0.1, () => 'proceed'],
          sort: [0.05, () => ['n']],
        }),
      }),
      { hides: ['took'] },
    )
  },
  (rng) =>
    call(
      'POST',
      `/NAME/_delete_by_query${parameters(rng, BY_QUERY, UNTIMED)}`,
      maybeWrong(rng, 0.4, {
        query: rng.pick(QUERIES),
        ...rng.options({ max_docs: [0.1, () => 2], slice: [0.1, () => ({ id: 1, max: 2 })] }),
      }),
      { hides: ['took'] },
    ),
  (rng) => {
    const script = rng.options({ script: [0.3, () => SCRIPT(rng)] })
    return call(
      'POST',
      `/_reindex${parameters(rng, maxDocs(script, { refresh: [0.3, ['true', 'x']], slices: [0.1, ['2', '0']], max_docs: [0.1, ['1', 'x']], requests_per_second: [0.05, ['0']], require_alias: [0.05, ['true']], nonsense: [0.02, ['1']] }), UNTIMED)}`,
      maybeWrong(rng, 0.5, {
        source: {
          index: 'NAME',
          query: rng.pick(QUERIES),
          ...rng.options({
            size: [0.2, () => rng.pick([1, 0])],
            _source: [0.2, () => rng.pick([['n'], false, { excludes: ['n'] }])],
            slice: [0.1, () => ({ id: 0, max: 2 })],
            sort: [0.1, () => ({ n: 'desc' })],
          }),
        },
        dest: {
          index: rng.pick(['NAME-copy', 'NAME-copy', 'NAME', 'UP', 'NAME-auto']),
          ...rng.options({
            op_type: [0.2, () => 'create'],
            version_type: [0.2, () => rng.pick(['external', 'x'])],
            routing: [0.2, () => rng.pick(['keep', 'discard', '=r', 'x'])],
            pipeline: [0.05, () => 'nope'],
          }),
        },
        ...script,
        ...rng.options({
          conflicts: [0.3, () => rng.pick(['proceed', 'x'])],
          ...maxDocs(script, { max_docs: [0.1, () => 1] }),
        }),
      }),
      { hides: ['took'] },
    )
  },
  (rng) =>
    call(
      'DELETE',
      `/NAME/_doc/${encodeURIComponent(rng.pick(IDS))}${parameters(rng, { ...WRITE, op_type: [0, []], pipeline: [0, []], require_alias: [0, []] })}`,
    ),
  (rng) =>
    call(
      'POST',
      `/NAME/_mget${parameters(rng, { _source: [0.1, ['false', 'k']], stored_fields: [0.1, ['k', '_none_']], realtime: [0.1, ['false']], routing: [0.05, ['r']] })}`,
      maybeWrong(
        rng,
        0.4,
        rng.pick([
          { ids: IDS },
          {
            docs: IDS.slice(0, 2).map((_id) => ({
              _id,
              ...rng.options({
                _source: [0.3, () => rng.pick([false, ['n'], { includes: ['k'] }])],
                routing: [0.1, () => 'r'],
                stored_fields: [0.1, () => ['k']],
                version: [0.1, () => 1],
                _index: [0.2, () => rng.pick(['NAME', 'NAME-none'])],
              }),
            })),
          },
        ]),
      ),
    ),
  (rng) =>
    call(
      'GET',
      `/NAME/${rng.pick(['_doc', '_source'])}/${encodeURIComponent(rng.pick(IDS))}${parameters(rng, { _source: [0.2, ['k', 'false']], _source_includes: [0.1, ['n']], realtime: [0.1, ['false']], refresh: [0.1, ['true']], version: [0.1, ['1', '9']], version_type: [0.05, ['external']], stored_fields: [0.1, ['k']], nonsense: [0.03, ['1']] })}`,
    ),
  (_rng) => call('POST', '/NAME/_refresh'),
]

export const writeMistakes = {
  name: 'grammar-write-mistakes',
  casesPerWorld: 1,
  wish: null,
  makeCase(rng, _, name) {
    const dynamic = rng.pick([true, true, false, 'strict', 'runtime'])
    const body = { settings: SETTINGS, mappings: { dynamic, properties: PROPERTIES } }
    const world = plainWorld(name, body)
    world.indices.push({
      name: `${name}-copy`,
      body: { settings: SETTINGS, mappings: { properties: PROPERTIES } },
      batches: [],
    })
    const steps = [
      call('POST', '/NAME/_bulk?refresh=true', undefined, {
        ndjson: IDS.flatMap((_id) => [{ index: { _id } }, good(rng)]),
      }),
      ...rng.times(rng.int(3, 7), () => rng.pick(WRITES)(rng)),
      call('POST', '/NAME*/_refresh'),
      call(
        'POST',
        '/NAME*/_search',
        { size: 50, version: true, fields: ['*'] },
        { as: 'search', scores: false, unordered: true },
      ),
      call('GET', '/NAME*/_mapping'),
    ]
    return {
      world,
      steps: [
        ...steps.map((step) => JSON.parse(JSON.stringify(step).replaceAll('NAME', name))),
        call('DELETE', `/${name}-auto?ignore_unavailable=true`, undefined, { always: true }),
      ],
    }
  },
}

// --- reading requests other than _search, with mistakes ---

/** A header without an index searches everything that the servers have, which differs. */
const ofIndex = (target, header) =>
  header.index === undefined || header.index === null || header.index.length === 0
    ? { ...header, index: target }
    : header

const READS = [
  (rng, t) =>
    call(
      'POST',
      `/${t}/_count${parameters(rng, { q: [0.1, ['k:a', '(']], min_score: [0.1, ['0.5', 'x']], terminate_after: [0.1, ['5', '-1']], df: [0.1, ['t']], nonsense: [0.03, ['1']] })}`,
      maybeWrong(rng, 0.6, { query: query(rng, 1) }),
    ),
  (rng, t) =>
    settled(
      call(
        'POST',
        `/${t}/_validate/query${parameters(rng, { explain: [0.5, ['true']], all_shards: [0.2, ['true']], q: [0.1, ['t:(']] })}`,
        maybeWrong(rng, 0.6, { query: query(rng, 0) }),
      ),
      settleExplanations,
    ),
  (rng, t) =>
    call(
      'POST',
      `/${t}/_terms_enum`,
      maybeWrong(rng, 0.7, {
        field: rng.pick(['k', 'missing', 't', 'o.k']),
        string: 'a',
        size: 3,
        index_filter: { term: { k: 'a' } },
        search_after: 'a',
        timeout: '1s',
        case_insensitive: true,
      }),
    ),
  (rng, t) =>
    call(
      'POST',
      `/${t}/_analyze`,
      maybeWrong(
        rng,
        0.7,
        rng.pick([
          { analyzer: 'standard', text: 'a b' },
          {
            tokenizer: 'standard',
            filter: ['lowercase', { type: 'stop', stopwords: ['a'] }],
            char_filter: [{ type: 'mapping', mappings: ['a => b'] }],
            text: ['A b'],
            explain: true,
            attributes: ['keyword'],
          },
          { field: 't', text: 'x' },
          { normalizer: 'lowercase', text: 'X' },
        ]),
      ),
    ),
  (rng, t) =>
    call(
      'POST',
      `/${t}/_field_caps${parameters(rng, { fields: [0.6, ['*', 'k']], filters: [0.2, ['-metadata', '+x', '-nested']], types: [0.2, ['keyword']], include_unmapped: [0.2, ['true']] }, 'filter_path=fields.k,fields.o*,indices,error,status')}`,
      maybeWrong(
        rng,
        0.6,
        rng.options({
          fields: [0.5, () => ['k', 'o.*']],
          index_filter: [0.4, () => ({ range: { n: { gte: 3 } } })],
          runtime_mappings: [0.2, () => ({ k: { type: 'long' } })],
        }),
      ),
    ),
  (rng, t) =>
    call(
      'POST',
      `/_mget`,
      maybeWrong(rng, 0.7, {
        docs: [
          { _index: t, _id: 'd1', _source: ['k'] },
          { _index: t, _id: 'd2', stored_fields: ['k'], routing: 'x' },
        ],
      }),
    ),
  (rng, t) =>
    call(
      'POST',
      `/${t}/_termvectors/d1`,
      maybeWrong(rng, 0.7, {
        fields: ['t'],
        offsets: true,
        payloads: false,
        positions: true,
        term_statistics: true,
        field_statistics: false,
        filter: { max_num_terms: 3, min_term_freq: 1, min_doc_freq: 1 },
        per_field_analyzer: { t: 'whitespace' },
      }),
      { hides: ['took'] },
    ),
  (rng, t) =>
    call(
      'POST',
      `/${t}/_mtermvectors`,
      maybeWrong(
        rng,
        0.7,
        rng.pick([
          { ids: ['d1', 'd2'], parameters: { fields: ['u'], offsets: false } },
          {
            docs: [
              { _id: 'd1', fields: ['t'] },
              { _id: 'd2', fields: ['u'], offsets: false },
            ],
          },
        ]),
      ),
    ),
  (rng, t) =>
    settled(
      call('POST', `/${t}/_explain/d${rng.int(0, 5)}`, maybeWrong(rng, 0.7, { query: query(rng, 0) })),
      settleExplanations,
    ),
  (rng, t) =>
    call('POST', '/_msearch', undefined, {
      as: 'msearch',
      ndjson: rng
        .times(rng.int(1, 3), () => [
          ofIndex(
            t,
            maybeWrong(rng, 0.3, {
              index: t,
              ...rng.options({
                preference: [0.2, () => '_local'],
                search_type: [0.2, () => 'query_then_fetch'],
                ignore_unavailable: [0.2, () => true],
                routing: [0.1, () => 'x'],
              }),
            }),
          ),
          maybeWrong(rng, 0.3, { query: query(rng, 0), size: 3, sort: ['uid'] }),
        ])
        .flat(),
    }),
  (rng, t) =>
    call(
      'GET',
      `/${t}/_search${parameters(rng, { q: [0.5, ['t:fox', 'k:(a', 'n:>x', '*:*']], df: [0.2, ['t', 'missing']], size: [0.3, ['3', '-1', 'x']], from: [0.2, ['1', '-1']], sort: [0.3, ['uid', 'uid:desc', 'n:x', 'missing', '_score,uid']], _source: [0.2, ['k', 'false']], stored_fields: [0.1, ['k', '_none_']], docvalue_fields: [0.1, ['n,k', 'missing', 't']], track_total_hits: [0.2, ['true', 'false', '3', 'x']], rest_total_hits_as_int: [0.15, ['true']], typed_keys: [0.1, ['true']], version: [0.1, ['true']], seq_no_primary_term: [0.1, ['true']], terminate_after: [0.05, ['-1']], timeout: [0.1, ['1s', '1q']], search_type: [0.1, ['dfs_query_then_fetch', 'count']], request_cache: [0.1, ['true', 'x']], preference: [0.1, ['_local', '_nope', 'abc']], batched_reduce_size: [0.1, ['1', '5']], max_concurrent_shard_requests: [0.05, ['0', '3']], pre_filter_shard_size: [0.05, ['0', '1']], scroll: [0.05, ['1x', '2d']], analyzer: [0.05, ['simple']], lenient: [0.1, ['true']], default_operator: [0.1, ['and', 'x']], suggest_field: [0.05, ['t']], nonsense: [0.03, ['1']] })}`,
      undefined,
      { as: 'search' },
    ),
]

const DANGEROUS = /"script"|1e\+?20|100000000000000000000|_script"/

export const readMistakes = {
  name: 'grammar-read-mistakes',
  casesPerWorld: 40,
  makeWorld,
  makeCase(rng, world) {
    for (;;) {
      const step = rng.pick(READS)(rng, world.target)
      if (!DANGEROUS.test(JSON.stringify(step))) return { steps: [step] }
    }
  },
}
