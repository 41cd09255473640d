import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Log, silentLog } from '../../base/log.ts'
import { parseConfig } from '../config/parser.ts'
import { dryRunSettings } from '../dry-run/run-filters.ts'
import { Event } from '../event/event.ts'
import { objectText } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { buildPipeline } from './build.ts'
import { FilterSite } from './filter-site.ts'
import type { FilterStep } from './program.ts'

const CONFIG = `filter {
  grok { match => { "message" => "n=%{INT:n:int}" } add_field => { "[@metadata][seen]" => "%{n}" } }
  if [n] == 3 { drop { } }
  if [n] == 4 { clone { clones => ["copy"] } }
  mutate { add_field => { "again" => "%{[@metadata][seen]}" } }
}`

/** A filter site for `config`, and a promise that resolves when its filters have moved to threads. */
async function open(config: string, changes: { workers?: number; log?: Partial<Log> } = {}) {
  let moved = () => {}
  const hasMoved = new Promise<void>((resolve) => (moved = resolve))
  const log: Log = { ...silentLog, info: () => moved(), ...changes.log }
  const settings = dryRunSettings({ workers: changes.workers ?? 2, heavyEventMs: 0, log })
  const { filters, filterSources } = await buildPipeline(parseConfig(config), settings)
  return { site: new FilterSite(filters, filterSources, settings), filters, hasMoved }
}

const batch = (count: number) => Array.from({ length: count }, (_, i) => Event.ofMessage(`n=${i}`, new Timestamp(i)))
const texts = (events: readonly Event[]) => events.map(({ fields }) => objectText(fields))

// Goal: results and counters are the same whether a batch is filtered on the main thread or in a worker thread.
test('heavy filters move to worker threads without changing results or counters', async () => {
  const { site, filters, hasMoved } = await open(CONFIG)
  try {
    const filter = site.worker()
    const here = texts(await filter(batch(2000)))
    assert.equal(here.length, 2000)
    await hasMoved
    const other = site.worker()
    const [first, second] = await Promise.all([filter(batch(2000)), other(batch(10))])
    assert.deepEqual(texts(first), here)
    assert.deepEqual(texts(second), here.slice(0, 10))
    assert.equal(first[0]!.get('[@metadata][seen]'), '0')
    const grok = filters[0] as FilterStep
    assert.deepEqual([grok.counts.in, grok.counts.out], [4010, 4010])
    assert.deepEqual(grok.filter.counters, { matches: 4010, failures: 0, timeouts: 0 })
  } finally {
    await site.close()
  }
})

test('a worker thread that dies loses no event', async () => {
  const errors: string[] = []
  const { site, hasMoved } = await open(CONFIG, { log: { error: (message) => errors.push(message) } })
  try {
    const filter = site.worker()
    const here = texts(await filter(batch(2000)))
    await hasMoved
    const under = filter(batch(2000))
    await site.close()
    assert.deepEqual(texts(await under), here)
    assert.match(errors[0]!, /A filter thread died/)
    assert.deepEqual(texts(await filter(batch(2000))), here)
  } finally {
    await site.close()
  }
})

test('with one worker or stateful filters everything stays on the main thread', async () => {
  const throttle = 'filter { throttle { key => "k" after_count => 2500 add_tag => ["late"] } }'
  for (const [config, workers] of [
    [CONFIG, 1],
    [throttle, 2],
  ] as const) {
    const { site, hasMoved } = await open(config, { workers })
    const filter = site.worker()
    await filter(batch(2000))
    const second = await filter(batch(2000))
    const winner = await Promise.race([hasMoved.then(() => 'moved'), new Promise((done) => setImmediate(done, 'here'))])
    assert.equal(winner, 'here')
    if (config === throttle) assert.equal(second.filter((event) => event.get('tags') !== undefined).length, 1500)
    await site.close()
  }
})
