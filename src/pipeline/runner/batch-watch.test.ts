import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Log, silentLog } from '../../base/log.ts'
import { parseConfig } from '../config/parser.ts'
import { dryRunSettings } from '../dry-run/run-filters.ts'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { BatchRunner } from './batch-runner.ts'
import { BatchWatch } from './batch-watch.ts'
import { buildPipeline } from './build.ts'
import { FilterThreads } from './filter-threads.ts'
import type { Instruction } from './program.ts'

/** A watch whose clock is set by hand, and what it logs. */
function watchAt() {
  const lines: string[] = []
  const log: Log = {
    ...silentLog,
    warn: (line) => lines.push(`warn ${line}`),
    info: (line) => lines.push(`info ${line}`),
  }
  const clock = { ms: 0 }
  return { lines, clock, watch: new BatchWatch('main', log, () => clock.ms) }
}

const event = () => Event.ofMessage('a', new Timestamp(0))

test('a wait is reported once when it exceeds its limit, and its end too', () => {
  const { lines, clock, watch } = watchAt()
  const ended = watch.begin({ kind: 'output', name: 'http', id: 'h' }, 125)
  watch.begin({ kind: 'filter', name: 'grok', id: 'g' }, 1, 30_000)()
  clock.ms = 59_000
  watch.check()
  assert.deepEqual([lines, watch.stalls], [[], []])
  clock.ms = 61_000
  watch.check()
  watch.check()
  assert.deepEqual(lines, ['warn A batch of pipeline main has not moved for 61 s in output http'])
  assert.deepEqual(watch.stalls, [{ kind: 'output', name: 'http', id: 'h', events: 125, seconds: 61 }])
  clock.ms = 70_000
  ended()
  assert.equal(lines.at(-1), 'info A batch of pipeline main goes on after 70 s in output http')
  assert.deepEqual(watch.stalls, [])
})

test('a plugin may expect longer waits', () => {
  const { clock, watch } = watchAt()
  watch.begin({ kind: 'filter', name: 'grok', id: 'g' }, 1, 30_000)
  clock.ms = 89_000
  assert.deepEqual(watch.stalls, [])
  clock.ms = 90_000
  assert.equal(watch.stalls.length, 1)
})

test('a filter that never answers is named', async () => {
  const { lines, clock, watch } = watchAt()
  let answer = (_done: boolean) => {}
  const filter = { filter: () => new Promise<boolean>((resolve) => (answer = resolve)) }
  const step = { op: 'filter', name: 'dns', id: 'd', filter, succeed: undefined, periodicFlush: false } as const
  const program: Instruction[] = [{ ...step, counts: { in: 0, out: 0, durationMs: 0 } }]
  const running = new BatchRunner(program, silentLog, undefined, watch).run([event(), event()])
  clock.ms = 60_000
  watch.check()
  assert.deepEqual(lines, ['warn A batch of pipeline main has not moved for 60 s in filter dns'])
  answer(true)
  await new Promise((resolve) => setImmediate(resolve))
  answer(true)
  assert.equal((await running).length, 2)
  assert.deepEqual(watch.stalls, [])
})

test('a filter thread that is closed while it works answers its batches', async () => {
  const config = 'filter { sleep { time => "3600" } }'
  const settings = dryRunSettings()
  const { filters, filterSources } = await buildPipeline(parseConfig(config), settings)
  const threads = await FilterThreads.start(1, filters, filterSources, settings)
  const batch = assert.rejects(threads.run([event()]), /closed/)
  await threads.close()
  await batch
  await assert.rejects(threads.run([event()]), /no thread is left/)
})
