import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlowRates } from './flow-rates.ts'
import { PipelineMetrics } from './metrics.ts'

test('the current rate covers recent events only, the lifetime rate all events', () => {
  // Whole numbers, because fractions of the clock would make a window of 10 s too short by a rounding error.
  const startMs = 5000
  const metrics = new PipelineMetrics({ inputs: [], filters: [], outputs: [] }, startMs)
  const rates = new FlowRates()
  const at = (seconds: number, taken: number) => {
    metrics.in = taken
    return rates.of(metrics, startMs + seconds * 1000)['input_throughput']
  }
  assert.deepEqual(at(0, 0), { current: 0, lifetime: 0 })
  assert.deepEqual(at(10, 1000), { current: 100, lifetime: 100 })
  assert.deepEqual(at(20, 1000), { current: 0, lifetime: 50 })
  // Two requests in short succession give the same result: the window is not as short as the interval between them.
  assert.deepEqual(at(25, 1500), { current: 33.333, lifetime: 60 })
  assert.deepEqual(at(40, 3500), { current: 125, lifetime: 87.5 })
})
