/** Random clauses of the query DSL, nested in one another, over the fields of world.mjs. */
import { KEYS, WORDS } from './world.mjs'

const TEXTS = ['t', 'u', 't.en']
const NUMBERS = ['n', 'l', 'd', 'h', 'ob.n']
const KEYWORDS = ['k', 'k2', 't.raw', 'ob.k', 'al', 'f', 'f.x', 'uid']
const DATES = ['2024-01-01', '2024-06', '2024-06||/M', 'now-1y', '2024-03-05T10:00:00Z', '2023-12-31||+2M/d']

const phrase = (rng, low = 1, high = 3) => rng.times(rng.int(low, high), () => rng.pick(WORDS)).join(' ')
const common = (rng) =>
  rng.options({
    boost: [0.15, () => rng.pick([0, 0.5, 2, 3.5])],
    _name: [0.08, () => rng.pick(['one', 'two', 'three'])],
  })
const fuzzy = (rng) =>
  rng.options({
    fuzziness: [0.2, () => rng.pick(['AUTO', 1, 'AUTO:3,6'])],
    prefix_length: [0.1, () => rng.int(0, 5)],
    fuzzy_transpositions: [0.05, () => false],
    max_expansions: [0.05, () => rng.pick([2, 10])],
  })
const must = (rng) => rng.pick(['75%', 1, 2, '-1', '2<75%', '50%'])

const LEAVES = {
  match: (rng) => ({
    match: {
      [rng.pick([...TEXTS, ...TEXTS, 'k', 'n', 'missing'])]: {
        query: rng.pick([phrase(rng), '5', '']),
        ...common(rng),
        ...rng.options({
          operator: [0.3, () => rng.pick(['and', 'or', 'AND'])],
          minimum_should_match: [0.2, () => must(rng)],
          zero_terms_query: [0.1, () => 'all'],
          lenient: [0.5, () => true],
          analyzer: [0.1, () => rng.pick(['standard', 'whitespace', 'english', 'stop'])],
          auto_generate_synonyms_phrase_query: [0.05, () => false],
        }),
        ...(rng.chance(0.3) ? fuzzy(rng) : {}),
      },
    },
  }),
  match_phrase: (rng) => ({
    match_phrase: {
      [rng.pick(TEXTS)]: {
        query: phrase(rng),
        ...common(rng),
        ...rng.options({ slop: [0.4, () => rng.int(0, 4)], zero_terms_query: [0.1, () => 'none'] }),
      },
    },
  }),
  match_phrase_prefix: (rng) => ({
    match_phrase_prefix: {
      [rng.pick(TEXTS)]: {
        query: `${phrase(rng, 0, 2)} ${rng.pick(['r', 'qu', 'f', 'b'])}`.trim(),
        ...rng.options({ slop: [0.3, () => rng.int(0, 3)], max_expansions: [0.2, () => rng.pick([1, 3])] }),
      },
    },
  }),
  match_bool_prefix: (rng) => ({
    match_bool_prefix: {
      [rng.pick(TEXTS)]: {
        query: `${phrase(rng, 0, 2)} ${rng.pick(['r', 'qu', 'f'])}`.trim(),
        ...rng.options({ operator: [0.3, () => 'and'], minimum_should_match: [0.2, () => must(rng)] }),
      },
    },
  }),
  multi_match: (rng) => ({
    multi_match: {
      query: phrase(rng),
      fields: rng.sample(['t^2', 'u', 't.en', 'k', 't*', 'missing'], rng.int(1, 3)),
      ...rng.options({
        type: [
          0.8,
          () => rng.pick(['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix']),
        ],
        operator: [0.2, () => 'and'],
        tie_breaker: [0.3, () => rng.pick([0, 0.3, 1])],
        minimum_should_match: [0.15, () => must(rng)],
      }),
      ...common(rng),
    },
  }),
  combined_fields: (rng) => ({
    combined_fields: {
      query: phrase(rng),
      fields: rng.pick([['t', 'u^2'], ['t'], ['u']]),
      ...rng.options({ operator: [0.3, () => 'and'], minimum_should_match: [0.2, () => must(rng)] }),
    },
  }),
  query_string: (rng) => ({
    query_string: {
      query: rng.pick([
        phrase(rng),
        't:fox AND u:dog',
        '+red -blue',
        '"quick fox"~2',
        'k:a OR n:[1 TO 5]',
        'fo* OR jum?s',
        'n:>3',
        '_exists_:d',
        '(red OR blue) AND dog',
        'foks~1',
        't.raw:red^2',
        'k:/a.*/',
        'at:[2024-03-01 TO *]',
        'NOT red',
        'red && !blue',
      ]),
      ...rng.options({
        default_field: [0.3, () => rng.pick(['t', 'u', '*'])],
        default_operator: [0.2, () => 'and'],
        fields: [0.2, () => ['t^3', 'u']],
        lenient: [0.5, () => true],
        minimum_should_match: [0.1, () => must(rng)],
        phrase_slop: [0.1, () => 2],
        tie_breaker: [0.1, () => 0.4],
        type: [0.1, () => rng.pick(['most_fields', 'phrase', 'cross_fields'])],
        analyze_wildcard: [0.1, () => true],
      }),
    },
  }),
  simple_query_string: (rng) => ({
    simple_query_string: {
      query: rng.pick([
        phrase(rng),
        'red + dog',
        '"quick fox"~1 | lazy',
        '-red',
        'jum*',
        'foks~1',
        '(red | blue) + dog',
        'red \\+ dog',
      ]),
      ...rng.options({
        fields: [0.7, () => rng.pick([['t'], ['t^2', 'u'], ['t', 'n']])],
        default_operator: [0.3, () => 'and'],
        flags: [0.15, () => rng.pick(['OR|AND|PREFIX', 'NONE', 'ALL'])],
        minimum_should_match: [0.15, () => must(rng)],
        lenient: [0.5, () => true],
      }),
    },
  }),
  term: (rng) =>
    rng.pick([
      () => ({
        term: {
          [rng.pick(KEYWORDS)]: {
            value: rng.pick(KEYS),
            ...common(rng),
            ...rng.options({ case_insensitive: [0.1, () => true] }),
          },
        },
      }),
      () => ({ term: { [rng.pick(NUMBERS)]: rng.int(-3, 12) } }),
      () => ({ term: { b: rng.pick([true, 'false']) } }),
      () => ({ term: { ip: rng.pick(['10.0.1.3', '10.0.0.0/16']) } }),
      () => ({ term: { at: rng.pick(DATES) } }),
      () => ({ term: { r: rng.int(0, 15) } }),
      () => ({ term: { t: rng.pick(WORDS) } }),
    ])(),
  terms: (rng) => ({ terms: { [rng.pick(KEYWORDS)]: rng.sample(KEYS, rng.int(0, 4)), ...common(rng) } }),
  range: (rng) =>
    rng.pick([
      () => ({
        range: {
          [rng.pick([...NUMBERS, 'r'])]: {
            [rng.pick(['gte', 'gt'])]: rng.int(-3, 6),
            ...rng.options({ lte: [0.6, () => rng.int(0, 12)], boost: [0.1, () => 2] }),
          },
        },
      }),
      () => ({
        range: {
          [rng.pick(['at', 'nano', 'dr'])]: {
            [rng.pick(['gte', 'gt'])]: rng.pick(DATES),
            ...rng.options({ lt: [0.5, () => rng.pick(DATES)], time_zone: [0.1, () => '+02:00'] }),
          },
        },
      }),
      () => ({ range: { [rng.pick(['k', 't.raw', 'ip'])]: rng.pick([{ gte: '10.0.0.3', lte: '10.0.2.1' }]) } }),
      () => ({
        range: {
          r: { gte: rng.int(0, 5), lte: rng.int(5, 12), relation: rng.pick(['within', 'contains', 'intersects']) },
        },
      }),
    ])(),
  exists: (rng) => ({
    exists: {
      field: rng.pick([...KEYWORDS, ...NUMBERS, ...TEXTS, 'ob', 'o', 'o.k', 'f', 'p', 'r', 'missing']),
      ...common(rng),
    },
  }),
  prefix: (rng) => ({
    prefix: {
      [rng.pick(['k', 't', 't.raw', 'f.x', 'u'])]: {
        value: rng.pick(['a', 'r', 'x-', 'qu', 'B']),
        ...rng.options({
          case_insensitive: [0.2, () => true],
          rewrite: [0.1, () => rng.pick(['scoring_boolean', 'top_terms_3', 'constant_score_boolean'])],
        }),
      },
    },
  }),
  wildcard: (rng) => ({
    wildcard: {
      [rng.pick(['k', 't', 't.raw', 'ob.k'])]: {
        value: rng.pick(['a*', '*o?', 'x-?', '*', 'r*d*', 'B']),
        ...rng.options({ case_insensitive: [0.2, () => true], boost: [0.1, () => 2] }),
      },
    },
  }),
  regexp: (rng) => ({
    regexp: {
      [rng.pick(['k', 't', 't.raw'])]: {
        value: rng.pick(['a.*', '[a-f]+', 'x-[12]', '(red|blue).*', 'qu?.*', '.{1,2}']),
        ...rng.options({ case_insensitive: [0.15, () => true] }),
      },
    },
  }),
  fuzzy: (rng) => ({
    fuzzy: { [rng.pick(['k', 't', 'u'])]: { value: rng.pick(['fxo', 'quik', 'reds', 'lazi', 'ab']), ...fuzzy(rng) } },
  }),
  ids: (rng) => ({ ids: { values: rng.times(rng.int(0, 4), () => `d${rng.int(0, 40)}`), ...common(rng) } }),
  geo_distance: (rng) => ({
    geo_distance: {
      distance: `${rng.int(100, 3000)}km`,
      p: rng.pick(['0,0', { lat: 5, lon: -5 }, [3, 4]]),
      ...rng.options({ distance_type: [0.2, () => 'plane'], _name: [0.1, () => 'near'] }),
    },
  }),
  geo_bounding_box: (rng) => ({
    geo_bounding_box: {
      p: {
        top_left: { lat: rng.int(0, 20), lon: rng.int(-30, 0) },
        bottom_right: { lat: rng.int(-20, 0), lon: rng.int(0, 30) },
      },
    },
  }),
  distance_feature: (rng) =>
    rng.pick([
      { distance_feature: { field: 'at', origin: '2024-06-01', pivot: '30d' } },
      { distance_feature: { field: 'p', origin: [0, 0], pivot: '500km', boost: 2 } },
    ]),
  terms_set: (rng) => ({
    terms_set: {
      k: {
        terms: rng.sample(KEYS, rng.int(1, 4)),
        ...rng.pick([
          { minimum_should_match_field: 'ob.n' },
          { minimum_should_match_script: { source: 'Math.min(params.num_terms, 1)' } },
        ]),
      },
    },
  }),
  script: (rng) => ({
    script: {
      script: {
        source: rng.pick([
          "doc['n'].size() > 0 && doc['n'].value > 3",
          "doc['k'].size() == params.c",
          "doc['b'].size() != 0 && doc['b'].value",
        ]),
        params: { c: 1 },
      },
    },
  }),
  more_like_this: (rng) => ({
    more_like_this: {
      fields: rng.sample(['t', 'u', 'k'], rng.int(1, 2)),
      like: rng.pick([phrase(rng, 2, 5), [{ _id: `d${rng.int(0, 10)}` }]]),
      min_term_freq: 1,
      min_doc_freq: rng.int(1, 2),
      ...rng.options({
        max_query_terms: [0.2, () => 3],
        minimum_should_match: [0.3, () => must(rng)],
        include: [0.2, () => true],
      }),
    },
  }),
  intervals: (rng) => ({ intervals: { [rng.pick(['t', 'u'])]: intervalRule(rng, 2) } }),
  span: (rng) => spanQuery(rng, rng.pick(['t', 'u']), 2),
  match_all: (rng) => ({ match_all: common(rng) }),
  match_none: () => ({ match_none: {} }),
  wrapper: (rng) => ({
    wrapper: { query: Buffer.from(JSON.stringify({ term: { k: rng.pick(KEYS) } })).toString('base64') },
  }),
  pinned: (rng) => ({ constant_score: { filter: { term: { k: rng.pick(KEYS) } }, ...common(rng) } }),
  index: (rng) => ({ term: { _index: rng.pick(['nope', '*']) } }),
}

function intervalRule(rng, depth) {
  const kind = rng.weighted({ match: 4, prefix: 1, wildcard: 1, fuzzy: 1, any_of: depth, all_of: depth })
  if (kind === 'match')
    return {
      match: {
        query: phrase(rng),
        ...rng.options({
          max_gaps: [0.4, () => rng.int(0, 3)],
          ordered: [0.4, () => true],
          filter: [
            depth > 0 ? 0.15 : 0,
            () => ({
              [rng.pick(['containing', 'not_containing', 'before', 'after', 'not_overlapping'])]: intervalRule(rng, 0),
            }),
          ],
        }),
      },
    }
  if (kind === 'prefix') return { prefix: { prefix: rng.pick(['r', 'qu', 'j']) } }
  if (kind === 'wildcard') return { wildcard: { pattern: rng.pick(['r*', '*x', 'do?']) } }
  if (kind === 'fuzzy') return { fuzzy: { term: rng.pick(['fxo', 'dogs']) } }
  const intervals = rng.times(rng.int(1, 3), () => intervalRule(rng, depth - 1))
  return kind === 'any_of'
    ? { any_of: { intervals } }
    : { all_of: { intervals, ...rng.options({ max_gaps: [0.5, () => rng.int(0, 3)], ordered: [0.4, () => true] }) } }
}

function spanQuery(rng, field, depth) {
  const kind = rng.weighted({
    span_term: 4,
    span_multi: 1,
    span_near: depth,
    span_or: depth,
    span_first: depth,
    span_field_masking: depth / 3,
    span_not: depth,
    span_containing: depth / 2,
    span_within: depth / 2,
  })
  const inner = () => spanQuery(rng, field, depth - 1)
  switch (kind) {
    case 'span_term':
      return { span_term: { [field]: rng.pick(WORDS) } }
    case 'span_multi':
      return { span_multi: { match: { prefix: { [field]: { value: rng.pick(['r', 'q', 'b']) } } } } }
    case 'span_near':
      return { span_near: { clauses: rng.times(rng.int(2, 3), inner), slop: rng.int(0, 4), in_order: rng.chance(0.5) } }
    case 'span_field_masking':
      return {
        span_field_masking: { field, query: { span_term: { [field === 't' ? 'u' : 't']: rng.pick(WORDS) } } },
      }
    case 'span_or':
      return { span_or: { clauses: rng.times(rng.int(1, 3), inner) } }
    case 'span_first':
      return { span_first: { match: inner(), end: rng.int(1, 4) } }
    case 'span_not':
      return {
        span_not: { include: inner(), exclude: inner(), ...rng.options({ pre: [0.3, () => 1], post: [0.3, () => 1] }) },
      }
    default:
      return { [kind]: { big: inner(), little: inner() } }
  }
}

function scoreFunction(rng) {
  const one = rng.pick([
    () => ({ weight: rng.int(0, 5) }),
    () => ({
      field_value_factor: {
        field: rng.pick(['ob.n', 'l']),
        factor: rng.pick([1, 0.5]),
        modifier: rng.pick(['none', 'log1p', 'sqrt', 'square']),
        missing: 1,
      },
    }),
    () => ({
      [rng.pick(['gauss', 'linear', 'exp'])]: {
        n: {
          origin: rng.int(0, 6),
          scale: rng.int(1, 8),
          decay: rng.pick([0.3, 0.5]),
          ...rng.options({ offset: [0.3, () => 1] }),
        },
        ...rng.options({ multi_value_mode: [0.3, () => rng.pick(['min', 'max', 'sum', 'avg'])] }),
      },
    }),
    () => ({ script_score: { script: "Math.max(0, doc['n'].size())" } }),
  ])()
  return { ...one, ...rng.options({ filter: [0.4, () => query(rng, 0)] }) }
}

const COMPOUNDS = {
  bool: (rng, depth) => ({
    bool: {
      ...rng.options({
        must: [0.4, () => some(rng, depth)],
        filter: [0.4, () => some(rng, depth)],
        should: [0.5, () => some(rng, depth)],
        must_not: [0.25, () => some(rng, depth)],
        minimum_should_match: [0.15, () => must(rng)],
      }),
      ...common(rng),
    },
  }),
  dis_max: (rng, depth) => ({
    dis_max: {
      queries: some(rng, depth),
      ...rng.options({ tie_breaker: [0.5, () => rng.pick([0, 0.4, 1])] }),
      ...common(rng),
    },
  }),
  constant_score: (rng, depth) => ({ constant_score: { filter: query(rng, depth), ...common(rng) } }),
  boosting: (rng, depth) => ({
    boosting: { positive: query(rng, depth), negative: query(rng, depth), negative_boost: rng.pick([0, 0.2, 0.9]) },
  }),
  nested: (rng, depth) => ({
    nested: {
      path: 'o',
      query: nestedQuery(rng, depth),
      ...rng.options({
        score_mode: [0.6, () => rng.pick(['avg', 'sum', 'min', 'max', 'none'])],
        inner_hits: [
          0.15,
          () => ({
            size: rng.int(0, 3),
            ...rng.options({
              name: [0.7, () => `ih${rng.int(1, 1e6)}`],
              sort: [0.3, () => ['o.n']],
              from: [0.1, () => 1],
            }),
          }),
        ],
      }),
      ...common(rng),
    },
  }),
  function_score: (rng, depth) => ({
    function_score: {
      query: query(rng, depth),
      functions: rng.times(rng.int(1, 3), () => scoreFunction(rng)),
      ...rng.options({
        score_mode: [0.5, () => rng.pick(['sum', 'avg', 'first', 'max', 'min', 'multiply'])],
        boost_mode: [0.5, () => rng.pick(['sum', 'avg', 'replace', 'max', 'min', 'multiply'])],
        max_boost: [0.15, () => 3],
        min_score: [0.1, () => 0.5],
      }),
    },
  }),
  script_score: (rng, depth) => ({
    script_score: {
      query: query(rng, depth),
      script: rng.pick(['_score * 2', "1 + doc['n'].size()", 'sigmoid(_score, 1, 2)', 'saturation(_score, 2)']),
    },
  }),
}

function nestedQuery(rng, depth) {
  return rng.pick([
    () => ({ term: { 'o.k': rng.pick(KEYS) } }),
    () => ({ range: { 'o.n': { gte: rng.int(0, 6) } } }),
    () => ({ match: { 'o.t': phrase(rng, 1, 2) } }),
    () => ({ bool: { must: [{ match: { 'o.t': rng.pick(WORDS) } }], should: [{ term: { 'o.n': rng.int(0, 9) } }] } }),
    () => ({ bool: { must_not: [{ exists: { field: 'o.k' } }] } }),
    () => (depth > 0 ? query(rng, 0) : { match_all: {} }),
  ])()
}

const some = (rng, depth) => rng.times(rng.int(1, 3), () => query(rng, depth))

export function query(rng, depth) {
  if (depth > 0 && rng.chance(0.65)) return COMPOUNDS[rng.pick(Object.keys(COMPOUNDS))](rng, depth - 1)
  return LEAVES[rng.pick(Object.keys(LEAVES))](rng)
}
