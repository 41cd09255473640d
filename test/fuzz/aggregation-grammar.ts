/** Random aggregations: buckets in buckets, metrics, and pipelines over them. */
import { anyQuery } from './query-grammar.ts'
import type { Random } from './random.ts'
import { anyBoolean, anyDate, anyField, anyNumber, anyPoint, anyScalar, anyText } from './values.ts'

type Make = (random: Random) => unknown

const some = (random: Random, options: Readonly<Record<string, Make>>, probability = 0.3): Record<string, unknown> => {
  const chosen: Record<string, unknown> = {}
  for (const [name, make] of Object.entries(options)) if (random.chance(probability)) chosen[name] = make(random)
  return chosen
}
const size: Make = (r) => (r.chance(0.9) ? r.below(20) : anyNumber(r))
const source = { missing: anyScalar, format: (r: Random) => r.pick(['yyyy', '0.00', anyText(r)]) }
const order: Make = (r) =>
  r.pick<unknown>([
    { _count: 'asc' },
    { _key: 'desc' },
    { m0: 'asc' },
    { 'a0>m0': 'desc' },
    [{ _count: 'desc' }, { _key: 'asc' }],
    anyScalar(r),
  ])
const interval: Make = (r) => r.pick<unknown>([1, 0.5, 10, 1_000_000, anyNumber(r)])
const zone: Make = (r) => r.pick(['+02:00', 'America/New_York', 'X'])

const METRICS: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(
    ['avg', 'max', 'min', 'sum', 'stats', 'value_count', 'string_stats', 'boxplot', 'geo_bounds', 'geo_centroid'].map(
      (name) => [name, (r: Random) => ({ field: anyField(r), ...some(r, source) })],
    ),
  ),
  extended_stats: (r) => ({ field: anyField(r), ...some(r, { sigma: anyNumber, ...source }) }),
  cardinality: (r) => ({ field: anyField(r), ...some(r, { precision_threshold: size, ...source }) }),
  percentiles: (r) => ({
    field: anyField(r),
    ...some(r, {
      percents: (q) => q.list(4, () => anyNumber(q)),
      keyed: anyBoolean,
      tdigest: () => ({ compression: anyNumber(r) }),
      hdr: () => ({ number_of_significant_value_digits: size(r) }),
      ...source,
    }),
  }),
  percentile_ranks: (r) => ({
    field: anyField(r),
    values: r.list(3, () => anyNumber(r)),
    ...some(r, { keyed: anyBoolean, ...source }),
  }),
  median_absolute_deviation: (r) => ({ field: anyField(r), ...some(r, { compression: anyNumber }) }),
  weighted_avg: (r) => ({
    value: { field: anyField(r), ...some(r, source) },
    weight: { field: anyField(r), ...some(r, source) },
  }),
  top_hits: (r) =>
    some(r, {
      size,
      from: size,
      sort: (q) => [{ [anyField(q)]: 'asc' }],
      _source: anyField,
      docvalue_fields: (q) => [anyField(q)],
      explain: anyBoolean,
    }),
  top_metrics: (r) => ({ metrics: { field: anyField(r) }, sort: { [anyField(r)]: 'desc' }, ...some(r, { size }) }),
}

const BUCKETS: Readonly<Record<string, Make>> = {
  terms: (r) => ({
    field: anyField(r),
    ...some(r, {
      size,
      shard_size: size,
      min_doc_count: size,
      order,
      include: (q) => q.pick<unknown>(['a.*', ['quick', 'fox'], { partition: 0, num_partitions: 2 }, anyScalar(q)]),
      exclude: (q) => q.pick<unknown>(['.*x', ['dog'], anyText(q)]),
      collect_mode: (q) => q.pick(['breadth_first', 'depth_first', 'x']),
      execution_hint: (q) => q.pick(['map', 'global_ordinals']),
      show_term_doc_count_error: anyBoolean,
      ...source,
    }),
  }),
  rare_terms: (r) => ({
    field: anyField(r),
    ...some(r, { max_doc_count: size, precision: anyNumber, include: anyText }),
  }),
  multi_terms: (r) => ({
    terms: r.list(3, () => ({ field: anyField(r), ...some(r, source) })),
    ...some(r, { size, order, min_doc_count: size }),
  }),
  significant_terms: (r) => ({
    field: anyField(r),
    ...some(r, {
      size,
      min_doc_count: size,
      background_filter: () => anyQuery(r, 1),
      jlh: () => ({}),
      chi_square: () => ({}),
      percentage: () => ({}),
    }),
  }),
  significant_text: (r) => ({
    field: anyField(r),
    ...some(r, { size, min_doc_count: size, filter_duplicate_text: anyBoolean }),
  }),
  histogram: (r) => ({
    field: anyField(r),
    interval: interval(r),
    ...some(r, {
      offset: anyNumber,
      min_doc_count: size,
      keyed: anyBoolean,
      order,
      extended_bounds: () => ({ min: r.below(10), max: 10 + r.below(10) }),
      hard_bounds: () => ({ min: anyNumber(r), max: anyNumber(r) }),
      ...source,
    }),
  }),
  date_histogram: (r) => ({
    field: r.pick(['dt', 'dn', anyField(r)]),
    ...r.pick<object>([
      { calendar_interval: r.pick(['1d', 'month', 'year', 'x']) },
      { fixed_interval: r.pick(['1d', '12h', '90m', '0d', 'x']) },
    ]),
    ...some(r, {
      offset: (q) => q.pick(['+6h', '-1d', 'x', 5]),
      time_zone: zone,
      min_doc_count: () => 1,
      keyed: anyBoolean,
      order,
      format: () => 'yyyy-MM-dd',
      missing: anyDate,
    }),
  }),
  auto_date_histogram: (r) => ({
    field: r.pick(['dt', anyField(r)]),
    ...some(r, { buckets: size, minimum_interval: (q) => q.pick(['day', 'year', 'x']), time_zone: zone }),
  }),
  variable_width_histogram: (r) => ({
    field: anyField(r),
    ...some(r, { buckets: size, shard_size: size, initial_buffer: size }),
  }),
  range: (r) => ({
    field: anyField(r),
    ranges: r.list(3, () => some(r, { from: anyNumber, to: anyNumber, key: anyText }, 0.6)),
    ...some(r, { keyed: anyBoolean, ...source }),
  }),
  date_range: (r) => ({
    field: anyField(r),
    ranges: r.list(3, () => some(r, { from: anyDate, to: anyDate, key: anyText }, 0.6)),
    ...some(r, { keyed: anyBoolean, time_zone: zone, ...source }),
  }),
  ip_range: (r) => ({
    field: r.pick(['ip', anyField(r)]),
    ranges: r.list(3, () => r.pick<object>([{ mask: '10.0.0.0/8' }, { from: '10.0.0.1' }, { to: anyText(r) }])),
  }),
  ip_prefix: (r) => ({
    field: r.pick(['ip', anyField(r)]),
    prefix_length: size(r),
    ...some(r, { is_ipv6: anyBoolean, append_prefix_length: anyBoolean, keyed: anyBoolean }),
  }),
  geo_distance: (r) => ({
    field: r.pick(['g', anyField(r)]),
    origin: anyPoint(r),
    ranges: r.list(3, () => some(r, { from: anyNumber, to: anyNumber }, 0.6)),
    ...some(r, { unit: (q) => q.pick(['km', 'mi', 'x']), keyed: anyBoolean, distance_type: () => 'plane' }),
  }),
  geohash_grid: (r) => ({
    field: r.pick(['g', anyField(r)]),
    ...some(r, {
      precision: (q) => q.pick<unknown>([1, 5, 12, 13, '10km', anyScalar(q)]),
      size,
      shard_size: size,
      bounds: () => ({ top_left: anyPoint(r), bottom_right: anyPoint(r) }),
    }),
  }),
  geotile_grid: (r) => ({
    field: r.pick(['g', anyField(r)]),
    ...some(r, {
      precision: (q) => q.pick<unknown>([0, 7, 29, 30, anyScalar(q)]),
      size,
      bounds: () => ({ top: anyNumber(r), left: anyNumber(r), bottom: anyNumber(r), right: anyNumber(r) }),
    }),
  }),
  filter: (r) => anyQuery(r, 1),
  filters: (r) => ({
    filters: r.chance(0.5) ? r.list(3, () => anyQuery(r, 1)) : { a: anyQuery(r, 1), b: anyQuery(r, 1) },
    ...some(r, { other_bucket: anyBoolean, other_bucket_key: anyText, keyed: anyBoolean }),
  }),
  adjacency_matrix: (r) => ({
    filters: Object.fromEntries(r.list(4, () => [anyText(r), anyQuery(r, 1)])),
    ...some(r, { separator: anyText }),
  }),
  missing: (r) => ({ field: anyField(r), ...some(r, { missing: anyScalar }) }),
  global: () => ({}),
  nested: (r) => ({ path: r.pick(['n', anyField(r)]) }),
  reverse_nested: (r) => some(r, { path: anyField }),
  sampler: (r) => some(r, { shard_size: size }),
  diversified_sampler: (r) => ({ field: anyField(r), ...some(r, { shard_size: size, max_docs_per_value: size }) }),
  random_sampler: (r) => ({
    probability: r.pick<unknown>([0.1, 0.5, 1, anyNumber(r)]),
    ...some(r, { seed: anyScalar }),
  }),
  composite: (r) => ({
    sources: Array.from({ length: 1 + r.below(3) }, (_, i) => ({
      [`s${i}`]: r.pick<object>([
        {
          terms: {
            field: anyField(r),
            ...some(r, { order: () => 'desc', missing_bucket: anyBoolean, missing_order: () => 'first' }),
          },
        },
        { histogram: { field: anyField(r), interval: interval(r) } },
        { date_histogram: { field: 'dt', calendar_interval: '1d' } },
        { geotile_grid: { field: 'g', precision: 5 } },
      ]),
    })),
    ...some(r, { size, after: () => ({ s0: anyScalar(r) }) }),
  }),
}

const path: Make = (r) => r.pick(['m0', '_count', 'm0.value', 'a0>m0', '_key', 'm0[99.0]', anyText(r)])
const PIPELINES: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(
    [
      'avg_bucket',
      'sum_bucket',
      'min_bucket',
      'max_bucket',
      'stats_bucket',
      'cumulative_sum',
      'cumulative_cardinality',
      'derivative',
      'serial_diff',
    ].map((name) => [
      name,
      (r: Random) => ({
        buckets_path: path(r),
        ...some(r, { gap_policy: (q) => q.pick(['skip', 'insert_zeros', 'keep_values', 'x']), format: () => '0.0' }),
      }),
    ]),
  ),
  extended_stats_bucket: (r) => ({ buckets_path: path(r), ...some(r, { sigma: anyNumber }) }),
  percentiles_bucket: (r) => ({
    buckets_path: path(r),
    ...some(r, { percents: (q) => q.list(3, () => anyNumber(q)) }),
  }),
  normalize: (r) => ({
    buckets_path: path(r),
    method: r.pick(['rescale_0_1', 'percent_of_sum', 'z-score', 'softmax', 'x']),
  }),
  moving_fn: (r) => ({
    buckets_path: path(r),
    window: size(r),
    script: r.pick(['MovingFunctions.max(values)', 'MovingFunctions.ewma(values, 0.5)', anyText(r)]),
    ...some(r, { shift: size }),
  }),
  bucket_sort: (r) => some(r, { sort: () => [{ m0: 'desc' }], from: size, size, gap_policy: () => 'skip' }),
  bucket_script: (r) => ({ buckets_path: { a: path(r) }, script: 'params.a * 2' }),
}

const names = { metrics: Object.keys(METRICS), buckets: Object.keys(BUCKETS), pipelines: Object.keys(PIPELINES) }

export function anyAggregations(random: Random, depth = 2): Record<string, unknown> {
  const aggregations: Record<string, unknown> = {}
  const metrics = random.below(3)
  for (let i = 0; i < metrics; i++) {
    const name = random.pick(names.metrics)
    aggregations[`m${i}`] = { [name]: METRICS[name]!(random), ...(random.chance(0.1) ? { meta: { x: 1 } } : {}) }
  }
  if (depth > 0 && random.chance(0.8)) {
    const name = random.pick(names.buckets)
    aggregations['a0'] = {
      [name]: BUCKETS[name]!(random),
      ...(random.chance(0.6) ? { [random.pick(['aggs', 'aggregations'])]: anyAggregations(random, depth - 1) } : {}),
    }
  }
  if (random.chance(0.3)) {
    const name = random.pick(names.pipelines)
    aggregations['p0'] = { [name]: PIPELINES[name]!(random) }
  }
  return aggregations
}
