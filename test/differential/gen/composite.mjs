// Composite aggregations with random sources, paged to the end by after_key.

import { ZONES } from '../lib/values.mjs'
import { aggregations, metric } from './aggregations.mjs'
import { both, isDate, ofType, pickField, sortable, summable } from './fields.mjs'
import { query } from './queries.mjs'

export const area = {
  name: 'composite',
  casesPerWorld: 25,
  wish: { docs: [0, 80] },
  makeCase(rng, world) {
    const definition = composite(rng, world, null)
    const body = {
      size: 0,
      ...rng.options({ query: [0.3, () => query(rng, world, null, 1)], track_total_hits: [0.3, () => false] }),
      aggs: { pages: definition },
    }
    return { steps: [{ kind: 'composite', target: world.target, body, name: 'pages' }] }
  },
}

export function composite(rng, world, scope) {
  // Sometimes follow the index sort, so that early termination comes into play.
  const sources =
    world.indexSort && scope === null && rng.chance(0.5)
      ? sourcesLikeIndexSort(rng, world)
      : rng.times(rng.int(1, 3), (i) => ({ [`s${i}`]: source(rng, world, scope) }))
  return {
    composite: { sources, ...rng.options({ size: [0.85, () => rng.pick([1, 2, 5, 20, 100])] }) },
    ...rng.options({
      aggs: [
        0.35,
        () => (rng.chance(0.5) ? { m: metric(rng, world, scope) } : aggregations(rng, world, scope, 1, false)),
      ],
    }),
  }
}

function common(rng) {
  return rng.options({
    order: [0.5, () => rng.pick(['asc', 'desc'])],
    missing_bucket: [0.35, () => true],
  })
}

/** missing_order is only valid next to missing_bucket. */
function withMissingOrder(rng, body) {
  return body.missing_bucket && rng.chance(0.5)
    ? { ...body, missing_order: rng.pick(['first', 'last', 'default']) }
    : body
}

function source(rng, world, scope) {
  const kind = rng.weighted({ terms: 5, histogram: 2, date_histogram: 3, geotile_grid: 1 })
  if (kind === 'histogram') {
    const field = pickField(rng, world, scope, summable)
    if (field)
      return {
        histogram: withMissingOrder(rng, { field: field.path, interval: rng.pick([1, 5, 2.5, 10]), ...common(rng) }),
      }
  }
  if (kind === 'date_histogram') {
    const field = pickField(rng, world, scope, both(isDate, sortable))
    if (field)
      return { date_histogram: withMissingOrder(rng, { field: field.path, ...dateInterval(rng), ...common(rng) }) }
  }
  if (kind === 'geotile_grid') {
    const field = pickField(rng, world, scope, ofType('geo_point'))
    if (field) {
      return {
        geotile_grid: withMissingOrder(rng, {
          field: field.path,
          precision: rng.int(0, 12),
          ...common(rng),
          ...rng.options({ bounds: [0.3, () => ({ top_left: 'POINT (-20 70)', bottom_right: 'POINT (60 -10)' })] }),
        }),
      }
    }
  }
  const field = pickField(rng, world, scope, sortable)
  return { terms: withMissingOrder(rng, { field: field.path, ...common(rng) }) }
}

function dateInterval(rng) {
  return {
    ...rng.pick([
      {
        calendar_interval: rng.pick([
          'year',
          'quarter',
          'month',
          'week',
          'day',
          '1d',
          'hour',
          'minute',
          'second',
          '1M',
        ]),
      },
      { fixed_interval: rng.pick(['12h', '30d', '90m']) },
    ]),
    ...rng.options({
      time_zone: [0.4, () => rng.pick(ZONES)],
      offset: [0.2, () => rng.pick(['+6h', '-1d', '+90m'])],
      format: [0.3, () => rng.pick(['yyyy-MM-dd', 'iso8601', 'yyyy-MM', "yyyy-MM-dd'T'HH:mm:ss"])],
    }),
  }
}

function sourcesLikeIndexSort(rng, world) {
  return world.indexSort
    .slice(0, rng.int(1, world.indexSort.length))
    .map(([path, order], i) => ({ [`s${i}`]: { terms: { field: path, order } } }))
}
