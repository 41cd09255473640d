// Random query trees, ranked by score; with a few of the options that shape hits.

import { fieldsAt, isDate, isNumeric, ofType } from './fields.mjs'
import { query, rankedQuery } from './queries.mjs'

export const area = {
  name: 'search',
  casesPerWorld: 25,
  wish: {},
  makeCase(rng, world) {
    const body = {
      query: rng.chance(0.45) ? rankedQuery(rng, world) : query(rng, world, null, rng.int(0, 3)),
      size: rng.pick([1000, 1000, 1000, 10, 3, 0]),
      ...rng.options({
        from: [0.1, () => rng.int(0, 6)],
        min_score: [0.04, () => 0.5],
        track_total_hits: [0.1, () => rng.pick([true, false])],
        version: [0.08, () => true],
        seq_no_primary_term: [0.08, () => true],
        _source: [0.15, () => sourceFilter(rng, world)],
        fields: [0.12, () => fieldList(rng, world)],
        docvalue_fields: [0.1, () => docvalueList(rng, world)],
        stored_fields: [0.02, () => ['_none_']],
      }),
    }
    // Without stored fields there is neither source nor fields.
    if (body.stored_fields) {
      delete body._source
      delete body.fields
    }
    return { steps: [{ kind: 'call', method: 'POST', path: `/${world.target}/_search`, body, as: 'search' }] }
  },
}

function sourceFilter(rng, world) {
  const some = () =>
    rng
      .sample(
        world.fields.filter((f) => !f.derived),
        2,
      )
      .map((f) => rng.pick([f.path, `${f.path.split('.')[0]}*`]))
  return rng.pick([false, true, some(), { includes: some() }, { includes: ['*'], excludes: some() }, 'uid'])
}

function fieldList(rng, world) {
  return rng
    .sample(fieldsAt(world, null), rng.int(1, 4))
    .map((f) =>
      isDate(f) && rng.chance(0.5) ? { field: f.path, format: rng.pick(['yyyy-MM-dd', 'epoch_millis']) } : f.path,
    )
}

function docvalueList(rng, world) {
  const usable = fieldsAt(world, null, (f) => f.sortable || ofType('geo_point')(f))
  return rng.sample(usable, rng.int(1, 4)).map((f) => {
    if (isDate(f) && rng.chance(0.6))
      return { field: f.path, format: rng.pick(['yyyy-MM-dd HH:mm:ss', 'epoch_millis', 'strict_date_time']) }
    if (isNumeric(f) && !f.extreme && rng.chance(0.3)) return { field: f.path, format: '0.00' }
    return f.path
  })
}
