import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Double } from '../../base/json/json-writer.ts'
import { runFilters } from '../dry-run/run-filters.ts'
import { JodaParser } from '../time/joda-parser.ts'
import { formatJoda, parseJodaPattern } from '../time/joda-pattern.ts'
import { UTC } from '../time/zone.ts'

async function parse(value: unknown, patterns: string[], options = '', now = '2024-06-15T00:00:00Z'): Promise<unknown> {
  const clock = { nowMs: () => Date.parse(now) }
  const match = ['t', ...patterns].map((pattern) => `"${pattern}"`).join(', ')
  const config = `filter { date { match => [${match}] target => "r" timezone => "UTC" ${options} } }`
  const [event] = await runFilters(config, [{ t: value }], { clock })
  return event!['r'] ?? event!['tags']
}

const FAILED = ['_dateparsefailure']

// Goal: the date filter reads Joda patterns as Logstash does. Method: a text, a pattern, and the expected instant or
// failure.
test('the date filter parses a text by its pattern', async () => {
  const cases: [unknown, string, unknown][] = [
    ['11/Dec/2013:00:01:45 -0800', 'dd/MMM/yyyy:HH:mm:ss Z', '2013-12-11T08:01:45.000Z'],
    ['20131211080145', 'yyyyMMddHHmmss', '2013-12-11T08:01:45.000Z'],
    ['2013-12-11 8:01 pm', 'yyyy-MM-dd h:mm a', '2013-12-11T20:01:00.000Z'],
    ['11 december 46', 'dd MMMM yy', '1946-12-11T00:00:00.000Z'],
    ['Mon 11 Dec 2013', 'EEE dd MMM yyyy', '2013-12-09T00:00:00.000Z'],
    ['2013-W50-3', "xxxx-'W'ww-e", '2013-12-11T00:00:00.000Z'],
    ['2013-345', 'yyyy-DDD', '2013-12-11T00:00:00.000Z'],
    ['Dec  5 01:02:03', 'MMM d HH:mm:ss', '2024-12-05T01:02:03.000Z'],
    ['1:02:03.1', 'H:mm:ss.SSS', '2024-01-01T01:02:03.100Z'],
    ['2013-02-30', 'yyyy-MM-dd', FAILED],
    ['2013-12-11 24', 'yyyy-MM-dd HH', FAILED],
    ['2013-12-11x', 'yyyy-MM-dd', FAILED],
    ['2013-12-11T08:01:45,678+01:00', 'ISO8601', '2013-12-11T07:01:45.678Z'],
    ['2013-12-11 08:01:45', 'ISO8601', FAILED],
    ['12', 'ISO8601', '0012-01-01T00:00:00.000Z'],
    ['1386720105.123456', 'UNIX', '2013-12-11T00:01:45.123Z'],
    [1386720105123, 'UNIX_MS', '2013-12-11T00:01:45.123Z'],
    ['@4000000052f88ea32489532c', 'TAI64N', '2014-02-10T08:32:25.612Z'],
    [['2013'], 'yyyy', FAILED],
  ]
  for (const [value, pattern, expected] of cases) {
    assert.deepEqual(await parse(value, [pattern]), expected, `${String(value)} as ${pattern}`)
  }
})

test('UNIX and UNIX_MS accept numbers, including floats', async () => {
  const cases: [unknown, string, unknown][] = [
    [1350414944.123456, 'UNIX', '2012-10-16T19:15:44.123Z'],
    [1e-7, 'UNIX', '1970-01-01T00:00:00.000Z'],
    [-1.5, 'UNIX', '1969-12-31T23:59:58.500Z'],
    ['-1.5', 'UNIX', '1969-12-31T23:59:59.500Z'],
    ['+7', 'UNIX', '1970-01-01T00:00:07.000Z'],
    [2147483648.5, 'UNIX', FAILED],
    [new Double(1000), 'UNIX_MS', '1970-01-01T00:00:01.000Z'],
    [1000.9, 'UNIX_MS', '1970-01-01T00:00:01.000Z'],
    [true, 'UNIX', FAILED],
    [8_640_000_000_000_001, 'UNIX_MS', FAILED],
    ['999999999-01-01', 'yyyy-MM-dd', FAILED],
    ['999999999-01-01T00:00:00Z', 'ISO8601', FAILED],
    [['1'], 'UNIX', FAILED],
  ]
  for (const [value, pattern, expected] of cases) {
    assert.deepEqual(await parse(value, [pattern]), expected, `${String(value)} as ${pattern}`)
  }
})

test('pattern letters match in any case, offsets are within a day, and zone names denote places', async () => {
  const cases: [string, string, unknown][] = [
    ['2013-07-01t12:00:00z', "yyyy-MM-dd'T'HH:mm:ssZ", '2013-07-01T12:00:00.000Z'],
    ['2013-07-01 12:00 +2500', 'yyyy-MM-dd HH:mm Z', FAILED],
    ['2013-07-01 12:00 +0160', 'yyyy-MM-dd HH:mm Z', FAILED],
    ['2013-07-01 12:00 +01:00:30', 'yyyy-MM-dd HH:mm Z', '2013-07-01T10:59:30.000Z'],
    ['2013-07-01 12:00 EST', 'yyyy-MM-dd HH:mm z', '2013-07-01T16:00:00.000Z'],
    ['2013-01-01 12:00 PDT', 'yyyy-MM-dd HH:mm z', '2013-01-01T20:00:00.000Z'],
  ]
  for (const [text, pattern, expected] of cases) {
    assert.deepEqual(await parse(text, [pattern]), expected, `${text} as ${pattern}`)
  }
})

test('ISO8601 accepts times of day, fractions of any part, and a space only with milliseconds', async () => {
  const cases: [string, unknown][] = [
    ['T10:15Z', '1970-01-01T10:15:00.000Z'],
    ['2013-12-11T10.5Z', '2013-12-11T10:30:00.000Z'],
    ['2013-12-11T10:15,25Z', '2013-12-11T10:15:15.000Z'],
    ['2013-345t01:00z', '2013-12-11T01:00:00.000Z'],
    ['2013-12-11 10:15:00.123-0130', '2013-12-11T11:45:00.123Z'],
    ['2013-12-11 10:15:00.123456', FAILED],
    ['2013-345 10:15:00.123', FAILED],
    ['2013-12-11T10:15+2400', FAILED],
    ['', FAILED],
  ]
  for (const [text, expected] of cases) assert.deepEqual(await parse(text, ['ISO8601']), expected, text)
})

test('a missing year is guessed across New Year', async () => {
  const pattern = ['MMM dd HH:mm:ss']
  assert.equal(await parse('Dec 31 23:59:59', pattern, '', '2024-01-01T00:00:10Z'), '2023-12-31T23:59:59.000Z')
  assert.equal(await parse('Jan 01 00:00:01', pattern, '', '2023-12-31T23:59:59Z'), '2024-01-01T00:00:01.000Z')
  assert.deepEqual(await parse('Feb 29 00:00:00', pattern, '', '2023-03-01T00:00:00Z'), FAILED)
})

test('a time in a DST gap fails, an overlap uses summer time, and zones and locales are configurable', async () => {
  const config = (zone: string, locale = '') =>
    `filter { date { match => ["t", "yyyy-MM-dd HH:mm", "dd MMMM yyyy"] target => "r" timezone => "${zone}" ${locale} } }`
  const read = async (zone: string, t: string, locale = '') => {
    const [event] = await runFilters(config(zone, locale), [{ t, tz: 'Europe/Berlin' }])
    return event!['r'] ?? event!['tags']
  }
  assert.deepEqual(await read('America/Los_Angeles', '2013-03-10 02:30'), FAILED)
  assert.equal(await read('America/Los_Angeles', '2013-11-03 01:30'), '2013-11-03T08:30:00.000Z')
  assert.equal(await read('%{tz}', '2013-07-01 12:00'), '2013-07-01T10:00:00.000Z')
  assert.equal(await read('+02:00', '2013-07-01 12:00'), '2013-07-01T10:00:00.000Z')
  assert.equal(await read('UTC', '11 Dezember 2013', 'locale => "de"'), '2013-12-11T00:00:00.000Z')
  await assert.rejects(runFilters(config('Nowhere/City'), []), /not recognised/)
})

// Goal: printing and parsing are inverse. Method: random instants through both, with several patterns.
test('a time printed with a pattern is parsed back with it', () => {
  const patterns = [
    'yyyy-MM-dd HH:mm:ss.SSS',
    'dd/MMM/yyyy:HH:mm:ss',
    'EEEE d MMMM yyyy hh:mm:ss a',
    "xxxx-'W'ww-e H:m:s",
    'yyyy DDD kk:mm:ss',
  ]
  for (const pattern of patterns) {
    const parser = new JodaParser(pattern, undefined, () => 0)
    const parts = parseJodaPattern(pattern)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_799_000 }), (instant) => {
        const ms = pattern.includes('SSS') ? instant : Math.floor(instant / 1000) * 1000
        assert.equal(
          parser.parse(formatJoda(parts, ms), UTC, () => 0),
          ms,
          formatJoda(parts, ms),
        )
      }),
    )
  }
})
