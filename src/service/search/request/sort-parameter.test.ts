import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSearch } from '../../../testing/index.ts'

// The expected answers are those of Elasticsearch.
test('sort as a parameter is added to the sort of the body', async () => {
  const search = await startSearch({ listen: false })
  const values = async (parameter: string, body: object) => {
    const { status, body: found } = await search.request('POST', `/i/_search?sort=${parameter}`, body)
    return status === 200
      ? found.hits.hits.map(({ sort }: { sort: unknown }) => sort)
      : found.error.root_cause[0].reason
  }
  try {
    for (const [id, n, m] of [
      [1, 1, 5],
      [2, 1, 6],
    ]) {
      await search.request('PUT', `/i/_doc/${id}?refresh=true`, { n, m })
    }
    assert.deepEqual(await values('m:desc', { sort: ['n'] }), [
      [1, 6],
      [1, 5],
    ])
    // An unknown direction drops the entry.
    assert.deepEqual(await values('m:up', { sort: ['n'] }), [[1], [1]])
    assert.deepEqual(await values('m:desc', {}), [[6], [5]])
    assert.equal(await values('m', { sort: ['absent'] }), 'No mapping found for [absent] in order to sort on')
    assert.equal(await values('m', { sort: ['n'], search_after: [1] }), 'search_after has 1 value(s) but sort has 2.')
  } finally {
    await search.stop()
  }
})
