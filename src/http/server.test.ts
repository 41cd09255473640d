import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { ApiError } from '../base/api-error.ts'
import { broken } from '../base/assert.ts'
import { nestedByClient, sizedByClient } from '../base/errors/overflow.ts'
import { type LogFields, silentLog } from '../base/log.ts'
import { Breaker } from '../base/memory/circuit-breakers.ts'
import { Dispatcher } from './dispatcher.ts'
import { Routes } from './router.ts'
import { HttpServer, NotLoopbackError } from './server.ts'

let url = ''
const recurse = (): never => recurse()

/** Faults of this code, some of which look like those that the size of a request causes. */
const FAULTS = {
  recursion: recurse,
  assumption: (): never => broken('this holds'),
  length: (): never => void new Array(Number(-1)) as never,
  bytes: (): never => void new Uint8Array(-1) as never,
  offset: (): never => void Buffer.alloc(2).readUInt32LE(0) as never,
  view: (): never => void new DataView(new ArrayBuffer(1)).getFloat64(0) as never,
  count: (): never => void 'x'.repeat(-1) as never,
  text: (): never => void 'x'.repeat(2 ** 30) as never,
  type: (): never => (undefined as never as { missing: { member: never } }).missing.member,
}

let server: HttpServer
let releaseSlow: () => void = () => {}
let sawGone = false
const logged: LogFields[] = []

before(async () => {
  const routes = new Routes(() => ({ actions: [], names: [] }))
  routes.add(['GET', 'POST'], '/echo', (request) => {
    const body = request.json()
    const big = request.query.boolean('big', false)
    return () => ({ status: 200, body: { got: body ?? null, ...(big ? { filler: 'x'.repeat(5000) } : {}) } })
  })
  routes.add(['GET', 'HEAD'], '/thing', () => () => ({ status: 200, body: { here: true }, warnings: ['old "habit"'] }))
  routes.add('GET', '/crash', () => () => {
    throw new TypeError('a bug')
  })
  for (const [name, fault] of Object.entries(FAULTS)) routes.add('GET', `/faults/${name}`, () => fault)
  routes.add('GET', '/deep', () => () => nestedByClient(FAULTS.recursion))
  routes.add(
    'GET',
    '/long',
    () => () => sizedByClient(() => ({ status: 200, text: 'x'.repeat(2 ** 29).concat('y'.repeat(2 ** 29)) })),
  )
  routes.add('GET', '/refuse', () => () => {
    throw new ApiError(409, 'version_conflict_engine_exception', 'no')
  })
  routes.add(
    'GET',
    '/slow',
    (request) => () =>
      new Promise((resolve) => {
        request.signal.addEventListener('abort', () => (sawGone = true))
        releaseSlow = () => resolve({ status: 200, body: { slow: true } })
      }),
  )
  server = startServer(routes)
  url = (await server.listen()).url
})

after(() => server.stop())

function startServer(routes: Routes, host = '127.0.0.1'): HttpServer {
  const log = { ...silentLog, error: (_: string, fields: LogFields = {}) => void logged.push(fields) }
  const dispatcher = new Dispatcher(routes, { strictMediaTypes: false, log, warningAgent: 'Test-1' })
  return new HttpServer(dispatcher, {
    host,
    port: 0,
    maxContentBytes: 20_000,
    inFlight: new Breaker({ name: 'inflight_requests', limitBytes: 40_000, overhead: 1, durability: 'TRANSIENT' }),
    allowedHosts: ['service.example'],
    log: silentLog,
  })
}

const json = { 'content-type': 'application/json' }

test('every response has the product header, a type and a length', async () => {
  const answer = await fetch(`${url}/echo`, {
    method: 'POST',
    headers: { ...json, 'x-opaque-id': 'me' },
    body: '{"a":1}',
  })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('x-elastic-product'), 'Elasticsearch')
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(answer.headers.get('x-opaque-id'), 'me')
  assert.equal(await answer.text(), '{"got":{"a":1}}')
})

test('an invalid request is rejected before its work runs', async () => {
  for (const [path, init, status, text] of [
    ['/nope/a/b/c', {}, 400, 'no handler found for uri [/nope/a/b/c] and method [GET]'],
    [
      '/echo?x=1',
      { method: 'PUT' },
      405,
      'Incorrect HTTP method for uri [/echo?x=1] and method [PUT], allowed: [GET, POST]',
    ],
    ['/echo?bigg=1', {}, 400, 'request [/echo] contains unrecognized parameter: [bigg] -> did you mean [big]?'],
    ['/thing', { method: 'HEAD' }, 200, ''],
    [
      '/echo',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
      406,
      'Content-Type header [text/plain] is not supported',
    ],
    ['/echo', { method: 'POST', headers: json, body: '{"a":' }, 400, 'Unexpected end of file'],
    ['/%zz', {}, 400, "invalid escape sequence `%zz' at index 1 of: /%zz"],
    ['/refuse', {}, 409, 'version_conflict_engine_exception'],
  ] as const) {
    const answer = await fetch(`${url}${path}`, init)
    assert.equal(answer.status, status, path)
    assert.equal(answer.headers.get('x-elastic-product'), 'Elasticsearch')
    assert.ok((await answer.text()).includes(text), path)
  }
})

test('a body is rejected where none is accepted', async () => {
  const status = await send('GET', '/thing', json, '{"a":1}')
  assert.deepEqual(
    [status.status, status.text.includes('request [GET /thing] does not support having a body')],
    [400, true],
  )
})

test('a bug in a handler is a 500 with the id of its log line, and the server keeps running', async () => {
  const answer = await fetch(`${url}/crash?error_trace=true`)
  assert.equal(answer.status, 500)
  const { error } = (await answer.json()) as { error: { reason: string; stack_trace: string } }
  assert.equal(error.reason, 'a bug')
  assert.match(error.stack_trace, /a bug/)
  assert.equal((await fetch(`${url}/thing`)).status, 200)
  const [line] = logged
  assert.equal(answer.headers.get('x-request-id'), line!['request_id'])
  const chosen = await fetch(`${url}/crash`, { headers: { 'x-request-id': 'mine' } })
  assert.equal(chosen.headers.get('x-request-id'), 'mine')
})

test('an overflow is an error of the client only where its input may overflow', async () => {
  logged.length = 0
  for (const name of Object.keys(FAULTS)) {
    for (let i = 0; i < 9; i++) {
      const answer = await fetch(`${url}/faults/${name}`)
      const { error } = (await answer.json()) as { error: { type: string; root_cause: { type: string }[] } }
      assert.deepEqual([answer.status, error.type], [500, 'illegal_state_exception'], name)
      assert.equal(error.root_cause[0]!.type, 'illegal_state_exception')
    }
  }
  const stacks = logged.map((line) => (line['error'] as Error).stack!)
  assert.equal(stacks.length, Object.keys(FAULTS).length, 'each fault is logged once')
  for (const stack of stacks) assert.match(stack, /\n\s+at /)
  logged.length = 0
  for (const [path, reason] of [
    ['/deep', 'The request is nested too deeply'],
    ['/long', 'The request asks for a text or a list that is too large'],
  ] as const) {
    const answer = await fetch(`${url}${path}`)
    const { error } = (await answer.json()) as { error: { type: string; reason: string } }
    assert.deepEqual([answer.status, error.type, error.reason], [400, 'illegal_argument_exception', reason])
  }
  assert.deepEqual(logged, [])
})

test('OPTIONS lists the methods of a path, and warnings are sent as a header', async () => {
  const options = await fetch(`${url}/thing`, { method: 'OPTIONS' })
  assert.deepEqual([options.status, options.headers.get('allow'), await options.text()], [200, 'GET,HEAD', ''])
  const answer = await fetch(`${url}/thing`)
  assert.equal(answer.headers.get('warning'), '299 Test-1 "old \\"habit\\""')
})

test('request and response bodies may be gzip, and a body that is not gzip in spite of its header is rejected', async () => {
  const answer = await send(
    'POST',
    '/echo?big=true',
    { ...json, 'content-encoding': 'gzip', 'accept-encoding': 'gzip' },
    gzipSync('{"a":"é"}'),
  )
  assert.equal(answer.headers['content-encoding'], 'gzip')
  assert.equal(JSON.parse(gunzipSync(answer.bytes).toString()).got.a, 'é')
  const broken = await send('POST', '/echo', { ...json, 'content-encoding': 'gzip' }, 'no gzip')
  assert.equal(broken.status, 400)
})

test('a body over the limit is a 413, whether plain, chunked or compressed', async () => {
  const large = JSON.stringify({ a: 'x'.repeat(30_000) })
  for (const [headers, body] of [
    [json, large],
    [{ ...json, 'transfer-encoding': 'chunked' }, large],
    [{ ...json, 'content-encoding': 'gzip' }, gzipSync(large)],
  ] as const) {
    const answer = await send('POST', '/echo', headers, body)
    assert.deepEqual([answer.status, answer.text, answer.headers.connection], [413, '', 'close'])
  }
})

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length

test('a refused compressed body leaves no timer behind, because it was read to its end', async () => {
  const before = timers()
  const body = gzipSync(JSON.stringify({ a: 'x'.repeat(30_000) }))
  const answer = await send('POST', '/echo', { ...json, 'content-encoding': 'gzip' }, body)
  assert.equal(answer.status, 413)
  assert.ok(timers() <= before)
})

test('requests whose bodies together exceed the limit get 429', async () => {
  // Three open requests have sent most of their bodies, together more than the limit.
  const { port } = new URL(url)
  const head =
    'POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 19000\r\n\r\n'
  const before = timers()
  const sockets = [0, 1, 2].map(() => connect(Number(port), '127.0.0.1'))
  const answers = sockets.map((socket) => {
    socket.write(`${head}"${'x'.repeat(18_000)}`)
    return new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (chunk) => resolve((text += chunk)))
      socket.on('close', () => resolve(text))
    })
  })
  const refused = await Promise.race(answers)
  assert.match(refused, /^HTTP\/1\.1 429 /)
  assert.match(refused, /circuit_breaking_exception/)
  for (const socket of sockets) socket.destroy()
  // Their bytes are released when they end.
  const later = async () => (await send('POST', '/echo', json, JSON.stringify('x'.repeat(15_000)))).status
  while ((await later()) !== 200) await new Promise((resolve) => setTimeout(resolve, 5))
  // The timer of the refused body ends with its connection.
  assert.ok(timers() <= before)
})

test('bytes that are not HTTP are answered with 400', async () => {
  const { port } = new URL(url)
  for (const bytes of [
    'NONSENSE\r\n\r\n',
    `GET / HTTP/1.1\r\nhost: localhost\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`,
  ]) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(bytes)
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    await once(socket, 'close')
    assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\nX-elastic-product: Elasticsearch/)
  }
})

test('a disconnected client aborts its request', async () => {
  const controller = new AbortController()
  const answer = fetch(`${url}/slow`, { signal: controller.signal })
  await until(() => releaseSlow !== undefined)
  setTimeout(() => controller.abort(), 20)
  await assert.rejects(answer)
  await until(() => sawGone)
  releaseSlow()
})

test('pages of this machine may read responses, other pages may not', async () => {
  const own = await fetch(`${url}/thing`, { headers: { origin: 'http://localhost:3000' } })
  assert.equal(own.headers.get('access-control-allow-origin'), 'http://localhost:3000')
  assert.equal(own.headers.get('access-control-expose-headers'), 'X-elastic-product')
  const foreign = await fetch(`${url}/thing`, { headers: { origin: 'http://localhost.evil.example' } })
  assert.equal(foreign.headers.get('access-control-allow-origin'), null)
  const preflight = await send('OPTIONS', '/echo', {
    origin: 'http://127.0.0.1:8080',
    'access-control-request-method': 'PUT',
  })
  assert.equal(preflight.status, 200)
  assert.match(String(preflight.headers['access-control-allow-methods']), /PUT/)
})

test('a page from elsewhere cannot change anything', async () => {
  const foreign = { origin: 'https://elsewhere.example' }
  assert.equal((await send('POST', '/echo', { ...foreign, ...json }, '{}')).status, 403)
  assert.equal((await send('GET', '/thing', foreign)).status, 200)
})

test('a page without an origin of its own, such as a sandboxed frame, cannot change anything', async () => {
  const foreign = ['null', 'NULL', 'http://', 'https://localhost.evil.example', 'file://', 'blob:https://evil.example']
  for (const origin of foreign) {
    const { status, text } = await send('POST', '/echo', { origin, ...json }, '{}')
    assert.equal(status, 403, origin)
    assert.match(text, /"type":"security_exception","reason":"a page from/, origin)
  }
  const own = await send('POST', '/echo', { origin: 'http://localhost:3000', ...json }, '{}')
  assert.equal(own.status, 200)
})

test('a foreign host name is rejected with a message that says what to do', async () => {
  const { status, text } = await send('GET', '/thing', { host: 'rebound.example:9200' })
  assert.equal(status, 403)
  const { error } = JSON.parse(text)
  assert.equal(error.type, 'security_exception')
  assert.match(
    error.reason,
    /does not answer to the name \[rebound\.example:9200\].*--http-allowed-hosts rebound\.example /,
  )
  for (const host of ['localhost', '127.0.0.1:1', '[::1]:9200', 'service.example']) {
    assert.equal((await send('GET', '/thing', { host })).status, 200, host)
  }
})

test('the server binds only to loopback addresses', async () => {
  await assert.rejects(
    startServer(new Routes(() => ({ actions: [], names: [] })), '0.0.0.0').listen(),
    NotLoopbackError,
  )
})

test('stopping the server waits for running requests', async () => {
  const routes = new Routes(() => ({ actions: [], names: [] }))
  let started: () => void = () => {}
  const running = new Promise<void>((resolve) => (started = resolve))
  let finish: () => void = () => {}
  routes.add('GET', '/wait', () => () => {
    started()
    return new Promise((resolve) => (finish = () => resolve({ status: 200, body: { done: true } })))
  })
  const other = startServer(routes)
  const { url: otherUrl } = await other.listen()
  const answer = fetch(`${otherUrl}/wait`)
  await running
  const stopped = other.stop()
  finish()
  assert.deepEqual(await (await answer).json(), { done: true })
  await stopped
  await assert.rejects(fetch(`${otherUrl}/wait`))
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Sends requests that `fetch` refuses to send. */
function send(method: string, path: string, headers: Record<string, string>, body?: string | Uint8Array) {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer; text: string }>(
    (resolve, reject) => {
      const request = httpRequest(`${url}${path}`, { method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
        })
      })
      request.on('error', reject)
      if (body !== undefined && headers['transfer-encoding'] === undefined) {
        request.setHeader('content-length', Buffer.byteLength(body))
      }
      request.end(body)
    },
  )
}
