// Goal: requests of the Java clients are accepted, and responses have the members without which their decoders fail.
// Method: requests and required members seen with elasticsearch-java 8 and the REST high-level client 7.17.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

let search: TestSearch

before(async () => {
  search = await startSearch()
  await send('PUT', '/books/_doc/1?refresh=true', { title: 'one' })
})
after(() => search.stop())

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path
async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const headers = { 'content-type': 'application/json' }
  const text = body === undefined ? null : JSON.stringify(body)
  const response = await fetch(search.url + path, { method, headers, body: text })
  return { status: response.status, body: await response.json() }
}

test('the version -3 of a read means any version', async () => {
  const docs = [{ _index: 'books', _id: '1', version: -3, version_type: 'internal', routing: null, _source: null }]
  const { body } = await send('POST', '/_mget', { docs })
  assert.equal(body.docs[0].found, true)
  assert.equal((await send('GET', '/books/_doc/1?version=-3')).status, 200)
  assert.equal((await send('GET', '/books/_doc/1?version=-1')).status, 400)
})

test('a delete by query ignores _source: false, an update by query fails on a document, a reindex is refused', async () => {
  const query = { match_all: {} }
  const update = await send('POST', '/books/_update_by_query', { query, _source: false })
  assert.equal(update.body.error.reason, "[books][1] didn't store _source")
  const reindex = await send('POST', '/_reindex', { source: { index: 'books', _source: false }, dest: { index: 'b' } })
  assert.match(reindex.body.error.reason, /_source:false is not supported in this context/)
  const none = { match_none: {} }
  assert.equal((await send('POST', '/books/_delete_by_query', { query: none, _source: false })).status, 200)
})

test('cluster statistics have the members that the Java client requires', async () => {
  const { body } = await send('GET', '/_cluster/stats')
  for (const name of 'completion count dense_vector docs fielddata query_cache search segments shards sparse_vector store'.split(
    ' ',
  ))
    assert.ok(name in body.indices, name)
  assert.deepEqual(body.indices.fielddata.global_ordinals, { build_time_in_millis: 0 })
  assert.equal(body.indices.mappings.total_field_count, 2)
  assert.equal(body.nodes.count.voting_only, 0)
  assert.deepEqual(body.repositories, {})
  assert.equal(body.snapshots.current_counts.snapshots, 0)
})

test('node information has the settings that the Java client requires', async () => {
  const { body } = await send('GET', '/_nodes/settings')
  const [node] = Object.values(body.nodes) as { settings: Record<string, Record<string, unknown>> }[]
  assert.deepEqual(Object.keys(node!.settings).sort(), ['cluster', 'discovery', 'http', 'node', 'transport'])
  assert.ok('election' in node!.settings['cluster']!)
})

test('node information has the members of the JVM that the Java client requires', async () => {
  const { body } = await send('GET', '/_nodes/jvm')
  const [node] = Object.values(body.nodes) as { jvm: Record<string, unknown> }[]
  assert.equal(node!.jvm['using_bundled_jdk'], false)
  assert.ok(Array.isArray(node!.jvm['input_arguments']))
})
