/** Random queries: every clause, with valid and some invalid options. */
import type { Random } from './random.ts'
import { anyBoolean, anyDate, anyField, anyId, anyNumber, anyPoint, anyScalar, anyText, anyWord } from './values.ts'

type Make = (random: Random) => unknown
type Options = Readonly<Record<string, Make>>

const some = (random: Random, options: Options, probability = 0.3): Record<string, unknown> => {
  const chosen: Record<string, unknown> = {}
  for (const [name, make] of Object.entries(options)) if (random.chance(probability)) chosen[name] = make(random)
  return chosen
}

const small: Make = (random) => (random.chance(0.9) ? random.below(10) : anyNumber(random))
const common: Options = { boost: small, _name: anyWord }
const fuzzy: Options = {
  fuzziness: (r) => r.pick(['AUTO', 0, 1, 2, '1', 'AUTO:2,4', anyScalar(r)]),
  prefix_length: small,
  max_expansions: small,
  fuzzy_transpositions: anyBoolean,
}
const minimum: Options = { minimum_should_match: (r) => r.pick([1, '50%', '-1', '2<75%', '3<-25% 9<-3', anyText(r)]) }
const operator: Options = {
  operator: (r) => r.pick(['and', 'or', 'AND', anyText(r)]),
  zero_terms_query: (r) => r.pick(['none', 'all']),
  lenient: anyBoolean,
  analyzer: (r) => r.pick(['standard', 'keyword', 'missing']),
}
const bounds: Options = {
  gte: anyScalar,
  gt: anyDate,
  lte: anyScalar,
  lt: anyNumber,
  format: (r) => r.pick(['yyyy', 'epoch_millis', anyText(r)]),
  time_zone: (r) => r.pick(['+01:00', 'Europe/Paris', 'X']),
  relation: (r) => r.pick(['within', 'contains', 'intersects', 'x']),
}
const distance: Make = (r) => r.pick(['10km', '1mi', 100, '5', '-1km', '1e400m', anyText(r)])

/** A clause for one field: `{ field: value }` or `{ field: { … } }`. */
const forField =
  (member: string, value: Make, options: Options = {}): Make =>
  (random) => {
    const field = anyField(random)
    if (random.chance(0.3)) return { [field]: value(random) }
    return { [field]: { [member]: value(random), ...some(random, { ...options, ...common }) } }
  }

const fields: Make = (random) =>
  random.list(3, () => anyField(random) + (random.chance(0.2) ? `^${anyNumber(random)}` : ''))
const shape: Make = (random) =>
  random.pick<unknown>([
    'POINT (1 2)',
    'ENVELOPE (-10, 10, 10, -10)',
    { type: 'point', coordinates: [1, 2] },
    {
      type: 'envelope',
      coordinates: [
        [-10, 10],
        [10, -10],
      ],
    },
    {
      type: 'polygon',
      coordinates: [
        [
          [0, 0],
          [20, 0],
          [20, 20],
          [0, 0],
        ],
      ],
    },
    { type: 'circle', coordinates: [1, 2], radius: '10km' },
    {
      type: 'geometrycollection',
      geometries: [
        {
          type: 'linestring',
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
      ],
    },
    anyText(random),
  ])

const span: Make = (random) =>
  random.pick<Make>([
    (r) => ({ span_term: { t: anyWord(r) } }),
    (r) => ({ span_multi: { match: { prefix: { t: anyWord(r) } } } }),
    (r) => ({
      span_near: {
        clauses: r.list(2, () => ({ span_term: { t: anyWord(r) } })),
        slop: small(r),
        in_order: anyBoolean(r),
      },
    }),
    (r) => ({ span_first: { match: { span_term: { t: anyWord(r) } }, end: small(r) } }),
    (r) => ({
      span_not: {
        include: { span_term: { t: anyWord(r) } },
        exclude: { span_term: { t: anyWord(r) } },
        ...some(r, { pre: small, post: small, dist: small }),
      },
    }),
    (r) => ({ span_or: { clauses: r.list(2, () => ({ span_term: { t: anyWord(r) } })) } }),
    (r) => ({ span_containing: { big: { span_term: { t: anyWord(r) } }, little: { span_term: { t: anyWord(r) } } } }),
    (r) => ({ field_masking_span: { query: { span_term: { t: anyWord(r) } }, field: 't' } }),
  ])(random)

const intervals: Make = (random) =>
  random.pick<Make>([
    (r) => ({
      match: { query: anyText(r), ...some(r, { max_gaps: small, ordered: anyBoolean, analyzer: () => 'standard' }) },
    }),
    (r) => ({ prefix: { prefix: anyWord(r) } }),
    (r) => ({ wildcard: { pattern: anyWord(r) } }),
    (r) => ({ fuzzy: { term: anyWord(r), ...some(r, fuzzy) } }),
    (r) => ({
      all_of: {
        intervals: r.list(2, () => ({ match: { query: anyText(r) } })),
        ...some(r, {
          max_gaps: small,
          ordered: anyBoolean,
          filter: () => ({ before: { match: { query: anyWord(r) } } }),
        }),
      },
    }),
    (r) => ({ any_of: { intervals: r.list(2, () => ({ match: { query: anyText(r) } })) } }),
  ])(random)

const scoreFunction: Make = (random) =>
  random.pick<Make>([
    (r) => ({ weight: anyNumber(r) }),
    (r) => ({ random_score: some(r, { seed: anyScalar, field: anyField }) }),
    (r) => ({
      field_value_factor: {
        field: anyField(r),
        ...some(r, {
          factor: anyNumber,
          missing: anyNumber,
          modifier: (q) => q.pick(['none', 'log', 'ln2p', 'sqrt', 'reciprocal', anyText(q)]),
        }),
      },
    }),
    (r) => ({
      [r.pick(['gauss', 'exp', 'linear'])]: {
        [anyField(r)]: {
          origin: r.pick([anyScalar(r), anyPoint(r)]),
          scale: r.pick(['10d', '5km', anyScalar(r)]),
          ...some(r, { offset: anyScalar, decay: anyScalar }),
        },
      },
    }),
  ])(random)

const LEAVES: Readonly<Record<string, Make>> = {
  match_all: (r) => some(r, common),
  match_none: (r) => some(r, common),
  match: forField('query', anyScalar, { ...operator, ...fuzzy, ...minimum }),
  match_phrase: forField('query', anyText, { slop: small, analyzer: () => 'standard' }),
  match_phrase_prefix: forField('query', anyText, { slop: small, max_expansions: small }),
  match_bool_prefix: forField('query', anyText, { ...operator, ...fuzzy, ...minimum }),
  multi_match: (r) => ({
    query: anyText(r),
    fields: fields(r),
    ...some(r, {
      type: (q) =>
        q.pick(['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix', anyText(q)]),
      tie_breaker: anyNumber,
      slop: small,
      ...operator,
      ...fuzzy,
      ...minimum,
      ...common,
    }),
  }),
  combined_fields: (r) => ({
    query: anyText(r),
    fields: fields(r),
    ...some(r, { ...operator, ...minimum, ...common }),
  }),
  query_string: (r) => ({
    query: r
      .list(
        4,
        () =>
          `${r.pick(['', '+', '-', 'NOT ', `${anyField(r)}:`])}${anyText(r)}${r.pick(['', '~2', '^3', '*', ' AND', ' OR'])}`,
      )
      .join(' '),
    ...some(r, {
      default_field: anyField,
      fields,
      default_operator: (q) => q.pick(['AND', 'OR', 'x']),
      phrase_slop: small,
      allow_leading_wildcard: anyBoolean,
      analyze_wildcard: anyBoolean,
      lenient: anyBoolean,
      tie_breaker: anyNumber,
      type: (q) => q.pick(['best_fields', 'phrase', 'cross_fields']),
      ...minimum,
      ...common,
    }),
  }),
  simple_query_string: (r) => ({
    query: anyText(r),
    ...some(r, {
      fields,
      flags: (q) => q.pick(['ALL', 'OR|AND', 'NONE', anyText(q)]),
      default_operator: (q) => q.pick(['and', 'or']),
      analyze_wildcard: anyBoolean,
      lenient: anyBoolean,
      ...minimum,
      ...common,
    }),
  }),
  term: forField('value', anyScalar, { case_insensitive: anyBoolean }),
  terms: (r) => ({
    [anyField(r)]: r.chance(0.8) ? r.list(5, () => anyScalar(r)) : { index: 'fuzz-a', id: anyId(r), path: anyField(r) },
    ...some(r, common),
  }),
  terms_set: (r) => ({
    [anyField(r)]: {
      terms: r.list(3, () => anyScalar(r)),
      ...some(r, { minimum_should_match_field: anyField, minimum_should_match: small, ...common }),
    },
  }),
  range: (r) => ({ [anyField(r)]: some(r, { ...bounds, ...common }) }),
  exists: (r) => ({ field: anyField(r), ...some(r, common) }),
  prefix: forField('value', anyText, {
    case_insensitive: anyBoolean,
    rewrite: (r) => r.pick(['constant_score', 'top_terms_5', 'scoring_boolean', 'x']),
  }),
  wildcard: forField('value', anyText, { case_insensitive: anyBoolean, rewrite: () => 'top_terms_boost_3' }),
  regexp: forField('value', (r) => r.pick(['a.*', 'q(u|i)+c{1,3}k', '[^a-f]+', '~(fox)', '<1-20>', '@', anyText(r)]), {
    flags: (r) => r.pick(['ALL', 'NONE', 'INTERVAL|COMPLEMENT', 'x']),
    max_determinized_states: small,
    case_insensitive: anyBoolean,
  }),
  fuzzy: forField('value', anyScalar, fuzzy),
  ids: (r) => ({ values: r.list(5, () => anyId(r)), ...some(r, common) }),
  distance_feature: (r) => ({
    field: anyField(r),
    origin: r.pick([anyDate(r), anyPoint(r)]),
    pivot: r.pick(['7d', '10km', anyText(r)]),
    ...some(r, common),
  }),
  more_like_this: (r) => ({
    ...some(
      r,
      {
        fields,
        max_query_terms: small,
        min_term_freq: () => 1,
        min_doc_freq: () => 1,
        max_doc_freq: small,
        stop_words: (q) => q.list(2, () => anyWord(q)),
        include: anyBoolean,
        boost_terms: anyNumber,
        ...minimum,
        ...common,
      },
      0.5,
    ),
    like: r.list(3, () => (r.chance(0.5) ? anyText(r) : { _index: 'fuzz-a', _id: anyId(r) })),
  }),
  geo_distance: (r) => ({
    distance: distance(r),
    [r.pick(['g', anyField(r)])]: anyPoint(r),
    ...some(r, {
      distance_type: (q) => q.pick(['arc', 'plane', 'x']),
      validation_method: (q) => q.pick(['STRICT', 'COERCE', 'IGNORE_MALFORMED']),
      ignore_unmapped: anyBoolean,
      ...common,
    }),
  }),
  geo_bounding_box: (r) => ({
    [r.pick(['g', anyField(r)])]: r.pick<unknown>([
      { top_left: anyPoint(r), bottom_right: anyPoint(r) },
      { top: anyNumber(r), left: anyNumber(r), bottom: anyNumber(r), right: anyNumber(r) },
      { wkt: anyText(r) },
    ]),
    ...some(r, { validation_method: () => 'COERCE', ignore_unmapped: anyBoolean }),
  }),
  geo_polygon: (r) => ({ g: { points: r.list(5, () => anyPoint(r)) } }),
  geo_shape: (r) => ({
    [r.pick(['g', 'gs', anyField(r)])]: {
      shape: shape(r),
      relation: r.pick(['intersects', 'within', 'disjoint', 'contains', 'x']),
    },
    ...some(r, { ignore_unmapped: anyBoolean }),
  }),
  intervals: (r) => ({ [r.pick(['t', anyField(r)])]: intervals(r) }),
  wrapper: (r) => ({ query: r.pick([Buffer.from('{"match_all":{}}').toString('base64'), anyText(r)]) }),
  pinned: (r) => ({ ids: r.list(3, () => anyId(r)), organic: { match_all: {} } }),
  span_term: (r) => ({ [anyField(r)]: anyScalar(r) }),
  unknown_clause: anyScalar,
}
const LEAF_NAMES = Object.keys(LEAVES)

export function anyQuery(random: Random, depth = 3): Record<string, unknown> {
  if (depth === 0 || random.chance(0.55)) {
    const name = random.pick(LEAF_NAMES)
    return random.chance(0.97) ? { [name]: LEAVES[name]!(random) } : { [name]: anyScalar(random) }
  }
  const inner = () => anyQuery(random, depth - 1)
  switch (random.below(9)) {
    case 0:
      return { constant_score: { filter: inner(), ...some(random, common) } }
    case 1:
      return { dis_max: { queries: random.list(3, inner), ...some(random, { tie_breaker: anyNumber, ...common }) } }
    case 2:
      return {
        boosting: { positive: inner(), negative: inner(), negative_boost: anyNumber(random), ...some(random, common) },
      }
    case 3:
      return {
        nested: {
          path: random.pick(['n', anyField(random)]),
          query: inner(),
          ...some(random, {
            score_mode: (r) => r.pick(['avg', 'max', 'none', 'x']),
            ignore_unmapped: anyBoolean,
            inner_hits: () => ({ name: `i${random.below(1e6)}` }),
          }),
        },
      }
    case 4: {
      const functions = random.list(3, () => ({
        ...(scoreFunction(random) as object),
        ...some(random, { filter: inner, weight: anyNumber }),
      }))
      return {
        function_score: {
          query: inner(),
          ...(random.chance(0.5) ? { functions } : (scoreFunction(random) as object)),
          ...some(random, {
            score_mode: (r) => r.pick(['sum', 'multiply', 'avg', 'first', 'max', 'min', 'x']),
            boost_mode: (r) => r.pick(['replace', 'sum', 'avg', 'x']),
            max_boost: anyNumber,
            min_score: anyNumber,
            ...common,
          }),
        },
      }
    }
    case 5:
      return span(random) as Record<string, unknown>
    default:
      return {
        bool: some(
          random,
          {
            must: () => random.list(2, inner),
            should: () => random.list(3, inner),
            filter: inner,
            must_not: () => random.list(2, inner),
            ...minimum,
            ...common,
          },
          0.5,
        ),
      }
  }
}
