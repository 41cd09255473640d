import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SandpiperNode } from '../sandpiper-node.ts'
import { aggregationTypes } from './aggregation-types.ts'
import { nodeIdentity } from './node-identity.ts'
import { NODE_INFO_METRICS, nodeInfo } from './node-info.ts'

let node: SandpiperNode
before(async () => {
  node = await SandpiperNode.open({ clusterName: 'c', nodeName: 'n' })
})
after(() => node.close())

const HTTP = { address: '127.0.0.1:9200', maxContentBytes: 100 }
// biome-ignore lint/suspicious/noExplicitAny: members of answers are read by their names
const info = (...metrics: string[]) => nodeInfo(node, HTTP, metrics, true) as Record<string, any>

test('node information has the requested sections in print order', () => {
  const without = Object.keys(info())
  assert.deepEqual(Object.keys(info('http', 'os')).slice(without.length), ['os', 'http'])
  assert.deepEqual(Object.keys(info(...NODE_INFO_METRICS)).slice(without.length), NODE_INFO_METRICS)
})

test('node information names the node, its address and its settings', () => {
  const { name, http, settings } = info('http', 'settings')
  assert.equal(name, 'n')
  assert.deepEqual(http.bound_address, [HTTP.address])
  assert.equal(http.max_content_length_in_bytes, HTTP.maxContentBytes)
  assert.equal(settings['cluster.name'], 'c')
  assert.equal(settings['path.data'], undefined, 'an in-memory node has no folder')
})

test('a node without a socket has no HTTP address', () => {
  const { http } = nodeInfo(node, { ...HTTP, address: undefined }, ['http'], true) as typeof HTTP & { http: object }
  assert.deepEqual(http, { bound_address: [], publish_address: '', max_content_length_in_bytes: 100 })
})

test('the identity of a node has the same name, roles and version as its information', () => {
  const identity = nodeIdentity(node)
  const { name, roles, version } = info()
  assert.deepEqual([identity['name'], identity['roles'], identity['version']], [name, roles, version])
  assert.equal(identity['ephemeral_id'], node.id)
})

test('every aggregation is listed with the types of values that it supports', () => {
  const types = aggregationTypes() as Record<string, { types: string[] }>
  assert.deepEqual(types['geo_bounds'], { types: ['geopoint', 'position'] })
  assert.deepEqual(types['nested'], { types: ['other'] })
  assert.equal(types['max_bucket'], undefined, 'pipeline aggregations are not listed')
  assert.deepEqual(Object.keys(types), Object.keys(types).sort())
})
