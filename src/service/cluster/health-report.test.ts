import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { SandpiperNode } from '../sandpiper-node.ts'
import { healthReport } from './health-report.ts'

let node: SandpiperNode
before(async () => {
  node = await SandpiperNode.open({ log: silentLog })
})
after(() => node.close())

// biome-ignore lint/suspicious/noExplicitAny: the test reaches into a JSON answer
const report = (feature?: string, verbose = true, size = 1000): any => healthReport(node, feature, { verbose, size })

test('a node without indices is green in every indicator', () => {
  const { status, cluster_name, indicators } = report()
  assert.equal(status, 'green')
  assert.equal(cluster_name, 'sandpiper')
  assert.deepEqual(Object.keys(indicators), [
    'master_is_stable',
    'repository_integrity',
    'disk',
    'shards_capacity',
    'shards_availability',
  ])
})

test('unassigned replicas make shards_availability yellow, and the report names the index', async () => {
  await node.indices.create(
    'copies',
    { settings: { 'index.number_of_replicas': '2' } } as never,
    {
      waitForActiveShards: 1,
    } as never,
  )
  const { indicators } = report('shards_availability')
  const { status, symptom, details, impacts, diagnosis } = indicators.shards_availability
  assert.equal(status, 'yellow')
  assert.equal(symptom, 'This cluster has 2 unavailable replica shards.')
  assert.deepEqual([details.unassigned_replicas, details.started_primaries], [2, 1])
  assert.equal(
    impacts[0].description,
    'Searches might be slower than usual. Fewer redundant copies of the data exist on 1 index [copies].',
  )
  assert.deepEqual(diagnosis[0].affected_resources, { indices: ['copies'] })
})

test('size limits the affected resources, and size 0 leaves out the diagnosis', async () => {
  const settings = { settings: { 'index.number_of_replicas': '1' } }
  await node.indices.create('copies-2', settings as never, { waitForActiveShards: 1 } as never)
  const { diagnosis } = report('shards_availability', true, 1).indicators.shards_availability
  assert.deepEqual(diagnosis[0].affected_resources, { indices: ['copies'] })
  assert.equal('diagnosis' in report('shards_availability', true, 0).indicators.shards_availability, false)
})

test('repository_integrity counts the registered repositories', async () => {
  assert.equal(report('repository_integrity').indicators.repository_integrity.details, undefined)
  const definition = { type: 'fs', settings: { location: 'x' } }
  await node.metadata.update(() => [{ section: 'repositories', name: 'backup', value: definition as never }])
  const { symptom, details } = report('repository_integrity').indicators.repository_integrity
  assert.deepEqual([symptom, details], ['All repositories are healthy.', { total_repositories: 1 }])
})

test('with verbose=false the report has only status and symptom', () => {
  assert.deepEqual(Object.keys(report('disk', false).indicators.disk), ['status', 'symptom'])
})

test('an unknown indicator is a 404', () => {
  assert.throws(() => report('foo'), /Did not find indicator foo/)
})
