// Random aggregation trees over the root document.

import { aggregations } from './aggregations.mjs'
import { query } from './queries.mjs'

export const area = {
  name: 'aggs',
  casesPerWorld: 25,
  wish: { docs: [0, 90] },
  makeCase(rng, world) {
    const body = {
      size: rng.chance(0.9) ? 0 : 5,
      ...rng.options({ query: [0.35, () => query(rng, world, null, 1)], track_total_hits: [0.1, () => false] }),
      aggs: aggregations(rng, world, null, rng.int(1, 3)),
    }
    return { steps: [{ kind: 'call', method: 'POST', path: `/${world.target}/_search`, body, as: 'search' }] }
  },
}
