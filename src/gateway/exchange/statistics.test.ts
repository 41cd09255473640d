import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayStatistics } from './statistics.ts'

test('percentiles of the added time leave out the time of the cluster', () => {
  const statistics = new GatewayStatistics()
  for (let i = 0; i < 98; i++) statistics.count('pass', 5.1, 5)
  for (let i = 0; i < 2; i++) statistics.count('pass', 9, 5)
  const median = statistics.addedMicros('pass', 0.5)
  assert.ok(median >= 100 && median < 125, String(median))
  const high = statistics.addedMicros('pass', 0.99)
  assert.ok(high >= 4000 && high < 5000, String(high))
  assert.equal(statistics.addedMicros('own', 0.99), 0)
  assert.equal(statistics.ways.pass.requests, 100)
})

test('differences are counted by name', () => {
  const statistics = new GatewayStatistics()
  for (const name of ['sort_format', 'point_in_time', 'sort_format']) statistics.met(name)
  assert.deepEqual(Object.fromEntries(statistics.differences), { sort_format: 2, point_in_time: 1 })
})
