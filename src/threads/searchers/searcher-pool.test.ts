import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { copyOfLent } from '../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../server/search-server.ts'

const signal = new AbortController().signal

/** Messages of all servers on the level ERROR. */
const errors: string[] = []

async function withServer(
  forwardFromDocs: number | undefined,
  work: (server: TestServer) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-searchers-'))
  const server = await SearchServer.open({
    dataFolder: folder,
    threads: 3,
    maxContentBytes: 10_000_000,
    strictMediaTypes: false,
    log: { ...silentLog, error: (message) => errors.push(message) },
    forwardFromDocs,
  })
  try {
    await work(new TestServer(server, folder))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

class TestServer {
  readonly server: SearchServer
  readonly folder: string

  constructor(server: SearchServer, folder: string) {
    this.server = server
    this.folder = folder
  }

  async send(method: string, uri: string, body?: unknown): Promise<{ status: number; text: string }> {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const headers = text === '' ? {} : { 'content-type': 'application/json' }
    const answer = await this.server.dispatch({ method, uri, headers, body: Buffer.from(text), signal: () => signal })
    return {
      status: answer.status,
      text: copyOfLent(answer.body)
        .toString()
        .replace(/"took" ?: ?\d+/g, '"took":0'),
    }
  }

  async index(name: string, from: number, count: number): Promise<void> {
    const lines: string[] = []
    for (let i = from; i < from + count; i++) {
      lines.push(JSON.stringify({ index: { _id: String(i) } }))
      lines.push(JSON.stringify({ n: i, word: `w${i % 7}`, text: `alpha beta${i % 3}` }))
    }
    const { text } = await this.send('POST', `/${name}/_bulk?refresh=true`, `${lines.join('\n')}\n`)
    assert.match(text, /"errors":false/)
  }
}

const REQUESTS: readonly [string, string, unknown?][] = [
  ['POST', '/books/_search', { query: { match: { text: 'beta1' } }, sort: [{ n: 'desc' }], size: 5 }],
  ['POST', '/books,more/_search', { query: { range: { n: { gte: 10, lt: 20 } } }, sort: ['n', '_id'] }],
  ['GET', '/_search?q=word.keyword:w3&size=2&sort=n&pretty'],
  ['GET', '/boo*/_count?filter_path=count'],
  ['POST', '/alias/_search', { query: { match_all: {} }, size: 0 }],
  ['POST', '/_msearch', '{"index":"books"}\n{"size":1,"sort":["n"]}\n{"index":"none"}\n{}\n'],
  ['POST', '/books/_search', { query: { terms: { n: { index: 'more', id: '3', path: 'n' } } } }],
  [
    'POST',
    '/books/_search',
    {
      runtime_mappings: {
        other: { type: 'lookup', target_index: 'more', input_field: 'n', target_field: 'n', fetch_fields: ['word'] },
      },
      query: { range: { n: { lt: 4 } } },
      sort: ['n'],
      fields: ['other'],
    },
  ],
  ['POST', '/books/_search', { query: { nonsense: {} } }],
  ['POST', '/books/_search?nonsense=1', {}],
  ['GET', '/missing/_search'],
  ['POST', '/books/_search', '{"query":'],
]

test('a searcher thread gives the same responses as the main thread', async () => {
  const answers: { status: number; text: string }[][] = []
  for (const forwardFromDocs of [0, Number.POSITIVE_INFINITY]) {
    await withServer(forwardFromDocs, async (server) => {
      await server.index('books', 0, 300)
      await server.index('more', 0, 30)
      await server.send('PUT', '/books/_alias/alias', { filter: { term: { n: 7 } } })
      const list: { status: number; text: string }[] = []
      for (const [method, uri, body] of REQUESTS) list.push(await server.send(method, uri, body))
      answers.push(list)
    })
  }
  for (const [i, [method, uri]] of REQUESTS.entries()) {
    assert.deepEqual(withoutIds(answers[0]![i]!), withoutIds(answers[1]![i]!), `${method} ${uri}`)
  }
  assert.deepEqual(errors, [])
})

/** Removes generated ids, which differ between nodes. */
const withoutIds = ({ status, text }: { status: number; text: string }) => ({
  status,
  text: text.replace(/"(index_uuid|node)":"[^"]*"/g, ''),
})

test('searches see refreshed documents, and views no longer used are returned', async () => {
  await withServer(0, async (server) => {
    for (let round = 0; round < 12; round++) {
      await server.index('books', 0, 20 + round)
      const searches = Array.from({ length: 4 }, () => server.send('GET', '/books/_count?filter_path=count'))
      for (const { text } of await Promise.all(searches)) assert.equal(text, `{"count":${20 + round}}`)
    }
    await server.send('POST', '/books/_forcemerge?max_num_segments=1')
    // Both searchers release their views when they are lent newer ones.
    for (let i = 0; i < 4; i++) {
      await Promise.all([1, 2, 3].map(() => server.send('GET', '/books/_search?size=1')))
      await server.send('POST', '/books/_flush?force=true')
    }
    assert.ok(segmentFiles(server.folder) <= 3, `${segmentFiles(server.folder)} segment files are left`)
  })
})

const LARGE_REQUESTS: readonly unknown[] = [
  { query: { match: { text: 'beta1' } }, size: 5 },
  { query: { fuzzy: { text: 'betas' } }, sort: [{ n: 'desc' }] },
  { size: 0, aggs: { a: { terms: { field: 'word.keyword' }, aggs: { b: { avg: { field: 'n' } } } } } },
  { size: 0, aggs: { a: { terms: { field: 'word.keyword', size: 2 } }, b: { cardinality: { field: 'n' } } } },
  { size: 3, track_total_hits: true, aggs: { a: { histogram: { field: 'n', interval: 1_000 } } } },
  { size: 0, aggs: { a: { percentiles: { field: 'n' } } } },
  { query: { match: { text: 'none' } }, aggs: { a: { max: { field: 'n' } } } },
]

test('a search that is shared by two threads or moved to another one gives the same response', async () => {
  const answers: string[][] = []
  // With `undefined` the main thread tries the requests first.
  for (const forwardFromDocs of [0, Number.POSITIVE_INFINITY, undefined]) {
    await withServer(forwardFromDocs, async (server) => {
      await server.index('books', 0, 11_000)
      await server.index('books', 11_000, 10_500)
      const texts: string[] = []
      // The second time both threads have started.
      for (const body of [...LARGE_REQUESTS, ...LARGE_REQUESTS]) {
        texts.push((await server.send('POST', '/books/_search?request_cache=false', body)).text)
      }
      answers.push(texts)
    })
  }
  assert.deepEqual(answers[0], answers[1])
  assert.deepEqual(answers[2], answers[1])
})

test('pages of points in time and scrolls are the same from a searcher thread', async () => {
  const answers: string[][] = []
  for (const forwardFromDocs of [0, Number.POSITIVE_INFINITY]) {
    await withServer(forwardFromDocs, async (server) => {
      await server.index('books', 0, 300)
      const texts: string[] = []
      const ask = async (method: string, uri: string, body?: unknown) => {
        const { status, text } = await server.send(method, uri, body)
        texts.push(`${status} ${text.replace(/"(pit_id|_scroll_id|id|node)":"[^"]*"/g, '')}`)
        return JSON.parse(text)
      }
      const pit = await ask('POST', '/books/_pit?keep_alive=1m')
      const scroll = await ask('POST', '/books/_search?scroll=1m', { size: 110, sort: ['_doc'] })
      // Documents indexed later are visible in neither.
      await server.index('books', 300, 20)
      await server.send('POST', '/books/_forcemerge?max_num_segments=1')
      let after: unknown
      for (let page = 0; page < 4; page++) {
        const body = { size: 120, pit: { id: pit.id, keep_alive: '1m' }, sort: [{ n: 'desc' }] }
        const { hits } = await ask('POST', '/_search', after === undefined ? body : { ...body, search_after: after })
        after = hits.hits.at(-1)?.sort ?? after
      }
      let id = scroll._scroll_id
      for (let page = 0; page < 3; page++) {
        id = (await ask('POST', '/_search/scroll', { scroll_id: id, scroll: '1m' }))._scroll_id
      }
      await ask('GET', `/_search/scroll/${id}`)
      await ask('POST', '/_search/scroll', { scroll_id: id, scroll: '1m' })
      await ask('DELETE', '/_pit', { id: pit.id })
      await ask('POST', '/_search', { pit: { id: pit.id } })
      await ask('GET', '/books/_stats/search?filter_path=indices.*.total.search.open_contexts')
      await server.send('GET', '/books/_count')
      await server.send('POST', '/books/_flush?force=true')
      assert.ok(segmentFiles(server.folder) <= 2, `${segmentFiles(server.folder)} segment files are left`)
      answers.push(texts)
    })
  }
  const withoutTimes = (text: string) => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+(\.\d+)?m?s\b/g, '')
  assert.deepEqual(answers[0]!.map(withoutTimes), answers[1]!.map(withoutTimes))
})

test('the scroll of a by-query operation that a searcher thread opened is not written, that of a client is', async () => {
  await withServer(0, async (server) => {
    await server.index('books', 0, 300)
    const files = () => readdirSync(join(server.folder, 'contexts'))
    const uri = '/books/_update_by_query?scroll_size=10&requests_per_second=1&wait_for_completion=false'
    const { task } = JSON.parse((await server.send('POST', uri)).text)
    const status = async () => JSON.parse((await server.send('GET', `/_tasks/${task}`)).text).task.status
    while ((await status()).updated === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual(files(), [])
    await server.send('POST', `/_tasks/${task}/_cancel`)
    await server.send('POST', '/books/_search?scroll=1m', { size: 10 })
    assert.notDeepEqual(files(), [])
  })
})

test('a searcher does not use stale state of a closed, deleted or reopened index', async () => {
  await withServer(0, async (server) => {
    await server.index('books', 0, 50)
    assert.match((await server.send('GET', '/books/_count')).text, /"count":50/)
    await server.send('POST', '/books/_close')
    assert.equal((await server.send('GET', '/books/_search')).status, 400)
    await server.send('POST', '/books/_open')
    assert.match((await server.send('GET', '/books/_count')).text, /"count":50/)
    await server.send('DELETE', '/books')
    assert.equal((await server.send('GET', '/books/_search')).status, 404)
    await server.index('books', 0, 3)
    assert.match((await server.send('GET', '/books/_count')).text, /"count":3/)
    assert.match((await server.send('GET', '/books/_stats/search')).text, /"query_total":/)
  })
})

function segmentFiles(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /seg/.test(path)).length
}

test('a search stops when its client disconnects', async () => {
  await withServer(1, async (test) => {
    await test.index('books', 0, 3_000)
    const body = Buffer.from(JSON.stringify({ query: { match: { text: 'alpha' } }, track_total_hits: true }))
    const request = { method: 'POST', uri: '/books/_search', headers: { 'content-type': 'application/json' }, body }
    const first = await test.server.dispatch({ ...request, signal: () => signal })
    assert.equal(first.status, 200)
    // The client disconnects while its request is on the way to the thread.
    const client = new AbortController()
    const answer = test.server.dispatch({ ...request, signal: () => client.signal })
    client.abort()
    assert.match(copyOfLent((await answer).body).toString(), /task_cancelled_exception/)
  })
})

test('a running search is listed as a task and can be cancelled', async () => {
  await withServer(0, async (server) => {
    await server.index('books', 0, 300)
    // The first search waits until its thread has started.
    const body = { query: { match: { text: 'alpha' } }, track_total_hits: true }
    const searching = server.send('POST', '/books/_search', body)
    const listed = async () => {
      const { text } = await server.send('GET', '/_tasks?actions=*search*&detailed&group_by=parents')
      return Object.entries(JSON.parse(text).tasks) as [string, Record<string, unknown>][]
    }
    let found = await listed()
    while (found.length === 0) found = await new Promise(setImmediate).then(listed)
    const [id, task] = found[0]!
    assert.equal(task['action'], 'indices:data/read/search')
    const source = JSON.stringify(body)
    assert.equal(task['description'], `indices[books], search_type[QUERY_THEN_FETCH], source[${source}]`)
    const [child] = task['children'] as Record<string, unknown>[]
    assert.equal(child!['action'], 'indices:data/read/search[phase/query]')
    assert.equal(child!['parent_task_id'], id)
    assert.match((await server.send('GET', `/_tasks/${id}`)).text, /^\{"completed":false,"task":/)
    assert.match((await server.send('POST', `/_tasks/${id}/_cancel`)).text, /"cancellable":true,"cancelled":true/)
    const again = await server.send('POST', `/_tasks/${id}/_cancel`)
    assert.match(again.text, /"resource_not_found_exception","reason":"task \[.*\] is not found"/)
    const { status, text } = await searching
    assert.equal(status, 400)
    assert.match(text, /"type":"task_cancelled_exception","reason":"task cancelled \[by user request\]"/)
    assert.deepEqual(JSON.parse((await server.send('GET', '/_tasks?actions=*search*')).text), { nodes: {} })
    assert.deepEqual(JSON.parse((await server.send('POST', '/_tasks/_cancel?actions=*search')).text), { nodes: {} })
  })
})

// Goal: an endless search over few documents does not block the main thread, and ends with its client.
test('an expensive search over few documents does not block other requests', async () => {
  await withServer(undefined, async ({ server, ...rest }) => {
    await new TestServer(server, rest.folder).index('books', 0, 50)
    const twice = { filters: { filters: { a: { match_all: {} }, b: { match_all: {} } } } }
    let aggs: Record<string, unknown> = { f: twice }
    for (let i = 0; i < 20; i++) aggs = { f: { ...twice, aggs } }
    const client = new AbortController()
    const search = (body: unknown, gone: AbortSignal) => ({
      method: 'POST',
      uri: '/books/_search',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
      signal: () => gone,
    })
    const endless = server.dispatch(search({ size: 0, aggs }, client.signal))
    const other = await server.dispatch(search({ size: 0 }, signal))
    assert.equal(other.status, 200)
    client.abort()
    assert.notEqual((await endless).status, 200)
  })
})
