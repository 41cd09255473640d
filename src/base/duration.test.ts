import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, parseDuration } from './duration.ts'

test('a duration is a whole number with a unit', () => {
  const read: [text: string, ms: number][] = [
    ['5s', 5000],
    ['5 S', 5000],
    [' 5s', 5000],
    ['+5s', 5000],
    ['90m', 5_400_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['3ms', 3],
    ['1500micros', 1.5],
    ['500nanos', 0.0005],
    ['0', 0],
    ['-1', -1],
    ['-1s', -1000],
  ]
  for (const [text, ms] of read) assert.equal(parseDuration(text, 'timeout'), ms, text)
})

test("a malformed duration is rejected with Elasticsearch's message", () => {
  const named = (text: string, why: string) =>
    `failed to parse setting [timeout] with value [${text}] as a time value: ${why}`
  const refused: [text: string, message: string][] = []
  for (const text of ['', 'abc', '5', '-2', '0.5', '1w', '5M', '5x']) {
    refused.push([text, named(text, 'unit is missing or unrecognized')])
  }
  refused.push(['-5s', named('-5s', 'negative durations are not supported')])
  refused.push(['1.5h', 'failed to parse [1.5h], fractional time values are not supported'])
  refused.push(['xs', 'failed to parse [xs]'])
  for (const [text, message] of refused) {
    assert.throws(() => parseDuration(text, 'timeout'), { type: 'illegal_argument_exception', message })
  }
})

test('a duration prints in its largest unit with at most one decimal', () => {
  const printed: [ms: number, text: string][] = [
    [0, '0s'],
    [-1, '-1'],
    [1.55, '1.5ms'],
    [1000, '1s'],
    [90_000, '1.5m'],
    [59_990, '59.9s'],
    [36_000_000, '10h'],
    [86_400_000, '1d'],
    [0.0015, '1.5micros'],
    [0.000001, '1nanos'],
  ]
  for (const [ms, text] of printed) assert.equal(formatDuration(ms), text)
})
