import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SandpiperNode } from '../sandpiper-node.ts'
import { fileSystem, NODE_METRICS, nodeStats } from './node-stats.ts'
import { threadPoolInfo, threadPoolStats, threadPools } from './thread-pools.ts'

let node: SandpiperNode
before(async () => {
  node = await SandpiperNode.open({ clusterName: 'c', nodeName: 'n' })
  await node.indices.create('one', { settings: {}, mappings: {}, aliases: {} })
})
after(() => node.close())

// biome-ignore lint/suspicious/noExplicitAny: members of answers are read by their names
const stats = async (...metrics: string[]) => (await nodeStats(node, metrics, {})) as Record<string, any>

test('node statistics have the requested sections in print order', async () => {
  const without = Object.keys(await stats())
  const shown = Object.keys(await stats(...NODE_METRICS)).slice(without.length)
  assert.deepEqual(
    shown,
    NODE_METRICS.map((name) => (name === 'breaker' ? 'breakers' : name)),
  )
  assert.deepEqual(Object.keys(await stats('process', 'os')).slice(without.length), ['os', 'process'])
})

test('circuit breakers are listed with the parent last, in bytes and in readable form', async () => {
  const { breakers } = await stats('breaker')
  assert.equal(Object.keys(breakers).at(-1), 'parent')
  for (const name of ['request', 'fielddata', 'parent']) {
    assert.ok(breakers[name].limit_size_in_bytes > 0, name)
    assert.match(breakers[name].limit_size, /^[\d.]+[kmgt]?b$/)
    assert.equal(breakers[name].tripped, 0)
  }
})

test('the statistics of a process are those of this one', async () => {
  const { process: own, jvm } = await stats('process', 'jvm')
  assert.ok(own.mem.total_virtual_in_bytes > 1_000_000)
  assert.ok(jvm.uptime_in_millis > 0)
  assert.deepEqual(Object.keys(jvm.mem.pools), ['young', 'survivor', 'old'])
  assert.ok(jvm.mem.pools.old.used_in_bytes > 0)
})

test('an in-memory node has no space on a disk', () => {
  const { total, data } = fileSystem(node)
  assert.deepEqual(total, { total_in_bytes: 0, free_in_bytes: 0, available_in_bytes: 0 })
  assert.equal(data[0]!['path'], '')
})

test('thread pools never queue or reject, and only the management pool is active', () => {
  const names = threadPools().map(({ name }) => name)
  assert.deepEqual(names, [...names].sort())
  assert.deepEqual(Object.keys(threadPoolInfo()), names)
  const active = Object.entries(threadPoolStats() as Record<string, Record<string, number>>).filter(
    ([, pool]) => pool['active'] !== 0 || pool['queue'] !== 0 || pool['rejected'] !== 0,
  )
  assert.deepEqual(
    active.map(([name]) => name),
    ['management'],
  )
})
