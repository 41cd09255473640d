import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { silentLog } from '../../../base/log.ts'
import { copyOfLent } from '../../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../../server/search-server.ts'
import { MovableClock } from '../../../testing/movable-clock.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'sandpiper-async-'))
const clock = new MovableClock(() => {})
const options = { dataFolder, threads: 0, maxContentBytes: 1e8, strictMediaTypes: false, log: silentLog, clock }
let server: SearchServer
before(async () => {
  server = await SearchServer.open(options)
  await send('PUT', '/i/_doc/1?refresh=true', { k: 'a' })
})
after(async () => {
  await server.stop()
  rmSync(dataFolder, { recursive: true })
})

async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const answer = await server.dispatcher.dispatch({
    method,
    uri: path,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    signal: () => new AbortController().signal,
  })
  const copy = copyOfLent(answer.body)
  answer.onSent?.()
  return { status: answer.status, body: copy.length === 0 ? undefined : JSON.parse(copy.toString()) }
}

test('a search that ends in time is answered without an id', async () => {
  const { status, body } = await send('POST', '/i/_async_search', { query: { match_all: {} } })
  assert.equal(status, 200)
  assert.deepEqual([body.id, body.is_running, body.is_partial], [undefined, false, false])
  assert.equal(body.response.hits.total.value, 1)
  assert.ok(body.completion_time_in_millis >= body.start_time_in_millis)
})

test('a kept search is fetched, described, survives a restart, and is deleted', async () => {
  const { body } = await send('POST', '/i/_async_search?keep_on_completion=true&keep_alive=1h', {
    aggs: { k: { terms: { field: 'k.keyword' } } },
  })
  assert.match(body.id, /^[\w-]+$/)
  await server.stop()
  server = await SearchServer.open(options)
  const { body: found } = await send('GET', `/_async_search/${body.id}`)
  assert.equal(found.response.aggregations.k.buckets[0].key, 'a')
  const { body: status } = await send('GET', `/_async_search/status/${body.id}`)
  assert.deepEqual([status.is_running, status.completion_status, status._shards.successful], [false, 200, 1])
  assert.deepEqual((await send('DELETE', `/_async_search/${body.id}`)).body, { acknowledged: true })
  const gone = await send('GET', `/_async_search/${body.id}`)
  assert.deepEqual(
    [gone.status, gone.body.error.type, gone.body.error.reason],
    [404, 'resource_not_found_exception', body.id],
  )
})

test('a result expires after its keep_alive, which a later request can extend', async () => {
  const submit = async () =>
    (await send('POST', '/i/_async_search?keep_on_completion=true&keep_alive=1h', {})).body.id as string
  const [one, two] = [await submit(), await submit()]
  await send('GET', `/_async_search/${two}?keep_alive=3h`)
  clock.advance('2h')
  assert.equal((await send('GET', `/_async_search/${one}`)).status, 404)
  assert.equal((await send('GET', `/_async_search/${two}`)).status, 200)
})

test('an answer that takes longer than the client waits is fetched later', async () => {
  const { body } = await send('POST', '/i/_async_search?wait_for_completion_timeout=0ms', { size: 0 })
  assert.ok(body.id !== undefined || body.response.hits.total.value === 1)
  if (body.id === undefined) return
  const { body: found } = await send('GET', `/_async_search/${body.id}?wait_for_completion_timeout=5s`)
  assert.equal(found.response.hits.total.value, 1)
})

test('a search that fails has its error and status', async () => {
  const { status, body } = await send('POST', '/missing/_async_search', {})
  assert.equal(status, 404)
  assert.deepEqual([body.is_running, body.is_partial], [false, true])
  assert.equal(body.error.reason, 'error while executing search')
  assert.equal(body.error.caused_by.type, 'index_not_found_exception')
})

for (const [path, body, status, reason] of [
  ['/i/_async_search', { nope: 1 }, 400, /unknown key|unknown field|Unknown key/],
  ['/i/_async_search?keep_alive=10ms', {}, 400, /must be greater or equals than 1 second, got:10ms/],
  ['/i/_async_search?scroll=1m', {}, 400, /\[scroll\] queries are not supported/],
] as const) {
  test(`POST ${path} is refused`, async () => {
    const answer = await send('POST', path, body)
    assert.equal(answer.status, status)
    assert.match(answer.body.error.reason, reason)
  })
}

test('a malformed id is refused', async () => {
  const { status, body } = await send('GET', '/_async_search/nope')
  assert.deepEqual([status, body.error.reason], [400, 'invalid id: [nope]'])
})
