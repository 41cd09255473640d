import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SandpiperNode } from '../sandpiper-node.ts'
import { clusterHealth, type HealthRequest, healthOf } from './cluster-health.ts'
import type { ShardCopy } from './shard-table.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of answers are read by their names
type Answer = Record<string, any>

const copy = (primary: boolean, started: boolean) => ({ primary, started }) as ShardCopy

test('an unassigned replica makes health yellow, a failed primary red', () => {
  assert.equal(healthOf([]).status, 'green')
  assert.equal(healthOf([copy(true, true)]).status, 'green')
  assert.equal(healthOf([copy(true, true), copy(false, false)]).status, 'yellow')
  const red = healthOf([copy(true, false), copy(false, false), copy(true, true)])
  assert.deepEqual(red, { status: 'red', activePrimaries: 1, active: 1, unassigned: 2, unassignedPrimaries: 1 })
})

let node: SandpiperNode
before(async () => {
  node = await SandpiperNode.open({ clusterName: 'c' })
  await node.indices.create('one', { settings: { 'index.number_of_replicas': '1' }, mappings: {}, aliases: {} })
})
after(() => node.close())

const REQUEST: HealthRequest = {
  expressions: [],
  parameters: {},
  level: 'cluster',
  waitForStatus: undefined,
  waitForActiveShards: undefined,
  waitForNodes: undefined,
  timeoutMs: 0,
  signal: new AbortController().signal,
}
const health = (change: Partial<HealthRequest>) => clusterHealth(node, { ...REQUEST, ...change })

test('a health request without conditions is answered immediately', async () => {
  const { status, timedOut, body } = await health({ level: 'shards' })
  assert.deepEqual([status, timedOut], ['yellow', false])
  assert.equal(body['unassigned_shards'], 1)
  const { one } = body['indices'] as Answer
  assert.equal(one.shards['0'].primary_active, true)
})

test('a health request whose status is not reached is answered after its timeout with timed_out', async () => {
  assert.equal((await health({ waitForStatus: 'green' })).timedOut, true)
  assert.equal((await health({ waitForStatus: 'yellow' })).timedOut, false)
  assert.equal((await health({ waitForActiveShards: 'all' })).timedOut, true)
  assert.equal((await health({ waitForActiveShards: 1 })).timedOut, false)
})

test('a missing index makes health red, and the request waits for it', async () => {
  const { status, timedOut } = await health({ expressions: ['none'] })
  assert.deepEqual([status, timedOut], ['red', true])
  assert.equal((await health({ expressions: ['none*'] })).timedOut, false)
})

test('wait_for_nodes conditions are compared with one node', async () => {
  for (const [condition, met] of [
    ['1', true],
    ['>=1', true],
    ['ge(1)', true],
    ['<2', true],
    ['lt(1)', false],
    ['>1', false],
    ['2', false],
  ] as const) {
    assert.equal((await health({ waitForNodes: condition })).timedOut, !met, condition)
  }
  await assert.rejects(health({ waitForNodes: '>=x' }), /For input string: "x"/)
})
