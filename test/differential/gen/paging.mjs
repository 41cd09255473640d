// Reads results to the end in every way there is and checks that each way
// yields every hit once, in the oracle's order; and that a point in time or a
// scroll does not see later writes.

import { makeWorld } from '../lib/world.mjs'
import { fieldsAt, isInteger } from './fields.mjs'
import { query } from './queries.mjs'
import { sortList } from './sorts.mjs'

const UNIQUE = { uid: 'asc' }

export const area = {
  name: 'paging',
  casesPerWorld: 20,
  wish: (rng) => ({ docs: [10, 80], twoIndices: rng.chance(0.25) }),
  makeCase(rng, world, ownName) {
    return rng.chance(0.12) ? frozenView(rng, ownName) : wholeResult(rng, world)
  },
}

function wholeResult(rng, world) {
  const how = rng.weighted({ from: 2, search_after: 4, pit: 5, scroll: 3, pit_slices: 2, scroll_slices: 2 })
  const sort = sortList(rng, world, 0, 2)
  const body = {
    ...rng.options({ query: [0.4, () => query(rng, world, null, 1)], track_total_hits: [0.3, () => false] }),
    sort,
    _source: false,
  }
  if (how === 'from' || how === 'search_after') body.sort.push(UNIQUE)
  // Without a tiebreaker of its own, a point in time must add one.
  if (how.startsWith('pit')) {
    const tail = rng.weighted({ implicit: 5, unique: 2, explicit: 1 })
    if (tail === 'unique') body.sort.push(UNIQUE)
    if (tail === 'explicit') body.sort.push(rng.pick(['_shard_doc', { _shard_doc: 'desc' }]))
    if (body.sort.length === 0) body.sort.push(UNIQUE)
  }
  if (how.startsWith('scroll') && body.sort.length === 0) rng.chance(0.5) ? body.sort.push('_doc') : delete body.sort
  if (how.startsWith('scroll')) delete body.track_total_hits
  const step = { kind: 'pages', how, target: world.target, body, size: rng.pick([1, 3, 7, 25, 100]) }
  if (step.size === 1 && world.ids.length > 40) step.size = 4
  if (how.endsWith('slices')) {
    step.slices = rng.int(2, 6)
    // A document with several values would fall into several slices.
    const number = rng.pick(fieldsAt(world, null, (f) => isInteger(f) && f.sortable && !f.multi))
    if (number && rng.chance(0.3)) step.sliceField = number.path
  }
  return { steps: [step] }
}

/** A world of its own, because the case writes into it. */
function frozenView(rng, name) {
  const world = makeWorld(rng, name, { docs: [8, 30], nested: false, twoIndices: false, shards: rng.int(1, 2) })
  const index = world.indices[0].name
  const some = rng.sample(world.ids, 6)
  const writes = [
    { method: 'POST', path: `/${index}/_doc/new1`, body: { uid: 'new1' } },
    { method: 'DELETE', path: `/${index}/_doc/${some[0]}` },
    { method: 'DELETE', path: `/${index}/_doc/${some[1]}` },
    { method: 'POST', path: `/${index}/_update/${some[2]}`, body: { doc: { uid: 'changed' } } },
    { method: 'PUT', path: `/${index}/_doc/${some[3]}`, body: { uid: '0first' } },
    { method: 'POST', path: `/${index}/_refresh` },
  ]
  const sort = rng.pick([['uid'], [{ uid: 'desc' }], ...(world.indexSort ? [['uid']] : [])])
  return {
    world,
    steps: [
      {
        kind: 'snapshot',
        how: rng.pick(['pit', 'scroll']),
        target: index,
        body: { sort },
        size: rng.int(2, 7),
        writes,
      },
    ],
  }
}
