import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

// Goal: repeated filters come from the cache, which changes no response and shows in the statistics. Method: two
// indices with the same documents, enough for a segment that is worth caching; one of them caches no filters.
const DOCS = 11_000
let search: TestSearch
before(async () => {
  search = await startSearch({ listen: false })
  const mappings = { properties: { i: { type: 'integer' }, n: { type: 'integer' }, at: { type: 'geo_point' } } }
  for (const [name, enabled] of [
    ['kept', true],
    ['plain', false],
  ] as const) {
    await search.request('PUT', `/${name}`, { settings: { 'index.queries.cache.enabled': enabled }, mappings })
    const lines: string[] = []
    for (let i = 0; i < DOCS; i++) {
      lines.push(`{"index":{"_id":"${i}"}}`, JSON.stringify({ i, n: (i * 7) % 1000, at: [i % 90, (i * 3) % 80] }))
    }
    await search.request('POST', `/${name}/_bulk?refresh=true`, `${lines.join('\n')}\n`)
    await search.request('POST', `/${name}/_forcemerge?max_num_segments=1`)
  }
})
after(() => search.stop())

const FILTERS = [
  { range: { n: { gte: 100, lt: 300 } } },
  { geo_bounding_box: { at: { top_left: { lat: 40, lon: 10 }, bottom_right: { lat: 10, lon: 50 } } } },
]

interface Hits {
  hits: { total: { value: number }; hits: { _id: string }[] }
}

async function found(index: string, filter: unknown) {
  const body = { query: { bool: { filter: [filter] } }, sort: [{ n: 'desc' }, { i: 'asc' }], track_total_hits: true }
  const answer = await search.request('POST', `/${index}/_search`, body)
  const { hits } = answer.body as unknown as Hits
  return { total: hits.total.value, ids: hits.hits.map(({ _id }) => _id) }
}

async function statistics(index: string): Promise<Record<string, number>> {
  const answer = await search.request('GET', `/${index}/_stats/query_cache`)
  const body = answer.body as unknown as { _all: { primaries: { query_cache: Record<string, number> } } }
  return body._all.primaries.query_cache
}

test('cached filters give the same hits as evaluated ones, also after a delete, and _cache/clear drops them', async () => {
  for (let round = 0; round < 4; round++) {
    for (const filter of FILTERS) assert.deepEqual(await found('kept', filter), await found('plain', filter))
    if (round === 2) {
      const { ids } = await found('kept', FILTERS[0])
      for (const index of ['kept', 'plain']) await search.request('DELETE', `/${index}/_doc/${ids[0]}?refresh=true`)
    }
  }
  const kept = await statistics('kept')
  assert.equal(kept['cache_size'], FILTERS.length)
  assert.ok(kept['hit_count']! > 0 && kept['memory_size_in_bytes']! > 0)
  assert.equal(kept['total_count'], kept['hit_count']! + kept['miss_count']!)
  assert.equal((await statistics('plain'))['total_count'], 0)

  await search.request('POST', '/kept/_cache/clear?request=true')
  assert.equal((await statistics('kept'))['cache_size'], FILTERS.length)
  await search.request('POST', '/kept/_cache/clear?query=true')
  const cleared = await statistics('kept')
  assert.deepEqual([cleared['cache_size'], cleared['memory_size_in_bytes']], [0, 0])
  assert.equal(cleared['cache_count'], FILTERS.length)
})
