// Nested documents: queries with inner hits, sorts by nested values, nested and
// reverse_nested aggregations, composites below a nested level.

import { aggregations } from './aggregations.mjs'
import { composite } from './composite.mjs'
import { fieldsAt, sortable } from './fields.mjs'
import { query } from './queries.mjs'

export const area = {
  name: 'nested',
  casesPerWorld: 25,
  wish: { docs: [5, 60], nested: true, indexSort: false },
  makeCase(rng, world) {
    const make = rng.pick([innerHits, innerHits, aggsBelow, aggsBelow, aggsBelow, compositeBelow])
    return { steps: [make(rng, world)] }
  },
}

function innerHits(rng, world) {
  const path = rng.pick(world.nestedPaths)
  const sortField = rng.pick(fieldsAt(world, path, sortable))
  const inner = {
    size: rng.int(0, 4),
    ...rng.options({
      name: [0.3, () => 'found'],
      from: [0.15, () => 1],
      sort: [0.5, () => (sortField ? [{ [sortField.path]: rng.pick(['asc', 'desc']) }] : undefined)],
      _source: [0.3, () => false],
    }),
  }
  const clause = {
    nested: {
      path,
      query: query(rng, world, path, 1),
      inner_hits: inner,
      score_mode: rng.pick(['avg', 'max', 'sum', 'none']),
    },
  }
  const body = {
    query: rng.chance(0.5)
      ? clause
      : { bool: { [rng.pick(['must', 'filter', 'should'])]: [clause, query(rng, world, null, 0)] } },
    size: 1000,
    _source: false,
  }
  return { kind: 'call', method: 'POST', path: `/${world.target}/_search`, body, as: 'search' }
}

function aggsBelow(rng, world) {
  const path = rng.pick(world.nestedPaths)
  const outer = path.includes('.') && rng.chance(0.5)
  const inner = {
    nested: { path },
    aggs: {
      ...aggregations(rng, world, path, 2, false),
      ...rng.options({
        up: [
          0.6,
          () => ({
            reverse_nested: outer ? { path: path.split('.')[0] } : {},
            aggs: aggregations(rng, world, outer ? path.split('.')[0] : null, 1, false),
          }),
        ],
      }),
    },
  }
  const body = { size: 0, ...rng.options({ query: [0.3, () => query(rng, world, null, 1)] }), aggs: { down: inner } }
  return { kind: 'call', method: 'POST', path: `/${world.target}/_search`, body, as: 'search' }
}

function compositeBelow(rng, world) {
  const path = rng.pick(world.nestedPaths)
  const body = { size: 0, aggs: { down: { nested: { path }, aggs: { pages: composite(rng, world, path) } } } }
  return { kind: 'composite', target: world.target, body, name: 'down.pages' }
}
