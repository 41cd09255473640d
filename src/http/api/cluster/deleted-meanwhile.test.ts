import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { shardFailed } from '../../../base/errors/shard-errors.ts'
import { silentLog } from '../../../base/log.ts'
import { copyOfLent } from '../../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../../server/search-server.ts'

// Goal: reports over many indices leave out an index that is deleted while they are collected. Method: the first question to a
// shard or for a view deletes the index `doomed`, so that the interleaving is always the same.
let server: SearchServer
let isArmed = false

// biome-ignore lint/suspicious/noExplicitAny: members of answers are read by their names
type Body = any

async function send(method: string, uri: string, body = ''): Promise<{ status: number; body: Body }> {
  const headers = body === '' ? {} : { 'content-type': 'application/json' }
  const signal = () => new AbortController().signal
  const answer = await server.dispatcher.dispatch({ method, uri, headers, body: Buffer.from(body), signal })
  return { status: answer.status, body: JSON.parse(copyOfLent(answer.body).toString()) }
}

beforeEach(async () => {
  server = await SearchServer.open({ threads: 0, maxContentBytes: 1e6, strictMediaTypes: false, log: silentLog })
  for (const index of ['doomed', 'kept']) {
    await send('PUT', `/${index}`, JSON.stringify({ mappings: { properties: { c: { type: 'completion' } } } }))
    await send('PUT', `/${index}/_doc/1?refresh=true`, JSON.stringify({ '@timestamp': 5, c: 'word' }))
  }
  await send('PUT', '/_index_template/doomed', JSON.stringify({ index_patterns: ['doomed-*'], data_stream: {} }))
  await send('PUT', '/_data_stream/doomed-stream')
  const { host } = server.node
  for (const name of ['stats', 'segments', 'refresh', 'flush', 'forceMerge'] as const) {
    const original = (host[name] as (...args: unknown[]) => Promise<unknown>).bind(host)
    const first = async (...args: unknown[]) => {
      await deleteDoomed()
      return await original(...args)
    }
    Object.defineProperty(host, name, { value: first })
  }
})
afterEach(() => server.stop())

async function deleteDoomed(): Promise<void> {
  if (!isArmed) return
  isArmed = false
  await send('DELETE', '/doomed')
  await send('DELETE', '/_data_stream/doomed-stream')
}

for (const path of [
  '/_nodes/stats',
  '/_stats',
  '/_stats?level=shards',
  '/_cluster/stats',
  '/_cat/indices?format=json&h=index,search.query_total',
  '/_cat/shards?format=json',
  '/_cat/segments?format=json',
  '/_cat/allocation?format=json',
  '/_segments',
  '/_data_stream/_stats',
  '/doomed,kept/_disk_usage?run_expensive_tasks=true',
  '/_refresh',
  '/_flush?force=true',
  '/_forcemerge',
]) {
  test(`${path} leaves out an index that is deleted meanwhile`, async () => {
    isArmed = true
    const method = /_disk_usage|_refresh|_flush|_forcemerge/.test(path) ? 'POST' : 'GET'
    const { status, body } = await send(method, path)
    assert.equal(isArmed, false)
    assert.equal(status, 200)
    if (body._shards !== undefined) assert.equal(body._shards.failed, 0)
    const text = JSON.stringify(body)
    assert.doesNotMatch(text.replaceAll('doomed-stream', ''), /doomed/)
    if (!/_refresh|_flush|_forcemerge|_cat\/allocation|_nodes|_cluster|_data_stream/.test(path))
      assert.match(text, /kept/)
  })
}

test('statistics skip a shard that is closed and opened again while they are collected', async () => {
  const { host } = server.node
  const label = { index: 'kept', indexUuid: 'u', shard: 0 }
  Object.defineProperty(host, 'holdView', {
    value: () => {
      throw shardFailed(label, 'it is not open')
    },
  })
  for (const path of ['/_nodes/stats', '/_stats', '/_data_stream/_stats']) {
    assert.equal((await send('GET', path)).status, 200, path)
  }
})
