// Sorted searches: every spelling and option of sort, over missing, repeated
// and multi-valued fields, and over two indices that disagree on the date type.

import { query } from './queries.mjs'
import { sortList } from './sorts.mjs'

export const area = {
  name: 'sort',
  casesPerWorld: 25,
  wish: (rng) => ({ docs: [5, 80], twoIndices: rng.chance(0.25) }),
  makeCase(rng, world) {
    const body = {
      ...rng.options({ query: [0.4, () => query(rng, world, null, 1)] }),
      sort: sortList(rng, world, 1, 3),
      size: rng.pick([1000, 1000, 7]),
      _source: false,
      ...rng.options({ from: [0.1, () => rng.int(1, 9)], track_scores: [0.15, () => true] }),
    }
    if (rng.chance(0.1)) body.sort = body.sort[0]
    return { steps: [{ kind: 'call', method: 'POST', path: `/${world.target}/_search`, body, as: 'search' }] }
  },
}
