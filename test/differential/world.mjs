/**
 * The indices and documents that generated requests are about: one field of every type, values that repeat, nested objects, a relation
 * between documents, several segments. Small vocabularies, so that clauses match and buckets fill.
 */

export const WORDS = [
  'red',
  'blue',
  'green',
  'quick',
  'brown',
  'fox',
  'dog',
  'lazy',
  'jumps',
  'running',
  'Zürich',
  'naïve',
]
export const KEYS = ['a', 'b', 'c', 'aa', 'ab', 'B', 'x-1', 'x-2', '', 'é']

const PROPERTIES = {
  uid: { type: 'keyword' },
  k: { type: 'keyword' },
  k2: { type: 'keyword', ignore_above: 2, null_value: 'NV' },
  t: { type: 'text', fields: { raw: { type: 'keyword' }, en: { type: 'text', analyzer: 'english' } } },
  u: { type: 'text', term_vector: 'with_positions_offsets' },
  n: { type: 'integer' },
  l: { type: 'long' },
  d: { type: 'double' },
  h: { type: 'half_float' },
  b: { type: 'boolean' },
  at: { type: 'date' },
  nano: { type: 'date_nanos' },
  ip: { type: 'ip' },
  p: { type: 'geo_point' },
  f: { type: 'flattened', ignore_above: 6 },
  r: { type: 'integer_range' },
  dr: { type: 'date_range' },
  o: { type: 'nested', properties: { k: { type: 'keyword' }, n: { type: 'integer' }, t: { type: 'text' } } },
  ob: { properties: { k: { type: 'keyword' }, n: { type: 'short', ignore_malformed: true } } },
  al: { type: 'alias', path: 'k' },
}

const words = (rng, low, high) => rng.times(rng.int(low, high), () => rng.pick(WORDS)).join(' ')
const date = (rng) =>
  `2024-${String(rng.int(1, 12)).padStart(2, '0')}-${String(rng.int(1, 28)).padStart(2, '0')}T${String(rng.int(0, 23)).padStart(2, '0')}:00:00Z`
const several = (rng, make) => (rng.chance(0.25) ? rng.times(rng.int(1, 3), make) : make())

function makeDocument(rng, id) {
  const low = rng.int(-5, 20)
  return {
    uid: id,
    ...rng.options({
      k: [0.9, () => several(rng, () => rng.pick(KEYS))],
      k2: [0.7, () => (rng.chance(0.1) ? null : several(rng, () => rng.pick(['p', 'q', 'long one', 'rr'])))],
      t: [0.9, () => several(rng, () => words(rng, 1, 6))],
      u: [0.8, () => words(rng, 1, 9)],
      n: [0.9, () => several(rng, () => rng.int(-3, 12))],
      l: [0.8, () => rng.pick([0, 1, 2, 5, 1e6, -7, 2 ** 40])],
      d: [0.8, () => several(rng, () => rng.int(-40, 40) / 8)],
      h: [0.6, () => rng.int(-40, 40) / 4],
      b: [0.8, () => rng.chance(0.5)],
      at: [0.9, () => several(rng, () => date(rng))],
      nano: [0.6, () => `2024-03-0${rng.int(1, 9)}T10:00:00.${rng.int(100, 999)}456789Z`],
      ip: [0.7, () => `10.0.${rng.int(0, 2)}.${rng.int(1, 9)}`],
      p: [0.8, () => ({ lat: rng.int(-20, 20), lon: rng.int(-30, 30) })],
      f: [0.6, () => ({ x: rng.pick(KEYS), y: { z: rng.pick(['one', 'two', 'long value']) } })],
      r: [0.5, () => ({ gte: low, lte: low + rng.int(0, 10) })],
      dr: [0.4, () => ({ gte: date(rng).slice(0, 7), lt: '2025-06' })],
      o: [0.7, () => rng.times(rng.int(0, 3), () => ({ k: rng.pick(KEYS), n: rng.int(0, 9), t: words(rng, 1, 3) }))],
      ob: [0.6, () => ({ k: rng.pick(KEYS), n: rng.chance(0.1) ? 'bad' : rng.int(0, 5) })],
    }),
  }
}

export function makeWorld(rng, name) {
  const shards = rng.pick([1, 1, 1, 2, 3])
  const settings = { number_of_shards: shards, number_of_replicas: 0, refresh_interval: -1 }
  let serial = 0
  const batches = rng.times(rng.int(1, 3), () =>
    rng.times(rng.int(8, 22), () => {
      const id = `d${serial++}`
      return { op: 'index', id, doc: makeDocument(rng, id) }
    }),
  )
  const ids = Array.from({ length: serial }, (_, i) => `d${i}`)
  return {
    target: name,
    indices: [{ name, body: { settings, mappings: { properties: PROPERTIES } }, batches }],
    shards,
    ids,
    keepsHoles: false,
    purge: false,
    nestedPaths: ['o'],
    fields: Object.entries(PROPERTIES).map(([path, mapping]) => ({ path, type: mapping.type ?? 'object', mapping })),
  }
}
