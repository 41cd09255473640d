import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { silentLog } from '../../../base/log.ts'
import { copyOfLent } from '../../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../../server/search-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-snapshots-'))
let server: SearchServer

before(async () => {
  const repositories = join(folder, 'repositories')
  const limits = { threads: 0, maxContentBytes: 1 << 20, strictMediaTypes: false }
  server = await SearchServer.open({
    ...limits,
    log: silentLog,
    dataFolder: join(folder, 'data'),
    pathRepo: [repositories],
  })
  await send('PUT', '/_snapshot/backup', { type: 'fs', settings: { location: join(repositories, 'backup') } })
})
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function send(method: string, uri: string, body?: unknown) {
  const answer = await server.dispatch({
    method,
    uri,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    signal: () => new AbortController().signal,
  })
  return { status: answer.status, body: JSON.parse(copyOfLent(answer.body).toString()) }
}

test('a small restore that does not wait is accepted when its index exists', async () => {
  await send('PUT', '/books/_doc/1?refresh=true', { title: 'one' })
  await send('PUT', '/_snapshot/backup/first?wait_for_completion=true', { indices: 'books' })
  await send('DELETE', '/books')
  const { body } = await send('POST', '/_snapshot/backup/first/_restore?wait_for_completion=false', {
    indices: 'books',
  })
  assert.deepEqual(body, { accepted: true })
  assert.equal((await send('GET', '/books/_recovery')).status, 200)
})

test('the recovery of a restored shard has the files and bytes that were copied', async () => {
  await send('DELETE', '/books')
  await send('POST', '/_snapshot/backup/first/_restore?wait_for_completion=true', { indices: 'books' })
  const [shard] = (await send('GET', '/books/_recovery')).body.books.shards
  assert.equal(shard.type, 'SNAPSHOT')
  assert.deepEqual(shard.source, { repository: 'backup', snapshot: 'first', index: 'books' })
  assert.ok(shard.index.files.recovered > 0)
  assert.ok(shard.index.size.recovered_in_bytes > 0)
  assert.ok(shard.start_time_in_millis <= shard.stop_time_in_millis)
  const [row] = (await send('GET', '/_cat/recovery/books?format=json&bytes=b')).body
  assert.deepEqual([row.type, row.repository, row.snapshot], ['snapshot', 'backup', 'first'])
  assert.equal(Number(row.bytes_recovered), shard.index.size.recovered_in_bytes)
})

test('a new index recovers from an empty store, of which 0.0% are there', async () => {
  await send('PUT', '/empty')
  const [shard] = (await send('GET', '/empty/_recovery')).body.empty.shards
  assert.deepEqual([shard.type, shard.index.size.percent], ['EMPTY_STORE', '0.0%'])
  const [row] = (await send('GET', '/_cat/recovery/empty?format=json')).body
  assert.deepEqual([row.type, row.files_percent], ['empty_store', '0.0%'])
})

test('node information and cluster statistics show the folders and kinds of repositories', async () => {
  const { body } = await send('GET', '/_nodes/settings')
  const [node] = Object.values(body.nodes) as { settings: { path: { repo: string[] } } }[]
  assert.deepEqual(node!.settings.path.repo, [join(folder, 'repositories')])
  const statistics = await send('GET', '/_cluster/stats')
  assert.deepEqual(statistics.body.repositories, { fs: { count: 1, read_write: 1 } })
})
