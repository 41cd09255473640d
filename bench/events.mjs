/** Log events for benchmarks. The same number gives the same event, so that every server gets the same documents. */

const WORDS =
  'request failed timeout connection refused database cache user session token expired retry upstream gateway service started stopped ' +
  'disk memory limit exceeded invalid payload checksum replica shard index query slow client closed handshake certificate'
const words = WORDS.split(' ')
const START_MS = Date.UTC(2025, 0, 1)
const SPAN_MS = 90 * 86_400_000

export const MAPPING = {
  settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
  mappings: {
    properties: {
      '@timestamp': { type: 'date' },
      message: { type: 'text' },
      host: { type: 'keyword' },
      path: { type: 'keyword' },
      address: { type: 'ip' },
      session: { type: 'keyword' },
      status: { type: 'integer' },
      took: { type: 'double' },
      place: { type: 'geo_point' },
      spans: { type: 'nested', properties: { name: { type: 'keyword' }, ms: { type: 'double' } } },
    },
  },
}

/** A seeded generator of numbers in [0, 1) (mulberry32). */
function numbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A skewed distribution, as of words and hosts: small numbers are frequent, large ones rare. */
const skewed = (random, count) => Math.floor(count * random() ** 2.5)

export function event(number) {
  const random = numbers(number + 1)
  const some = (count) => Array.from({ length: count }, () => words[skewed(random, words.length)]).join(' ')
  return {
    '@timestamp': new Date(START_MS + Math.floor((number * 7919) % SPAN_MS)).toISOString(),
    message: `${some(24)} ${number.toString(36)} ${some(40)}`,
    host: `web-${skewed(random, 40)}`,
    path: `/shop/${skewed(random, 300)}/item/${skewed(random, 2000)}`,
    address: `10.${skewed(random, 8)}.${skewed(random, 256)}.${Math.floor(random() * 256)}`,
    session: `s${Math.floor(random() * 20_000)}`,
    status: [200, 200, 200, 200, 301, 404, 500][Math.floor(random() * 7)],
    took: Math.round(10_000 * random() ** 4) / 10,
    place: { lat: 47 + 6 * random(), lon: 6 + 9 * random() },
    spans: Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
      name: ['db', 'cache', 'render', 'auth'][Math.floor(random() * 4)],
      ms: Math.round(500 * random()) / 10,
    })),
  }
}
