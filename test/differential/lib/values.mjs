// Makers of field values. Pools are small on purpose: queries should hit,
// values should repeat, ties should happen.

export const WORDS = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heron',
  'inlet',
  'jetty',
  'kelp',
  'lagoon',
  'marsh',
  'nectar',
  'osprey',
  'pebble',
  'quartz',
  'reef',
  'shore',
  'tide',
  'the',
  'and',
  'of',
  'running',
  'runs',
  'ran',
  'Shore',
  'MARSH',
  'sandpiper',
  'sandpipers',
]

export const ODD_WORDS = [
  'naïve',
  'Straße',
  'İstanbul',
  'cafe\u0301',
  '東京タワー',
  'мир',
  'شمس',
  'ﬁne',
  '😀',
  '👩‍👩‍👧',
  'x²',
  "don't",
  'foo_bar',
  'ver1.2.3',
  'user@example.org',
  '3,141.59',
  'wi-fi',
  '\uff61kana',
  'e\u0000f',
  'a.b.c',
  'ΣΊΣΥΦΟΣ',
]

const TAGS = [
  'red',
  'green',
  'blue',
  'Blue',
  'yellow',
  'black',
  'white',
  'grey',
  '',
  ' lead',
  'a b',
  'zürich',
  '😀',
  '\uff61',
  'foo',
  'foobar',
  '0',
  '10',
  '9',
  'true',
]

// Instants around daylight-saving changes, leap days, year and week turns.
export const INSTANTS = [
  '2024-03-31T00:30:00Z',
  '2024-03-31T01:00:00Z',
  '2024-03-31T01:30:00Z',
  '2024-10-27T00:30:00Z',
  '2024-10-27T01:30:00Z',
  '2024-03-10T06:59:59Z',
  '2024-03-10T07:00:00Z',
  '2024-11-03T05:30:00Z',
  '2024-11-03T06:30:00Z',
  '2024-02-29T12:00:00Z',
  '2023-12-31T23:59:59.999Z',
  '2024-01-01T00:00:00Z',
  '2020-12-31T23:00:00Z',
  '2021-01-03T23:30:00Z',
  '1970-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '1999-06-15T08:15:30.250Z',
  '2017-10-15T03:00:00Z',
  '2018-02-18T02:30:00Z',
  '2024-04-06T15:15:00Z',
  '2024-10-05T15:45:00Z',
  '2024-07-04T18:00:00Z',
  '2024-07-04T18:00:00.001Z',
  '2025-05-05T05:05:05.055Z',
]

export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  '+01:00',
  '-08:00',
  '+05:30',
  'Pacific/Apia',
  'Z',
]

const ADDRESSES = [
  '10.0.0.1',
  '10.0.0.2',
  '10.0.1.255',
  '192.168.1.1',
  '192.168.1.20',
  '127.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '::1',
  '2001:db8::1',
  '2001:db8::ff',
  'fe80::1',
  '::ffff:10.0.0.1',
]

const PLACES = [
  [52.52, 13.405],
  [48.8566, 2.3522],
  [40.7128, -74.006],
  [-33.8688, 151.2093],
  [0, 0],
  [64.1466, -21.9426],
  [-54.8, -68.3],
  [35.6762, 139.6503],
  [51.5007, -0.1246],
  [51.5014, -0.1419],
  [1.3521, 103.8198],
  [-17.7134, 178.065],
  [21.3069, -157.8583],
  [84.9, 179.9],
  [-84.9, -179.9],
]

const INTEGER_LIMITS = {
  byte: [-128, 127],
  short: [-32768, 32767],
  integer: [-2147483648, 2147483647],
  long: [-9223372036854775808n, 9223372036854775807n],
}
export const INTEGER_TYPES = Object.keys(INTEGER_LIMITS)
export const FLOAT_TYPES = ['double', 'float', 'half_float']
export const NUMBER_TYPES = [...INTEGER_TYPES, ...FLOAT_TYPES]

export function sentence(rng, low = 1, high = 12) {
  return rng
    .times(rng.int(low, high), () => (rng.chance(0.12) ? rng.pick(ODD_WORDS) : rng.pick(WORDS)))
    .join(rng.chance(0.1) ? ', ' : ' ')
}

export function instant(rng) {
  if (rng.chance(0.6)) return rng.pick(INSTANTS)
  const ms = Date.UTC(2023, 10, 1) + rng.int(0, 500) * 3_600_000 * 17 + rng.int(0, 3) * 1234
  return new Date(ms).toISOString()
}

function dateValue(rng, field) {
  const iso = instant(rng)
  const ms = Date.parse(iso)
  switch (field.format) {
    case 'yyyy-MM-dd':
      return iso.slice(0, 10)
    case 'epoch_second':
      return Math.floor(ms / 1000)
    case 'yyyy/MM/dd HH:mm:ss||epoch_millis':
      return rng.chance(0.5) ? ms : iso.slice(0, 19).replace(/-/g, '/').replace('T', ' ')
    default:
      return rng.weighted({ iso: 6, ms: 2, day: 1, offset: 1 }) === 'iso'
        ? iso
        : rng.pick([ms, iso.slice(0, 10), `${iso.slice(0, 19)}+02:00`, iso.slice(0, 16)])
  }
}

function nanosValue(rng) {
  const iso = instant(rng).replace(/(\.\d+)?Z$/, '')
  const safe = iso < '1970' ? '1970-01-01T00:00:00' : iso
  return `${safe}.${String(rng.int(0, 999999999))
    .padStart(9, '0')
    .slice(0, rng.pick([3, 6, 9]))}Z`
}

function integerValue(rng, field) {
  const [low, high] = INTEGER_LIMITS[field.type]
  if (field.extreme && rng.chance(0.4)) {
    if (field.type !== 'long') return rng.pick([low, high, low + 1, high - 1, 0])
    return rng.pick([low, high, low + 1n, high - 1n, 9007199254740993n, -9007199254740993n, 9007199254740992n])
  }
  return rng.chance(0.8) ? rng.int(-5, 20) : rng.int(-100, 120)
}

function floatValue(rng, field) {
  if (field.extreme && field.type === 'double' && rng.chance(0.4)) {
    return rng.pick([1.7976931348623157e308, 4.9e-324, -1e200, 1e-10, 0.1, 123456789.12345679, -0.000001])
  }
  return rng.chance(0.6) ? rng.int(-8, 80) / 4 : Math.round(rng.next() * 100000) / 1000
}

export function placeValue(rng) {
  let [lat, lon] = rng.pick(PLACES)
  if (rng.chance(0.4)) {
    lat = Math.round(Math.max(-85, Math.min(85, lat + rng.next() * 2 - 1)) * 1e4) / 1e4
    lon = Math.round(Math.max(-180, Math.min(180, lon + rng.next() * 2 - 1)) * 1e4) / 1e4
  }
  return rng.pick([{ lat, lon }, `${lat},${lon}`, [lon, lat], `POINT (${lon} ${lat})`, { lat, lon }])
}

/** One value of the field, in the form a document may carry it. */
export function fieldValue(rng, field) {
  switch (field.type) {
    case 'keyword':
      return field.wide ? `${rng.pick(WORDS)}-${rng.int(0, 40)}` : rng.pick(TAGS)
    case 'text':
      return sentence(rng)
    case 'boolean':
      return rng.chance(0.85) ? rng.chance(0.5) : rng.pick(['true', 'false'])
    case 'ip':
      return rng.pick(ADDRESSES)
    case 'geo_point':
      return placeValue(rng)
    case 'date':
      return dateValue(rng, field)
    case 'date_nanos':
      return nanosValue(rng)
    default: {
      const number = INTEGER_TYPES.includes(field.type) ? integerValue(rng, field) : floatValue(rng, field)
      return rng.chance(0.02) ? String(number) : number
    }
  }
}
