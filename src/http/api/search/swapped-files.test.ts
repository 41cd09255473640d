import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Log, silentLog } from '../../../base/log.ts'
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
  const parsed = JSON.parse(Buffer.from(answer.body).toString())
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
  assert.deepEqual(errors, ['a context is damaged and was set aside', 'a context is damaged and was set aside'])
  await server.stop()
})

test('the result of another asynchronous search is reported and not returned', async () => {
  const { server, errors } = await swapped('async-searches', /^search-/)
  for (const index of ['a', 'b']) {
    assert.equal((await send(server, 'GET', `/_async_search/${ids[`async-${index}`]}`)).status, 404)
  }
  assert.ok(errors.includes('the result of an asynchronous search is damaged'))
  await server.stop()
})
