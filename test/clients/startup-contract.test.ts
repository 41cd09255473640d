// Goal: the first requests of clients, shippers and tools get the expected responses. Method: requests recorded from
// the tools, one test per line of that contract, over a real socket.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

let search: TestSearch

before(async () => {
  search = await startSearch()
})
after(() => search.stop())

interface Reply {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by path
  readonly body: any
}

/** Sends exactly these headers; `fetch` would add its own. */
function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpRequest(`${search.url}${path}`, { method, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const isJson = String(response.headers['content-type']).includes('json') && bytes[0] === 0x7b
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          body: isJson ? JSON.parse(bytes.toString()) : bytes.toString(),
        })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

const JSON_TYPE = { 'content-type': 'application/json' }
const vendor = (kind: string, major: number, blank = ' ') =>
  `application/vnd.elasticsearch+${kind};${blank}compatible-with=${major}`

test('every response has the product header, error responses included', async () => {
  for (const [method, path] of [
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/none/_search'],
    ['PUT', '/none/_search'],
    ['GET', '/a/b/c/d/e'],
    ['OPTIONS', '/none'],
  ] as const) {
    assert.equal((await send(method, path)).headers['x-elastic-product'], 'Elasticsearch', `${method} ${path}`)
  }
})

test('the banner has a version number and no build flavor of another distribution', async () => {
  const { body } = await send('GET', '/')
  assert.match(body.version.number, /^8\.\d+\.\d+$/)
  assert.equal(body.version.build_flavor, 'default')
  assert.equal(body.version.distribution, undefined)
  assert.equal(body.tagline, 'You Know, for Search')
  for (const member of ['name', 'cluster_name', 'cluster_uuid']) assert.equal(typeof body[member], 'string')
  for (const member of ['build_type', 'lucene_version', 'minimum_wire_compatibility_version']) {
    assert.equal(typeof body.version[member], 'string')
  }
  const head = await send('HEAD', '/')
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
})

test('the media types of client versions 7, 8 and 9 are accepted, with and without a space before compatible-with', async () => {
  const lines = '{"index":{"_index":"media"}}\n{"a":1}\n'
  for (const headers of [
    JSON_TYPE,
    { 'content-type': 'application/json; charset=utf-8', accept: '*/*' },
    { 'content-type': 'application/x-ndjson', accept: 'application/json' },
    { 'content-type': vendor('x-ndjson', 7), accept: vendor('json', 7) },
    { 'content-type': vendor('x-ndjson', 8), accept: vendor('json', 8) },
    { 'content-type': vendor('x-ndjson', 9), accept: vendor('json', 9) },
    { 'content-type': vendor('x-ndjson', 8, ''), accept: vendor('json', 8, '') },
  ]) {
    const { status, body } = await send('POST', '/_bulk', headers, lines)
    assert.deepEqual([status, body.errors], [200, false], JSON.stringify(headers))
  }
  const list = await send('GET', '/_cat/indices', { accept: `${vendor('json', 8)},text/plain` })
  assert.equal(list.headers['content-type'], 'text/plain; charset=UTF-8')
})

test('a request with a content type and no body is accepted', async () => {
  for (const type of ['application/json', vendor('json', 9), 'text/plain']) {
    assert.equal((await send('GET', '/_cluster/health', { 'content-type': type })).status, 200, type)
  }
})

test('health, licence and node addresses have the members that sniffing clients read', async () => {
  assert.equal((await send('GET', '/_cluster/health?wait_for_status=yellow')).status, 200)
  assert.equal((await send('GET', '/_cat/health')).status, 200)
  assert.equal((await send('GET', '/_license')).body.license.status, 'active')
  for (const path of ['/_nodes/http', '/_nodes/_all/http', '/_nodes?filter_path=nodes.*.http.publish_address']) {
    const [node] = Object.values((await send('GET', path)).body.nodes) as { http: { publish_address: string } }[]
    assert.equal(`http://${node!.http.publish_address}`, search.url, path)
  }
})

test('the templates and lifecycle policies that shippers send are accepted, legacy and composable', async () => {
  for (const [path, body] of [
    ['/_template/shipper', { index_patterns: ['shipper-old-*'], settings: { number_of_shards: 1 } }],
    ['/_index_template/shipper', { index_patterns: ['shipper-new-*'], template: {} }],
  ] as const) {
    assert.equal((await send('HEAD', path)).status, 404, path)
    assert.equal((await send('PUT', path, JSON_TYPE, JSON.stringify(body))).status, 200, path)
    assert.equal((await send('HEAD', path)).status, 200, path)
    assert.equal((await send('GET', path)).status, 200, path)
  }
  assert.equal((await send('GET', '/_ilm/policy/shipper')).status, 404)
  assert.equal((await send('PUT', '/_ilm/policy/shipper', JSON_TYPE, '{"policy":{"phases":{}}}')).status, 200)
  assert.equal((await send('GET', '/_xpack')).body.features.ilm.available, true)
})

test('_bulk accepts POST and PUT, with and without an index, with gzip in both directions', async () => {
  const lines = gzipSync('{"index":{}}\n{"a":1}\n'.repeat(40))
  const headers = { ...JSON_TYPE, 'content-encoding': 'gzip', 'accept-encoding': 'gzip' }
  for (const method of ['POST', 'PUT']) {
    const reply = await send(method, '/shipped/_bulk', headers, lines)
    assert.deepEqual([reply.status, reply.headers['content-encoding']], [200, 'gzip'])
    assert.equal(JSON.parse(gunzipSync(reply.bytes).toString()).items.length, 40)
  }
  assert.equal(
    (await send('PUT', '/_bulk?refresh=true', JSON_TYPE, '{"index":{"_index":"shipped"}}\n{"a":2}\n')).status,
    200,
  )
})

test('_refresh accepts GET, and _search accepts GET with a body', async () => {
  assert.equal((await send('GET', '/_all/_refresh')).status, 200)
  const { body } = await send('GET', '/shipped/_search', JSON_TYPE, '{"size":1}')
  assert.deepEqual([body.hits.total.value, body.hits.hits.length], [81, 1])
})
