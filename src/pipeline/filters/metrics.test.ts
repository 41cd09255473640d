import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Event } from '../event/event.ts'
import { textForm } from '../event/text-form.ts'
import { Timestamp } from '../event/timestamp.ts'
import { withDefaults } from '../plugin/default-options.ts'
import { testContext } from '../registry/plugin-fixture.ts'
import { metrics } from './metrics.ts'

test('metrics gives its common options to the events with figures only, and reads numbers as Ruby does', async () => {
  let nowMs = 0
  const context = { ...testContext({ clock: { nowMs: () => nowMs } }), succeed: (event: Event) => event.tag('metric') }
  const timer = new Map([['t', '%{r}']])
  const filter = metrics.create(withDefaults(metrics.options, { meter: ['hits'], timer, percentiles: [99] }), context)
  for (const r of ['10', '20ms', '30', 'none']) {
    const event = Event.ofMessage('x', new Timestamp(0))
    event.set('r', r)
    assert.equal(filter.filter(event, []), false)
  }
  nowMs = 5000
  const more: Event[] = []
  filter.flush!(more, false)
  assert.deepEqual(more[0]!.get('tags'), ['metric'])
  assert.equal(more[0]!.get('[hits][count]'), 4)
  assert.deepEqual(
    ['count', 'min', 'max', 'mean', 'p99'].map((name) => Number(String(textForm(more[0]!.get(`[t][${name}]`)!)))),
    [4, 0, 30, 15, 30],
  )
  assert.throws(
    () => metrics.create(withDefaults(metrics.options, { meter: ['a'], rates: [90] }), context),
    /Invalid rates configuration/,
  )
})
