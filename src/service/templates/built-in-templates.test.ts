import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { SearchServer } from '../../server/search-server.ts'
import { startSearch, type TestSearch } from '../../testing/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: members of mappings are read by their names
type Mapped = Record<string, any>

// Goal: a new node has the stack templates of a distribution of Elasticsearch 8, and users can replace them. Method: requests of
// shippers and administrators against a node in memory.
let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
})
after(() => search.stop())

// biome-ignore lint/suspicious/noExplicitAny: members of answers are read by their names
const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> =>
  await search.request(method as 'GET', path, body as never)

const names = (listed: readonly { name: string }[]) => listed.map(({ name }) => name).sort()

test('the stack templates are listed, managed, with priority 100, and compose', async () => {
  const { body } = await ask('GET', '/_index_template')
  assert.deepEqual(names(body.index_templates), ['logs', 'metrics', 'synthetics'])
  for (const { name, index_template: template } of body.index_templates) {
    assert.deepEqual(template.index_patterns, [`${name}-*-*`])
    assert.equal(template.priority, 100)
    assert.equal(template._meta.managed, true)
    const { status, body } = await ask('POST', `/_index_template/_simulate/${name}`)
    assert.equal(status, 200)
    assert.equal(body.template.settings.index.lifecycle.name, name)
    assert.equal((await ask('GET', `/_ilm/policy/${name}`)).body[name].policy._meta.managed, true)
  }
})

test('a write to a missing name of the naming scheme creates a data stream with the types of ECS', async () => {
  const lines = ['{"create":{}}', '{"message":"a b","host":{"name":"h"},"source":{"ip":"::1"},"other":"x"}', '']
  const { body } = await ask('POST', '/logs-generic-default/_bulk?refresh=true', lines.join('\n'))
  assert.match(body.items[0].create._index, /^\.ds-logs-generic-default-/)
  const { hits } = (await ask('GET', '/logs-generic-default/_search')).body
  assert.ok(Date.parse(hits.hits[0]._source['@timestamp']) > 0, 'the default pipeline sets @timestamp')
  const mapping = (await ask('GET', '/logs-generic-default/_mapping')).body
  const { properties } = (Object.values(mapping)[0] as { mappings: { properties: Mapped } }).mappings
  assert.equal(properties['message'].type, 'match_only_text')
  assert.equal(properties['host'].properties.name.type, 'keyword')
  assert.equal(properties['source'].properties.ip.type, 'ip')
  assert.deepEqual(properties['other'], { type: 'keyword', ignore_above: 1024 })
})

test('a single document, date math and an explicit data stream work the same way', async () => {
  const single = await ask('POST', '/logs-single-default/_doc', { message: 'x' })
  assert.match(single.body._index, /^\.ds-logs-single-default-/)
  const dated = await ask('POST', `/${encodeURIComponent('<logs-dated-{now/y}>')}/_bulk`, '{"create":{}}\n{"n":1}\n')
  assert.match(dated.body.items[0].create._index, /^\.ds-logs-dated-/)
  assert.equal((await ask('PUT', '/_data_stream/metrics-cpu-default')).status, 200)
  assert.equal((await ask('PUT', '/logs-plain-index')).status, 400)
})

test('the pipeline logs@custom runs if somebody creates it, and can parse messages in JSON', async () => {
  const processors = [{ pipeline: { name: 'logs@json-pipeline' } }]
  await ask('PUT', '/_ingest/pipeline/logs@custom', { processors })
  await ask('POST', '/logs-json-default/_doc?refresh=true', { message: '{"level":{"name":"warn"}}' })
  const { hits } = (await ask('GET', '/logs-json-default/_search')).body
  assert.deepEqual(hits.hits[0]._source.level, { name: 'warn' })
  await ask('DELETE', '/_ingest/pipeline/logs@custom')
})

test('the component logs@custom of users takes part once it exists', async () => {
  const template = { settings: { 'index.number_of_replicas': 0 } }
  await ask('PUT', '/_component_template/logs@custom', { template })
  const { body } = await ask('POST', '/_index_template/_simulate_index/logs-a-b')
  assert.equal(body.template.settings.index.number_of_replicas, '0')
  assert.equal((await ask('DELETE', '/_component_template/logs@custom')).status, 200)
})

test('templates of users with a higher priority win, and one of the same name replaces until it is deleted', async () => {
  const stream = { index_patterns: ['synthetics-mine-*'], data_stream: {} }
  await ask('PUT', '/_index_template/mine', { ...stream, priority: 200 })
  await ask('PUT', '/_data_stream/synthetics-mine-a')
  assert.equal((await ask('GET', '/_data_stream/synthetics-mine-a')).body.data_streams[0].template, 'mine')
  const same = await ask('PUT', '/_index_template/same', { ...stream, priority: 100 })
  assert.match(same.body.error.reason, /existing templates \[synthetics\] .* same priority \[100\]/)
  await ask('PUT', '/_index_template/synthetics', { ...stream, priority: 1 })
  const version = async () =>
    (await ask('GET', '/_index_template/synthetics')).body.index_templates[0].index_template.version
  assert.equal(await version(), undefined)
  assert.equal((await ask('DELETE', '/_index_template/synthetics')).status, 200)
  assert.equal(typeof (await version()), 'number')
})

test('a template or component that is in use cannot be deleted', async () => {
  await ask('PUT', '/_data_stream/logs-used-default')
  assert.match((await ask('DELETE', '/_index_template/logs')).body.error.reason, /in use by a data streams/)
  const { body } = await ask('DELETE', '/_component_template/logs@settings')
  assert.match(body.error.reason, /still in use by index templates \[logs\]/)
})

test('stack.templates.enabled takes them away, at the start or later', async () => {
  const common = { threads: 0, maxContentBytes: 1e6, strictMediaTypes: false, log: silentLog } as const
  const server = await SearchServer.open({ ...common, stackTemplates: false })
  const { state } = server.node
  for (const section of ['indexTemplates', 'componentTemplates', 'lifecyclePolicies', 'ingestPipelines'] as const) {
    assert.equal(state[section].size, 0, section)
  }
  await server.stop()
  await ask('PUT', '/_cluster/settings', { transient: { 'stack.templates.enabled': false } })
  assert.deepEqual(names((await ask('GET', '/_index_template')).body.index_templates), ['mine'])
  assert.equal((await ask('POST', '/logs-off-default/_doc', { message: 'x' })).body._index, 'logs-off-default')
  await ask('PUT', '/_cluster/settings', { transient: { 'stack.templates.enabled': null } })
})
