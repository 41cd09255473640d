import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ActivityHistory } from './activity-history.ts'

function history() {
  const state = { nowMs: 0, requests: 0, indexed: 0, asked: 0, fails: false }
  const kept = new ActivityHistory({
    nowMs: () => state.nowMs,
    requests: () => state.requests,
    counters: async () => {
      state.asked++
      if (state.fails) throw new Error('no shard answers')
      return { indexed: state.indexed, searches: 0, searchMs: 0 }
    },
  })
  return { state, kept }
}

test('samples of the last hour are kept', async () => {
  const { state, kept } = history()
  for (const minute of [0, 30, 70]) {
    state.nowMs = minute * 60_000
    state.requests++
    state.indexed = minute
    await kept.sample()
  }
  assert.deepEqual(
    kept.samples.map(({ atMs, indexed }) => [atMs / 60_000, indexed]),
    [
      [30, 30],
      [70, 70],
    ],
  )
})

test('the shards are not asked while no request comes', async () => {
  const { state, kept } = history()
  state.indexed = 5
  await kept.sample()
  state.indexed = 9
  state.nowMs = 10_000
  await kept.sample()
  assert.equal(state.asked, 1)
  state.requests++
  state.nowMs = 20_000
  await kept.sample()
  assert.deepEqual(
    kept.samples.map(({ indexed }) => indexed),
    [5, 5, 9],
  )
})

test('a sample that fails is left out, and the next one is taken', async () => {
  const { state, kept } = history()
  state.fails = true
  await kept.sample()
  assert.deepEqual(kept.samples, [])
  state.fails = false
  await kept.sample()
  assert.equal(kept.samples.length, 1)
})

test('one sample at a time asks the shards', async () => {
  const { state, kept } = history()
  await Promise.all([kept.sample(), kept.sample()])
  assert.equal(state.asked, 1)
})
