import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { silentLog } from '../../../base/log.ts'
import { copyOfLent } from '../../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../../server/search-server.ts'

const root = mkdtempSync(join(tmpdir(), 'sandpiper-damaged-'))
after(() => rmSync(root, { recursive: true }))

const open = (dataFolder: string) =>
  SearchServer.open({ dataFolder, threads: 0, maxContentBytes: 1e8, strictMediaTypes: false, log: silentLog })

async function send(server: SearchServer, method: string, uri: string, body?: unknown) {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  const answer = await server.dispatcher.dispatch({
    method,
    uri,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: Buffer.from(text),
    signal: () => new AbortController().signal,
  })
  const parsed = JSON.parse(copyOfLent(answer.body).toString())
  answer.onSent?.()
  return { status: answer.status, body: parsed }
}

/** A node with two indices of which one has a damaged segment. `at` chooses the damaged byte. */
async function damagedNode(name: string, documents: number, at: (bytes: Buffer) => number): Promise<SearchServer> {
  const folder = join(root, name)
  const first = await open(folder)
  for (const index of ['sound', 'broken']) {
    const lines = Array.from(
      { length: documents },
      (_, n) => `{"index":{"_id":"${n}"}}\n{"n":${n},"t":"${Math.sin(n)}"}\n`,
    )
    await send(first, 'POST', `/${index}/_bulk`, lines.join(''))
    await send(first, 'POST', `/${index}/_flush`)
  }
  const { broken } = (await send(first, 'GET', '/broken')).body
  await first.stop()
  const shard = join(folder, 'indices', broken.settings.index.uuid, '0')
  const path = join(shard, readdirSync(shard).find((file) => file.startsWith('seg-'))!)
  const bytes = readFileSync(path)
  bytes[at(bytes)]! ^= 2
  writeFileSync(path, bytes)
  return await open(folder)
}

const places = [
  ['small', 'a small segment', 5, (bytes: Buffer) => bytes.length >> 1],
  // Stored documents are at the end of the sections' data.
  ['large', 'the stored documents of a large segment', 20_000, (bytes: Buffer) => bytes.indexOf('{"n":') + 3],
] as const

for (const [name, what, documents, at] of places) {
  test(`a search over two indices has the hits of one and the failure of the other, with damage to ${what}`, async () => {
    const server = await damagedNode(name, documents, at)
    for (const body of [{ size: documents > 9 ? 9_999 : 10 }, { size: documents > 9 ? 9_999 : 10, fields: ['n'] }]) {
      const { status, body: found } = await send(server, 'POST', '/sound,broken/_search', { ...body, sort: ['n'] })
      assert.equal(status, 200)
      assert.equal(found._shards.failed, 1)
      assert.match(found._shards.failures[0].reason.reason, /\[broken\]\[0\] shard has failed: .*segment \[seg-\d+\]/)
      assert.ok(found.hits.hits.length > 0)
      assert.ok(found.hits.hits.every(({ _index }: { _index: string }) => _index === 'sound'))
    }
    assert.equal((await send(server, 'GET', '/_cluster/health')).body.status, 'red')
    assert.equal((await send(server, 'GET', '/_cluster/health/sound')).body.status !== 'red', true)
    assert.equal((await send(server, 'PUT', '/broken/_doc/new', { n: 1 })).status, 503)
    assert.equal((await send(server, 'GET', '/broken/_doc/1')).status, 503)
    assert.equal((await send(server, 'PUT', '/sound/_doc/new', { n: 1 })).status, 201)
    await server.stop()
  })
}

test('a get of a damaged document fails its shard', async () => {
  const server = await damagedNode('get', 5, (bytes) => bytes.length >> 1)
  const { status, body } = await send(server, 'GET', '/broken/_doc/1')
  assert.equal(status, 503)
  assert.match(body.error.reason, /\[broken\]\[0\] shard has failed: segment \[seg-\d+\]/)
  assert.equal((await send(server, 'GET', '/_cluster/health')).body.status, 'red')
  await server.stop()
})
