import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch, type TestSearch } from '../testing/index.ts'

async function withBooks(work: (search: TestSearch) => Promise<void>): Promise<void> {
  const search = await startSearch({ listen: false })
  try {
    await search.request('PUT', '/books', { mappings: { properties: { n: { type: 'long' } } } })
    const lines = Array.from({ length: 6 }, (_, i) => [{ index: { _id: `${i}` } }, { n: i < 4 ? 1 : i }]).flat()
    await search.request('POST', '/books/_bulk?refresh=true', lines)
    await work(search)
  } finally {
    await search.stop()
  }
}

test('a search beyond the result window is answered with the same search as a point in time with search_after', async () => {
  await withBooks(async (search) => {
    const query = '{"term":{"n":9007199254740993}}'
    const { status, body, text } = await search.request(
      'POST',
      '/books/_search?typed_keys=true',
      `{"query":${query},"from":9990,"size":50}`,
    )
    assert.equal(status, 400)
    assert.equal(body.error.type, 'search_phase_execution_exception')
    assert.match(body.error.root_cause[0].reason, /^Result window is too large/)
    assert.deepEqual(Object.keys(body), ['error', 'status', 'help'])
    const [open, first, next, close] = body.help.instead
    assert.deepEqual(open, { method: 'POST', path: '/books/_pit?keep_alive=1m' })
    assert.deepEqual(Object.keys(first.body), ['query', 'size', 'sort', 'pit'])
    assert.equal(first.body.size, 50)
    assert.ok('search_after' in next.body)
    assert.equal(close.method, 'DELETE')
    assert.ok(text.includes(query), 'numbers of the query keep their digits')
    assert.equal((await search.request('GET', '/books/_search?size=a')).body.help, undefined)
  })
})

test('a scroll beyond the limit is answered with the oldest scrolls and who opened them', async () => {
  await withBooks(async (search) => {
    await search.request('PUT', '/_cluster/settings', { persistent: { 'search.max_open_scroll_context': 2 } })
    const open = (opaqueId: string) =>
      search.request('POST', '/books/_search?scroll=1m', { size: 1 }, { 'x-opaque-id': opaqueId })
    await open('first')
    await open('second')
    const { status, body } = await open('third')
    assert.equal(status, 429)
    assert.match(body.error.root_cause[0].reason, /^Trying to create too many scroll contexts/)
    const oldest = body.help.oldest_scrolls as { opaque_id: string; age_in_millis: number; indices: string[] }[]
    assert.deepEqual(
      oldest.map(({ opaque_id }) => opaque_id),
      ['first', 'second'],
    )
    assert.deepEqual(oldest[0]!.indices, ['books'])
    assert.ok(oldest[0]!.age_in_millis >= oldest[1]!.age_in_millis)
  })
})

test('search_after warns when a page ends between hits with equal sort values, and only then', async () => {
  await withBooks(async (search) => {
    const warningsOf = async (body: object) => {
      const { headers } = await search.request('POST', '/books/_search', body)
      return [headers['warning'] ?? []].flat()
    }
    const page = { size: 2, sort: [{ n: 'asc' }], search_after: [0] }
    const [warning, ...others] = await warningsOf(page)
    assert.match(warning!, /equal sort values/)
    assert.deepEqual(others, [])
    assert.deepEqual(await warningsOf({ ...page, search_after: [3] }), [])
    assert.deepEqual(await warningsOf({ ...page, sort: [{ n: 'asc' }, { _id: 'asc' }], search_after: [0, ''] }), [])
    assert.deepEqual(await warningsOf({ size: 2, sort: [{ n: 'asc' }] }), [], 'a first page may be the only one')
    const { body: pit } = await search.request('POST', '/books/_pit?keep_alive=1m')
    const { headers } = await search.request('POST', '/_search', { ...page, pit: { id: pit.id } })
    assert.equal(headers['warning'], undefined)
  })
})
