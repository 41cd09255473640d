// Points on the globe: distances, boxes, polygons, grids, bounds and sorts.

import { placeValue } from '../lib/values.mjs'
import { boundingBox, leaf, query } from './queries.mjs'

export const area = {
  name: 'geo',
  casesPerWorld: 30,
  wish: {
    docs: [10, 90],
    indexSort: false,
    nested: false,
    leaves: (rng, leaf) => [
      leaf(rng, 'spot', 'geo_point', null),
      { ...leaf(rng, 'spots', 'geo_point', null), multi: true },
      leaf(rng, 'name', 'keyword', null),
      leaf(rng, 'level', 'integer', null),
    ],
  },
  makeCase(rng, world) {
    const body = rng.pick([filtered, sorted, gridded, measured])(rng, world)
    return { steps: [{ kind: 'call', method: 'POST', path: `/${world.target}/_search`, body, as: 'search' }] }
  },
}

const FIELDS = ['spot', 'spots']
const DISTANCES = ['0.1m', '300m', '2km', '150km', '1000mi', '5000km', '25000km', '100nmi', '1200000']

function shape(rng) {
  const field = rng.pick(FIELDS)
  const lon = rng.int(-150, 120)
  const lat = rng.int(-60, 40)
  const w = rng.int(5, 60)
  const h = rng.int(5, 30)
  const ring = [
    [lon, lat],
    [lon + w, lat],
    [lon + w, lat + h],
    [lon, lat + h],
    [lon, lat],
  ]
  return rng.pick([
    () => ({
      geo_distance: {
        distance: rng.pick(DISTANCES),
        [field]: placeValue(rng),
        ...rng.options({ distance_type: [0.3, () => rng.pick(['arc', 'plane'])], boost: [0.1, () => 2] }),
      },
    }),
    () => ({
      geo_bounding_box: {
        [field]: boundingBox(rng),
        ...rng.options({ validation_method: [0.2, () => rng.pick(['STRICT', 'COERCE', 'IGNORE_MALFORMED'])] }),
      },
    }),
    () => ({
      geo_shape: {
        [field]: {
          shape: { type: 'Polygon', coordinates: [ring] },
          relation: rng.pick(['intersects', 'within', 'disjoint']),
        },
      },
    }),
    () => ({
      geo_shape: {
        [field]: {
          shape: {
            type: 'envelope',
            coordinates: [
              [lon, lat + h],
              [lon + w, lat],
            ],
          },
        },
      },
    }),
    () => ({ geo_polygon: { [field]: { points: ring.slice(0, 4).map(([x, y]) => ({ lat: y, lon: x })) } } }),
    () => ({ exists: { field } }),
  ])()
}

function filtered(rng, world) {
  const one = shape(rng)
  return {
    query: rng.pick([
      () => one,
      () => ({ bool: { filter: [one, leaf(rng, world)] } }),
      () => ({ bool: { must_not: one } }),
      () => ({ constant_score: { filter: one } }),
    ])(),
    size: 1000,
  }
}

function distanceSort(rng) {
  const points = rng.chance(0.2)
    ? [placeValue(rng), placeValue(rng)].map((p) => (Array.isArray(p) ? { lon: p[0], lat: p[1] } : p))
    : placeValue(rng)
  return {
    _geo_distance: {
      [rng.pick(FIELDS)]: points,
      order: rng.pick(['asc', 'desc']),
      ...rng.options({
        unit: [0.6, () => rng.pick(['km', 'm', 'mi', 'nmi', 'yd', 'cm'])],
        mode: [0.3, () => rng.pick(['min', 'max', 'avg', 'median'])],
        distance_type: [0.3, () => 'plane'],
        ignore_unmapped: [0.1, () => true],
      }),
    },
  }
}

const sorted = (rng, _world) => ({
  ...rng.options({ query: [0.5, () => shape(rng)] }),
  sort: [distanceSort(rng), ...(rng.chance(0.5) ? ['uid'] : [])],
  size: rng.pick([1000, 5]),
  _source: false,
})

function gridded(rng, world) {
  const field = rng.pick(FIELDS)
  const kind = rng.pick(['geotile_grid', 'geohash_grid'])
  const grid = {
    field,
    precision: kind === 'geotile_grid' ? rng.int(0, 29) : rng.int(1, 12),
    ...rng.options({
      bounds: [0.4, () => boundingBox(rng)],
      size: [0.3, () => rng.int(1, 6)],
      shard_size: [0.1, () => 100],
    }),
  }
  return {
    size: 0,
    ...rng.options({ query: [0.3, () => query(rng, world, null, 1)] }),
    aggs: { cells: { [kind]: grid, ...rng.options({ aggs: [0.4, () => ({ middle: { geo_centroid: { field } } })] }) } },
  }
}

function measured(rng, _world) {
  const field = rng.pick(FIELDS)
  return {
    size: 0,
    ...rng.options({ query: [0.4, () => shape(rng)] }),
    aggs: {
      box: { geo_bounds: { field, ...rng.options({ wrap_longitude: [0.4, () => rng.chance(0.5)] }) } },
      middle: { geo_centroid: { field } },
      rings: {
        geo_distance: {
          field,
          origin: placeValue(rng),
          unit: rng.pick(['km', 'mi', 'm']),
          ranges: [{ to: 500 }, { from: 500, to: 5000 }, { key: 'far', from: 5000 }],
          ...rng.options({ keyed: [0.3, () => true], distance_type: [0.2, () => 'plane'] }),
        },
      },
      names: { terms: { field: 'name', size: 3 }, aggs: { box: { geo_bounds: { field } } } },
    },
  }
}
