import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PipelineMetrics } from '../runner/metrics.ts'
import { CounterHistory } from './counter-history.ts'
import { FlowRates } from './flow-rates.ts'

const MINUTE = 60_000
// Whole numbers, because fractions of the clock would make a window of 10 s too short by a rounding error.
const START_MS = 5000

function monitored() {
  const counts = { in: 0, out: 0, durationMs: 0 }
  const plugin = { id: 'p', name: 'p', counts }
  const metrics = new PipelineMetrics({ inputs: [plugin], filters: [plugin], outputs: [] }, START_MS)
  return { metrics, workers: 2, queue: undefined, counts }
}

test('a rate is told for every window that has passed, and for the time since the start', () => {
  const pipeline = monitored()
  const rates = new FlowRates()
  const at = (seconds: number, taken: number) => {
    pipeline.metrics.in = taken
    rates.capture(pipeline, START_MS + seconds * 1000)
    return rates.of(pipeline, START_MS + seconds * 1000)['input_throughput']
  }
  assert.deepEqual(at(0, 0), {})
  assert.deepEqual(at(5, 500), { current: 100, lifetime: 100 })
  assert.deepEqual(at(10, 1000), { current: 100, lifetime: 100 })
  assert.deepEqual(at(20, 1000), { current: 0, lifetime: 50 })
  assert.deepEqual(at(30, 1001), { current: 0.1, lifetime: 33.37 })
  assert.deepEqual(at(70, 7000), { current: 150, last_1_minute: 100, lifetime: 100 })
})

test('the flow of workers and plugins has shares of the time of all workers', () => {
  const pipeline = monitored()
  const rates = new FlowRates()
  const nowMs = START_MS + 10_000
  pipeline.metrics.durationMs = 5000
  assert.deepEqual(rates.of(pipeline, nowMs)['worker_concurrency'], { current: 0.5, lifetime: 0.5 })
  assert.deepEqual(rates.of(pipeline, nowMs)['worker_utilization'], { current: 25, lifetime: 25 })
  Object.assign(pipeline.counts, { in: 0, out: 40, durationMs: 100 })
  const [input, filter] = rates.ofPlugins(pipeline, nowMs)
  assert.deepEqual(input, { throughput: { current: 4, lifetime: 4 } })
  assert.deepEqual(filter, {
    worker_utilization: { current: 0.5, lifetime: 0.5 },
    worker_millis_per_event: { current: 'Infinity', lifetime: 'Infinity' },
  })
  pipeline.counts.in = 50
  assert.deepEqual(rates.ofPlugins(pipeline, nowMs)[1]!['worker_millis_per_event'], { current: 2, lifetime: 2 })
  assert.deepEqual(rates.ofAll([pipeline, pipeline], nowMs)['worker_concurrency'], { current: 1, lifetime: 1 })
})

test('the growth of a queue on disk is told', () => {
  const queue = { type: 'persisted', events: 30, bytes: 5000, bytesMax: 1 } as const
  const flow = new FlowRates().of({ ...monitored(), queue }, START_MS + 10_000)
  assert.deepEqual(flow['queue_persisted_growth_events'], { current: 3, lifetime: 3 })
  assert.deepEqual(flow['queue_persisted_growth_bytes'], { current: 500, lifetime: 500 })
})

test('samples of a day are few, and those needed for the windows are kept', () => {
  const history = new CounterHistory({ atMs: 0 })
  const end = 2 * 24 * 60 * MINUTE
  for (let atMs = 5000; atMs <= end; atMs += 5000) history.capture({ atMs })
  assert.ok(history.size < 300, `${history.size} samples`)
  for (const [minutes, off] of [
    [1, 0.1],
    [5, 0.5],
    [15, 1],
    [60, 2],
    [24 * 60, 30],
  ] as const) {
    const age = end - history.before(end, minutes * MINUTE)!.atMs
    assert.ok(age >= minutes * MINUTE && age <= (minutes + off) * MINUTE, `${minutes} minutes: ${age} ms`)
  }
})
