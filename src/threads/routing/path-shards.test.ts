import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SandpiperNode } from '../../service/sandpiper-node.ts'
import { PathShards } from './path-shards.ts'

let node: SandpiperNode
before(async () => {
  node = await SandpiperNode.open({})
})
after(() => node.close())

test('paths of searches are still cached after thousands of writes with ids', () => {
  const paths = new PathShards(node)
  for (let id = 0; id < 5_000; id++) assert.equal(paths.of(`/logs/_doc/${id}`), undefined)
  assert.deepEqual(paths.of('/logs/_search'), [])
  assert.equal(paths.of('/logs/_search'), paths.of('/logs/_search'))
})

test('names with date math are resolved every time', () => {
  const paths = new PathShards(node)
  assert.notEqual(paths.of('/%3Clogs-%7Bnow%2Fd%7D%3E/_search'), paths.of('/%3Clogs-%7Bnow%2Fd%7D%3E/_search'))
})
