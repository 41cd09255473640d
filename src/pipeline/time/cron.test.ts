import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cron } from './cron.ts'

function times(line: string, after: string, count: number): string[] {
  const cron = Cron.parse(line)
  const found: string[] = []
  for (let at = Date.parse(after); found.length < count; ) {
    at = cron.next(at)!
    found.push(new Date(at).toISOString().slice(0, 19))
  }
  return found
}

test('a cron line yields its times', () => {
  assert.deepEqual(times('* * * * * UTC', '2024-02-28T23:58:30Z', 3), [
    '2024-02-28T23:59:00',
    '2024-02-29T00:00:00',
    '2024-02-29T00:01:00',
  ])
  assert.deepEqual(times('*/20 1,3-4 * * * UTC', '2024-01-01T01:30:00Z', 3), [
    '2024-01-01T01:40:00',
    '2024-01-01T03:00:00',
    '2024-01-01T03:20:00',
  ])
  assert.deepEqual(times('*/30 * * * * * UTC', '2024-01-01T00:00:00Z', 2), [
    '2024-01-01T00:00:30',
    '2024-01-01T00:01:00',
  ])
  assert.deepEqual(times('0 12 * feb mon-tue UTC', '2024-01-01T00:00:00Z', 3), [
    '2024-02-05T12:00:00',
    '2024-02-06T12:00:00',
    '2024-02-12T12:00:00',
  ])
  // If both days are given, either matches.
  assert.deepEqual(times('0 0 13 * 5 UTC', '2024-09-01T00:00:00Z', 3), [
    '2024-09-06T00:00:00',
    '2024-09-13T00:00:00',
    '2024-09-20T00:00:00',
  ])
  assert.deepEqual(times('0 0 L * * UTC', '2024-02-01T00:00:00Z', 2), ['2024-02-29T00:00:00', '2024-03-31T00:00:00'])
  assert.deepEqual(times('0 0 29 2 * UTC', '2024-03-01T00:00:00Z', 1), ['2028-02-29T00:00:00'])
  assert.equal(Cron.parse('0 0 31 2 * UTC').next(0), undefined)
})

test('a cron line respects its time zone and skips missing hours', () => {
  // 02:30 does not exist in Berlin on 31 March 2024.
  assert.deepEqual(times('30 2 * * * Europe/Berlin', '2024-03-29T12:00:00Z', 2), [
    '2024-03-30T01:30:00',
    '2024-04-01T00:30:00',
  ])
})

test('a malformed cron line is rejected', () => {
  for (const line of ['* * * *', '61 * * * *', 'a * * * *', '*/0 * * * *', '* * * * * Nowhere/City', '1-2-3 * * * *']) {
    assert.throws(() => Cron.parse(line), Error, line)
  }
})
