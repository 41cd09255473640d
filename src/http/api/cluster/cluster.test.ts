import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { silentLog } from '../../../base/log.ts'
import { copyOfLent } from '../../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../../server/search-server.ts'
import type { Answer } from '../../dispatcher.ts'

let server: SearchServer

before(async () => {
  server = await SearchServer.open({ threads: 0, maxContentBytes: 1 << 20, strictMediaTypes: false, log: silentLog })
  await send('PUT', '/one', { settings: { number_of_shards: 2, number_of_replicas: 0 } })
  await send('PUT', '/two', { settings: { number_of_replicas: 1 }, aliases: { both: {} } })
  await send('PUT', '/one/_doc/1?refresh=true', { n: 1 })
})

after(() => server.stop())

async function send(method: string, uri: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer: Answer = await server.dispatch({
    method,
    uri,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    signal: () => new AbortController().signal,
  })
  const text = copyOfLent(answer.body).toString()
  return {
    status: answer.status,
    text,
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path
    body: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined) as any,
  }
}

test('cluster health counts shard copies, and a replica on a single node is unassigned', async () => {
  const { body } = await send('GET', '/_cluster/health')
  assert.deepEqual(
    [body.status, body.active_shards, body.unassigned_shards, body.active_shards_percent_as_number],
    ['yellow', 3, 1, 75],
  )
  const one = await send('GET', '/_cluster/health/one?level=shards&wait_for_status=green')
  assert.deepEqual([one.status, one.body.status], [200, 'green'])
  assert.deepEqual(Object.keys(one.body.indices.one.shards), ['0', '1'])
})

test('cluster health responds with 408 if the awaited state does not occur in time', async () => {
  const green = await send('GET', '/_cluster/health?wait_for_status=green&timeout=30ms')
  assert.deepEqual([green.status, green.body.timed_out], [408, true])
  const missing = await send('GET', '/_cluster/health/none?timeout=30ms&filter_path=status,timed_out')
  assert.deepEqual([missing.status, missing.body], [408, { status: 'red', timed_out: true }])
  assert.equal((await send('GET', '/_cluster/health?wait_for_nodes=%3E%3D2&timeout=30ms')).status, 408)
})

test('cluster health responds as soon as the awaited state occurs', async () => {
  const waiting = send('GET', '/_cluster/health/late?timeout=10s&wait_for_status=green')
  await send('PUT', '/late', { settings: { number_of_replicas: 0 } })
  assert.equal((await waiting).status, 200)
  await send('DELETE', '/late')
})

test('cluster settings are transient or persistent, have defaults, and reject unknown names', async () => {
  const put = await send('PUT', '/_cluster/settings', { persistent: { 'search.max_buckets': 7 } })
  assert.deepEqual(put.body.persistent, { search: { max_buckets: '7' } })
  const get = await send('GET', '/_cluster/settings?flat_settings&include_defaults')
  assert.equal(get.body.persistent['search.max_buckets'], '7')
  assert.equal(get.body.defaults['http.max_content_length'], '1mb')
  assert.equal((await send('PUT', '/_cluster/settings', { persistent: { 'foo.bar': 1 } })).status, 400)
  await send('PUT', '/_cluster/settings', { persistent: { 'search.max_buckets': null } })
})

test('cluster state contains the requested metrics of the requested indices', async () => {
  const { body } = await send('GET', '/_cluster/state/metadata,routing_table/one')
  assert.deepEqual(Object.keys(body), ['cluster_name', 'cluster_uuid', 'metadata', 'routing_table'])
  assert.deepEqual(Object.keys(body.metadata.indices), ['one'])
  assert.equal(body.routing_table.indices.one.shards['1'][0].state, 'STARTED')
})

test('node filters select the node or nothing', async () => {
  for (const filter of ['', '/_local', '/_all/http', '/_master', `/${server.node.id}`, '/http,os']) {
    assert.equal((await send('GET', `/_nodes${filter}`)).body._nodes.total, 1, filter)
  }
  assert.equal((await send('GET', '/_nodes/other')).body._nodes.total, 0)
  const { body } = await send('GET', '/_nodes/stats/indices/docs')
  assert.deepEqual(body.nodes[server.node.id].indices, {
    docs: { ...body.nodes[server.node.id].indices.docs, count: 1 },
  })
})

test('cat tables list the indices', async () => {
  const { text } = await send('GET', '/_cat/indices?h=health,index,pri,rep,docs.count&s=index')
  assert.equal(text, 'green  one 2 0 1\nyellow two 1 1 0\n')
  assert.equal((await send('GET', '/_cat/count/one?h=count')).text, '1\n')
  assert.equal((await send('GET', '/_cat/aliases')).text, 'both two - - - -\n')
  assert.equal((await send('GET', '/_cat/shards/two?h=prirep,state')).text, 'p STARTED\nr UNASSIGNED\n')
  assert.match((await send('GET', '/_cat')).text, /^=\^\.\^=\n/)
})

test('every cat table has a header and help', async () => {
  const { text } = await send('GET', '/_cat')
  for (const path of text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '' && !line.includes('{'))) {
    assert.equal((await send('GET', `${path}?v`)).status, 200, path)
    assert.match((await send('GET', `${path}?help`)).text, / \| /, path)
  }
})

test('the task list contains its own request, and an unknown task is a 404', async () => {
  const { body } = await send('GET', '/_tasks?group_by=none', undefined, { 'x-opaque-id': 'me' })
  assert.equal(body.tasks[0].headers['X-Opaque-Id'], 'me')
  assert.equal((await send('GET', '/_tasks/abc')).status, 400)
  assert.equal((await send('GET', '/_tasks/abc:1')).status, 404)
})

test('lifecycle policies are stored and returned', async () => {
  assert.equal((await send('GET', '/_ilm/policy/mine')).status, 404)
  assert.deepEqual((await send('PUT', '/_ilm/policy/mine', { policy: { phases: {} } })).body, { acknowledged: true })
  const { body } = await send('GET', '/_ilm/policy/mine')
  assert.deepEqual([body.mine.version, body.mine.policy], [1, { phases: {} }])
  assert.equal((await send('DELETE', '/_ilm/policy/mine')).status, 200)
})

test('thread pools and tasks have cat tables', async () => {
  assert.match(
    (await send('GET', '/_cat/thread_pool/search,wri*?h=name,active,rejected')).text,
    /^search 0 0\nwrite\s+0 0\n$/,
  )
  assert.match((await send('GET', '/_cat/tasks?h=action,type')).text, /^cluster:monitor\/tasks\/lists transport\n$/)
})

test('allocation explain states why a replica on a single node is unassigned', async () => {
  const explain = (question?: unknown) => send('POST', '/_cluster/allocation/explain', question)
  const replica = (await explain({ index: 'two', shard: 0, primary: false })).body
  assert.equal(replica.current_state, 'unassigned')
  assert.equal(replica.node_allocation_decisions[0].deciders[0].decider, 'same_shard')
  assert.equal((await explain({ index: 'one', shard: 0, primary: true })).body.can_rebalance_cluster, 'yes')
  assert.match((await explain()).body.note, /randomly chosen unassigned shard/)
  assert.equal((await explain({ index: 'one', shard: 9, primary: true })).status, 404)
  assert.match((await explain({ index: 'one' })).body.error.reason, /1: shard must be specified;2: primary must be/)
})

test('node statistics show the fields that are named, _xpack its categories, and a reroute its explanations', async () => {
  await send('PUT', '/suggested', { mappings: { properties: { c: { type: 'completion' } } } })
  await send('PUT', '/suggested/_doc/1?refresh=true', { c: 'ab' })
  const shown = async (query: string) => {
    const { nodes } = (await send('GET', `/_nodes/stats/indices/completion${query}`)).body
    return Object.keys((Object.values(nodes)[0] as { indices: { completion: object } }).indices.completion)
  }
  assert.ok((await shown('?completion_fields=c')).includes('fields'))
  assert.ok((await shown('?fields=*')).includes('fields'))
  assert.ok(!(await shown('')).includes('fields'))
  assert.deepEqual(Object.keys((await send('GET', '/_xpack?categories=license')).body), ['license', 'tagline'])
  assert.equal((await send('GET', '/_xpack?categories=license,bogus')).status, 400)
  const reroute = async (query: string) => (await send('POST', `/_cluster/reroute?metric=none${query}`)).body
  assert.deepEqual(await reroute('&explain=true'), { acknowledged: true, explanations: [] })
  assert.deepEqual(await reroute(''), { acknowledged: true })
})
