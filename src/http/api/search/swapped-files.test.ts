import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Log, silentLog } from '../../../base/log.ts'
import { copyOfLent } from '../../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../../server/search-server.ts'

const root = mkdtempSync(join(tmpdir(), 'sandpiper-swapped-'))
const whole = join(root, 'whole')
const ids: Record<string, string> = {}
after(() => rmSync(root, { recursive: true }))

const open = (dataFolder: string, log: Log = silentLog) =>
  SearchServer.open({ dataFolder, threads: 0, maxContentBytes: 1e8, strictMediaTypes: false, log })

async function send(server: SearchServer, method: string, uri: string, body?: unknown) {
  const answer = await server.dispatcher.dispatch({
    method,
    uri,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    signal: () => new AbortController().signal,
  })
  const parsed = JSON.parse(copyOfLent(answer.body).toString())
  answer.onSent?.()
  return { status: answer.status, body: parsed }
}

before(async () => {
  const server = await open(whole)
  for (const index of ['a', 'b']) {
    for (let n = 0; n < 6; n++) await send(server, 'PUT', `/${index}/_doc/${n}`, { n })
    await send(server, 'POST', `/${index}/_refresh`)
    const search = { size: 2, sort: ['n'] }
    const scroll = await send(server, 'POST', `/${index}/_search?scroll=1h`, search)
    ids[`scroll-${index}`] = scroll.body._scroll_id
    for (let page = index === 'a' ? 1 : 2; page > 0; page--) {
      await send(server, 'POST', '/_search/scroll', { scroll: '1h', scroll_id: ids[`scroll-${index}`] })
    }
    const async = await send(server, 'POST', `/${index}/_async_search?keep_on_completion=true&keep_alive=1h`, search)
    ids[`async-${index}`] = async.body.id
  }
  await server.stop()
})

/** Swaps the contents of the two files with a name like `pattern`, and starts the node on them. */
async function swapped(folder: string, pattern: RegExp): Promise<{ server: SearchServer; errors: string[] }> {
  const data = mkdtempSync(join(root, 'copy-'))
  cpSync(whole, data, { recursive: true })
  const names = readdirSync(join(data, folder)).filter((name) => pattern.test(name))
  const [one, two] = names.map((name) => ({
    path: join(data, folder, name),
    bytes: readFileSync(join(data, folder, name)),
  }))
  assert.equal(names.length, 2)
  writeFileSync(one!.path, two!.bytes)
  writeFileSync(two!.path, one!.bytes)
  const errors: string[] = []
  return { server: await open(data, { ...silentLog, error: (message) => errors.push(message) }), errors }
}

test('a scroll whose progress is that of another one is reported and unknown, and repeats no page', async () => {
  const { server, errors } = await swapped('contexts', /^progress-/)
  for (const index of ['a', 'b']) {
    const page = await send(server, 'POST', '/_search/scroll', { scroll: '1h', scroll_id: ids[`scroll-${index}`] })
    assert.equal(page.status, 404)
  }
  assert.deepEqual(new Set(errors), new Set(['a context is damaged and was set aside']))
  await server.stop()
})

for (const [what, change] of [
  ['a flipped bit in the newest record', (bytes: Buffer) => (bytes[newestSlot(bytes) + 20]! ^= 1)],
  ['zeros in place of the newest record', (bytes: Buffer) => bytes.fill(0, newestSlot(bytes), newestSlot(bytes) + 64)],
  ['no record at all', (bytes: Buffer) => bytes.fill(0)],
] as const) {
  test(`a scroll whose client repeats its first id ends with an error, not with an old page, after ${what}`, async () => {
    const data = mkdtempSync(join(root, 'copy-'))
    cpSync(whole, data, { recursive: true })
    for (const name of readdirSync(join(data, 'contexts'))) {
      if (!name.startsWith('progress-')) continue
      const bytes = readFileSync(join(data, 'contexts', name))
      change(bytes)
      writeFileSync(join(data, 'contexts', name), bytes)
    }
    const server = await open(data)
    // Zeros in place of the second record look like a page that was not sent.
    for (const name of what.startsWith('zeros') ? ['scroll-b'] : ['scroll-a', 'scroll-b']) {
      const page = await send(server, 'POST', '/_search/scroll', { scroll: '1h', scroll_id: ids[name] })
      assert.equal(page.status, 404, name)
    }
    await server.stop()
  })
}

/** The offset of the record with the highest number. */
function newestSlot(bytes: Buffer): number {
  const sequenceAt = (at: number) => {
    if (bytes.length < at + 16) return 0
    return JSON.parse(bytes.toString('utf8', at + 16, at + 16 + bytes.readUInt32LE(at + 8))).sequence as number
  }
  return sequenceAt(0) > sequenceAt(65536) ? 0 : 65536
}

test('the result of another asynchronous search is reported and not returned', async () => {
  const { server, errors } = await swapped('async-searches', /^search-/)
  for (const index of ['a', 'b']) {
    assert.equal((await send(server, 'GET', `/_async_search/${ids[`async-${index}`]}`)).status, 404)
  }
  assert.ok(errors.includes('the result of an asynchronous search is damaged'))
  await server.stop()
})
