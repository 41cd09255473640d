// Goal: who reads an index shard by shard (elasticsearch-hadoop, Trino) gets every document once. The expected answers are those
// of Elasticsearch, apart from lists that are left out, which it answers with 500.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../../testing/index.ts'

let search: TestSearch
const DOCS = 30

before(async () => {
  search = await startSearch({ listen: false })
  for (const [index, shards] of [
    ['three', 3],
    ['one', 1],
  ] as const) {
    await search.request('PUT', `/${index}`, { settings: { number_of_shards: shards } })
  }
  const lines = Array.from({ length: DOCS }, (_, n) => [{ index: { _id: String(n) } }, { n }]).flat()
  await search.request('POST', '/three/_bulk?refresh=true', lines)
  await search.request('PUT', '/one/_doc/1?refresh=true', { n: 1 })
})
after(() => search.stop())

async function found(preference: string, index = 'three'): Promise<unknown> {
  const path = `/${index}/_search?size=0&preference=${encodeURIComponent(preference)}`
  const { status, body } = await search.request('GET', path)
  return status === 200
    ? [body._shards.total, body.hits.total.value]
    : `${status} ${body.error.type}: ${body.error.reason}`
}

test('each document is in one shard, for searches, counts, scrolls and points in time', async () => {
  const ids: string[] = []
  let counted = 0
  let listed = 0
  for (const shard of [0, 1, 2]) {
    const preference = `preference=_shards%3A${shard}%7C_local`
    counted += (await search.request('GET', `/three/_count?${preference}`)).body.count
    const pit = (await search.request('POST', `/three/_pit?keep_alive=1m&${preference}`)).body
    assert.equal(pit._shards.total, 1)
    listed += (await search.request('POST', '/_search', { pit: { id: pit.id }, size: 100 })).body.hits.hits.length
    let page = (await search.request('POST', `/three/_search?sort=_doc&scroll=5m&size=4&${preference}`)).body
    while (page.hits.hits.length > 0) {
      ids.push(...page.hits.hits.map(({ _id }: { _id: string }) => _id))
      page = (await search.request('POST', '/_search/scroll', { scroll: '5m', scroll_id: page._scroll_id })).body
    }
    const { shards } = (await search.request('GET', `/three/_search_shards?${preference}`)).body
    assert.deepEqual(
      shards.map(([copy]: { shard: number }[]) => copy!.shard),
      [shard],
    )
  }
  assert.equal(counted, DOCS)
  assert.equal(listed, DOCS)
  assert.equal(ids.length, DOCS)
  assert.equal(new Set(ids).size, DOCS)
})

test('a list of shards restricts every index, and may be followed by another preference', async () => {
  const [, whole] = (await found('_local')) as number[]
  assert.equal(whole, DOCS)
  const [shards, rest] = (await found('_shards:1,2')) as number[]
  const [, first] = (await found('_shards:0|custom')) as number[]
  assert.equal(shards, 2)
  assert.equal(first! + rest!, DOCS)
  assert.deepEqual(await found('_shards:2', 'three,one'), await found('_shards:2'))
  for (const none of ['_shards:9', '_shards:', '_shards:9|_oops']) assert.deepEqual(await found(none), [0, 0], none)
  assert.equal(await found('_shards:x'), '400 number_format_exception: For input string: "x"')
  assert.equal(await found('_shards:7,,1'), '400 number_format_exception: For input string: ""')
  assert.equal(await found('_shards:0|_oops'), '400 illegal_argument_exception: no Preference for [_oops]')
  assert.equal(await found('_shards:0|_shards:1'), '400 illegal_argument_exception: unknown preference [SHARDS]')
})

test('preferences for nodes accept this node, and unknown ones are refused', async () => {
  const fitting = [
    '_only_local',
    '_prefer_nodes:abc,x',
    '_only_nodes:*',
    '_only_nodes:_local',
    '_only_nodes:oops,data:true',
  ]
  for (const preference of [...fitting, '_only_nodes:127.0.0.1', 'any text', '']) {
    assert.deepEqual(await found(preference), [3, DOCS], preference)
  }
  for (const criteria of ['oops', 'data:false', '']) {
    const reason = `no data nodes with criteria [${criteria}] found for shard: [three][0]`
    assert.equal(await found(`_only_nodes:${criteria}`), `400 illegal_argument_exception: ${reason}`)
  }
  for (const unknown of ['_primary', '_replica', '_oops', '_', '_shards']) {
    assert.equal(await found(unknown), `400 illegal_argument_exception: no Preference for [${unknown}]`)
  }
})

test('a preference acts in a multi search, and in a deletion by query', async () => {
  const { body } = await search.request('POST', '/_msearch', [
    { index: 'three', preference: '_shards:0' },
    { size: 0 },
    { index: 'three', preference: '_primary' },
    { size: 0 },
  ])
  assert.equal(body.responses[0]._shards.total, 1)
  assert.equal(body.responses[1].error.reason, 'no Preference for [_primary]')
  const one = (await search.request('GET', '/three/_count?preference=_shards:1')).body.count
  const path = '/three/_delete_by_query?refresh=true&preference=_shards:1'
  const { body: deleted } = await search.request('POST', path, { query: { match_all: {} } })
  assert.equal(deleted.deleted, one)
  assert.equal((await search.request('GET', '/three/_count')).body.count, DOCS - one)
})
