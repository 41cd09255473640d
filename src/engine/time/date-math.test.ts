import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDateMath } from './date-math.ts'
import { compileDateFormat } from './format/date-format.ts'
import { timeZone } from './zone/time-zone.ts'

const format = compileDateFormat('strict_date_optional_time||epoch_millis')
/** 2024-05-06T07:08:09.123Z, a Monday. */
const nowMs = 1714979289123

function evaluate(text: string, roundUp = false, zone?: string): number {
  return parseDateMath(text, { format, nowMs, roundUp, zone: zone === undefined ? undefined : timeZone(zone) }).ms
}

test('date math adds and rounds from left to right', () => {
  assert.equal(evaluate('now'), nowMs)
  assert.equal(evaluate('now-1d/d'), 1714867200000)
  assert.equal(evaluate('now/w'), 1714953600000)
  assert.equal(evaluate('2024-01-31||+1M'), 1709164800000)
  assert.equal(evaluate('2024-01-31||+1M+1M'), Date.UTC(2024, 2, 29))
})

test('date math with round-up ends at the last millisecond', () => {
  assert.equal(evaluate('now/M', true), 1717199999999)
  assert.equal(evaluate('2024-02-29||+1y/d', true), 1740787199999)
  assert.equal(evaluate('2024-05', true), 1714607999999)
  assert.equal(evaluate('now+1d', true), nowMs + 86_400_000)
})

test('days are local, hours are absolute', () => {
  assert.equal(evaluate('2024-03-30T12:00:00||+1d', false, 'Europe/Paris'), 1711879200000)
  assert.equal(evaluate('2024-03-30T12:00:00||+24h', false, 'Europe/Paris'), 1711882800000)
  assert.equal(evaluate('now/d', false, 'Asia/Kathmandu'), 1714932900000)
})

test('a malformed expression is rejected with its reason', () => {
  const refused: [text: string, reason: string][] = [
    ['now+', 'truncated date math [+]'],
    ['now+15', 'truncated date math [+15]'],
    ['now*1d', 'operator not supported for date math [*1d]'],
    ['now/2d', 'rounding `/` can only be used on single unit types [/2d]'],
    ['now+1q', 'unit [q] not supported for date math [+1q]'],
    ['||+1d', 'cannot parse empty datetime'],
    [
      'x||+1d',
      'failed to parse date field [x] with format [strict_date_optional_time||epoch_millis]: ' +
        '[failed to parse date field [x] with format [strict_date_optional_time||epoch_millis]]',
    ],
  ]
  for (const [text, message] of refused) assert.throws(() => evaluate(text), { type: 'parse_exception', message })
})
