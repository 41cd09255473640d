import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SandpiperNode } from '../sandpiper-node.ts'
import { readStatuses, shardStores } from './shard-stores.ts'

let node: SandpiperNode
before(async () => {
  node = await SandpiperNode.open({ clusterName: 'c', nodeName: 'n' })
  const create = (name: string, replicas: string) =>
    node.indices.create(name, {
      settings: { 'index.number_of_replicas': replicas, 'index.number_of_shards': '2' },
      mappings: {},
      aliases: {},
    })
  await create('single', '0')
  await create('replicated', '1')
})
after(() => node.close())

const shown = (statuses: string[] | undefined) =>
  Object.keys(shardStores(node, [], {}, readStatuses(statuses))['indices'] as object)

test('shards that lack a copy are shown by default, others by their status', () => {
  assert.deepEqual(shown(undefined), ['replicated'])
  assert.deepEqual(shown(['yellow']), ['replicated'])
  assert.deepEqual(shown(['GREEN']), ['single'])
  assert.deepEqual(shown(['red']), [])
  assert.deepEqual(shown(['all']).sort(), ['replicated', 'single'])
  assert.throws(() => readStatuses(['blue']), { message: 'unknown cluster health status [blue]' })
})

test('every shard has one store, which is in use by this node', () => {
  const { single } = shardStores(node, ['single'], {}, ['all'])['indices'] as {
    single: { shards: Record<string, { stores: Record<string, unknown>[] }> }
  }
  assert.deepEqual(Object.keys(single.shards), ['0', '1'])
  for (const { stores } of Object.values(single.shards)) {
    assert.equal(stores.length, 1)
    assert.equal(stores[0]!['allocation'], 'primary')
    assert.equal((stores[0]![node.id] as { name: string }).name, 'n')
  }
})
