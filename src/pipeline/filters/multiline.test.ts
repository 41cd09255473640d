import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { multiline } from './multiline.ts'

function run(options: Record<string, unknown>, lines: readonly string[]): unknown[] {
  let nowMs = 0
  const context = testContext({ clock: { nowMs: () => nowMs } })
  const filter = multiline.create(withDefaults(multiline.options, options), { ...context, succeed() {} })
  const out: Event[] = []
  for (const line of lines) {
    const event = Event.ofMessage(line, new Timestamp(0))
    event.set('host', 'h')
    const more: Event[] = []
    filter.filter(event, more)
    out.push(...(event.cancelled ? [] : [event]), ...more)
  }
  filter.flush!(out, false)
  nowMs += 6000
  filter.flush!(out, false)
  return out.map((event) =>
    event.get('tags') === undefined ? event.get('message') : [event.get('message'), event.get('tags')],
  )
}

test('multiline filter: lines that match belong to the previous one, and the last event comes after max_age', () => {
  const lines = ['error', '  at a', '  at b', 'fine']
  assert.deepEqual(run({ pattern: '^\\s', what: 'previous' }, lines), [
    ['error\n  at a\n  at b', ['multiline']],
    'fine',
  ])
})

test('multiline filter: with next, a line that matches is joined to the following one', () => {
  const lines = ['a \\', 'b \\', 'c', 'd']
  assert.deepEqual(run({ pattern: '\\\\$', what: 'next' }, lines), [['a \\\nb \\\nc', ['multiline']], 'd'])
})

test('multiline filter: negate and grok patterns decide by a timestamp', () => {
  const lines = ['2024-01-01T00:00:00 a', 'x', '2024-01-01T00:00:01 b']
  const options = { pattern: '^%{TIMESTAMP_ISO8601}', what: 'previous', negate: true }
  assert.deepEqual(run(options, lines), [['2024-01-01T00:00:00 a\nx', ['multiline']], '2024-01-01T00:00:01 b'])
})

test('multiline filter: streams are kept apart by their identity', () => {
  const context = testContext()
  const filter = multiline.create(withDefaults(multiline.options, { pattern: '^ ', what: 'previous' }), {
    ...context,
    succeed() {},
  })
  const out: Event[] = []
  for (const [host, line] of [
    ['a', '1'],
    ['b', '2'],
    ['a', ' 1'],
    ['b', ' 2'],
  ] as const) {
    const event = Event.ofMessage(line, new Timestamp(0))
    event.set('host', host)
    filter.filter(event, out)
  }
  filter.flush!(out, true)
  assert.deepEqual(
    out.map((event) => event.get('message')),
    ['1\n 1', '2\n 2'],
  )
})
