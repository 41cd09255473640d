/**
 * A generator for a differential tester: random requests that combine features from the whole grammar, sent to Sandpiper and
 * to a real Elasticsearch with Painless, analysis and aggregation modules. Every case follows from its seed.
 *
 *   node diff.mjs --gen test/differential/grammar.mjs --oracle http://127.0.0.1:9230 --subject http://127.0.0.1:9200 --seed 1 --cases 500
 */
import { aggregations } from './aggregations.mjs'
import { settleExplanations } from './explanations.mjs'
import { administration } from './indices.mjs'
import { readMistakes, writeMistakes } from './mistakes.mjs'
import { paging, several } from './paging.mjs'
import { query } from './queries.mjs'
import { scenarios } from './scenarios.mjs'
import { call, settled } from './steps.mjs'
import { templates } from './templates.mjs'
import { KEYS, makeWorld, WORDS } from './world.mjs'

const SORTS = [
  ['uid'],
  [{ n: { order: 'desc', missing: '_first', mode: 'max' } }, 'uid'],
  [{ at: { order: 'asc', format: 'yyyy-MM-dd' } }, 'uid'],
  [{ d: { mode: 'avg', order: 'desc' } }, { uid: 'desc' }],
  [{ _geo_distance: { p: [0, 0], order: 'asc', unit: 'km' } }, 'uid'],
  [{ 'o.n': { order: 'desc', mode: 'sum', nested: { path: 'o' } } }, 'uid'],
  [{ _script: { type: 'number', script: "doc['n'].size()", order: 'desc' } }, 'uid'],
  ['k', { l: { missing: 7 } }, 'uid'],
  [{ k2: { missing: '_first' } }, 'uid'],
  ['_score', 'uid'],
  [{ missing: { unmapped_type: 'long' } }, 'uid'],
  ['ip', 'b', 'uid'],
  [{ 'o.k': { order: 'asc', nested: { path: 'o', filter: { range: { 'o.n': { gte: 3 } } } } } }, 'uid'],
  [{ 'o.n': { mode: 'median', nested: { path: 'o', max_children: 2 } } }, 'uid'],
  [{ n: { mode: 'median' } }, { nano: 'desc' }, 'uid'],
  [{ _script: { type: 'string', script: "doc['uid'].value", order: 'desc' } }],
  [{ at: { numeric_type: 'date_nanos', order: 'desc' } }, 'uid'],
  [{ h: { missing: '_first' } }, { 'f.x': 'asc' }, 'uid'],
]

const RUNTIME = {
  rt_long: { type: 'long', script: "if (doc['n'].size() > 0) emit(doc['n'].value * 2)" },
  rt_key: { type: 'keyword', script: "for (x in doc['k']) emit(x + '!')" },
  rt_double: { type: 'double', script: 'emit(1.5)' },
  rt_date: { type: 'date', script: "if (doc['at'].size() > 0) emit(doc['at'].value.toInstant().toEpochMilli())" },
  rt_bool: { type: 'boolean', script: "emit(doc['b'].size() > 0 && doc['b'].value)" },
}

function runtime(rng, body) {
  const name = rng.pick(Object.keys(RUNTIME))
  body.runtime_mappings = { [name]: RUNTIME[name] }
  const uses = [
    () => (body.fields = [...(body.fields ?? []), name]),
    () => (body.query = { bool: { must: [body.query ?? { match_all: {} }], should: [{ exists: { field: name } }] } }),
    () => (body.aggs = { ...body.aggs, rt: { [rng.pick(['terms', 'value_count'])]: { field: name } } }),
    () => (body.sort = [name, 'uid']),
  ]
  for (const use of rng.sample(uses, rng.int(1, 2))) use()
}

const highlight = (rng) => ({
  fields: rng.pick([
    { t: {} },
    { u: { type: rng.pick(['unified', 'plain', 'fvh']) } },
    { '*': { require_field_match: false } },
    { t: { number_of_fragments: 0 } },
    { 't.en': {}, u: {} },
  ]),
  ...rng.options({
    pre_tags: [0.2, () => ['<b>']],
    post_tags: [0.2, () => ['</b>']],
    fragment_size: [0.2, () => rng.pick([18, 30])],
    number_of_fragments: [0.2, () => rng.int(0, 3)],
    order: [0.15, () => 'score'],
    no_match_size: [0.1, () => 10],
    highlight_query: [0.1, () => ({ match: { t: rng.pick(WORDS) } })],
    type: [0.2, () => rng.pick(['unified', 'plain'])],
    boundary_scanner: [0.1, () => rng.pick(['sentence', 'word', 'chars'])],
    encoder: [0.1, () => rng.pick(['html', 'default'])],
    tags_schema: [0.05, () => 'styled'],
    max_analyzed_offset: [0.05, () => 12],
    fragmenter: [0.05, () => rng.pick(['simple', 'span'])],
    phrase_limit: [0.05, () => 2],
  }),
})

const suggest = (rng) => ({
  s: {
    text: rng.pick(['foks', 'quikc', 'lasy dgo']),
    term: {
      field: rng.pick(['t', 'u', 't.en']),
      suggest_mode: rng.pick(['always', 'popular', 'missing']),
      min_word_length: 2,
      ...rng.options({
        size: [0.3, () => 2],
        sort: [0.3, () => rng.pick(['score', 'frequency'])],
        string_distance: [
          0.3,
          () => rng.pick(['internal', 'levenshtein', 'jaro_winkler', 'ngram', 'damerau_levenshtein']),
        ],
        prefix_length: [0.3, () => rng.int(0, 2)],
        max_edits: [0.3, () => rng.int(1, 2)],
        analyzer: [0.1, () => 'whitespace'],
      }),
    },
  },
})

function searchBody(rng) {
  const body = {
    query: query(rng, rng.int(0, 3)),
    size: rng.pick([1000, 1000, 5, 0]),
    ...rng.options({
      from: [0.08, () => rng.int(0, 5)],
      sort: [0.35, () => rng.pick(SORTS)],
      aggs: [0.35, () => aggregations(rng, rng.int(0, 2))],
      highlight: [0.15, () => highlight(rng)],
      post_filter: [0.12, () => query(rng, 1)],
      min_score: [0.05, () => 0.7],
      track_total_hits: [0.1, () => rng.pick([true, false, 3])],
      track_scores: [0.1, () => true],
      fields: [
        0.2,
        () =>
          rng.pick([
            ['*'],
            ['k', 'o.*'],
            [{ field: 'at', format: 'yyyy' }, 'n'],
            [{ field: '*', include_unmapped: true }],
            ['f', 'f.x', 'ob.*'],
          ]),
      ],
      docvalue_fields: [
        0.12,
        () => rng.pick([['k', 'n'], [{ field: 'at', format: 'epoch_millis' }], ['f.x', 'ip', 'b'], ['nano', 'p']]),
      ],
      _source: [0.3, () => rng.pick([false, ['k', 'o.n'], { excludes: ['t', 'u', 'o'] }, 'ob*'])],
      script_fields: [
        0.08,
        () => ({
          sf: {
            script: {
              source: rng.pick([
                "doc['n'].size()",
                "params['_source']['k']",
                "doc['k'].size() > 0 ? doc['k'].value : 'none'",
              ]),
            },
          },
        }),
      ],
      collapse: [
        0.06,
        () => ({
          field: rng.pick(['ob.k', 'l']),
          ...rng.options({
            inner_hits: [
              0.5,
              () =>
                rng.pick([
                  { name: 'ci', size: 2, sort: ['uid'], _source: false },
                  [
                    { name: 'c1', size: 1, sort: ['uid'], fields: ['k'] },
                    { name: 'c2', size: 3, sort: [{ n: 'desc' }, 'uid'], _source: ['n'], from: 1 },
                  ],
                  { name: 'cc', size: 2, sort: ['uid'], collapse: { field: 'b' }, _source: false },
                ]),
            ],
            max_concurrent_group_searches: [0.1, () => 2],
          }),
        }),
      ],
      rescore: [
        0.06,
        () => ({
          window_size: 50,
          query: {
            rescore_query: query(rng, 1),
            query_weight: rng.pick([1, 0.5]),
            rescore_query_weight: rng.pick([1, 2]),
            ...rng.options({ score_mode: [0.4, () => rng.pick(['total', 'multiply', 'avg', 'max', 'min'])] }),
          },
        }),
      ],
      version: [0.05, () => true],
      seq_no_primary_term: [0.05, () => true],
      suggest: [0.05, () => suggest(rng)],
      explain: [0.06, () => true],
      indices_boost: [0.03, () => []],
      include_named_queries_score: [0.01, () => true],
      terminate_after: [0.01, () => 1000],
      stored_fields: [0.02, () => rng.pick(['_none_', ['_source']])],
    }),
  }
  if (rng.chance(0.12)) runtime(rng, body)
  // Rejected combinations are sent only now and then.
  if (body.rescore && (body.sort || body.collapse)) delete body.rescore
  if (body.collapse && body.sort) body.sort = ['uid']
  if (body.stored_fields === '_none_' && rng.chance(0.9))
    for (const name of ['_source', 'fields', 'version']) delete body[name]
  return body
}

const searches = {
  name: 'grammar-search',
  casesPerWorld: 25,
  makeWorld,
  makeCase(rng, world) {
    const body = searchBody(rng)
    // Explained hits name their node.
    const parameters = body.explain ? '?filter_path=-**._node' : ''
    const step = call('POST', `/${world.target}/_search${parameters}`, body, { as: 'search' })
    return { steps: [body.explain ? settled(step, settleExplanations) : step] }
  },
}

const trees = {
  name: 'grammar-aggs',
  casesPerWorld: 25,
  makeWorld,
  makeCase(rng, world) {
    const body = {
      size: 0,
      ...rng.options({ query: [0.5, () => query(rng, 1)] }),
      aggs: aggregations(rng, rng.int(1, 3)),
    }
    return {
      steps: [
        call('POST', `/${world.target}/_search${rng.chance(0.15) ? '?typed_keys=true' : ''}`, body, { as: 'search' }),
      ],
    }
  },
}

const REQUESTS = [
  (rng, t) => call('POST', `/${t}/_count`, { query: query(rng, 2) }),
  (rng, t) => settled(call('POST', `/${t}/_explain/d${rng.int(0, 12)}`, { query: query(rng, 2) }), settleExplanations),
  (rng, t) => call('GET', `/${t}/_field_caps?fields=${rng.pick(['*', 'k,n', 'o.*', 't*,missing'])}&filters=-metadata`),
  (rng, t) =>
    call('POST', `/${t}/_terms_enum`, {
      field: rng.pick(['k', 't.raw', 'ob.k', 'ip', 'n']),
      string: rng.pick(['a', '', 'r', 'x']),
      ...rng.options({
        size: [0.5, () => 3],
        case_insensitive: [0.3, () => true],
        index_filter: [0.2, () => ({ match_all: {} })],
      }),
    }),
  (rng, t) =>
    call('POST', '/_mget', {
      docs: rng.times(rng.int(1, 4), () => ({
        _index: t,
        _id: `d${rng.int(0, 60)}`,
        ...rng.options({ _source: [0.4, () => rng.pick([false, ['k'], { includes: ['o.*'] }])] }),
      })),
    }),
  (rng, t) =>
    call(
      'GET',
      `/${t}/_termvectors/d${rng.int(0, 12)}?fields=${rng.pick(['t', 'u', 't,k'])}&${rng.pick(['term_statistics=true', 'offsets=false', 'field_statistics=false', 'realtime=false'])}`,
      undefined,
      { hides: ['took'] },
    ),
  (rng, t) =>
    call('POST', `/${t}/_analyze`, {
      text: rng.times(rng.int(1, 2), () => `${rng.pick(WORDS)} ${rng.pick(KEYS)} Foo-Bar 12.5`),
      ...rng.pick([
        { field: rng.pick(['t', 't.en', 'k', 'n']) },
        { analyzer: rng.pick(['standard', 'english', 'simple', 'stop', 'whitespace', 'keyword', 'german', 'french']) },
        {
          tokenizer: rng.pick([
            'standard',
            'keyword',
            'letter',
            'classic',
            'uax_url_email',
            { type: 'ngram', min_gram: 2, max_gram: 3 },
            { type: 'edge_ngram', max_gram: 4 },
          ]),
          filter: rng.sample(
            [
              'lowercase',
              'asciifolding',
              'porter_stem',
              'reverse',
              'unique',
              'trim',
              'word_delimiter_graph',
              { type: 'shingle' },
              { type: 'length', min: 3 },
              { type: 'truncate', length: 4 },
            ],
            rng.int(0, 3),
          ),
        },
      ]),
      ...rng.options({ explain: [0.2, () => true] }),
    }),
  (rng, t) =>
    call(
      'GET',
      `/${t}/_search?q=${encodeURIComponent(rng.pick(['fox', 't:red AND n:>2', 'k:a', '"quick fox"', 'fo*', '_exists_:d']))}&${rng.pick(['df=t', 'default_operator=and', 'size=3&sort=uid', '_source=k', 'lenient=true', 'track_total_hits=false'])}`,
      undefined,
      { as: 'search' },
    ),
  (_rng, t) =>
    call(
      'POST',
      `/${t}/_update_by_query?conflicts=proceed`,
      { query: { term: { uid: 'nobody' } } },
      { hides: ['took'] },
    ),
  (rng, t) =>
    call(
      'GET',
      `/${t}/_doc/d${rng.int(0, 60)}?${rng.pick(['_source=k,n', '_source=false', '_source_excludes=o', 'stored_fields=_none_', 'realtime=false', 'version=1'])}`,
    ),
]

const requests = {
  name: 'grammar-apis',
  casesPerWorld: 30,
  makeWorld,
  makeCase: (rng, world) => ({ steps: [rng.pick(REQUESTS)(rng, world.target)] }),
}

export const areas = [
  searches,
  trees,
  requests,
  ...scenarios,
  paging,
  several,
  administration,
  templates,
  writeMistakes,
  readMistakes,
]
