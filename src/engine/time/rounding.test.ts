import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CalendarUnit, calendarRounding, intervalRounding } from './rounding.ts'
import { timeZone } from './zone/time-zone.ts'

const zone = (id: string) => (id === '' ? {} : { zone: timeZone(id) })

// Goal: buckets start where Elasticsearch's do, including around DST changes. Method: its recorded responses.
test('rounding to calendar units agrees with Elasticsearch', () => {
  const cases: [unit: CalendarUnit, zone: string, ms: number, offsetMs: number, start: number, next: number][] = [
    // Midnight did not exist on that day in São Paulo.
    ['day', 'America/Sao_Paulo', 1541336400000, 0, 1541300400000, 1541383200000],
    // The second of two hours named 2.
    ['hour', 'Europe/Paris', 1729992600000, 0, 1729990800000, 1729994400000],
    ['week', 'Europe/Paris', 1714979289123, 0, 1714946400000, 1715551200000],
    ['quarter', '', 1714979289123, 0, 1711929600000, 1719792000000],
    ['month', 'Asia/Kathmandu', 1714979289123, 3_600_000, 1714504500000, 1717182900000],
  ]
  for (const [unit, id, ms, offsetMs, start, next] of cases) {
    const rounding = calendarRounding(unit, { ...zone(id), offsetMs })
    assert.equal(rounding.round(ms), start, `${unit} ${id}`)
    assert.equal(rounding.nextRoundingValue(start), next, `${unit} ${id}`)
  }
})

test('rounding to intervals agrees with Elasticsearch', () => {
  const cases: [intervalMs: number, zone: string, ms: number, offsetMs: number, start: number, next: number][] = [
    [5_400_000, 'America/New_York', 1730612527008, 0, 1730611800000, 1730615400000],
    [86_400_000, 'Europe/Paris', 1540699257103, 0, 1540677600000, 1540767600000],
    [7_200_000, 'Europe/Paris', 1711850000000, 0, 1711846800000, 1711850400000],
    [1_800_000, '', 1714979289123, 60_000, 1714978860000, 1714980660000],
  ]
  for (const [intervalMs, id, ms, offsetMs, start, next] of cases) {
    const rounding = intervalRounding(intervalMs, { ...zone(id), offsetMs })
    assert.equal(rounding.round(ms), start, `${intervalMs} ${id}`)
    assert.equal(rounding.nextRoundingValue(start), next, `${intervalMs} ${id}`)
  }
  assert.throws(() => intervalRounding(0), { message: 'Zero or negative time interval not supported' })
})

// Goal: a start rounds to itself, is not after the instants it represents, and the next start is after them.
test('every instant lies between its start and the next start', () => {
  const units = fc.constantFrom<CalendarUnit>('minute', 'hour', 'day', 'week', 'month', 'quarter', 'year')
  const ids = fc.constantFrom(
    '',
    'Europe/Paris',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    '-05:30',
  )
  fc.assert(
    fc.property(units, ids, fc.integer({ min: -2e9, max: 4e9 }), (unit, id, seconds) => {
      const ms = seconds * 1000
      const rounding = calendarRounding(unit, zone(id))
      const start = rounding.round(ms)
      assert.ok(start <= ms)
      assert.equal(rounding.round(start), start)
      assert.ok(rounding.nextRoundingValue(start) > ms)
    }),
  )
})
