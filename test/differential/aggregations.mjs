/** Random trees of aggregations with pipelines, over the fields of world.mjs. */
import { query } from './queries.mjs'
import { KEYS } from './world.mjs'

const NUMBERS = ['n', 'l', 'd', 'h', 'ob.n']
const KEYWORDS = ['k', 'k2', 't.raw', 'ob.k', 'al', 'f', 'f.x']
const ANY = [...NUMBERS, ...KEYWORDS, 'at', 'b', 'ip', 'missing']
const number = (rng) => rng.pick(NUMBERS)
const _keyword = (rng) => rng.pick(KEYWORDS)

const METRICS = {
  avg: (rng) => ({ field: number(rng), ...rng.options({ missing: [0.15, () => 3] }) }),
  sum: (rng) => ({ field: number(rng) }),
  min: (rng) => ({ field: rng.pick([...NUMBERS, 'at']), ...rng.options({ format: [0.1, () => '0.0'] }) }),
  max: (rng) => ({ field: number(rng), ...rng.options({ missing: [0.1, () => 99] }) }),
  stats: (rng) => ({ field: number(rng) }),
  extended_stats: (rng) => ({ field: rng.pick(['n', 'ob.n', 'h']), ...rng.options({ sigma: [0.3, () => 3] }) }),
  value_count: (rng) => ({ field: rng.pick(ANY) }),
  cardinality: (rng) => ({
    field: rng.pick([...NUMBERS, 'k', 'at', 'ip']),
    ...rng.options({ precision_threshold: [0.2, () => 100] }),
  }),
  percentiles: (rng) => ({
    field: rng.pick(['n', 'ob.n']),
    percents: rng.pick([[50], [25, 50, 75], [0, 100]]),
    ...rng.options({
      keyed: [0.2, () => false],
      hdr: [0.15, () => ({ number_of_significant_value_digits: 3 })],
      tdigest: [0.1, () => ({ compression: 200 })],
    }),
  }),
  percentile_ranks: (rng) => ({ field: rng.pick(['n', 'ob.n']), values: rng.pick([[3], [0, 5]]) }),
  median_absolute_deviation: (rng) => ({ field: rng.pick(['n', 'ob.n']) }),
  weighted_avg: (rng) => ({
    value: { field: number(rng) },
    weight: { field: 'l', ...rng.options({ missing: [0.4, () => 2] }) },
  }),
  geo_bounds: () => ({ field: 'p' }),
  geo_centroid: () => ({ field: 'p' }),
  top_hits: (rng) => ({
    size: rng.int(1, 3),
    sort: [{ uid: rng.pick(['asc', 'desc']) }],
    ...rng.options({
      _source: [0.6, () => rng.pick([false, ['k'], { excludes: ['t', 'u'] }])],
      from: [0.1, () => 1],
      fields: [0.2, () => ['k', 'n']],
      docvalue_fields: [0.1, () => ['n']],
      version: [0.1, () => true],
      track_scores: [0.2, () => true],
    }),
  }),
  matrix_stats: (rng) => ({
    fields: rng.pick([['n', 'ob.n'], ['h']]),
    ...rng.options({ mode: [0.3, () => rng.pick(['min', 'max', 'avg', 'median'])] }),
  }),
  scripted_metric: () => ({
    init_script: 'state.c = 0',
    map_script: "state.c += doc['n'].size()",
    combine_script: 'return state.c',
    reduce_script: 'int s = 0; for (x in states) { s += x } return s',
  }),
}

const ORDERS = [{ _count: 'asc' }, { _key: 'desc' }, [{ _count: 'desc' }, { _key: 'asc' }]]

const BUCKETS = {
  terms: (rng) => ({
    field: rng.pick([...KEYWORDS, ...NUMBERS, 'b', 'ip', 'at']),
    ...rng.options({
      size: [0.4, () => rng.int(1, 20)],
      order: [0.3, () => rng.pick(ORDERS)],
      min_doc_count: [0.2, () => rng.int(0, 3)],
      missing: [0.05, () => 0],
      include: [0.05, () => rng.pick(['[ab].*', ['a', 'b'], { partition: 0, num_partitions: 2 }])],
      exclude: [0.05, () => rng.pick(['a.*', ['a', 'c']])],
      show_term_doc_count_error: [0.1, () => true],
      execution_hint: [0.1, () => 'map'],
      collect_mode: [0.1, () => 'breadth_first'],
    }),
  }),
  histogram: (rng) => ({
    field: rng.pick([...NUMBERS.filter((f) => f !== 'l'), 'r']),
    interval: rng.pick([1, 2.5, 5]),
    ...rng.options({
      offset: [0.2, () => 1],
      min_doc_count: [0.4, () => rng.int(0, 2)],
      keyed: [0.15, () => true],
      order: [0.15, () => ({ _key: 'desc' })],
      missing: [0.05, () => 2],
      extended_bounds: [0.15, () => ({ min: -5, max: 20 })],
      hard_bounds: [0.1, () => ({ min: 0, max: 8 })],
    }),
  }),
  date_histogram: (rng) => ({
    field: rng.pick(['at', 'at', 'nano', 'dr']),
    ...rng.pick([
      { calendar_interval: 'month' },
      { calendar_interval: 'quarter' },
      { fixed_interval: '30d' },
      { calendar_interval: '1d', min_doc_count: 1 },
    ]),
    ...rng.options({
      time_zone: [0.2, () => rng.pick(['Europe/Berlin', '+05:30'])],
      offset: [0.1, () => '+6h'],
      format: [0.2, () => 'yyyy-MM-dd'],
      keyed: [0.1, () => true],
      min_doc_count: [0.1, () => 1],
    }),
  }),
  auto_date_histogram: (rng) => ({
    field: 'nano',
    buckets: rng.int(1, 12),
    ...rng.options({ minimum_interval: [0.2, () => 'month'] }),
  }),
  range: (rng) => ({
    field: number(rng),
    ranges: [
      { to: rng.int(0, 3) },
      { from: rng.int(0, 3), to: 7 },
      { from: 7, ...rng.options({ key: [0.3, () => 'big'] }) },
    ],
    ...rng.options({ keyed: [0.3, () => true] }),
  }),
  date_range: (rng) => ({
    field: 'at',
    ranges: [{ to: '2024-04-01' }, { from: '2024-04-01||/M', to: '2024-09' }, { from: '2024-09' }],
    ...rng.options({ keyed: [0.2, () => true], format: [0.2, () => 'yyyy-MM'] }),
  }),
  ip_range: () => ({ field: 'ip', ranges: [{ to: '10.0.1.0' }, { mask: '10.0.1.0/24' }, { from: '10.0.2.0' }] }),
  filter: (rng) => query(rng, 1),
  filters: (rng) => ({
    filters: rng.pick([{ one: query(rng, 0), two: query(rng, 1) }, [query(rng, 0), query(rng, 0)]]),
    ...rng.options({ other_bucket_key: [0.3, () => 'rest'] }),
  }),
  missing: (rng) => ({ field: rng.pick(ANY) }),
  nested: () => ({ path: 'o' }),
  global: () => ({}),
  adjacency_matrix: (rng) => ({ filters: { x: query(rng, 0), y: query(rng, 0), z: { match_all: {} } } }),
  geo_distance: () => ({
    field: 'p',
    origin: '0,0',
    unit: 'km',
    ranges: [{ to: 1000 }, { from: 1000, to: 2500 }, { from: 2500 }],
  }),
  geohash_grid: (rng) => ({ field: 'p', precision: rng.int(1, 3) }),
  geotile_grid: (rng) => ({ field: 'p', precision: rng.int(1, 4) }),
  rare_terms: (rng) => ({ field: rng.pick(['k', 'n']), max_doc_count: rng.int(1, 3) }),
  sampler: (rng) => ({ shard_size: rng.pick([200]) }),
  diversified_sampler: (rng) => ({ shard_size: 200, field: rng.pick(['ob.k', 'l']), max_docs_per_value: 100 }),
  ip_prefix: () => ({ field: 'ip', prefix_length: 24 }),
  composite: (rng) => ({
    size: rng.int(1, 8),
    sources: rng.sample(
      [
        { a: { terms: { field: 'k' } } },
        { b: { terms: { field: 'n', order: 'desc' } } },
        { c: { date_histogram: { field: 'at', calendar_interval: 'month' } } },
        { d: { histogram: { field: 'd', interval: 2 } } },
        { e: { terms: { field: 'b', missing_bucket: true } } },
      ],
      rng.int(1, 3),
    ),
  }),
}

const MIXED = new Set(['rare_terms', 'adjacency_matrix', 'ip_prefix'])
const SERIES = new Set(['histogram', 'date_histogram', 'auto_date_histogram'])
const MANY = new Set([
  ...SERIES,
  'terms',
  'range',
  'date_range',
  'ip_range',
  'filters',
  'adjacency_matrix',
  'geo_distance',
  'geohash_grid',
  'geotile_grid',
])

const paths = (rng, siblings) => {
  const usable = Object.entries(siblings).flatMap(([name, definition]) => {
    const kind = Object.keys(definition).find((key) => key !== 'aggs' && key !== 'meta')
    if (
      ['avg', 'sum', 'min', 'max', 'value_count', 'cardinality', 'median_absolute_deviation', 'weighted_avg'].includes(
        kind,
      )
    )
      return [name]
    if (kind === 'stats' || kind === 'extended_stats') return [`${name}.avg`, `${name}.max`]
    if (kind === 'percentiles')
      return definition.percentiles.percents.length === 1 ? [name, `${name}.50`] : [`${name}.50`]
    if (kind === 'filter' || kind === 'missing') return [`${name}>_count`, `${name}._count`]
    return []
  })
  return usable.length === 0 || rng.chance(0.3) ? '_count' : rng.pick(usable)
}

function parentPipelines(rng, kind, siblings) {
  const policy = () => rng.options({ gap_policy: [0.3, () => rng.pick(['skip', 'insert_zeros', 'keep_values'])] })
  const path = () => paths(rng, siblings)
  const all = {
    bucket_script: () => ({
      buckets_path: { a: path(), b: '_count' },
      script: rng.pick(['params.a + params.b', 'params.a * 2', 'params.b']),
      ...policy(),
    }),
    bucket_selector: () => ({ buckets_path: { a: '_count' }, script: rng.pick(['params.a > 1', 'params.a != 2']) }),
    bucket_sort: () => ({
      ...rng.options({
        sort: [
          0.8,
          () => [
            { [path()]: { order: rng.pick(['asc', 'desc']) } },
            ...(kind.startsWith('geo') ? [] : [{ _key: 'asc' }]),
          ],
        ],
        from: [0.2, () => 1],
      }),
      size: rng.int(1, 9),
    }),
  }
  if (SERIES.has(kind)) {
    Object.assign(all, {
      derivative: () => ({
        buckets_path: path(),
        ...policy(),
        ...(kind === 'histogram' ? {} : rng.options({ unit: [0.3, () => 'day'] })),
      }),
      cumulative_sum: () => ({ buckets_path: path() }),
      serial_diff: () => ({ buckets_path: path(), lag: rng.int(1, 3), ...policy() }),
      moving_fn: () => ({
        buckets_path: path(),
        window: rng.int(1, 4),
        script: `MovingFunctions.${rng.pick(['max(values)', 'min(values)', 'sum(values)', 'unweightedAvg(values)', 'linearWeightedAvg(values)', 'ewma(values, 0.3)', 'holt(values, 0.3, 0.1)', 'stdDev(values, MovingFunctions.unweightedAvg(values))'])}`,
        ...rng.options({ shift: [0.3, () => rng.int(0, 2)] }),
        ...policy(),
      }),
    })
  }
  return all
}

const SIBLINGS = [
  'avg_bucket',
  'max_bucket',
  'min_bucket',
  'sum_bucket',
  'stats_bucket',
  'extended_stats_bucket',
  'percentiles_bucket',
]

export function aggregations(rng, depth, isTop = true) {
  const tree = {}
  for (const i of Array.from({ length: rng.int(1, 3) }, (_, at) => at)) {
    const isBucket = depth > 0 && rng.chance(0.65)
    let kind = rng.pick(Object.keys(isBucket ? BUCKETS : METRICS))
    if (kind === 'scripted_metric' && !isTop) kind = 'sum'
    if (kind === 'global' && depth < 2) kind = 'filter'
    const definition = { [kind]: (isBucket ? BUCKETS : METRICS)[kind](rng) }
    // Below some kinds Elasticsearch shows the numbers of other buckets, or no pipelines.
    if (isBucket && !MIXED.has(kind) && rng.chance(0.8)) definition.aggs = below(rng, kind, depth - 1)
    if (rng.chance(0.04)) definition.meta = { note: i }
    tree[`${'pqrs'[i]}${depth}`] = definition
    if (MANY.has(kind) && rng.chance(0.25))
      tree[`sib${i}${depth}`] = {
        [rng.pick(SIBLINGS)]: { buckets_path: `${'pqrs'[i]}${depth}>${paths(rng, definition.aggs ?? {})}` },
      }
  }
  return tree
}

function below(rng, kind, depth) {
  if (kind === 'nested') {
    return {
      m: { [rng.pick(['sum', 'max', 'value_count'])]: { field: 'o.n' } },
      ...(rng.chance(0.6)
        ? {
            kt: {
              terms: { field: 'o.k' },
              ...(rng.chance(0.5) ? { aggs: { back: { reverse_nested: {}, aggs: aggregations(rng, 0, false) } } } : {}),
            },
          }
        : {}),
    }
  }
  // Elasticsearch merges the moments, and rare terms, of joined intervals wrongly.
  if (kind === 'auto_date_histogram') return { m: { [rng.pick(['sum', 'max', 'avg'])]: { field: number(rng) } } }
  const tree = aggregations(rng, depth, false)
  if (!MANY.has(kind) || rng.chance(0.5)) return tree
  const pipelines = parentPipelines(rng, kind, tree)
  for (const name of rng.sample(Object.keys(pipelines), rng.int(1, 2)))
    tree[`pipe_${name}`] = { [name]: pipelines[name]() }
  return tree
}

export const someKeys = KEYS
