import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Event } from '../event/event.ts'
import { type Fields, toFieldValue } from '../event/fields.ts'
import { jsonText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { withDefaults } from '../plugin/default-options.ts'
import type { Filter } from '../plugin/filter-plugin.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { aggregate } from './aggregate.ts'

/** A pipeline of aggregate filters with a clock of its own. */
class Bench {
  nowMs = Date.parse('2024-05-17T10:30:00Z')
  readonly shared = new Map<string, unknown>()
  readonly warnings: string[] = []

  make(options: Record<string, unknown>, workers = 1): Filter {
    const log = { error() {}, warn: (message: string) => void this.warnings.push(message), info() {}, debug() {} }
    const context = testContext({ clock: { nowMs: () => this.nowMs }, shared: this.shared, workers, log })
    return aggregate.create(withDefaults(aggregate.options, options), { ...context, succeed() {} })
  }

  /** The event after the filters, followed by the events they created. */
  run(filter: Filter, fields: Record<string, unknown>): unknown[] {
    const event = Event.ofFields(
      toFieldValue({ '@timestamp': '2024-05-17T10:30:00.000Z', ...fields }) as Fields,
      new Timestamp(0),
    )
    const more: Event[] = []
    filter.filter(event, more)
    return [event, ...more].map(shown)
  }

  flush(filter: Filter, isFinal = false): unknown[] {
    const more: Event[] = []
    filter.flush!(more, isFinal)
    return more.map(shown)
  }
}

function shown(event: Event): unknown {
  const { '@timestamp': _, '@version': __, ...rest } = JSON.parse(jsonText(event.fields)) as Record<string, unknown>
  return rest
}

test('aggregate: filters with one task_id share a map from the first event of a task to its last', () => {
  const bench = new Bench()
  const start = bench.make({ task_id: '%{id}', code: "map['sql'] = 0", map_action: 'create' })
  const add = bench.make({ task_id: '%{id}', code: "map['sql'] += event.get('d')", map_action: 'update' })
  const end = bench.make({
    task_id: '%{id}',
    code: "event.set('sql', map['sql'])",
    map_action: 'update',
    end_of_task: true,
  })
  assert.deepEqual(bench.run(add, { id: 1, d: 5 }), [{ id: 1, d: 5 }], 'no map yet: nothing happens')
  bench.run(start, { id: 1 })
  bench.run(start, { id: 2 })
  bench.run(add, { id: 1, d: 5 })
  bench.run(add, { id: 1, d: 7 })
  bench.run(start, { id: 1 })
  assert.deepEqual(bench.run(end, { id: 1 }), [{ id: 1, sql: 12 }])
  assert.deepEqual(bench.run(end, { id: 1 }), [{ id: 1 }], 'the task is over')
  assert.deepEqual(bench.run(end, { id: 2 }), [{ id: 2, sql: 0 }])
  assert.deepEqual(bench.run(add, { other: 1 }), [{ other: 1 }], 'no task id')
})

test('aggregate: push_previous_map_as_event makes an event of a map when the next task begins, and of the last one at the end', () => {
  const bench = new Bench()
  const filter = bench.make({
    task_id: '%{country}',
    code: "map['country'] ||= event.get('country')\nmap['towns'] ||= []\nmap['towns'] << event.get('town')\nevent.cancel",
    push_previous_map_as_event: true,
    timeout: 3,
    timeout_tags: ['done'],
  })
  bench.run(filter, { country: 'fr', town: 'Paris' })
  bench.run(filter, { country: 'fr', town: 'Lyon' })
  const [, made] = bench.run(filter, { country: 'uk', town: 'Leeds' })
  assert.deepEqual(made, { country: 'fr', towns: ['Paris', 'Lyon'], tags: ['done'] })
  assert.deepEqual(bench.flush(filter, true), [{ country: 'uk', towns: ['Leeds'], tags: ['done'] }])
  assert.deepEqual(bench.flush(filter, true), [])
})

test('aggregate: a task that expires becomes an event with push_map_as_event_on_timeout, after its timeout code', () => {
  const bench = new Bench()
  const filter = bench.make({
    task_id: '%{user}',
    code: "map['clicks'] ||= 0\nmap['clicks'] += 1",
    push_map_as_event_on_timeout: true,
    timeout: 60,
    inactivity_timeout: 20,
    timeout_task_id_field: 'user',
    timeout_code: "event.set('many', event.get('clicks') > 1)",
  })
  bench.run(filter, { user: 'a' })
  bench.run(filter, { user: 'a' })
  bench.nowMs += 15_000
  bench.run(filter, { user: 'b' })
  assert.deepEqual(bench.flush(filter), [])
  bench.nowMs += 10_000
  assert.deepEqual(bench.flush(filter), [{ clicks: 2, user: 'a', many: true }])
  bench.nowMs += 40_000
  assert.deepEqual(bench.flush(filter), [{ clicks: 1, user: 'b', many: false }])
})

test('aggregate: with timeout_timestamp_field the time of events decides, and map_meta sets a timeout for one task', () => {
  const bench = new Bench()
  const code = "map['n'] ||= 0\nmap['n'] += 1\nmap_meta.timeout = 5 if event.get('short')"
  const filter = bench.make({
    task_id: '%{id}',
    code,
    timeout: 60,
    push_map_as_event_on_timeout: true,
    timeout_timestamp_field: '@timestamp',
    timeout_task_id_field: 'task',
  })
  bench.run(filter, { id: 1, '@timestamp': '2024-01-01T00:00:00.000Z' })
  assert.deepEqual(bench.run(filter, { id: 1, '@timestamp': '2024-01-01T00:00:30.000Z' }), [{ id: 1 }])
  assert.deepEqual(bench.run(filter, { id: 1, '@timestamp': '2024-01-01T00:01:30.000Z' }), [
    { id: 1 },
    { n: 2, task: '1' },
  ])
  bench.run(filter, { id: 2, short: true, '@timestamp': '2024-01-01T00:00:00.000Z' })
  assert.deepEqual(bench.run(filter, { id: 2, '@timestamp': '2024-01-01T00:00:10.000Z' }), [
    { id: 2 },
    { n: 1, task: '2' },
  ])
})

test('aggregate: code that raises tags the event and keeps the map', () => {
  const bench = new Bench()
  const filter = bench.make({ task_id: '%{id}', code: "map['n'] = 1\nnil.foo" })
  assert.deepEqual(bench.run(filter, { id: 1 }), [{ id: 1, tags: ['_aggregateexception'] }])
})

test('aggregate: maps survive a restart in aggregate_maps_path', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-aggregate-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'maps')
  const options = {
    task_id: '%{id}',
    code: "map['n'] ||= 0\nmap['n'] += 1\nevent.set('n', map['n'])",
    aggregate_maps_path: path,
  }
  const before = new Bench()
  const filter = before.make(options)
  before.run(filter, { id: 'x' })
  before.run(filter, { id: 'x' })
  await filter.close!()
  assert.ok(existsSync(path))
  const later = new Bench()
  assert.deepEqual(later.run(later.make(options), { id: 'x' }), [{ id: 'x', n: 3 }])
  assert.ok(!existsSync(path))
})

test('aggregate: contradictory options are refused, and several workers are warned of', () => {
  const bench = new Bench()
  assert.throws(() => bench.make({ task_id: 'fixed', code: '1' }), /must contain a dynamic expression/)
  assert.throws(
    () => bench.make({ task_id: '%{a}', code: '1', timeout: 5, inactivity_timeout: 9 }),
    /must be lower than timeout/,
  )
  assert.throws(() => bench.make({ task_id: '%{a}', code: 'x = (' }), /code, line 1: syntax error/)
  bench.make({ task_id: '%{a}', code: '1', timeout: 5 })
  assert.throws(
    () => bench.make({ task_id: '%{a}', code: '1', timeout: 5 }),
    /more than one filter which defines timeout options/,
  )
  bench.make({ task_id: '%{b}', code: '1' }, 2)
  assert.match(bench.warnings[0]!, /-w 1/)
})
