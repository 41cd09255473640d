import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Event } from '../event/event.ts'
import { type Fields, toFieldValue } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { elapsed } from './elapsed.ts'

let nowMs = Date.parse('2026-01-01T00:00:00Z')
const TAGS = { start_tag: 'begin', end_tag: 'end', unique_id_field: '[task][id]' }

function make(options: Record<string, unknown> = {}) {
  const context = { ...testContext({ clock: { nowMs: () => nowMs } }), succeed: (event: Event) => event.tag('ok') }
  return elapsed.create(withDefaults(elapsed.options, { ...TAGS, ...options }), context)
}

function event(tag: string, id: unknown, time: string): Event {
  const fields = { tags: [tag], '@timestamp': time, ...(id === undefined ? {} : { task: { id } }) }
  return Event.ofFields(toFieldValue(fields) as Fields, new Timestamp(0))
}

test('elapsed adds the time since the start event to the end event with the same id', () => {
  const filter = make()
  assert.equal(filter.filter(event('begin', 7, '2026-01-01T00:00:00.000Z'), []), true)
  const end = event('end', 7, '2026-01-01T00:00:10.500Z')
  assert.equal(filter.filter(end, []), true)
  assert.deepEqual(end.get('tags'), ['end', 'elapsed', 'elapsed_match'])
  assert.equal(end.get('elapsed_time'), 10.5)
  assert.equal(String(end.get('elapsed_timestamp_start')), '2026-01-01T00:00:00.000Z')
  const again = event('end', 7, '2026-01-01T00:00:11.000Z')
  filter.filter(again, [])
  assert.deepEqual(again.get('tags'), ['end', 'elapsed_end_without_start'])
})

test('elapsed makes an event of its own with new_event_on_match', () => {
  const filter = make({ new_event_on_match: true, keep_start_event: 'last' })
  filter.filter(event('begin', 'a', '2026-01-01T00:00:00.000Z'), [])
  filter.filter(event('begin', 'a', '2026-01-01T00:00:04.000Z'), [])
  const more: Event[] = []
  const end = event('end', 'a', '2026-01-01T00:00:05.000Z')
  filter.filter(end, more)
  assert.deepEqual(end.get('tags'), ['end'])
  const { '@timestamp': _, '@version': __, ...rest } = JSON.parse(jsonText(more[0]!.fields)) as Record<string, unknown>
  assert.deepEqual(rest, {
    host: 'here',
    tags: ['elapsed', 'elapsed_match', 'ok'],
    elapsed_time: 1,
    task: { id: 'a' },
    elapsed_timestamp_start: '2026-01-01T00:00:04.000Z',
  })
})

test('elapsed reports a start event whose end does not come in time', () => {
  const filter = make({ timeout: 30 })
  filter.filter(event('begin', 'a', '2025-12-31T23:00:00.000Z'), [])
  const more: Event[] = []
  nowMs += 29_000
  filter.flush!(more, false)
  assert.equal(more.length, 0)
  nowMs += 2000
  filter.flush!(more, false)
  assert.deepEqual(more[0]!.get('tags'), ['elapsed', 'elapsed_expired_error', 'ok'])
  assert.equal(more[0]!.get('elapsed_time'), 31)
  filter.flush!(more, false)
  assert.equal(more.length, 1)
})

test('elapsed leaves events without id or tag as they are', () => {
  const filter = make()
  for (const one of [event('begin', undefined, '2026-01-01T00:00:00Z'), event('x', 1, '2026-01-01T00:00:00Z')]) {
    assert.equal(filter.filter(one, []), false)
    assert.equal((one.get('tags') as unknown[]).length, 1)
  }
})
