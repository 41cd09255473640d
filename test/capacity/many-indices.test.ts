/**
 * Goal: a node with more indices than it opens at the start behaves as if all of them were open. Method: indices are
 * created, and the node is restarted, either on its own files or on a copy of them (the state after a kill). Then
 * sleeping indices are counted, searched, written to, deleted and recovered.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

/** More indices than a node opens at the start. */
const INDICES = 112
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-many-indices-'))
let search: TestSearch
let copies = 0

async function restart(): Promise<void> {
  await search.stop()
  search = await startSearch({ listen: false, dataFolder: folder })
}

/** Starts a node on a copy of the current files, including unflushed operations in the logs. */
async function onCopy(work: (copy: TestSearch, copied: string) => Promise<void>, change?: (copied: string) => void) {
  const copied = `${folder}-copy-${++copies}`
  cpSync(folder, copied, { recursive: true })
  rmSync(join(copied, 'node.lock'), { force: true })
  change?.(copied)
  const copy = await startSearch({ listen: false, dataFolder: copied })
  try {
    await work(copy, copied)
  } finally {
    await copy.stop()
    rmSync(copied, { recursive: true, force: true })
  }
}

const counts = async (node: TestSearch) => {
  const { body } = await node.request('GET', '/_cat/indices?format=json&h=index,docs.count,health&s=index')
  return new Map<string, string>(body.map((row: Record<string, string>) => [row['index'], row['docs.count']]))
}

before(async () => {
  search = await startSearch({ listen: false, dataFolder: folder })
  for (let i = 0; i < INDICES; i++) {
    const name = `many-${String(i).padStart(3, '0')}`
    await search.request('PUT', `/${name}`, { mappings: { properties: { n: { type: 'integer' } } } })
    if (i % 2 === 0) await search.request('PUT', `/${name}/_doc/1`, { n: i })
  }
  await restart()
})

after(async () => {
  await search.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a search and a count include the documents of sleeping indices', async () => {
  const counted = await counts(search)
  assert.equal(counted.size, INDICES)
  assert.equal(counted.get('many-000'), '1', 'the oldest sleep')
  assert.equal(counted.get('many-001'), '0')
  const { body: health } = await search.request('GET', '/_cluster/health')
  assert.equal(health.active_primary_shards, INDICES)
  const { body } = await search.request('GET', '/many-*/_search?size=0&track_total_hits=true')
  assert.deepEqual([body.hits.total.value, body._shards.total, body._shards.failed], [INDICES / 2, INDICES, 0])
})

test('a sleeping index can be read, written to, updated and deleted', async () => {
  await restart()
  const got = await search.request('GET', '/many-000/_doc/1')
  assert.equal(got.body._source.n, 0)
  const bulk = await search.request('POST', '/_bulk?refresh=true', [
    { index: { _index: 'many-001', _id: 'a' } },
    { n: 7 },
    { delete: { _index: 'many-002', _id: '1' } },
  ])
  assert.equal(bulk.body.errors, false, bulk.text)
  assert.equal((await search.request('GET', '/many-001,many-002/_count')).body.count, 1)
  const put = await search.request('PUT', '/many-003/_mapping', { properties: { added: { type: 'keyword' } } })
  assert.equal(put.status, 200)
  await search.request('PUT', '/many-003/_doc/1?refresh=true', { added: 'x' })
  assert.equal((await search.request('GET', '/many-003/_search?q=added:x')).body.hits.total.value, 1)
  assert.equal((await search.request('DELETE', '/many-004')).status, 200)
  assert.equal((await search.request('GET', '/many-004/_doc/1')).status, 404)
  assert.equal((await search.request('POST', '/many-005/_close')).status, 200)
  assert.equal((await search.request('POST', '/many-005/_open')).status, 200)
  const { body: pit } = await search.request('POST', '/many-006,many-007/_pit?keep_alive=1m')
  const found = await search.request('POST', '/_search', { pit: { id: pit.id } })
  assert.equal(found.body.hits.total.value, 1, found.text)
  assert.equal((await counts(search)).size, INDICES - 1)
})

test('operations that are only in the log of a sleeping index are recovered', async () => {
  await restart()
  await search.request('PUT', '/many-009/_doc/new', { n: 9 })
  await onCopy(async (copy) => {
    assert.equal((await counts(copy)).get('many-009'), '1')
    assert.equal((await copy.request('GET', '/many-009/_doc/new')).body._source.n, 9)
    assert.equal((await copy.request('GET', '/many-009/_search')).body.hits.total.value, 1)
  })
})

test('a damaged sleeping index fails with an error, and the other indices keep working', async () => {
  const { body } = await search.request('GET', '/many-010/_settings')
  const uuid = body['many-010'].settings.index.uuid
  await search.request('POST', '/many-010/_flush')
  await onCopy(
    async (copy) => {
      assert.equal((await copy.request('GET', '/many-010/_doc/1')).status, 503)
      assert.equal((await copy.request('GET', '/_cluster/health')).body.status, 'red')
      assert.equal((await copy.request('GET', '/many-012/_doc/1')).status, 200)
    },
    (copied) => {
      const shard = join(copied, 'indices', uuid, '0')
      const commit = readdirSync(shard).find((name) => name.startsWith('commit-'))!
      writeFileSync(join(shard, commit), 'no commit point')
    },
  )
})
