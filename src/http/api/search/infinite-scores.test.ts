import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from '../../../testing/index.ts'

test('hits with infinite scores are in the order of their documents, on one shard and on several', async (t) => {
  const search = await startSearch({ listen: false })
  t.after(() => search.stop())
  for (const shards of [1, 3]) {
    const index = `n${shards}`
    await search.request('PUT', `/${index}`, { settings: { number_of_shards: shards } })
    const lines = Array.from({ length: 9 }, (_, i) => `{"index":{"_id":"${i}"}}\n{"n":${i % 2}}\n`)
    await search.request('POST', `/${index}/_bulk?refresh=true`, lines.join(''))
    const script = { source: "doc['n'].value == 0 ? 1.0 / 0 : 1.0" }
    const { status, body } = await search.request('POST', `/${index}/_search`, {
      query: { script_score: { query: { match_all: {} }, script } },
    })
    assert.equal(status, 200, JSON.stringify(body.error))
    assert.equal(body.hits.total.value, 9)
    assert.deepEqual(
      body.hits.hits.map((hit: { _id: string }) => Number(hit._id) % 2),
      [0, 0, 0, 0, 0, 1, 1, 1, 1],
    )
  }
})
