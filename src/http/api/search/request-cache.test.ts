import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../../../base/log.ts'
import { copyOfLent } from '../../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../../server/search-server.ts'

const signal = new AbortController().signal

// Goal: a cached response is returned while the index is unchanged, and never afterwards. Method: the request cache
// counters of the index.
test('searches without hits are answered from the request cache until the index changes', async () => {
  const server = await SearchServer.open({ threads: 0, maxContentBytes: 1e6, strictMediaTypes: false, log: silentLog })
  const send = async (method: string, uri: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
    const answer = await server.dispatch({ method, uri, headers, body: bytes, signal: () => signal })
    return JSON.parse(copyOfLent(answer.body).toString())
  }
  const counts = async () => {
    const { request_cache: cache } = (await send('GET', '/books/_stats/request_cache'))._all.total
    return [cache.hit_count, cache.miss_count, cache.memory_size_in_bytes > 0]
  }
  const body = { size: 0, query: { match_all: {} }, aggs: { sum: { sum: { field: 'n' } } } }
  const sum = async (uri = '/books/_search') => (await send('POST', uri, body)).aggregations.sum.value
  try {
    await send('PUT', '/books/_doc/1?refresh=true', { n: 1 })
    assert.equal(await sum(), 1)
    assert.deepEqual(await counts(), [0, 1, true])
    assert.equal(await sum(), 1)
    assert.deepEqual(await counts(), [1, 1, true])
    assert.equal(await sum('/books/_search?request_cache=false'), 1)
    assert.deepEqual(await counts(), [1, 1, true])
    await send('PUT', '/books/_doc/2?refresh=true', { n: 2 })
    assert.equal(await sum(), 3)
    assert.deepEqual(await counts(), [1, 2, true])
    const { aggregations } = await send('POST', '/books/_search?filter_path=aggregations.sum.value', body)
    assert.deepEqual(aggregations, { sum: { value: 3 } })
    await send('PUT', '/books/_settings', { 'index.requests.cache.enable': false })
    assert.equal(await sum(), 3)
    assert.deepEqual(await counts(), [1, 3, true])
  } finally {
    await server.stop()
  }
})

test('responses through an alias whose filter depends on the time are not cached', async () => {
  const server = await SearchServer.open({ threads: 0, maxContentBytes: 1e6, strictMediaTypes: false, log: silentLog })
  const send = async (method: string, uri: string, body?: string) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await server.dispatch({ method, uri, headers, body: Buffer.from(body ?? ''), signal: () => signal })
    return JSON.parse(copyOfLent(answer.body).toString())
  }
  const lookups = async () => {
    const { request_cache: cache } = (await send('GET', '/books/_stats/request_cache'))._all.total
    return cache.hit_count + cache.miss_count
  }
  const alias = (name: string, gte: string) =>
    `{"actions":[{"add":{"index":"books","alias":"${name}","filter":{"range":{"at":{"gte":"${gte}"}}}}}]}`
  try {
    await send('PUT', '/books/_doc/1?refresh=true', JSON.stringify({ at: new Date().toISOString() }))
    await send('POST', '/_aliases', alias('recent', 'now-1h'))
    await send('POST', '/_aliases', alias('escaped', String.raw`\u006eow-1h`))
    await send('POST', '/_aliases', alias('fixed', '2020-01-01'))
    for (const name of ['recent', 'escaped', 'recent']) {
      assert.equal((await send('POST', `/${name}/_search`, '{"size":0}')).hits.total.value, 1)
    }
    assert.equal(await lookups(), 0)
    await send('POST', '/fixed/_search', '{"size":0}')
    await send('POST', '/fixed/_search', '{"size":0}')
    assert.equal(await lookups(), 2)
  } finally {
    await server.stop()
  }
})
