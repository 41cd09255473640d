import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SandpiperNode } from '../sandpiper-node.ts'
import { explainAllocation, parseAllocationQuestion } from './allocation-explain.ts'
import { clusterState } from './cluster-state.ts'
import { clusterStats } from './cluster-stats.ts'
import { indexBlocks } from './index-blocks.ts'
import { shardCopies } from './shard-table.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of answers are read by their names
type Answer = Record<string, any>

let node: SandpiperNode
before(async () => {
  node = await SandpiperNode.open({ clusterName: 'c', nodeName: 'n' })
  const settings = { 'index.number_of_shards': '2', 'index.number_of_replicas': '1', 'index.blocks.write': 'true' }
  await node.indices.create('one', { settings, mappings: {}, aliases: { other: {} } })
})
after(() => node.close())

const index = () => node.state.indices.get('one')!

test('every shard has its primary on this node and its replicas unassigned', () => {
  const copies = shardCopies(node, index())
  assert.deepEqual(
    copies.map(({ key, primary, started }) => [key.shard, primary, started]),
    [
      [0, true, true],
      [0, false, false],
      [1, true, true],
      [1, false, false],
    ],
  )
})

test('cluster state contains the requested metrics', () => {
  const ask = (...metrics: string[]) =>
    clusterState(node, { metrics, expressions: ['one'], parameters: {}, flatSettings: true }) as Answer
  const { metadata, routing_table: routing, blocks } = ask('metadata', 'routing_table', 'blocks')
  assert.deepEqual(metadata.indices.one.aliases, ['other'])
  assert.equal(metadata.indices.one.settings['index.number_of_shards'], '2')
  assert.equal(routing.indices.one.shards['1'].length, 2)
  assert.equal(routing.indices.one.shards['1'][0].state, 'STARTED')
  assert.equal(routing.indices.one.shards['1'][1].unassigned_info.reason, 'INDEX_CREATED')
  assert.equal(blocks.indices.one['8'].description, 'index write (api)')
  assert.equal(ask('master_node').metadata, undefined)
})

test('index blocks are listed by number, and a closed index has one more', () => {
  assert.deepEqual(Object.keys(indexBlocks(index())!), ['8'])
  assert.deepEqual(Object.keys(indexBlocks({ ...index(), state: 'close' })!), ['4', '8'])
  assert.equal(indexBlocks({ ...index(), settings: {} }), undefined)
})

test('allocation explain describes the named copy, and by default an unassigned one', () => {
  const replica = explainAllocation(node, {}) as Answer
  assert.deepEqual([replica['index'], replica['primary']], ['one', false])
  assert.match(replica['note'], /No shard was specified/)
  const primary = explainAllocation(node, { index: 'one', shard: 1, primary: true }) as Answer
  assert.deepEqual([primary['shard'], primary['current_state']], [1, 'started'])
  assert.throws(() => explainAllocation(node, { index: 'none', shard: 0, primary: true }), /no such index \[none\]/)
})

test('allocation explain requires index, shard and primary together, or none', () => {
  const parse = (body: unknown) => parseAllocationQuestion(Buffer.from(JSON.stringify(body)))
  assert.deepEqual(parse({}), { index: undefined, shard: undefined, primary: undefined, currentNode: undefined })
  assert.throws(() => parse({ index: 'one' }), /1: shard must be specified;2: primary must be specified;/)
})

test('cluster statistics count indices, shards and documents', async () => {
  const stats = (await clusterStats(node, 1)) as Answer
  assert.equal(stats['status'], 'yellow')
  assert.equal(stats['indices'].count, 1)
  assert.equal(stats['indices'].shards.total, 2)
  assert.equal(stats['indices'].docs.count, 0)
})
