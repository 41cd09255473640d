// Random aggregation trees. Bucket aggregations may hold others; the depth is
// bounded by the caller. `scope` is the nesting level (null: root document).

import { INSTANTS, ZONES } from '../lib/values.mjs'
import { both, isDate, isNumeric, ofType, pickField, sortable, summable } from './fields.mjs'
import { boundingBox, childPaths, leaf } from './queries.mjs'

const keyed = (rng) => rng.options({ keyed: [0.15, () => true] })

// ---- metrics ----

const METRICS = {
  simple(rng, world, scope) {
    const kind = rng.pick(['min', 'max', 'avg', 'sum', 'stats', 'extended_stats'])
    const field = pickField(rng, world, scope, summable)
    return field && { [kind]: { field: field.path, ...rng.options({ missing: [0.2, () => rng.int(0, 9)] }) } }
  },
  extremes(rng, world, scope) {
    const field = pickField(
      rng,
      world,
      scope,
      both((f) => isNumeric(f) || isDate(f) || f.type === 'boolean', sortable),
    )
    return field && { [rng.pick(['min', 'max'])]: { field: field.path } }
  },
  counting(rng, world, scope) {
    const field = pickField(rng, world, scope, sortable)
    return field && { [rng.pick(['value_count', 'cardinality'])]: { field: field.path } }
  },
  percentile_ranks(rng, world, scope) {
    const field = pickField(rng, world, scope, summable)
    return field && { percentile_ranks: { field: field.path, values: [rng.int(-5, 3), rng.int(4, 30)] } }
  },
  percentiles(rng, world, scope) {
    const field = pickField(rng, world, scope, summable)
    return (
      field && {
        percentiles: {
          field: field.path,
          ...rng.options({ percents: [0.5, () => [25, 50, 99]], keyed: [0.3, () => false] }),
        },
      }
    )
  },
  weighted_avg(rng, world, scope) {
    const value = pickField(rng, world, scope, summable)
    const weight = pickField(
      rng,
      world,
      scope,
      both(summable, (f) => !f.multi),
    )
    return (
      value && weight && { weighted_avg: { value: { field: value.path }, weight: { field: weight.path, missing: 1 } } }
    )
  },
  top_hits(rng, world, scope) {
    const field = pickField(
      rng,
      world,
      scope,
      both(sortable, (f) => f.type !== 'boolean'),
    )
    return (
      field && {
        top_hits: { size: rng.int(1, 3), sort: [{ [field.path]: rng.pick(['asc', 'desc']) }], _source: false },
      }
    )
  },
  geo(rng, world, scope) {
    const field = pickField(rng, world, scope, ofType('geo_point'))
    return field && { [rng.pick(['geo_bounds', 'geo_centroid'])]: { field: field.path } }
  },
}

export function metric(rng, world, scope) {
  const kind = rng.weighted({
    simple: 6,
    extremes: 2,
    counting: 3,
    percentiles: 0.6,
    percentile_ranks: 0.4,
    weighted_avg: 1,
    top_hits: 1,
    geo: 0.7,
  })
  return METRICS[kind](rng, world, scope) ?? { value_count: { field: 'uid' } }
}

// ---- buckets ----

function termsOrder(rng, metricName) {
  const way = () => rng.pick(['asc', 'desc'])
  const choices = [{ _count: way() }, { _key: way() }, [{ _count: way() }, { _key: way() }]]
  if (metricName) choices.push({ [metricName]: way() })
  return rng.pick(choices)
}

const BUCKETS = {
  terms(rng, world, scope, extras) {
    const field = pickField(rng, world, scope, sortable)
    if (!field) return null
    const body = {
      field: field.path,
      ...rng.options({
        size: [0.6, () => rng.pick([1, 2, 5, 50])],
        min_doc_count: [0.15, () => rng.pick([0, 2, 3])],
        order: [0.35, () => termsOrder(rng, extras.metric)],
        shard_size: [0.1, () => 60],
        show_term_doc_count_error: [0.1, () => true],
        missing: [0.1, () => (isNumeric(field) ? 3 : field.type === 'keyword' ? 'N/A' : undefined)],
      }),
    }
    if (body.missing === undefined) delete body.missing
    if (field.type === 'keyword' && rng.chance(0.15)) {
      body.include = rng.pick(['.*e.*', ['red', 'blue', 'foo'], { partition: 0, num_partitions: 2 }])
      if (body.include.partition !== undefined) delete body.order
    }
    if (field.type === 'keyword' && rng.chance(0.08) && !body.include?.num_partitions)
      body.exclude = rng.pick(['b.*', ['red']])
    if (body.min_doc_count === 0 && field.type !== 'keyword') delete body.min_doc_count
    return { terms: body }
  },
  histogram(rng, world, scope) {
    const field = pickField(rng, world, scope, summable)
    if (!field) return null
    return {
      histogram: {
        field: field.path,
        interval: rng.pick([1, 5, 10, 2.5, 0.7]),
        ...rng.options({
          min_doc_count: [0.5, () => rng.int(0, 2)],
          offset: [0.15, () => rng.pick([1, -2, 0.5])],
          missing: [0.1, () => 0],
          extended_bounds: [0.1, () => ({ min: -10, max: 30 })],
          hard_bounds: [0.08, () => ({ min: 0, max: 10 })],
          order: [0.15, () => ({ _count: 'desc' })],
        }),
        ...keyed(rng),
      },
    }
  },
  date_histogram(rng, world, scope) {
    const field = pickField(rng, world, scope, both(isDate, sortable))
    return field ? { date_histogram: dateHistogram(rng, field) } : null
  },
  range(rng, world, scope) {
    const field = pickField(rng, world, scope, both(isNumeric, sortable))
    if (!field) return null
    return {
      range: {
        field: field.path,
        ranges: [{ to: rng.int(-3, 5) }, { from: rng.int(-3, 5), to: rng.int(6, 30) }, { key: 'rest', from: 10 }],
        ...keyed(rng),
      },
    }
  },
  date_range(rng, world, scope) {
    const field = pickField(
      rng,
      world,
      scope,
      both(isDate, sortable, (f) => !f.format),
    )
    if (!field) return null
    return {
      date_range: {
        field: field.path,
        ranges: [
          { to: '2024-03-31||/M' },
          { from: '2024-03-31T01:00:00Z', to: '2024-10-27||+1d/d' },
          { from: '2024-07-01' },
        ],
        ...rng.options({
          time_zone: [0.4, () => rng.pick(ZONES)],
          format: [0.3, () => "yyyy-MM-dd'T'HH:mm:ssXXX||yyyy-MM-dd"],
        }),
        ...keyed(rng),
      },
    }
  },
  ip_range(rng, world, scope) {
    const field = pickField(rng, world, scope, both(ofType('ip'), sortable))
    return (
      field && {
        ip_range: {
          field: field.path,
          ranges: [{ mask: '10.0.0.0/24' }, { from: '10.0.0.2', to: '192.168.1.20' }, { to: '10.0.0.0' }],
        },
      }
    )
  },
  filter(rng, world, scope) {
    return { filter: leaf(rng, world, scope) }
  },
  filters(rng, world, scope) {
    const named = rng.chance(0.6)
    const some = rng.times(rng.int(1, 3), () => leaf(rng, world, scope))
    return {
      filters: {
        filters: named ? Object.fromEntries(some.map((f, i) => [`f${i}`, f])) : some,
        ...rng.options({ other_bucket_key: [0.25, () => 'others'] }),
      },
    }
  },
  missing(rng, world, scope) {
    const field = pickField(rng, world, scope, sortable)
    return field && { missing: { field: field.path } }
  },
  global(_rng, _world, scope, extras) {
    return extras.top && scope === null ? { global: {} } : null
  },
  rare_terms(rng, world, scope) {
    const field = pickField(rng, world, scope, both(ofType('keyword', 'integer', 'long'), sortable))
    return field && { rare_terms: { field: field.path, max_doc_count: rng.int(1, 3) } }
  },
  grid(rng, world, scope) {
    const field = pickField(rng, world, scope, ofType('geo_point'))
    if (!field) return null
    const kind = rng.pick(['geotile_grid', 'geohash_grid'])
    return {
      [kind]: {
        field: field.path,
        precision: rng.int(1, kind === 'geotile_grid' ? 9 : 5),
        ...rng.options({ size: [0.3, () => 3], bounds: [0.3, () => boundingBox(rng)] }),
      },
    }
  },
  nested(rng, world, scope) {
    const below = childPaths(world, scope)
    return below.length > 0 ? { nested: { path: rng.pick(below) } } : null
  },
  reverse_nested(rng, _world, scope) {
    if (scope === null) return null
    const outer = scope.split('.').slice(0, -1).join('.')
    return { reverse_nested: outer && rng.chance(0.5) ? { path: outer } : {} }
  },
}

const INTERVALS = ['year', 'quarter', 'month', 'week', '1d', 'day', '1M', '1y', '1w', '1q']

export function dateHistogram(rng, field) {
  // Short intervals are only safe without empty buckets in between.
  const fine = rng.chance(0.3)
  const interval = fine
    ? rng.pick([
        { calendar_interval: 'hour' },
        { fixed_interval: '90m' },
        { fixed_interval: '12h' },
        { calendar_interval: '1m' },
      ])
    : rng.pick([{ calendar_interval: rng.pick(INTERVALS) }, { fixed_interval: rng.pick(['30d', '7d', '1d']) }])
  const coarse = ['year', 'quarter', 'month', '1M', '1y', '1q'].includes(interval.calendar_interval)
  return {
    field: field.path,
    ...interval,
    min_doc_count: coarse && rng.chance(0.4) ? 0 : 1,
    ...rng.options({
      time_zone: [0.5, () => rng.pick(ZONES)],
      offset: [0.25, () => rng.pick(['+6h', '-1d', '+90m', '+15m'])],
      format: [
        0.3,
        () => rng.pick(['yyyy-MM-dd', "yyyy-MM-dd'T'HH:mm:ssXXX", 'epoch_millis', 'e, d MMM uuuu', 'iso8601']),
      ],
      keyed: [0.1, () => true],
      order: [0.1, () => rng.pick([{ _key: 'desc' }, { _count: 'desc' }])],
      missing: [0.05, () => (field.format ? undefined : '2024-01-01')],
    }),
    ...(coarse && !field.format && rng.chance(0.08)
      ? { extended_bounds: { min: INSTANTS[9], max: INSTANTS[23] } }
      : {}),
  }
}

// ---- pipelines ----
// The oracle's build knows the sibling pipelines, cumulative_sum and
// percentiles_bucket; derivative, serial_diff, moving_fn and bucket_sort live
// in a module it does not have.

function parentPipeline(rng, bucket) {
  const [kind] = Object.keys(bucket)
  const sequential =
    ['histogram', 'date_histogram'].includes(kind) && (bucket[kind].min_doc_count ?? 0) === 0 && !bucket[kind].order
  return sequential && rng.chance(0.7)
    ? { summed: { cumulative_sum: { buckets_path: rng.pick(['_count', 'key_metric']) } } }
    : {}
}

function siblingPipeline(rng, name) {
  const kind = rng.pick([
    'sum_bucket',
    'max_bucket',
    'avg_bucket',
    'stats_bucket',
    'min_bucket',
    'extended_stats_bucket',
    'percentiles_bucket',
  ])
  return {
    [kind]: {
      buckets_path: `${name}>key_metric`,
      ...rng.options({ gap_policy: [0.2, () => rng.pick(['skip', 'insert_zeros'])] }),
    },
  }
}

// ---- trees ----

/** A map of named aggregations, at most `depth` bucket levels deep. */
export function aggregations(rng, world, scope, depth, top = true) {
  const out = {}
  const count = top ? rng.int(1, 3) : rng.int(1, 2)
  for (let i = 0; i < count; i++) {
    if (depth <= 0 || rng.chance(0.25)) {
      out[`m${i}`] = metric(rng, world, scope)
      continue
    }
    const extras = { top, metric: rng.chance(0.4) ? 'key_metric' : null }
    const kind = rng.weighted({
      terms: 6,
      histogram: 2,
      date_histogram: 3,
      range: 1,
      date_range: 1,
      ip_range: 0.4,
      filter: 1,
      filters: 1.2,
      missing: 0.6,
      global: 0.3,
      rare_terms: 0.4,
      grid: 0.8,
      nested: 3,
      reverse_nested: scope ? 3 : 0,
    })
    const bucket = BUCKETS[kind](rng, world, scope, extras)
    if (!bucket) {
      out[`m${i}`] = metric(rng, world, scope)
      continue
    }
    const full = withChildren(rng, world, bucket, innerScope(bucket, scope), depth, extras)
    out[`b${i}`] = full
    if (full.aggs?.key_metric && ['terms', 'histogram', 'date_histogram'].includes(kind)) {
      if (rng.chance(0.5)) Object.assign(full.aggs, parentPipeline(rng, bucket))
      if (rng.chance(0.4)) out[`p${i}`] = siblingPipeline(rng, `b${i}`)
    }
  }
  return out
}

function innerScope(bucket, scope) {
  if (bucket.nested) return bucket.nested.path
  if (bucket.reverse_nested) return bucket.reverse_nested.path ?? null
  return scope
}

function withChildren(rng, world, bucket, scope, depth, extras) {
  const children = rng.chance(0.6) ? aggregations(rng, world, scope, depth - 1, false) : {}
  if (extras.metric) {
    const field = pickField(rng, world, scope, summable)
    children[extras.metric] = field
      ? { [rng.pick(['avg', 'sum', 'max'])]: { field: field.path } }
      : { value_count: { field: 'uid' } }
  }
  return Object.keys(children).length > 0 ? { ...bucket, aggs: children } : bucket
}
