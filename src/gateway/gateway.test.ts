import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '../base/log.ts'
import { SearchServer } from '../server/search-server.ts'
import { connectCluster } from './open-gateway.ts'

const SERVICE = { threads: 0, maxContentBytes: 1 << 24, strictMediaTypes: false, errorHelp: false, log: silentLog }

interface Behind {
  readonly upstream: SearchServer
  readonly gateway: SearchServer
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  stop(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  readonly json: any
}

/** A gateway before a Sandpiper node, which it treats as an Elasticsearch cluster. */
async function behindGateway(): Promise<Behind> {
  const upstream = await SearchServer.open({
    ...SERVICE,
    clusterName: 'behind',
    listen: { host: '127.0.0.1', port: 0 },
  })
  const connected = await connectCluster({
    urls: [new URL(upstream.url!)],
    passesCredentials: false,
    sniffs: false,
    partialPages: false,
    log: silentLog,
  })
  const gateway = await SearchServer.open({
    ...SERVICE,
    clusterName: connected.capabilities.clusterName,
    listen: { host: '127.0.0.1', port: 0 },
    gateway: (shadow) => connected.gateway(shadow),
  })
  return {
    upstream,
    gateway,
    async send(method, path, body, headers = {}) {
      const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const type = text === undefined ? {} : { 'content-type': 'application/json' }
      const response = await fetch(`${gateway.url}${path}`, {
        method,
        ...(text === undefined ? {} : { body: text }),
        headers: { ...type, ...headers },
      })
      const answer = await response.text()
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      return {
        status: response.status,
        headers: response.headers,
        text: answer,
        json: isJson && answer !== '' ? JSON.parse(answer) : undefined,
      }
    },
    async stop() {
      await gateway.stop()
      await upstream.stop()
    },
  }
}

test('a gateway to a cluster that speaks Elasticsearch passes requests, answers and errors', async () => {
  const { send, stop } = await behindGateway()
  try {
    const root = await send('GET', '/')
    assert.equal(root.json.cluster_name, 'behind')
    assert.equal(root.headers.get('x-elastic-product'), 'Elasticsearch')
    assert.equal((await send('PUT', '/birds/_doc/1?refresh=true', '{"n": 9007199254740993, "x": 1.0}')).status, 201)
    const found = await send('GET', '/birds/_search', undefined, { 'x-opaque-id': 'mine' })
    assert.match(found.text, /\{"n": 9007199254740993, "x": 1\.0\}/, 'the source keeps its bytes')
    assert.equal(found.headers.get('x-opaque-id'), 'mine')
    const missing = await send('GET', '/none/_search')
    assert.equal(missing.status, 404)
    assert.equal(missing.json.error.type, 'index_not_found_exception')
    assert.equal((await send('HEAD', '/birds')).status, 200)
    assert.equal((await send('HEAD', '/none')).status, 404)
    assert.match((await send('GET', '/_cat/indices?h=index')).text, /^birds\n$/)
    const bulk = '{"index":{"_index":"birds","_id":"2"}}\n{"n":2}\n'
    assert.equal((await send('POST', '/_bulk', bulk, { 'content-type': 'application/x-ndjson' })).json.errors, false)
  } finally {
    await stop()
  }
})

test('long bodies that pass a gateway concurrently keep their own bytes', async () => {
  const { send, stop } = await behindGateway()
  try {
    const texts = Array.from({ length: 6 }, (_, i) => String(i).repeat(200_000 + i * 50_000))
    for (let round = 0; round < 3; round++) {
      const written = texts.map((text, i) => {
        const lines = `{"index":{"_id":"${i}"}}\n{"text":"${text}","round":${round}}\n`
        return send('POST', '/long/_bulk', lines, { 'content-type': 'application/x-ndjson' })
      })
      for (const { json } of await Promise.all(written)) assert.equal(json.errors, false)
      const headers = (i: number) => ({ 'accept-encoding': i % 2 === 0 ? 'identity' : 'gzip' })
      const read = await Promise.all(texts.map((_, i) => send('GET', `/long/_doc/${i}`, undefined, headers(i))))
      assert.deepEqual(
        read.map(({ json }) => [json._source.round, texts.indexOf(json._source.text)]),
        texts.map((_, i) => [round, i]),
      )
    }
  } finally {
    await stop()
  }
})

test('a gateway answers requests with vendor media types of the majors 7, 8 and 9 with the same type', async () => {
  const { send, stop } = await behindGateway()
  try {
    await send('PUT', '/birds/_doc/1?refresh=true', { n: 1 })
    for (const major of [7, 8, 9]) {
      const type = `application/vnd.elasticsearch+json;compatible-with=${major}`
      const answer = await send(
        'POST',
        '/birds/_search',
        { query: { match_all: {} } },
        { accept: type, 'content-type': type },
      )
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), type)
      assert.equal(answer.json.hits.hits[0]._type, major === 7 ? '_doc' : undefined)
    }
    const wrong = await send('POST', '/birds/_search', 'x', { 'content-type': 'text/plain' })
    assert.equal(wrong.status, 406)
    assert.equal((await send('PUT', '/birds/_search')).status, 405)
  } finally {
    await stop()
  }
})

test('a gateway without a living node answers 503 and says since when', async () => {
  const { upstream, send, stop } = await behindGateway()
  try {
    await upstream.stop()
    const gone = await send('GET', '/birds/_search')
    assert.equal(gone.status, 503)
    assert.equal(gone.json.error.type, 'no_living_connections')
    assert.equal(gone.headers.get('retry-after'), '1')
  } finally {
    await stop().catch(() => {})
  }
})
