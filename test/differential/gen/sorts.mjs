// Random sort lists.

import { both, fieldsAt, isDate, isNumeric, ofType, pickField, sortable } from './fields.mjs'
import { leaf } from './queries.mjs'

const order = (rng) => rng.pick(['asc', 'desc'])

function modeFor(rng, field) {
  return isNumeric(field) && !field.extreme
    ? rng.pick(['min', 'max', 'avg', 'sum', 'median'])
    : rng.pick(['min', 'max'])
}

function missingFor(rng, field) {
  if (rng.chance(0.7)) return rng.pick(['_first', '_last'])
  if (isNumeric(field)) return rng.int(-3, 12)
  if (field.type === 'keyword') return 'green'
  return '_last'
}

function fieldSort(rng, field) {
  const options = {
    order: order(rng),
    ...rng.options({
      missing: [0.35, () => missingFor(rng, field)],
      mode: [0.25, () => modeFor(rng, field)],
      unmapped_type: [0.1, () => 'long'],
    }),
  }
  if (isDate(field)) {
    if (rng.chance(0.3))
      options.format = rng.pick(['strict_date_optional_time_nanos', 'yyyy-MM-dd', 'epoch_millis', 'strict_date_time'])
    if (rng.chance(0.2)) options.numeric_type = rng.pick(['date', 'date_nanos'])
  } else if (isNumeric(field) && !field.extreme && rng.chance(0.12)) {
    options.numeric_type = rng.pick(['long', 'double'])
  }
  return { [field.path]: options }
}

function nestedSort(rng, world, field) {
  const clause = { path: field.nested }
  if (rng.chance(0.3)) clause.filter = leaf(rng, world, field.nested)
  const outer = field.nested.includes('.') ? { path: field.nested.split('.')[0], nested: clause } : clause
  return {
    [field.path]: {
      order: order(rng),
      mode: rng.pick(['min', 'max', ...(isNumeric(field) && !field.extreme ? ['avg', 'sum'] : [])]),
      nested: outer,
      ...rng.options({ missing: [0.3, () => rng.pick(['_first', '_last'])] }),
    },
  }
}

function geoSort(rng, field) {
  return {
    _geo_distance: {
      [field.path]: rng.pick(['52,13', { lat: 10, lon: 20 }, [2.35, 48.85]]),
      order: order(rng),
      unit: rng.pick(['km', 'm', 'mi']),
      ...rng.options({ mode: [0.2, () => rng.pick(['min', 'max'])], distance_type: [0.2, () => 'plane'] }),
    },
  }
}

/** One entry of a sort list, in any of the accepted spellings. */
export function sortEntry(rng, world) {
  const kind = rng.weighted({
    field: 10,
    short: 4,
    nested: world.nestedPaths.length > 0 ? 2 : 0,
    score: 1,
    geo: 1,
    unmapped: 0.4,
  })
  if (kind === 'nested') {
    const field = pickField(
      rng,
      world,
      rng.pick(world.nestedPaths),
      both(sortable, (f) => f.type !== 'boolean'),
    )
    if (field) return nestedSort(rng, world, field)
  }
  if (kind === 'score') return rng.pick(['_score', { _score: order(rng) }, { _score: { order: order(rng) } }])
  if (kind === 'geo') {
    const field = pickField(rng, world, null, ofType('geo_point'))
    if (field) return geoSort(rng, field)
  }
  if (kind === 'unmapped')
    return { nowhere: { order: order(rng), unmapped_type: rng.pick(['long', 'keyword', 'date']) } }
  const field = rng.pick(fieldsAt(world, null, sortable))
  if (kind === 'short') return rng.pick([field.path, { [field.path]: order(rng) }])
  return fieldSort(rng, field)
}

export function sortList(rng, world, low = 1, high = 3) {
  return rng.times(rng.int(low, high), () => sortEntry(rng, world))
}
