/** Random requests: every family of routes, with bodies and parameters of its grammar. */
import type { SentRequest } from '../hostile/watched-service.ts'
import { anyAggregations } from './aggregation-grammar.ts'
import { anyQuery } from './query-grammar.ts'
import type { Random } from './random.ts'
import {
  anyBoolean,
  anyDocument,
  anyField,
  anyId,
  anyIndex,
  anyNumber,
  anyPoint,
  anyScalar,
  anyText,
  anyValue,
  anyWord,
  encoded,
  INDICES,
  MAPPING,
} from './values.ts'

type Make = (random: Random) => unknown
type MakeRequest = (random: Random) => SentRequest

const some = (random: Random, options: Readonly<Record<string, Make>>, probability = 0.2): Record<string, unknown> => {
  const chosen: Record<string, unknown> = {}
  for (const [name, make] of Object.entries(options)) if (random.chance(probability)) chosen[name] = make(random)
  return chosen
}

const path = (...parts: readonly string[]) => `/${parts.map((part) => encoded(part).replaceAll('%2C', ',')).join('/')}`

function withParameters(random: Random, base: string, options: Readonly<Record<string, Make>>): string {
  const chosen = Object.entries(some(random, { ...options, ...COMMON_PARAMETERS }, 0.12))
  if (chosen.length === 0) return base
  const text = chosen.map(([name, value]) => `${name}=${encoded(String(value))}`)
  return `${base}?${text.join('&')}`
}

const COMMON_PARAMETERS: Readonly<Record<string, Make>> = {
  pretty: anyBoolean,
  human: anyBoolean,
  filter_path: (r) => r.pick(['hits.hits._id', '-_shards', '**.x', 'a*', '*', '']),
  error_trace: anyBoolean,
  format: (r) => r.pick(['json', 'yaml', 'cbor', 'x']),
  unknown_parameter: anyText,
}
const INDICES_PARAMETERS: Readonly<Record<string, Make>> = {
  ignore_unavailable: anyBoolean,
  allow_no_indices: anyBoolean,
  expand_wildcards: (r) => r.pick(['open', 'closed', 'all', 'none', 'x']),
}
const refresh: Make = (r) => r.pick(['true', 'false', '', 'x'])
const WRITE_PARAMETERS: Readonly<Record<string, Make>> = {
  refresh,
  routing: anyText,
  version: anyNumber,
  version_type: (r) => r.pick(['internal', 'external', 'external_gte', 'x']),
  if_seq_no: anyNumber,
  if_primary_term: anyNumber,
  op_type: (r) => r.pick(['index', 'create', 'x']),
  require_alias: anyBoolean,
  pipeline: (r) => r.pick(['_none', 'missing']),
}
const SEARCH_PARAMETERS: Readonly<Record<string, Make>> = {
  ...INDICES_PARAMETERS,
  q: anyText,
  size: (r) => r.below(20),
  from: (r) => r.below(5),
  sort: (r) => `${anyField(r)}:${r.pick(['asc', 'desc', 'x'])}`,
  search_type: (r) => r.pick(['query_then_fetch', 'dfs_query_then_fetch', 'x']),
  routing: anyText,
  preference: anyText,
  request_cache: anyBoolean,
  typed_keys: anyBoolean,
  track_total_hits: (r) => r.pick([true, false, 3, 'x']),
  rest_total_hits_as_int: anyBoolean,
  terminate_after: anyNumber,
  scroll: () => '1s',
  batched_reduce_size: anyNumber,
  _source: (r) => r.pick(['true', 'false', 'k,l', '*']),
  stored_fields: anyField,
  default_operator: (r) => r.pick(['AND', 'OR', 'x']),
}

const anySort: Make = (random) =>
  random.pick<Make>([
    (r) => [
      {
        [anyField(r)]: {
          order: r.pick(['asc', 'desc', 'x']),
          ...some(r, {
            missing: (q) => q.pick(['_first', '_last', anyScalar(q)]),
            mode: (q) => q.pick(['min', 'max', 'avg', 'sum', 'median', 'x']),
            unmapped_type: (q) => q.pick(['long', 'keyword', 'x']),
            format: anyText,
            numeric_type: (q) => q.pick(['long', 'double', 'date_nanos', 'x']),
            nested: () => ({ path: 'n', filter: anyQuery(r, 1) }),
          }),
        },
      },
    ],
    (r) => [anyField(r), '_score'],
    (r) => ({ _geo_distance: { g: anyPoint(r), order: 'asc', unit: r.pick(['km', 'x']), mode: 'min' } }),
    (_r) => [{ l: 'asc' }, { _doc: 'desc' }],
    anyScalar,
  ])(random)

const anyHighlight: Make = (random) => ({
  fields: random.chance(0.8)
    ? {
        [anyField(random)]: {},
        t: some(random, {
          type: (r) => r.pick(['unified', 'plain', 'fvh', 'x']),
          fragment_size: anyNumber,
          number_of_fragments: (r) => r.below(5),
          highlight_query: () => anyQuery(random, 1),
        }),
      }
    : anyScalar(random),
  ...some(random, {
    pre_tags: (r) => [anyText(r)],
    post_tags: (r) => [anyText(r)],
    require_field_match: anyBoolean,
    encoder: (r) => r.pick(['html', 'default', 'x']),
    order: (r) => r.pick(['score', 'x']),
    boundary_scanner: (r) => r.pick(['sentence', 'word', 'chars']),
    no_match_size: anyNumber,
    max_analyzed_offset: anyNumber,
  }),
})

const anySuggest: Make = (random) => ({
  s: random.pick<unknown>([
    {
      text: anyText(random),
      term: {
        field: anyField(random),
        ...some(random, {
          size: anyNumber,
          suggest_mode: (r) => r.pick(['always', 'popular', 'x']),
          max_edits: anyNumber,
          min_word_length: anyNumber,
          prefix_length: anyNumber,
          sort: () => 'frequency',
          string_distance: (r) => r.pick(['internal', 'ngram', 'jaro_winkler', 'x']),
        }),
      },
    },
    {
      text: anyText(random),
      phrase: {
        field: anyField(random),
        ...some(random, {
          gram_size: (r) => r.below(5),
          confidence: anyNumber,
          max_errors: anyNumber,
          separator: anyText,
          highlight: () => ({ pre_tag: '<', post_tag: '>' }),
          collate: () => ({ query: { source: '{"match":{"t":"{{suggestion}}"}}' } }),
        }),
      },
    },
    {
      prefix: anyText(random),
      completion: {
        field: random.pick(['c', anyField(random)]),
        ...some(random, { size: anyNumber, skip_duplicates: anyBoolean, fuzzy: () => ({ fuzziness: 1 }) }),
      },
    },
    { regex: anyText(random), completion: { field: 'c' } },
    anyScalar(random),
  ]),
})

export const anySearchBody = (random: Random): Record<string, unknown> =>
  some(
    random,
    {
      query: () => anyQuery(random),
      aggs: () => anyAggregations(random),
      sort: anySort,
      size: (r) => r.pick([0, 1, 5, 20, anyNumber(r)]),
      from: (r) => r.pick([0, 1, 3, anyNumber(r)]),
      _source: (r) =>
        r.pick<unknown>([true, false, 'k', ['k', 'o.*'], { includes: ['*'], excludes: ['n'] }, anyScalar(r)]),
      fields: (r) => r.list(3, () => (r.chance(0.7) ? anyField(r) : { field: anyField(r), format: anyText(r) })),
      docvalue_fields: (r) => r.list(3, () => anyField(r)),
      stored_fields: (r) => r.list(2, () => anyField(r)),
      highlight: anyHighlight,
      suggest: anySuggest,
      post_filter: () => anyQuery(random, 1),
      rescore: (r) => ({
        window_size: r.below(20),
        query: {
          rescore_query: anyQuery(r, 1),
          ...some(r, { query_weight: anyNumber, rescore_query_weight: anyNumber, score_mode: () => 'max' }),
        },
      }),
      collapse: (r) => ({ field: anyField(r), ...some(r, { inner_hits: () => ({ name: 'i', size: 2 }) }) }),
      search_after: (r) => r.list(2, () => anyScalar(r)),
      track_total_hits: (r) => r.pick([true, false, 2, anyNumber(r)]),
      track_scores: anyBoolean,
      min_score: anyNumber,
      explain: anyBoolean,
      version: anyBoolean,
      seq_no_primary_term: anyBoolean,
      profile: anyBoolean,
      indices_boost: (r) => [{ [anyIndex(r)]: anyNumber(r) }],
      slice: (r) => ({ id: r.below(3), max: r.below(4) }),
      terminate_after: anyNumber,
      runtime_mappings: (r) => ({ [anyField(r)]: { type: r.pick(['keyword', 'long', 'x']) } }),
      script_fields: () => ({ x: { script: 'doc["l"].value' } }),
      timeout: () => '5s',
      [random.pick(['unknown', 'ext', 'knn', 'pit'])]: anyValue,
    },
    0.1,
  )

const FIELD_TYPES = [
  'text',
  'keyword',
  'long',
  'integer',
  'double',
  'float',
  'half_float',
  'scaled_float',
  'date',
  'date_nanos',
  'boolean',
  'ip',
  'geo_point',
  'nested',
  'object',
  'flattened',
  'binary',
  'integer_range',
  'completion',
  'search_as_you_type',
  'alias',
  'version',
  'unsigned_long',
  'constant_keyword',
  'wildcard',
  'token_count',
  'match_only_text',
  'geo_shape',
  'x',
]
const anyMapping: Make = (random) =>
  random.chance(0.4)
    ? MAPPING
    : {
        ...some(random, {
          dynamic: (r) => r.pick(['strict', 'true', 'false', 'runtime', 'x', 1]),
          date_detection: anyBoolean,
          numeric_detection: anyBoolean,
          _source: () => ({ enabled: anyBoolean(random) }),
          _routing: () => ({ required: anyBoolean(random) }),
          dynamic_templates: (r) => [
            {
              x: {
                match_mapping_type: r.pick(['string', 'long', '*', 'x']),
                match: anyText(r),
                mapping: { type: r.pick(FIELD_TYPES) },
              },
            },
          ],
          _meta: anyValue,
          unknown: anyValue,
        }),
        properties: Object.fromEntries(
          random.list(6, () => [
            anyField(random),
            {
              type: random.pick(FIELD_TYPES),
              ...some(
                random,
                {
                  index: anyBoolean,
                  doc_values: anyBoolean,
                  store: anyBoolean,
                  null_value: anyScalar,
                  ignore_above: anyNumber,
                  analyzer: (r) => r.pick(['standard', 'english', 'x']),
                  normalizer: () => 'lowercase',
                  format: anyText,
                  scaling_factor: anyNumber,
                  copy_to: anyField,
                  fields: () => ({ raw: { type: 'keyword' } }),
                  properties: () => ({ k: { type: 'keyword' } }),
                  path: anyField,
                  coerce: anyBoolean,
                  ignore_malformed: anyBoolean,
                  eager_global_ordinals: anyBoolean,
                  value: anyScalar,
                  similarity: (r) => r.pick(['BM25', 'boolean', 'x']),
                  term_vector: (r) => r.pick(['yes', 'with_positions_offsets', 'x']),
                  unknown: anyValue,
                },
                0.08,
              ),
            },
          ]),
        ),
      }

const anyPattern: Make = (r) =>
  r.pick(['\\W+', ',', '(a+)+$', '([A-Z]|[a-z]+)', '(?<=a)b', '[^,]+', '(a|aa)+\\1', anyText(r)])
export const anyAnalysis: Make = (random) => ({
  ...some(
    random,
    {
      tokenizer: () => ({
        x: {
          type: random.pick([
            'pattern',
            'ngram',
            'edge_ngram',
            'char_group',
            'path_hierarchy',
            'simple_pattern',
            'standard',
            'x',
          ]),
          ...some(random, {
            pattern: anyPattern,
            min_gram: (r) => r.below(4),
            max_gram: (r) => r.below(6),
            flags: () => 'CASE_INSENSITIVE|x',
            group: (r) => r.below(3),
            max_token_length: anyNumber,
          }),
        },
      }),
      filter: () => ({ x: anyFilter(random) }),
      char_filter: () => ({ x: anyCharFilter(random) }),
      analyzer: () => ({
        x: {
          type: random.pick(['custom', 'pattern', 'standard', 'stop', 'fingerprint', 'x']),
          tokenizer: random.pick(['standard', 'x', 'keyword']),
          ...some(random, {
            filter: () => ['lowercase', 'x'],
            char_filter: () => ['html_strip'],
            pattern: anyPattern,
            stopwords: () => '_english_',
          }),
        },
      }),
    },
    0.5,
  ),
})
const anyFilter: Make = (random) => ({
  type: random.pick([
    'lowercase',
    'stop',
    'synonym',
    'synonym_graph',
    'pattern_replace',
    'pattern_capture',
    'ngram',
    'edge_ngram',
    'shingle',
    'word_delimiter_graph',
    'word_delimiter',
    'stemmer',
    'length',
    'truncate',
    'unique',
    'keep',
    'keep_types',
    'asciifolding',
    'elision',
    'multiplexer',
    'condition',
    'dictionary_decompounder',
    'min_hash',
    'fingerprint',
    'limit',
    'keyword_marker',
    'common_grams',
    'delimited_payload',
    'cjk_bigram',
    'reverse',
    'trim',
    'phonetic',
    'x',
  ]),
  ...some(
    random,
    {
      pattern: anyPattern,
      patterns: (r) => [anyPattern(r)],
      replacement: anyText,
      synonyms: (r) => r.list(3, () => `${anyText(r)},${anyText(r)}`),
      min_gram: (r) => r.below(4),
      max_gram: (r) => r.below(6),
      min_shingle_size: (r) => r.below(4),
      max_shingle_size: (r) => r.below(5),
      max_token_count: anyNumber,
      min: anyNumber,
      max: anyNumber,
      length: anyNumber,
      language: (r) => r.pick(['english', 'x']),
      stopwords: (r) => r.list(3, () => anyWord(r)),
      keep_words: (r) => r.list(2, () => anyWord(r)),
      types: () => ['<NUM>'],
      filters: () => ['lowercase'],
      word_list: (r) => r.list(3, () => anyWord(r)),
      keywords_pattern: anyPattern,
      common_words: () => ['the'],
      articles: () => ['l'],
      preserve_original: anyBoolean,
    },
    0.3,
  ),
})
const anyCharFilter: Make = (random) => ({
  type: random.pick(['html_strip', 'mapping', 'pattern_replace', 'x']),
  ...some(
    random,
    {
      mappings: (r) => r.list(3, () => `${anyText(r)} => ${anyText(r)}`),
      pattern: anyPattern,
      replacement: anyText,
      flags: () => 'MULTILINE',
      escaped_tags: () => ['b'],
    },
    0.5,
  ),
})

const anySettings: Make = (random) =>
  some(random, {
    number_of_shards: (r) => r.pick([1, 2, 3, 0, 'x']),
    number_of_replicas: (r) => r.pick([0, 1, -1]),
    refresh_interval: (r) => r.pick(['1s', '-1', 'x']),
    max_result_window: anyNumber,
    'index.sort.field': anyField,
    'index.mapping.total_fields.limit': anyNumber,
    hidden: anyBoolean,
    blocks: () => ({ write: anyBoolean(random) }),
    analysis: anyAnalysis,
    'index.codec': () => 'best_compression',
    unknown: anyScalar,
    max_ngram_diff: (r) => r.below(10),
  })
const anyAlias: Make = (random) =>
  some(random, {
    filter: () => anyQuery(random, 1),
    routing: anyText,
    index_routing: anyText,
    is_write_index: anyBoolean,
    is_hidden: anyBoolean,
    unknown: anyScalar,
  })

const json = (method: string, target: string, body: unknown): SentRequest => ({
  method,
  path: target,
  body: JSON.stringify(body),
})
const bare = (method: string, target: string): SentRequest => ({ method, path: target })

const anyBulk: Make = (random) => {
  const lines: string[] = []
  for (let i = random.below(8); i >= 0; i--) {
    const action = random.pick(['index', 'index', 'create', 'update', 'delete', 'x'])
    lines.push(
      JSON.stringify({
        [action]: {
          ...some(
            random,
            {
              _index: anyIndex,
              _id: anyId,
              routing: anyText,
              if_seq_no: anyNumber,
              version: anyNumber,
              dynamic_templates: anyValue,
              unknown: anyScalar,
            },
            0.6,
          ),
        },
      }),
    )
    if (action === 'update')
      lines.push(
        JSON.stringify(
          some(
            random,
            {
              doc: anyDocument,
              upsert: anyDocument,
              doc_as_upsert: anyBoolean,
              detect_noop: anyBoolean,
              script: () => 'ctx._source.x = 1',
            },
            0.6,
          ),
        ),
      )
    else if (action !== 'delete') lines.push(JSON.stringify(anyDocument(random)))
  }
  return `${lines.join('\n')}${random.chance(0.95) ? '\n' : ''}`
}

const anyMultiSearch: Make = (random) =>
  random
    .list(
      4,
      () =>
        `${JSON.stringify(some(random, { index: anyIndex, search_type: () => 'dfs_query_then_fetch', preference: anyText, ...INDICES_PARAMETERS }))}\n${JSON.stringify(anySearchBody(random))}\n`,
    )
    .join('')

const FAMILIES: readonly (readonly [weight: number, make: MakeRequest])[] = [
  [
    40,
    (r) =>
      json(
        'POST',
        withParameters(r, r.chance(0.9) ? path(anyIndex(r), '_search') : '/_search', SEARCH_PARAMETERS),
        anySearchBody(r),
      ),
  ],
  [3, (r) => bare('GET', withParameters(r, path(anyIndex(r), '_search'), SEARCH_PARAMETERS))],
  [
    3,
    (r) => ({
      method: 'POST',
      path: withParameters(r, r.pick(['/_msearch', path(anyIndex(r), '_msearch')]), SEARCH_PARAMETERS),
      body: anyMultiSearch(r) as string,
    }),
  ],
  [
    3,
    (r) =>
      json(
        'POST',
        withParameters(r, path(anyIndex(r), '_count'), SEARCH_PARAMETERS),
        some(r, { query: () => anyQuery(r) }, 0.9),
      ),
  ],
  [
    3,
    (r) =>
      json(
        'POST',
        withParameters(r, path(anyIndex(r), '_validate', 'query'), {
          explain: anyBoolean,
          rewrite: anyBoolean,
          all_shards: anyBoolean,
        }),
        { query: anyQuery(r) },
      ),
  ],
  [
    2,
    (r) =>
      json(
        'POST',
        withParameters(r, path(anyIndex(r), '_explain', anyId(r)), { _source: anyBoolean, routing: anyText }),
        { query: anyQuery(r) },
      ),
  ],
  [
    2,
    (r) =>
      json(
        'POST',
        withParameters(r, path(anyIndex(r), '_field_caps'), {
          fields: anyField,
          include_unmapped: anyBoolean,
          filters: anyText,
          types: anyText,
        }),
        some(r, { fields: (q) => [anyField(q)], index_filter: () => anyQuery(r, 1) }),
      ),
  ],
  [
    1,
    (r) =>
      json('POST', path(anyIndex(r), '_terms_enum'), {
        field: anyField(r),
        ...some(r, {
          string: anyText,
          size: anyNumber,
          case_insensitive: anyBoolean,
          index_filter: () => anyQuery(r, 1),
          search_after: anyText,
        }),
      }),
  ],
  [1, (r) => bare('GET', withParameters(r, path(anyIndex(r), '_search_shards'), INDICES_PARAMETERS))],
  [
    3,
    (r) =>
      json('POST', r.pick(['/_search/template', '/_render/template', path(anyIndex(r), '_search', 'template')]), {
        source: r.pick<unknown>([
          { query: { match: { t: '{{q}}' } }, size: '{{size}}' },
          '{{#a}}{{#a}}{{.}}{{/a}}{{/a}}',
          '{"query":{{#toJson}}q{{/toJson}}}',
          anyText(r),
        ]),
        params: { q: anyValue(r), a: r.list(5, () => r.below(3)), size: anyScalar(r) },
        ...some(r, { explain: anyBoolean, id: anyText, unknown: anyScalar }),
      }),
  ],
  [
    8,
    (r) =>
      json(
        'PUT',
        withParameters(r, path(anyIndex(r), r.pick(['_doc', '_create', '_doc', '_doc']), anyId(r)), WRITE_PARAMETERS),
        anyDocument(r),
      ),
  ],
  [3, (r) => json('POST', withParameters(r, path(anyIndex(r), '_doc'), WRITE_PARAMETERS), anyDocument(r))],
  [
    3,
    (r) =>
      json(
        'POST',
        withParameters(r, path(anyIndex(r), '_update', anyId(r)), {
          ...WRITE_PARAMETERS,
          retry_on_conflict: anyNumber,
          _source: anyBoolean,
        }),
        some(
          r,
          {
            doc: anyDocument,
            upsert: anyDocument,
            doc_as_upsert: anyBoolean,
            detect_noop: anyBoolean,
            scripted_upsert: anyBoolean,
            script: () => ({ source: 'ctx._source.i = 1', lang: 'painless' }),
            unknown: anyScalar,
          },
          0.5,
        ),
      ),
  ],
  [2, (r) => bare('DELETE', withParameters(r, path(anyIndex(r), '_doc', anyId(r)), WRITE_PARAMETERS))],
  [
    4,
    (r) =>
      bare(
        r.pick(['GET', 'HEAD']),
        withParameters(r, path(anyIndex(r), r.pick(['_doc', '_source']), anyId(r)), {
          routing: anyText,
          realtime: anyBoolean,
          refresh,
          _source: anyField,
          _source_includes: anyField,
          stored_fields: anyField,
          version: anyNumber,
          preference: anyText,
        }),
      ),
  ],
  [
    3,
    (r) =>
      json(
        'POST',
        withParameters(r, r.pick(['/_mget', path(anyIndex(r), '_mget')]), { _source: anyBoolean }),
        r.pick<unknown>([
          { ids: r.list(4, () => anyId(r)) },
          {
            docs: r.list(4, () =>
              some(
                r,
                {
                  _index: anyIndex,
                  _id: anyId,
                  _source: anyField,
                  routing: anyText,
                  stored_fields: anyField,
                  unknown: anyScalar,
                },
                0.7,
              ),
            ),
          },
          anyValue(r),
        ]),
      ),
  ],
  [
    2,
    (r) =>
      json(
        'POST',
        withParameters(r, path(anyIndex(r), '_termvectors', anyId(r)), {
          fields: anyField,
          term_statistics: anyBoolean,
        }),
        some(r, {
          doc: anyDocument,
          fields: (q) => [anyField(q)],
          filter: () => ({ max_num_terms: anyNumber(r) }),
          offsets: anyBoolean,
          per_field_analyzer: () => ({ t: 'keyword' }),
        }),
      ),
  ],
  [1, (r) => json('POST', '/_mtermvectors', { docs: r.list(3, () => ({ _index: anyIndex(r), _id: anyId(r) })) })],
  [
    8,
    (r) => ({
      method: 'POST',
      path: withParameters(r, r.pick(['/_bulk', path(anyIndex(r), '_bulk')]), {
        refresh,
        routing: anyText,
        require_alias: anyBoolean,
        pipeline: anyText,
        _source: anyBoolean,
      }),
      body: anyBulk(r) as string,
    }),
  ],
  [
    1,
    (r) =>
      json(
        'POST',
        withParameters(r, path(anyIndex(r), r.pick(['_delete_by_query', '_update_by_query'])), {
          conflicts: (q) => q.pick(['proceed', 'abort']),
          max_docs: anyNumber,
          refresh,
          scroll_size: anyNumber,
          slices: (q) => q.pick([1, 'auto', 2, 'x']),
        }),
        some(r, { query: () => anyQuery(r, 1), max_docs: anyNumber, slice: () => ({ id: 0, max: 2 }) }, 0.6),
      ),
  ],
  [
    1,
    (r) =>
      json('POST', withParameters(r, '/_reindex', { refresh, slices: anyNumber, max_docs: anyNumber }), {
        source: {
          index: anyIndex(r),
          ...some(r, { query: () => anyQuery(r, 1), size: anyNumber, _source: anyField, sort: anySort }),
        },
        dest: {
          index: anyIndex(r),
          ...some(r, { op_type: () => 'create', version_type: () => 'external', routing: anyText }),
        },
        ...some(r, { conflicts: () => 'proceed', max_docs: anyNumber }),
      }),
  ],
  [
    6,
    (r) =>
      json(
        'POST',
        withParameters(r, r.pick(['/_analyze', path(anyIndex(r), '_analyze')]), {}),
        some(
          r,
          {
            text: (q) => q.pick([anyText(q), [anyText(q), anyText(q)]]),
            analyzer: (q) => q.pick(['standard', 'english', 'x', 'fingerprint']),
            tokenizer: (q) =>
              q.pick<unknown>(['standard', 'keyword', { type: 'pattern', pattern: anyPattern(q) }, anyScalar(q)]),
            filter: (q) => q.list(3, () => (q.chance(0.4) ? 'lowercase' : anyFilter(q))),
            char_filter: (q) => q.list(2, () => anyCharFilter(q)),
            field: anyField,
            normalizer: anyText,
            explain: anyBoolean,
            attributes: () => ['keyword'],
            unknown: anyScalar,
          },
          0.5,
        ),
      ),
  ],
  [
    3,
    (r) =>
      json(
        'PUT',
        path(r.pick(INDICES)),
        some(
          r,
          {
            settings: anySettings,
            mappings: anyMapping,
            aliases: () => ({ 'fuzz-alias': anyAlias(r) }),
            unknown: anyScalar,
          },
          0.6,
        ),
      ),
  ],
  [1, (r) => bare('DELETE', withParameters(r, path(anyIndex(r)), INDICES_PARAMETERS))],
  [2, (r) => json('PUT', path(anyIndex(r), '_mapping'), anyMapping(r))],
  [
    1,
    (r) =>
      json(
        'PUT',
        withParameters(r, path(anyIndex(r), '_settings'), { preserve_existing: anyBoolean, reopen: anyBoolean }),
        anySettings(r),
      ),
  ],
  [
    3,
    (r) =>
      bare(
        r.pick(['GET', 'GET', 'HEAD']),
        withParameters(
          r,
          path(
            anyIndex(r),
            ...r.pick<string[]>([
              [],
              ['_mapping'],
              ['_settings'],
              ['_settings', anyText(r) || '*'],
              ['_alias'],
              ['_alias', 'fuzz-*'],
              ['_mapping', 'field', anyField(r) || '*'],
              ['_stats'],
              ['_stats', 'docs,store,x'],
              ['_segments'],
              ['_recovery'],
              ['_shard_stores'],
              ['_ilm', 'explain'],
            ]),
          ),
          {
            ...INDICES_PARAMETERS,
            flat_settings: anyBoolean,
            include_defaults: anyBoolean,
            level: (q) => q.pick(['shards', 'x']),
          },
        ),
      ),
  ],
  [
    3,
    (r) =>
      bare(
        'POST',
        withParameters(
          r,
          path(
            anyIndex(r),
            r.pick(['_refresh', '_flush', '_forcemerge', '_open', '_close', '_open', '_open', '_cache/clear']),
          ).replaceAll('%2F', '/'),
          { ...INDICES_PARAMETERS, max_num_segments: () => 1, only_expunge_deletes: anyBoolean },
        ),
      ),
  ],
  [
    1,
    (r) =>
      json(
        'POST',
        withParameters(r, path(anyIndex(r), '_rollover'), { dry_run: anyBoolean }),
        some(r, { conditions: () => ({ max_docs: anyNumber(r), max_age: '1d', max_size: '1gb' }) }),
      ),
  ],
  [
    1,
    (r) =>
      json(
        r.pick(['PUT', 'POST']),
        path(anyIndex(r), r.pick(['_clone', '_split', '_shrink']), r.pick(INDICES)),
        some(r, { settings: anySettings, aliases: () => ({}) }),
      ),
  ],
  [
    2,
    (r) =>
      json('POST', '/_aliases', {
        actions: r.list(3, () => ({
          [r.pick(['add', 'remove', 'remove_index', 'x'])]: {
            index: anyIndex(r),
            alias: r.pick(['fuzz-alias', 'fuzz-alias-2', anyText(r)]),
            ...(anyAlias(r) as object),
          },
        })),
      }),
  ],
  [1, (r) => json('PUT', path(anyIndex(r), '_alias', r.pick(['fuzz-alias', anyText(r) || 'x'])), anyAlias(r))],
  [
    1,
    (r) =>
      json(
        'PUT',
        path('_index_template', r.pick(['fuzz-t', 'fuzz-u'])),
        some(
          r,
          {
            index_patterns: (q) => [q.pick(['fuzz-x*', anyText(q)])],
            template: () => ({ settings: anySettings(r), mappings: anyMapping(r) }),
            priority: anyNumber,
            composed_of: () => ['fuzz-c'],
            data_stream: () => ({}),
            unknown: anyScalar,
          },
          0.6,
        ),
      ),
  ],
  [
    1,
    (r) =>
      json(
        'PUT',
        path('_component_template', 'fuzz-c'),
        some(
          r,
          {
            template: () => ({ settings: anySettings(r), mappings: anyMapping(r), aliases: {} }),
            version: anyNumber,
            unknown: anyScalar,
          },
          0.7,
        ),
      ),
  ],
  [
    1,
    (r) =>
      bare(
        r.pick(['GET', 'DELETE', 'HEAD']),
        path(
          r.pick(['_index_template', '_component_template', '_template']),
          r.pick(['fuzz-t', 'fuzz-*', 'fuzz-c', anyText(r) || '*']),
        ),
      ),
  ],
  [
    1,
    (r) =>
      bare(
        'POST',
        `${path('_index_template', r.pick(['_simulate_index', '_simulate']))}/${r.pick(['fuzz-a', 'fuzz-t', 'fuzz-x1'])}`,
      ),
  ],
  [
    1,
    (r) =>
      json('PUT', path('_scripts', 'fuzz-s'), {
        script: {
          lang: r.pick(['mustache', 'painless', 'x']),
          source: r.pick<unknown>(['{{x}}', { query: { match_all: {} } }, anyText(r)]),
        },
      }),
  ],
  [1, (r) => bare(r.pick(['GET', 'DELETE']), path('_scripts', r.pick(['fuzz-s', anyText(r) || 'x'])))],
  [
    1,
    (r) =>
      json('PUT', '/_cluster/settings', {
        [r.pick(['persistent', 'transient', 'x'])]: {
          [r.pick(['search.max_buckets', 'action.auto_create_index', 'cluster.max_shards_per_node', 'x.y'])]:
            r.pick<unknown>([null, null, anyScalar(r)]),
        },
      }),
  ],
  [
    4,
    (r) =>
      bare(
        'GET',
        withParameters(
          r,
          r.pick([
            '/',
            '/_cluster/health',
            '/_cluster/state',
            '/_cluster/stats',
            '/_cluster/settings',
            '/_cluster/pending_tasks',
            '/_nodes',
            '/_nodes/stats',
            '/_nodes/_local/stats/jvm',
            '/_tasks',
            '/_cat',
            '/_cat/indices',
            '/_cat/shards',
            '/_cat/aliases',
            '/_cat/count',
            '/_cat/nodes',
            '/_cat/health',
            '/_cat/templates',
            '/_cat/segments',
            '/_cat/allocation',
            '/_cat/thread_pool',
            '/_stats',
            '/_mapping',
            '/_settings',
            '/_alias',
            '/_resolve/index/fuzz-*',
            '/_license',
            '/_xpack',
            '/_ilm/policy',
            '/_ingest/pipeline',
            '/_data_stream',
            '/_remote/info',
            '/_sandpiper/contexts',
            '/_security/_authenticate',
            '/_nodes/hot_threads',
            '/favicon.ico',
            '/_x',
            '/_cat/x',
          ]),
          {
            v: anyBoolean,
            h: anyText,
            s: anyText,
            bytes: (q) => q.pick(['b', 'x']),
            time: (q) => q.pick(['s', 'x']),
            help: anyBoolean,
            level: () => 'indices',
            detailed: anyBoolean,
          },
        ),
      ),
  ],
  [
    1,
    (r) =>
      json('POST', `/_search/scroll`, {
        scroll: '1s',
        scroll_id: r.pick(['x', '', 'DXF1ZXJ5QW5kRmV0Y2gBAAAAAAAAAAEWdGVzdA==', anyText(r)]),
      }),
  ],
  [
    1,
    (r) =>
      bare('POST', withParameters(r, `${path(anyIndex(r), '_pit')}?keep_alive=1s`, {}).replace(/\?([^?]*)\?/, '?$1&')),
  ],
  [1, (r) => json('POST', '/_search', { pit: { id: anyText(r), keep_alive: '1s' }, ...anySearchBody(r) })],
  [1, (r) => bare('DELETE', r.pick(['/_search/scroll/_all', '/_pit', '/_search/scroll']))],
  [
    1,
    (r) =>
      json('PUT', path('_ingest', 'pipeline', 'fuzz-p'), {
        processors: r.list(2, () => ({
          [r.pick(['set', 'remove', 'rename', 'lowercase', 'grok', 'x'])]: {
            field: anyField(r),
            value: anyScalar(r),
            patterns: ['%{WORD:x}'],
          },
        })),
      }),
  ],
  [1, (_r) => json('PUT', path('_data_stream', 'fuzz-stream'), {})],
  [
    2,
    (r) => ({
      method: r.pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH']),
      path:
        path(
          ...r.list(4, () =>
            r.pick([
              '_search',
              '_doc',
              '_bulk',
              'fuzz-a',
              '_cat',
              '_cluster',
              '1',
              '_mapping',
              'x',
              '_all',
              '%',
              anyText(r) || 'y',
            ]),
          ),
        ) || '/',
      body: r.pick([
        undefined,
        '{}',
        '[]',
        '{',
        'null',
        '"x"',
        '{"a":1}{"b":2}',
        '\u0000',
        JSON.stringify(anyValue(r)),
        '{"a":'.repeat(50),
      ]),
    }),
  ],
]

const TOTAL = FAMILIES.reduce((sum, [weight]) => sum + weight, 0)

export function anyRequest(random: Random): SentRequest {
  let at = random.next() * TOTAL
  for (const [weight, make] of FAMILIES) {
    at -= weight
    if (at < 0) return make(random)
  }
  return FAMILIES[0]![1](random)
}
