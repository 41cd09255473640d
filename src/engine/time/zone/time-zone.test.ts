import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { instantsOf, lastTransition, requestTimeZone, timeZone } from './time-zone.ts'

test('a time zone knows its offset at any instant, back to local mean time', () => {
  assert.equal(timeZone('America/New_York').offsetAt(1710054000000), -4 * 3_600_000)
  assert.equal(timeZone('America/New_York').offsetAt(1710053999999), -5 * 3_600_000)
  assert.equal(timeZone('Pacific/Apia').offsetAt(1325239200000), 14 * 3_600_000)
  assert.equal(timeZone('Europe/Paris').offsetAt(-4000000000000), 561_000)
})

test('a skipped local time moves forward, and a repeated one means the first', () => {
  const paris = timeZone('Europe/Paris')
  const skipped = Date.UTC(2024, 2, 31, 2, 30)
  assert.equal(paris.toUtc(skipped), 1711848600000)
  assert.deepEqual(instantsOf(paris, skipped), [])
  const repeated = Date.UTC(2024, 9, 27, 2, 30)
  assert.equal(paris.toUtc(repeated), 1729989000000)
  assert.deepEqual(instantsOf(paris, repeated), [1729989000000, 1729992600000])
  assert.equal(lastTransition(paris, 1711836000000, 1711850000000), 1711846800000)
  assert.equal(lastTransition(paris, 1711846800001, 1711850000000), undefined)
})

test('offsets and prefixed offsets are zone ids', () => {
  const named: [id: string, name: string, offsetMinutes: number][] = [
    ['Z', 'Z', 0],
    ['UTC', 'UTC', 0],
    ['+1', '+01:00', 60],
    ['-0530', '-05:30', -330],
    ['GMT+1', 'GMT+01:00', 60],
    ['UTC+01:30', 'UTC+01:30', 90],
    ['Etc/GMT+5', 'Etc/GMT+5', -300],
  ]
  for (const [id, name, minutes] of named) {
    assert.equal(timeZone(id).id, name)
    assert.equal(timeZone(id).offsetAt(0), minutes * 60_000)
  }
})

test("an invalid zone id is rejected with the JVM's message", () => {
  const refused: [id: string, type: string, message: string][] = [
    ['Mars/One', 'zone_rules_exception', 'Unknown time-zone ID: Mars/One'],
    ['europe/paris', 'zone_rules_exception', 'Unknown time-zone ID: europe/paris'],
    ['PST', 'zone_rules_exception', 'Unknown time-zone ID: PST'],
    ['a b', 'date_time_exception', 'Invalid ID for region-based ZoneId, invalid format: a b'],
    ['x', 'date_time_exception', 'Invalid ID for ZoneOffset, invalid format: x'],
    ['+01:0', 'date_time_exception', 'Invalid ID for ZoneOffset, non numeric characters found: +01:0'],
    ['+25:00', 'date_time_exception', 'Zone offset hours not in valid range: value 25 is not in the range -18 to 18'],
    ['UTC+abc', 'date_time_exception', 'Invalid ID for offset-based ZoneId: UTC+abc'],
  ]
  for (const [id, type, message] of refused) assert.throws(() => timeZone(id), { type, message })
  assert.throws(() => requestTimeZone('Mars/One'), {
    type: 'illegal_argument_exception',
    message: 'java.time.zone.ZoneRulesException: Unknown time-zone ID: Mars/One',
  })
})

test('a local time converts back to its instant, or to its duplicate an hour away', () => {
  const ids = fc.constantFrom('Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca')
  fc.assert(
    fc.property(ids, fc.integer({ min: -1e9, max: 4e9 }), (id, seconds) => {
      const zone = timeZone(id)
      const localMs = seconds * 1000 + zone.offsetAt(seconds * 1000)
      assert.ok(instantsOf(zone, localMs).includes(seconds * 1000))
      assert.equal(zone.toUtc(localMs), instantsOf(zone, localMs)[0])
    }),
  )
})
