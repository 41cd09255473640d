/**
 * Goal: the service recovers its data after a crash. Method: the data folder is copied while the service runs, which is
 * the state that a crash leaves.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function startOnDisk(): Promise<{ search: TestSearch; crash: () => Promise<TestSearch>; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-recovery-'))
  folders.push(folder)
  const search = await startSearch({ listen: false, dataFolder: folder })
  return { search, folder, crash: () => startSearch({ listen: false, dataFolder: copyOf(folder) }) }
}

function copyOf(folder: string): string {
  const copy = `${folder}-${folders.length}`
  folders.push(copy)
  cpSync(folder, copy, { recursive: true })
  rmSync(join(copy, 'node.lock'))
  return copy
}

test('documents, their fields and their versions are recovered after a crash', async () => {
  const { search, crash } = await startOnDisk()
  await search.request('PUT', '/books/_doc/1', { title: 'Sandpipers', pages: 120 })
  await search.request('PUT', '/books/_doc/2?routing=a', { title: 'Plovers' })
  await search.request('POST', '/books/_update/1', { doc: { pages: 121 } })
  await search.request('DELETE', '/books/_doc/2?routing=a')
  const again = await crash()
  const { body } = await again.request('GET', '/books/_doc/1')
  assert.deepEqual([body._version, body._seq_no, body._source], [2, 2, { title: 'Sandpipers', pages: 121 }])
  assert.equal((await again.request('GET', '/books/_doc/2?routing=a')).status, 404)
  const found = await again.request('POST', '/books/_search', { query: { match: { title: 'sandpipers' } } })
  assert.equal(found.body.hits.total.value, 1)
  assert.equal((await again.request('PUT', '/books/_doc/2?routing=a', { title: 'Plovers' })).body._seq_no, 4)
  await Promise.all([search.stop(), again.stop()])
})

// Goal: an accepted document is never rejected at the next start, even if the mapping changed in the meantime.
test('documents written before the mapping became stricter are recovered after a crash', async () => {
  const { search, crash } = await startOnDisk()
  const numbers = (ignore_malformed: boolean) => ({ n: { type: 'integer', ignore_malformed } })
  await search.request('PUT', '/loose', { mappings: { dynamic: false, properties: numbers(true) } })
  await search.request('PUT', '/loose/_doc/1', { n: 'not a number', unknown: { deep: 1 } })
  const stricter = await search.request('PUT', '/loose/_mapping', { dynamic: 'strict', properties: numbers(false) })
  assert.equal(stricter.status, 200, stricter.text)
  assert.equal((await search.request('PUT', '/loose/_doc/2', { unknown: 1 })).status, 400)
  const again = await crash()
  const { body } = await again.request('GET', '/loose/_doc/1')
  assert.deepEqual([body.found, body._source], [true, { n: 'not a number', unknown: { deep: 1 } }])
  assert.equal((await again.request('PUT', '/loose/_doc/2', { unknown: 1 })).status, 400)
  await Promise.all([search.stop(), again.stop()])
})

test('a shard with a damaged log fails with the position of the damage, and other indices work', async () => {
  const { search, folder } = await startOnDisk()
  for (const index of ['damaged', 'sound']) {
    for (let i = 0; i < 3; i++) await search.request('PUT', `/${index}/_doc/${i}`, { n: i })
  }
  const uuid = (await search.request('GET', '/damaged/_settings')).body.damaged.settings.index.uuid
  const copy = copyOf(folder)
  const shard = join(copy, 'indices', uuid, '0')
  const log = join(shard, readdirSync(shard).find((name) => name.startsWith('log-'))!)
  assert.ok(statSync(log).size > 100)
  writeSync(openSync(log, 'r+'), Buffer.from([0xff]), 0, 1, 70)

  const again = await startSearch({ listen: false, dataFolder: copy })
  assert.equal((await again.request('GET', '/sound/_doc/1')).status, 200)
  for (const [method, path, body] of [
    ['GET', '/damaged/_doc/1', undefined],
    ['PUT', '/damaged/_doc/9', { n: 1 }],
  ] as const) {
    const answer = await again.request(method, path, body)
    assert.equal(answer.status, 503, answer.text)
    assert.match(answer.body.error.reason, /the log file log-1 is damaged at byte \d+/)
  }
  await Promise.all([search.stop(), again.stop()])
})

test('a data folder can be used by only one node at a time', async () => {
  const { search, folder } = await startOnDisk()
  await assert.rejects(startSearch({ listen: false, dataFolder: folder }), /is in use by this process/)
  await search.stop()
  const next = await startSearch({ listen: false, dataFolder: folder })
  await next.stop()
})

test('a closed index of an in-memory node keeps its documents', async () => {
  const search = await startSearch({ listen: false })
  await search.request('PUT', '/books/_doc/1', { title: 'Sandpipers' })
  await search.request('POST', '/books/_close')
  await search.request('POST', '/books/_open')
  assert.equal((await search.request('GET', '/books/_doc/1')).body.found, true)
  await search.request('DELETE', '/books')
  await search.request('PUT', '/books')
  assert.equal((await search.request('GET', '/books/_doc/1')).body.found, false)
  await search.stop()
})
