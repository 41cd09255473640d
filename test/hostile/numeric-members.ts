/**
 * Requests with numbers, one for every query, aggregation, sort and option that takes a number, and odd values for
 * them. Every number of every request is replaced by every odd value in turn.
 */

export interface NumericRequest {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

const query = (name: string, clause: unknown): NumericRequest => ({ name, body: { query: clause } })
const aggregation = (name: string, definition: unknown): NumericRequest => ({
  name,
  body: { size: 0, aggs: { a: definition } },
})
const pipeline = (name: string, definition: unknown): NumericRequest => ({
  name,
  body: {
    size: 0,
    aggs: {
      h: {
        histogram: { field: 'size', interval: 2 },
        aggs: { m: { avg: { field: 'price' } }, ...(definition as object) },
      },
    },
  },
})
const sibling = (name: string, definition: unknown): NumericRequest => ({
  name,
  body: {
    size: 0,
    aggs: { h: { histogram: { field: 'size', interval: 2 }, aggs: { m: { avg: { field: 'price' } } } }, s: definition },
  },
})
const functionScore = (name: string, scoring: object) =>
  query(`function_score ${name}`, { function_score: { query: { match_all: {} }, ...scoring } })
const decay = (shape: string, field: string, origin: unknown, scale: unknown, offset: unknown) =>
  functionScore(`${shape} of ${field}`, { [shape]: { [field]: { origin, scale, offset, decay: 0.5 } } })
const span = { span_term: { title: { value: 'quick', boost: 1 } } }

export const NUMERIC_REQUESTS: readonly NumericRequest[] = [
  {
    name: 'search',
    body: {
      from: 0,
      size: 10,
      min_score: 0.1,
      terminate_after: 100,
      track_total_hits: 10,
      query: { match_all: { boost: 1 } },
    },
  },
  { name: 'slice', body: { slice: { id: 0, max: 2 } } },
  { name: 'search_after', body: { sort: [{ size: 'asc' }, { price: 'desc' }], search_after: [1, 2] } },
  {
    name: 'rescore',
    body: {
      rescore: {
        window_size: 10,
        query: { rescore_query: { match_all: {} }, query_weight: 1, rescore_query_weight: 2 },
      },
    },
  },
  { name: 'indices_boost', body: { indices_boost: [{ numbers: 1.5 }] } },
  { name: 'sort missing', body: { sort: [{ size: { order: 'asc', missing: 1 } }] } },
  {
    name: 'sort by distance',
    body: { sort: [{ _geo_distance: { place: { lat: 1, lon: 2 }, order: 'asc', unit: 'km' } }] },
  },
  {
    name: 'collapse',
    body: { collapse: { field: 'tag', inner_hits: { name: 'i', from: 0, size: 2 }, max_concurrent_group_searches: 2 } },
  },
  {
    name: 'highlight',
    body: {
      query: { match: { title: 'quick' } },
      highlight: {
        fragment_size: 10,
        number_of_fragments: 2,
        no_match_size: 10,
        phrase_limit: 10,
        max_analyzed_offset: 100,
        boundary_max_scan: 10,
        fields: { title: { type: 'unified', fragment_size: 10, number_of_fragments: 3 } },
      },
    },
  },
  {
    name: 'suggest term',
    body: {
      suggest: {
        s: {
          text: 'quikc',
          term: {
            field: 'title',
            size: 3,
            max_edits: 2,
            prefix_length: 1,
            min_word_length: 4,
            shard_size: 5,
            max_inspections: 5,
            min_doc_freq: 0,
            max_term_freq: 0.5,
          },
        },
      },
    },
  },
  {
    name: 'suggest phrase',
    body: {
      suggest: {
        s: {
          text: 'quikc brwon',
          phrase: {
            field: 'title',
            gram_size: 2,
            size: 3,
            confidence: 1,
            max_errors: 2,
            real_word_error_likelihood: 0.9,
            token_limit: 10,
            shard_size: 5,
            smoothing: { laplace: { alpha: 0.7 } },
            direct_generator: [
              {
                field: 'title',
                size: 3,
                max_edits: 2,
                prefix_length: 1,
                min_word_length: 3,
                min_doc_freq: 0,
                max_term_freq: 0.1,
              },
            ],
          },
        },
      },
    },
  },
  {
    name: 'suggest phrase, interpolated',
    body: {
      suggest: {
        s: {
          text: 'quikc',
          phrase: {
            field: 'title',
            smoothing: { linear_interpolation: { trigram_lambda: 0.5, bigram_lambda: 0.3, unigram_lambda: 0.2 } },
          },
        },
      },
    },
  },
  {
    name: 'suggest completion',
    body: {
      suggest: {
        s: {
          prefix: 'qui',
          completion: { field: 'suggestion', size: 3, fuzzy: { fuzziness: 1, min_length: 3, prefix_length: 1 } },
        },
      },
    },
  },
  // Queries
  query('match', {
    match: {
      title: {
        query: 'quick',
        boost: 1,
        fuzziness: 1,
        prefix_length: 1,
        max_expansions: 10,
        minimum_should_match: 1,
        slop: 1,
      },
    },
  }),
  query('match of a number', { match: { size: 1 } }),
  query('match_phrase', { match_phrase: { title: { query: 'quick fox', slop: 2, boost: 1 } } }),
  query('match_phrase_prefix', {
    match_phrase_prefix: { title: { query: 'quick f', slop: 2, max_expansions: 10, boost: 1 } },
  }),
  query('match_bool_prefix', { match_bool_prefix: { title: { query: 'quick f', minimum_should_match: 1, boost: 1 } } }),
  query('multi_match', {
    multi_match: {
      query: 'quick',
      fields: ['title^2'],
      tie_breaker: 0.3,
      boost: 1,
      slop: 1,
      prefix_length: 0,
      max_expansions: 10,
      minimum_should_match: 1,
    },
  }),
  query('combined_fields', {
    combined_fields: { query: 'quick', fields: ['title'], boost: 1, minimum_should_match: 1 },
  }),
  query('query_string', {
    query_string: {
      query: 'quick',
      boost: 1,
      phrase_slop: 1,
      fuzzy_prefix_length: 1,
      fuzzy_max_expansions: 10,
      tie_breaker: 0.1,
      max_determinized_states: 100,
      minimum_should_match: 1,
    },
  }),
  query('simple_query_string', {
    simple_query_string: {
      query: 'quick',
      boost: 1,
      fuzzy_prefix_length: 1,
      fuzzy_max_expansions: 10,
      minimum_should_match: 1,
    },
  }),
  query('term', { term: { size: { value: 1, boost: 1 } } }),
  query('term of a double', { term: { price: { value: 0.5, boost: 1 } } }),
  query('terms', { terms: { size: [1, 2], boost: 1 } }),
  query('terms_set', { terms_set: { tag: { terms: ['a', 'b'], minimum_should_match: 1, boost: 1 } } }),
  query('range', { range: { size: { gte: 1, lte: 2, boost: 1 } } }),
  query('range of doubles', { range: { price: { gt: 0.1, lt: 0.9 } } }),
  query('range of dates', { range: { when: { gte: 1, lte: 1_800_000_000_000 } } }),
  query('exists', { exists: { field: 'size', boost: 1 } }),
  query('prefix', { prefix: { tag: { value: 'a', boost: 1 } } }),
  query('wildcard', { wildcard: { tag: { value: 'a*', boost: 1 } } }),
  query('regexp', { regexp: { tag: { value: 'a.*', boost: 1, max_determinized_states: 100 } } }),
  query('fuzzy', { fuzzy: { tag: { value: 'abc', fuzziness: 1, prefix_length: 1, max_expansions: 10, boost: 1 } } }),
  query('ids', { ids: { values: ['1'], boost: 1 } }),
  query('bool', { bool: { should: [{ match_all: {} }], minimum_should_match: 1, boost: 1 } }),
  query('boosting', {
    boosting: { positive: { match_all: {} }, negative: { term: { tag: 'a' } }, negative_boost: 0.5, boost: 1 },
  }),
  query('constant_score', { constant_score: { filter: { match_all: {} }, boost: 1 } }),
  query('dis_max', { dis_max: { queries: [{ match_all: {} }], tie_breaker: 0.5, boost: 1 } }),
  functionScore('weight', { weight: 2, max_boost: 10, min_score: 0.1, boost: 1 }),
  functionScore('weights', {
    functions: [
      { filter: { match_all: {} }, weight: 2 },
      { random_score: { seed: 1, field: '_seq_no' }, weight: 1 },
    ],
  }),
  functionScore('random', { random_score: { seed: 42, field: '_seq_no' } }),
  functionScore('field_value_factor', {
    field_value_factor: { field: 'size', factor: 1.5, missing: 1, modifier: 'none' },
  }),
  functionScore('field_value_factor ln', {
    field_value_factor: { field: 'size', factor: 1.5, missing: 1, modifier: 'log1p' },
  }),
  decay('gauss', 'size', 1, 2, 1),
  decay('exp', 'price', 0.1, 2, 1),
  decay('linear', 'size', 1, 2, 1),
  decay('gauss', 'when', 1_700_000_000_000, '10d', '1d'),
  decay('linear', 'place', { lat: 1, lon: 2 }, '10km', '1km'),
  query('distance_feature', { distance_feature: { field: 'when', origin: 1_700_000_000_000, pivot: '7d', boost: 1 } }),
  query('distance_feature of a place', {
    distance_feature: { field: 'place', origin: [1, 2], pivot: '7km', boost: 1 },
  }),
  query('more_like_this', {
    more_like_this: {
      fields: ['title'],
      like: 'quick',
      max_query_terms: 10,
      min_term_freq: 1,
      min_doc_freq: 1,
      max_doc_freq: 100,
      min_word_length: 1,
      max_word_length: 10,
      boost_terms: 1,
      minimum_should_match: 1,
      boost: 1,
    },
  }),
  query('nested', {
    nested: {
      path: 'parts',
      query: { range: { 'parts.size': { gte: 1 } } },
      boost: 1,
      inner_hits: { from: 0, size: 1 },
    },
  }),
  query('geo_distance', { geo_distance: { distance: 10, place: { lat: 1, lon: 2 }, boost: 1 } }),
  query('geo_distance of a list', { geo_distance: { distance: '10km', place: [1, 2] } }),
  query('geo_bounding_box', {
    geo_bounding_box: { place: { top_left: { lat: 10, lon: -10 }, bottom_right: { lat: -10, lon: 10 } }, boost: 1 },
  }),
  query('geo_bounding_box of sides', { geo_bounding_box: { place: { top: 10, left: -10, bottom: -10, right: 10 } } }),
  query('geo_polygon', {
    geo_polygon: {
      place: {
        points: [
          { lat: 0, lon: 0 },
          { lat: 10, lon: 0 },
          { lat: 10, lon: 10 },
        ],
      },
      boost: 1,
    },
  }),
  query('geo_shape', {
    geo_shape: {
      place: {
        shape: {
          type: 'envelope',
          coordinates: [
            [-10, 10],
            [10, -10],
          ],
        },
        relation: 'intersects',
      },
      boost: 1,
    },
  }),
  query('geo_shape circle', {
    geo_shape: {
      place: {
        shape: {
          type: 'polygon',
          coordinates: [
            [
              [0, 0],
              [10, 0],
              [10, 10],
              [0, 0],
            ],
          ],
        },
      },
    },
  }),
  query('intervals', { intervals: { title: { match: { query: 'quick fox', max_gaps: 2 }, boost: 1 } } }),
  query('intervals fuzzy', { intervals: { title: { fuzzy: { term: 'quikc', prefix_length: 1, fuzziness: 1 } } } }),
  query('intervals all_of', {
    intervals: { title: { all_of: { intervals: [{ match: { query: 'quick' } }], max_gaps: 2 } } },
  }),
  query('span_near', { span_near: { clauses: [span, span], slop: 2, boost: 1 } }),
  query('span_first', { span_first: { match: span, end: 2, boost: 1 } }),
  query('span_not', { span_not: { include: span, exclude: span, pre: 1, post: 1, dist: 1, boost: 1 } }),
  query('span_or', { span_or: { clauses: [span], boost: 1 } }),
  query('pinned', { pinned: { ids: ['1'], organic: { match_all: {} }, boost: 1 } }),
  query('rank_feature', { rank_feature: { field: 'size', boost: 1, saturation: { pivot: 8 } } }),
  query('script_score', { script_score: { query: { match_all: {} }, script: '1', min_score: 1, boost: 1 } }),
  // Aggregations
  aggregation('avg', { avg: { field: 'size', missing: 1 } }),
  aggregation('max', { max: { field: 'size', missing: 1 } }),
  aggregation('sum', { sum: { field: 'price', missing: 1 } }),
  aggregation('stats', { stats: { field: 'price', missing: 1 } }),
  aggregation('extended_stats', { extended_stats: { field: 'price', sigma: 2, missing: 1 } }),
  aggregation('value_count', { value_count: { field: 'price', missing: 1 } }),
  aggregation('weighted_avg', {
    weighted_avg: { value: { field: 'price', missing: 1 }, weight: { field: 'size', missing: 1 } },
  }),
  aggregation('cardinality', { cardinality: { field: 'size', precision_threshold: 100, missing: 1 } }),
  aggregation('percentiles', {
    percentiles: { field: 'price', percents: [1, 50, 99], tdigest: { compression: 100 }, missing: 1 },
  }),
  aggregation('percentiles hdr', {
    percentiles: { field: 'size', percents: [50], hdr: { number_of_significant_value_digits: 3 } },
  }),
  aggregation('percentile_ranks', { percentile_ranks: { field: 'price', values: [1, 2], missing: 1 } }),
  aggregation('median_absolute_deviation', {
    median_absolute_deviation: { field: 'price', compression: 100, missing: 1 },
  }),
  aggregation('boxplot', { boxplot: { field: 'price', compression: 100, missing: 1 } }),
  aggregation('string_stats', { string_stats: { field: 'tag' } }),
  aggregation('top_hits', { top_hits: { from: 0, size: 2 } }),
  aggregation('top_metrics', { top_metrics: { metrics: { field: 'size' }, sort: { price: 'asc' }, size: 2 } }),
  aggregation('terms', {
    terms: {
      field: 'size',
      size: 3,
      shard_size: 5,
      min_doc_count: 1,
      shard_min_doc_count: 0,
      missing: 1,
      include: { partition: 0, num_partitions: 2 },
    },
  }),
  aggregation('terms of words', {
    terms: { field: 'tag', size: 3, shard_size: 5, min_doc_count: 0, include: { partition: 0, num_partitions: 2 } },
  }),
  aggregation('rare_terms', { rare_terms: { field: 'tag', max_doc_count: 1, precision: 0.01 } }),
  aggregation('multi_terms', {
    multi_terms: { terms: [{ field: 'tag' }, { field: 'size', missing: 1 }], size: 3, shard_size: 5, min_doc_count: 1 },
  }),
  aggregation('significant_terms', {
    significant_terms: { field: 'tag', size: 3, shard_size: 5, min_doc_count: 1, shard_min_doc_count: 0 },
  }),
  aggregation('significant_text', { significant_text: { field: 'title', size: 3, min_doc_count: 1 } }),
  aggregation('histogram', {
    histogram: {
      field: 'price',
      interval: 0.5,
      offset: 0.1,
      min_doc_count: 0,
      missing: 1,
      extended_bounds: { min: 0, max: 2 },
    },
  }),
  aggregation('histogram with hard bounds', {
    histogram: { field: 'price', interval: 0.5, hard_bounds: { min: 0, max: 2 } },
  }),
  aggregation('date_histogram', {
    date_histogram: { field: 'when', fixed_interval: '1d', min_doc_count: 0, missing: 1 },
  }),
  aggregation('date_histogram with an offset', {
    date_histogram: {
      field: 'when',
      calendar_interval: 'month',
      offset: 1,
      extended_bounds: { min: 1_700_000_000_000, max: 1_700_100_000_000 },
    },
  }),
  aggregation('auto_date_histogram', { auto_date_histogram: { field: 'when', buckets: 5 } }),
  aggregation('variable_width_histogram', {
    variable_width_histogram: { field: 'price', buckets: 3, shard_size: 10, initial_buffer: 20 },
  }),
  aggregation('range', { range: { field: 'price', ranges: [{ from: 0, to: 1 }], missing: 1 } }),
  aggregation('date_range', { date_range: { field: 'when', ranges: [{ from: 1, to: 1_800_000_000_000 }] } }),
  aggregation('geo_distance', {
    geo_distance: { field: 'place', origin: { lat: 1, lon: 2 }, ranges: [{ from: 0, to: 100 }] },
  }),
  aggregation('geohash_grid', { geohash_grid: { field: 'place', precision: 3, size: 10, shard_size: 20 } }),
  aggregation('geotile_grid', { geotile_grid: { field: 'place', precision: 3, size: 10, shard_size: 20 } }),
  aggregation('geotile_grid within bounds', {
    geotile_grid: {
      field: 'place',
      precision: 3,
      bounds: { top_left: { lat: 10, lon: -10 }, bottom_right: { lat: -10, lon: 10 } },
    },
  }),
  aggregation('ip_prefix', { ip_prefix: { field: 'address', prefix_length: 16, min_doc_count: 1 } }),
  aggregation('sampler', { sampler: { shard_size: 10 } }),
  aggregation('diversified_sampler', { diversified_sampler: { shard_size: 10, field: 'tag', max_docs_per_value: 1 } }),
  aggregation('random_sampler', { random_sampler: { probability: 0.5, seed: 42, shard_seed: 1 } }),
  aggregation('composite', {
    composite: {
      size: 3,
      sources: [{ h: { histogram: { field: 'price', interval: 0.5 } } }, { t: { terms: { field: 'size' } } }],
      after: { h: 0, t: 1 },
    },
  }),
  aggregation('composite of tiles', {
    composite: { size: 3, sources: [{ g: { geotile_grid: { field: 'place', precision: 3 } } }] },
  }),
  aggregation('filters', { filters: { other_bucket: true, filters: { a: { range: { size: { gte: 1 } } } } } }),
  pipeline('derivative', { d: { derivative: { buckets_path: 'm' } } }),
  pipeline('moving_fn', {
    d: { moving_fn: { buckets_path: 'm', window: 2, shift: 1, script: 'MovingFunctions.max(values)' } },
  }),
  pipeline('serial_diff', { d: { serial_diff: { buckets_path: 'm', lag: 2 } } }),
  pipeline('bucket_sort', { d: { bucket_sort: { sort: ['m'], from: 0, size: 2 } } }),
  pipeline('moving_percentiles', {
    p: { percentiles: { field: 'price' } },
    d: { moving_percentiles: { buckets_path: 'p', window: 2, shift: 1 } },
  }),
  sibling('percentiles_bucket', { percentiles_bucket: { buckets_path: 'h>m', percents: [50, 99] } }),
  sibling('extended_stats_bucket', { extended_stats_bucket: { buckets_path: 'h>m', sigma: 2 } }),
]

/** JSON texts, because some of them are numbers that JavaScript cannot represent. */
export const ODD_VALUES: readonly string[] = [
  '"^"',
  '""',
  '" "',
  '"abc"',
  '"NaN"',
  '"Infinity"',
  '"-Infinity"',
  '"1e400"',
  '"0x10"',
  '"1_000"',
  '"1d"',
  '"1f"',
  '"%"',
  '"١"',
  '1e400',
  '-1e400',
  '1e38',
  '1e-400',
  '-0.0',
  '0',
  '-1',
  '0.5',
  '1.7976931348623157e308',
  '2147483648',
  '-2147483649',
  '9223372036854775807',
  '9223372036854775808',
  '123456789012345678901234567890',
  'true',
  'null',
  '[]',
  '[1]',
  '{}',
  '{"a":1}',
]

export interface Mutated {
  readonly name: string
  /** The body, with one number replaced. */
  readonly body: string
}

const PLACE = '\u0001'

/** Every request with every number replaced by every odd value. */
export function* mutatedRequests(): Generator<Mutated> {
  for (const { name, body } of NUMERIC_REQUESTS) {
    for (const path of numberPaths(body)) {
      const template = JSON.stringify(replaced(body, path))
      for (const value of ODD_VALUES) {
        yield {
          name: `${name}: ${path.join('.')} = ${value}`,
          body: template.replace(JSON.stringify(PLACE), () => value),
        }
      }
    }
  }
}

function numberPaths(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'number') return [[...path]]
  if (Array.isArray(value)) return value.flatMap((item, i) => numberPaths(item, [...path, i]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => numberPaths(item, [...path, key]))
}

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  if (key === undefined) return PLACE
  if (Array.isArray(value)) return value.map((item, i) => (i === key ? replaced(item, rest) : item))
  const members = Object.entries(value as object)
  return Object.fromEntries(members.map(([name, item]) => [name, name === key ? replaced(item, rest) : item]))
}

export const NUMBERS_MAPPING = {
  mappings: {
    properties: {
      title: { type: 'text' },
      tag: { type: 'keyword' },
      size: { type: 'long' },
      price: { type: 'double' },
      when: { type: 'date' },
      place: { type: 'geo_point' },
      address: { type: 'ip' },
      suggestion: { type: 'completion' },
      parts: { type: 'nested', properties: { size: { type: 'integer' } } },
    },
  },
}

export const NUMBERS_DOCUMENTS: readonly object[] = Array.from({ length: 5 }, (_, i) => ({
  title: `quick brown fox ${i}`,
  tag: 'abcde'[i],
  size: i + 1,
  price: i / 2,
  when: `2024-01-0${i + 1}`,
  place: { lat: i, lon: i },
  address: `10.0.${i}.1`,
  suggestion: `quick ${i}`,
  parts: [{ size: i }],
}))
