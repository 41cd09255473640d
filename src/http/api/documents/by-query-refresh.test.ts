import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSearch } from '../../../testing/index.ts'

// Goal: refresh=true makes visible what was written, also in indices that scripts and pipelines chose. Method: a node that
// refreshes only when a request says so.
const search = await startSearch({ listen: false, refresh: 'manual' })
after(() => search.stop())

const count = async (index: string) => (await search.request('GET', `/${index}/_count`)).body.count

await search.request('POST', '/src/_bulk?refresh=true', [{ index: {} }, { n: 1 }, { index: {} }, { n: 2 }])
await search.request('PUT', '/_ingest/pipeline/move', { processors: [{ set: { field: '_index', value: 'moved' } }] })

test('reindex refreshes the indices that its script chose', async () => {
  const script = { source: "ctx._index = 'chosen-' + ctx._source.n" }
  await search.request('POST', '/_reindex?refresh=true', { source: { index: 'src' }, dest: { index: 'd' }, script })
  assert.deepEqual([await count('chosen-1'), await count('chosen-2')], [1, 1])
})

test('reindex, bulk and update by query refresh the index that a pipeline chose', async () => {
  const dest = { index: 'd', pipeline: 'move' }
  await search.request('POST', '/_reindex?refresh=true', { source: { index: 'src' }, dest })
  assert.equal(await count('moved'), 2)
  await search.request('POST', '/x/_bulk?refresh=true&pipeline=move', [{ index: {} }, { n: 3 }])
  assert.equal(await count('moved'), 3)
  await search.request('PUT', '/x/_doc/4?refresh=true&pipeline=move', { n: 4 })
  assert.equal(await count('moved'), 4)
})

test('without refresh nothing is refreshed', async () => {
  await search.request('POST', '/_reindex', { source: { index: 'src' }, dest: { index: 'later' } })
  assert.equal(await count('later'), 0)
})

test('updates and deletions of all documents are visible after refresh=true', async () => {
  await search.request('POST', '/src/_update_by_query?refresh=true', { script: { source: 'ctx._source.seen = true' } })
  assert.equal((await search.request('GET', '/src/_count?q=seen:true')).body.count, 2)
  await search.request('POST', '/src/_delete_by_query?refresh=true', { query: { match_all: {} } })
  assert.equal(await count('src'), 0)
})
