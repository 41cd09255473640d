/** Random requests beyond searches: scripted updates, joins, by-query operations, suggesters, mappings, and requests with mistakes. */
import { aggregations } from './aggregations.mjs'
import { settleExplanations } from './explanations.mjs'
import { ingest } from './ingest.mjs'
import { mutate } from './mutations.mjs'
import { query } from './queries.mjs'
import { call, plainWorld, SETTINGS, settled } from './steps.mjs'
import { KEYS, makeWorld, WORDS } from './world.mjs'

// --- writes with scripts, by-query ---

const SCRIPTS = [
  { source: 'ctx._source.n = (ctx._source.n ?: 0) + params.by', params: { by: 2 } },
  { source: "if (ctx._source.k == params.k) { ctx.op = 'delete' } else { ctx.op = 'none' }", params: { k: 'a' } },
  { source: "ctx._source.tags = ['x', 1, 2.5, null]" },
  { source: "ctx._source.remove('k')" },
  { source: "ctx._source.m = ['z': 1, 'y': [true]]; ctx._source.t = ctx._source.t + ' ' + ctx._id" },
  { source: 'ctx._source.d = 1.0 / 3; ctx._source.i = 7 / 2; ctx._source.l = 10000000000L' },
  { source: 'ctx._source.x = ctx._source.missing.length()' },
]

const simple = (rng) => ({
  ...rng.options({ n: [0.8, () => rng.int(0, 9)], k: [0.7, () => rng.pick(KEYS)], t: [0.6, () => rng.pick(WORDS)] }),
})

const IDS = ['1', '2', '3', '4']
const WRITES = [
  (rng, i) => call('PUT', `/${i}/_doc/${rng.pick(IDS)}?refresh=true`, simple(rng)),
  (rng, i) =>
    call('POST', `/${i}/_update/${rng.pick(IDS)}?refresh=true`, {
      script: rng.pick(SCRIPTS),
      ...rng.options({ upsert: [0.4, () => simple(rng)], scripted_upsert: [0.15, () => true] }),
    }),
  (rng, i) =>
    call('POST', `/${i}/_update/${rng.pick(IDS)}`, {
      doc: simple(rng),
      ...rng.options({
        doc_as_upsert: [0.4, () => true],
        detect_noop: [0.2, () => false],
        _source: [0.2, () => ['n']],
      }),
    }),
  (rng, i) =>
    call(
      'POST',
      `/${i}/_update_by_query?refresh=true`,
      {
        query: rng.pick([{ match_all: {} }, { term: { k: 'a' } }, { range: { n: { gte: 4 } } }]),
        ...rng.options({ script: [0.8, () => rng.pick(SCRIPTS.slice(0, 6))], max_docs: [0.1, () => 2] }),
      },
      { hides: ['took'] },
    ),
  (rng, i) =>
    call(
      'POST',
      `/${i}/_delete_by_query?refresh=true`,
      { query: rng.pick([{ term: { k: 'a' } }, { range: { n: { gte: 7 } } }, { ids: { values: ['2'] } }]) },
      { hides: ['took'] },
    ),
  (rng, i) =>
    call(
      'POST',
      '/_reindex?refresh=true',
      {
        source: {
          index: i,
          query: { range: { n: { gte: rng.int(0, 5) } } },
          ...rng.options({ _source: [0.2, () => ['n']], size: [0.2, () => 2] }),
        },
        dest: {
          index: `${i}-copy`,
          ...rng.options({ op_type: [0.2, () => 'create'], version_type: [0.2, () => 'external'] }),
        },
        ...rng.options({
          conflicts: [0.5, () => 'proceed'],
          script: [0.3, () => ({ source: "ctx._source.from = ctx._index; ctx._id = ctx._id + '-r'" })],
        }),
      },
      { hides: ['took'] },
    ),
  (rng, i) => call('DELETE', `/${i}/_doc/${rng.pick(IDS)}?refresh=true`),
  (rng, i) => call('GET', `/${i}/_doc/${rng.pick(IDS)}`),
]

const writes = {
  name: 'grammar-writes',
  casesPerWorld: 1,
  makeWorld,
  makeCase(rng, _, name) {
    const body = {
      settings: SETTINGS,
      mappings: { properties: { n: { type: 'long' }, k: { type: 'keyword' }, t: { type: 'text' } } },
    }
    const copy = { name: `${name}-copy`, body, batches: [] }
    const world = plainWorld(name, body)
    world.indices.push(copy)
    return {
      world,
      steps: [
        ...rng.times(rng.int(3, 9), () => rng.pick(WRITES)(rng, name)),
        call('POST', `/${name},${name}-copy/_refresh`),
        call(
          'POST',
          `/${name},${name}-copy/_search`,
          { size: 50, version: true, query: { match_all: {} } },
          { as: 'search', scores: false, unordered: true },
        ),
        call('GET', `/${name}/_mapping`),
      ],
    }
  },
}

// --- joins, suggesters, synonyms, and every type of the modules that the reference server has ---

const RICH = {
  settings: {
    ...SETTINGS,
    analysis: {
      filter: {
        syn: { type: 'synonym_graph', synonyms: ['quick, fast, very speedy', 'dog => hound, dog', 'red => crimson'] },
        edge: { type: 'edge_ngram', min_gram: 2, max_gram: 5 },
      },
      analyzer: {
        syn: { tokenizer: 'standard', filter: ['lowercase', 'syn'] },
        ac: { tokenizer: 'standard', filter: ['lowercase', 'edge'] },
      },
      normalizer: { low: { type: 'custom', filter: ['lowercase', 'asciifolding'] } },
    },
  },
  mappings: {
    properties: {
      j: { type: 'join', relations: { q: ['a', 'c'], a: 'v' } },
      uid: { type: 'keyword' },
      t: {
        type: 'text',
        search_analyzer: 'syn',
        analyzer: 'standard',
        fields: { ac: { type: 'text', analyzer: 'ac', search_analyzer: 'standard' } },
      },
      kn: { type: 'keyword', normalizer: 'low' },
      sf: { type: 'float' },
      by: { type: 'byte' },
      mo: { type: 'text', index_options: 'offsets', norms: false },
      c: { type: 'completion', contexts: [{ name: 'kind', type: 'category' }] },
      ipr: { type: 'ip_range' },
      n: { type: 'integer' },
      fl: { type: 'flattened' },
    },
  },
}

function richDocument(rng, id) {
  return {
    uid: id,
    t: rng.times(rng.int(1, 5), () => rng.pick(WORDS)).join(' '),
    n: rng.int(0, 9),
    ...rng.options({
      kn: [0.7, () => rng.pick(['Été', 'ete', 'Zoo', 'zoo'])],
      sf: [0.6, () => rng.int(0, 50) / 7],
      by: [0.6, () => rng.int(-128, 127)],
      mo: [0.6, () => `${rng.pick(WORDS)} ${rng.pick(WORDS)}`],
      c: [
        0.7,
        () => ({
          input: [`${rng.pick(WORDS)} ${rng.pick(WORDS)}`],
          weight: rng.int(1, 9),
          contexts: { kind: rng.pick(['x', 'y']) },
        }),
      ],
      ipr: [0.4, () => '10.0.0.0/24'],
      fl: [0.5, () => ({ a: { b: rng.pick(KEYS) }, c: rng.int(0, 3) })],
    }),
  }
}

function makeRichWorld(rng, name) {
  const operations = []
  for (let i = 0; i < rng.int(20, 40); i++) {
    const id = `d${i}`
    const parent = i >= 5 ? `d${i % 5}` : undefined
    const join = parent === undefined ? 'q' : { name: i % 3 === 0 ? 'c' : 'a', parent }
    operations.push({ op: 'index', id, routing: parent ?? id, doc: { ...richDocument(rng, id), j: join } })
  }
  return plainWorld(name, RICH, [operations])
}

const leaf = (rng) =>
  rng.pick([
    () => ({
      match: {
        t: {
          query: rng.pick(['quick', 'dog', 'fast red', 'very speedy fox', 'quick brown']),
          ...rng.options({ operator: [0.3, () => 'and'], minimum_should_match: [0.2, () => '50%'] }),
        },
      },
    }),
    () => ({ match_phrase: { t: { query: rng.pick(['quick brown', 'fast fox', 'red dog']), slop: rng.int(0, 2) } } }),
    () => ({ match: { 't.ac': rng.pick(['qu', 'fo', 'bro']) } }),
    () => ({ term: { kn: rng.pick(['ETE', 'zoo', 'Zoó']) } }),
    () => ({ range: { sf: { gt: rng.int(0, 5), lt: 6 } } }),
    () => ({ match_phrase: { mo: `${rng.pick(WORDS)} ${rng.pick(WORDS)}` } }),
    () => ({ term: { ipr: '10.0.0.9' } }),
    () => ({ term: { 'fl.a.b': rng.pick(KEYS) } }),
    () => ({ exists: { field: rng.pick(['fl', 'fl.c', 'c', 'j']) } }),
    () => ({ match_all: {} }),
  ])()

const joining = (rng, depth) =>
  rng.pick([
    () => ({
      has_child: {
        type: rng.pick(['a', 'c']),
        query: clause(rng, depth - 1),
        ...rng.options({
          score_mode: [0.5, () => rng.pick(['max', 'sum', 'avg', 'min', 'none'])],
          min_children: [0.2, () => 2],
          max_children: [0.1, () => 4],
          inner_hits: [0.2, () => ({ name: `ih${rng.int(0, 1e6)}`, size: 2, sort: ['uid'], _source: ['uid'] })],
        }),
      },
    }),
    () => ({
      has_parent: { parent_type: 'q', query: clause(rng, depth - 1), ...rng.options({ score: [0.4, () => true] }) },
    }),
    () => ({ parent_id: { type: rng.pick(['a', 'c']), id: `d${rng.int(0, 4)}` } }),
    () => ({ term: { 'j#q': `d${rng.int(0, 4)}` } }),
    () => ({ term: { j: rng.pick(['q', 'a', 'c']) } }),
  ])()

function clause(rng, depth) {
  if (depth <= 0 || rng.chance(0.4)) return leaf(rng)
  if (rng.chance(0.5)) return joining(rng, depth)
  return {
    bool: {
      [rng.pick(['must', 'should', 'filter'])]: rng.times(rng.int(1, 2), () => clause(rng, depth - 1)),
      ...rng.options({ must_not: [0.2, () => [clause(rng, 0)]] }),
    },
  }
}

const completion = (rng) => ({
  comp: {
    prefix: rng.pick(['q', 're', 'fo', 'laz', 'qwick']),
    completion: {
      field: 'c',
      size: rng.int(1, 6),
      contexts: { kind: rng.pick([['x'], ['x', 'y'], [{ context: 'y', boost: 3 }]]) },
      ...rng.options({ fuzzy: [0.3, () => ({ fuzziness: 1 })], skip_duplicates: [0.3, () => true] }),
    },
  },
})

const RICH_REQUESTS = [
  (rng, i) =>
    call(
      'POST',
      `/${i}/_search`,
      {
        query: clause(rng, 3),
        size: 50,
        _source: ['uid'],
        ...rng.options({
          sort: [0.3, () => rng.pick([['uid'], [{ sf: { missing: 3 } }, 'uid'], ['kn', 'uid'], ['sf', 'by', 'uid']])],
          fields: [0.3, () => rng.pick([['*'], ['by', 'sf'], ['kn', 'fl.*', 'j']])],
          docvalue_fields: [0.2, () => ['sf', 'by', 'kn']],
          highlight: [0.25, () => ({ fields: rng.pick([{ t: {} }, { 't.ac': {}, mo: {} }, { kn: {} }]) })],
        }),
      },
      { as: 'search' },
    ),
  (rng, i) =>
    call(
      'POST',
      `/${i}/_search`,
      {
        size: 0,
        query: clause(rng, 1),
        aggs: {
          x: rng.pick([
            { terms: { field: rng.pick(['kn', 'by', 'fl.a.b', 'j']) } },
            { stats: { field: rng.pick(['sf', 'by']) } },
            { children: { type: 'a' }, aggs: { m: { max: { field: 'n' } } } },
            { parent: { type: 'a' }, aggs: { t: { terms: { field: 'uid' } } } },
            { histogram: { field: 'sf', interval: 0.5, min_doc_count: 1 } },
            { range: { field: 'by', ranges: [{ to: 0 }, { from: 0 }] } },
            { cardinality: { field: rng.pick(['kn', 'sf']) } },
            { significant_terms: { field: 'kn', min_doc_count: 1 } },
            { top_hits: { size: 2, sort: ['uid'], _source: ['uid'] } },
          ]),
        },
      },
      { as: 'search' },
    ),
  (rng, i) => call('POST', `/${i}/_search`, { size: 0, suggest: completion(rng) }),
  (rng, i) =>
    call('POST', `/${i}/_search`, {
      size: 0,
      suggest: {
        s: {
          text: rng.pick(['quik brwon', 'lzay dgo', 'foks']),
          phrase: {
            field: 't',
            size: 3,
            max_errors: 2,
            ...rng.options({
              highlight: [0.3, () => ({ pre_tag: '<', post_tag: '>' })],
              confidence: [0.5, () => 0],
              direct_generator: [0.5, () => [{ field: 't', suggest_mode: 'always', min_word_length: 2 }]],
            }),
          },
        },
      },
    }),
  (rng, i) =>
    call(
      'GET',
      `/${i}/_field_caps?fields=*&filters=-metadata${rng.pick(['', '&include_empty_fields=false', '&types=keyword,text'])}`,
    ),
  (rng, i) =>
    call('POST', `/${i}/_analyze`, {
      analyzer: rng.pick(['syn', 'ac']),
      text: rng.pick(['quick dog', 'very speedy Red', 'brown']),
      explain: rng.chance(0.2),
    }),
  (rng, i) =>
    settled(
      call('POST', `/${i}/_validate/query?explain=true&rewrite=${rng.chance(0.3)}`, { query: leaf(rng) }),
      settleExplanations,
    ),
  (rng, i) =>
    call('POST', '/_msearch', undefined, {
      ndjson: rng
        .times(rng.int(1, 3), () => [
          rng.pick([{ index: i }, { index: `${i}-none` }, { index: i, search_type: 'dfs_query_then_fetch' }]),
          { query: rng.chance(0.9) ? clause(rng, 1) : { nope: {} }, size: 20, sort: ['uid'], _source: false },
        ])
        .flat(),
    }),
  (rng, i) =>
    call(
      'GET',
      `/${i}/_termvectors/d${rng.int(0, 4)}?routing=d${rng.int(0, 4)}&fields=t,t.ac,kn&term_statistics=true&payloads=false`,
      undefined,
      { hides: ['took'] },
    ),
]

const rich = {
  name: 'grammar-rich',
  casesPerWorld: 30,
  makeWorld: makeRichWorld,
  makeCase: (rng, world) => ({ steps: [rng.pick(RICH_REQUESTS)(rng, world.target)] }),
}

// --- mistakes: a valid search with one change ---

/** These kinds stop the reference server, or take its memory. */
const DANGEROUS = /"script"|histogram|1e\+?20|100000000000000000000|"size":(?!\d)|moving_fn|auto_date/

const mistakes = {
  name: 'grammar-mistakes',
  casesPerWorld: 40,
  makeWorld,
  makeCase(rng, world) {
    for (;;) {
      const body = mutate(rng, {
        query: query(rng, rng.int(0, 2)),
        ...rng.options({
          aggs: [0.3, () => aggregations(rng, rng.int(0, 1))],
          sort: [0.3, () => rng.pick([['uid'], [{ n: { order: 'desc', mode: 'max' } }, 'uid']])],
          highlight: [0.2, () => ({ fields: { t: { number_of_fragments: 2 } } })],
          collapse: [0.1, () => ({ field: 'ob.k' })],
          fields: [0.1, () => ['k', { field: 'at', format: 'yyyy' }]],
          from: [0.1, () => 1],
        }),
        size: 10,
      })
      if (!DANGEROUS.test(JSON.stringify(body)))
        return { steps: [call('POST', `/${world.target}/_search`, body, { as: 'search' })] }
    }
  },
}

export const scenarios = [ingest, writes, rich, mistakes]
