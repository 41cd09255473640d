/** Goal: circuit breaker limits can be changed while the service runs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
  await search.request('PUT', '/books', {
    mappings: { properties: { title: { type: 'text', fielddata: true }, genre: { type: 'keyword' } } },
  })
  const lines: object[] = []
  for (let i = 0; i < 3000; i++) lines.push({ index: {} }, { title: `word${i} other${i}`, genre: `genre ${i}` })
  await search.request('POST', '/books/_bulk?refresh=true', lines)
})
after(() => search.stop())

async function set(transient: Record<string, unknown>) {
  const answer = await search.request('PUT', '/_cluster/settings', { transient })
  assert.equal(answer.status, 200, answer.text)
}

async function breakersOf() {
  const { body } = await search.request('GET', '/_nodes/stats/breaker')
  // biome-ignore lint/suspicious/noExplicitAny: members are compared one by one
  return (Object.values(body.nodes)[0] as any).breakers
}

const COUNT_GENRES = {
  size: 0,
  aggs: { genres: { terms: { field: 'genre', size: 3000 }, aggs: { n: { avg: { field: 'n' } } } } },
}
const COUNT_WORDS = { size: 0, aggs: { words: { terms: { field: 'title' } } } }

test('an aggregation beyond a lowered request breaker limit is rejected with 429 and succeeds after the limit is removed', async () => {
  await set({ 'indices.breaker.request.limit': '1kb', 'indices.breaker.request.overhead': 2 })
  const { request } = await breakersOf()
  assert.deepEqual([request.limit_size_in_bytes, request.limit_size, request.overhead], [1024, '1kb', 2])
  const refused = await search.request('POST', '/books/_search', COUNT_GENRES)
  assert.equal(refused.status, 429, refused.text)
  assert.match(
    refused.text,
    /\[request\] Data too large, data for \[<agg>\] would be .* larger than the limit of \[1024\/1kb\]/,
  )
  assert.ok((await breakersOf()).request.tripped > request.tripped)
  await set({ 'indices.breaker.*': null })
  assert.equal((await search.request('POST', '/books/_search', COUNT_GENRES)).status, 200)
})

test('fielddata of a text field is not loaded if it exceeds the fielddata breaker limit', async () => {
  await set({ 'indices.breaker.fielddata.limit': '1kb' })
  const refused = await search.request('POST', '/books/_search', COUNT_WORDS)
  assert.equal(refused.status, 429, refused.text)
  assert.match(refused.text, /\[fielddata\] Data too large, data for \[title\] would be /)
  await set({ 'indices.breaker.fielddata.limit': '40%' })
  assert.equal((await search.request('POST', '/books/_search', COUNT_WORDS)).status, 200)
  assert.ok((await breakersOf()).fielddata.estimated_size_in_bytes > 3000)
  await search.request('POST', '/books/_forcemerge?max_num_segments=1')
  await set({ 'indices.breaker.*': null })
})

test('a breaker limit can be a size, a percentage of the memory, or unlimited', async () => {
  const { parent } = await breakersOf()
  await set({ 'indices.breaker.request.limit': '-1', 'indices.breaker.total.limit': '50%' })
  const changed = await breakersOf()
  assert.deepEqual([changed.request.limit_size_in_bytes, changed.request.limit_size], [-1, '-1b'])
  assert.ok(changed.parent.limit_size_in_bytes < parent.limit_size_in_bytes)
  await set({ 'indices.breaker.*': null, 'indices.breaker.total.use_real_memory': false })
  const summed = await breakersOf()
  assert.ok(summed.parent.limit_size_in_bytes < parent.limit_size_in_bytes)
  assert.ok(
    summed.parent.estimated_size_in_bytes < parent.estimated_size_in_bytes,
    'claims instead of the resident set',
  )
  await set({ 'indices.breaker.*': null })
  assert.equal((await breakersOf()).parent.limit_size_in_bytes, parent.limit_size_in_bytes)
})

test('an invalid breaker limit is rejected', async () => {
  for (const [name, value, reason] of [
    ['indices.breaker.request.limit', '150%', 'percentage should be in [0-100], got [150]'],
    [
      'indices.breaker.request.limit',
      'abc',
      'failed to parse setting [indices.breaker.request.limit] with value [abc] as a size in bytes: unit is missing or unrecognized',
    ],
    [
      'indices.breaker.request.overhead',
      -1,
      'Failed to parse value [-1] for setting [indices.breaker.request.overhead] must be >= 0.0',
    ],
    [
      'indices.breaker.request.type',
      'noop',
      'transient setting [indices.breaker.request.type], not dynamically updateable',
    ],
  ] as const) {
    const { status, body } = await search.request('PUT', '/_cluster/settings', { transient: { [name]: value } })
    assert.deepEqual([status, body.error.reason], [400, reason])
  }
})
