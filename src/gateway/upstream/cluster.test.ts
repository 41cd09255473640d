/** Nodes that fail in different ways, as servers in this process. */
import assert from 'node:assert/strict'
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import type { ApiError } from '../../base/api-error.ts'
import { silentLog } from '../../base/log.ts'
import { ClientPresence } from '../../http/client/client-presence.ts'
import { Cluster, type Limits } from './cluster.ts'
import { ResponseReader } from './response-reader.ts'
import { publishedUrls, Sniffer } from './sniffer.ts'
import { ClientGone } from './upstream-errors.ts'

const NOTHING = Buffer.alloc(0)
const READ = { method: 'GET', uri: '/i/_doc/1', headers: {}, body: NOTHING }
const WRITE = { method: 'PUT', uri: '/i/_doc/1', headers: {}, body: Buffer.from('{}') }

async function listen<S extends Server | HttpServer>(server: S): Promise<{ server: S; url: URL; close(): void }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { server, url: new URL(`http://127.0.0.1:${port}`), close: () => server.close() }
}

const httpNode = (answer: (request: IncomingMessage, response: ServerResponse) => void) => listen(createServer(answer))
const healthy = (name: string) => httpNode((_, response) => response.end(name))
/** Accepts connections and calls `treat` with each socket. */
const rawNode = (treat: (socket: Socket) => void) =>
  listen(
    createRawServer((socket) => {
      socket.on('error', () => {})
      treat(socket)
    }),
  )

/** An address at which nobody listens. */
async function deadUrl(): Promise<URL> {
  const { url, server } = await rawNode(() => {})
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return url
}

function clusterOf(urls: readonly URL[], limits: Partial<Limits> = {}): Cluster {
  return new Cluster({ urls, connection: { connectMs: 300 }, ownHeaders: {}, limits, log: silentLog })
}

test('a request to a node that refuses connections goes to the next node, writes too', async () => {
  const alive = await healthy('alive')
  const cluster = clusterOf([await deadUrl(), alive.url])
  try {
    for (const request of [WRITE, READ, WRITE])
      assert.equal((await cluster.send(request, request === READ)).body.toString(), 'alive')
    assert.deepEqual(
      cluster.nodes.map(({ isAlive }) => isAlive),
      [false, true],
    )
  } finally {
    cluster.close()
    alive.close()
  }
})

test('a connection that a node closes while it is idle fails no read and does not make the node rest', async () => {
  let connections = 0
  // Answers the first request of each connection and hangs up on the second.
  const only = await rawNode((socket) => {
    connections++
    let requests = 0
    socket.on('data', () => {
      if (requests++ > 0) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nonly')
    })
  })
  const cluster = clusterOf([only.url])
  try {
    for (let i = 0; i < 3; i++) assert.equal((await cluster.send(READ, true)).body.toString(), 'only')
    assert.equal(connections, 3)
    await assert.rejects(cluster.send(WRITE, false), /the write may have happened/)
    assert.equal(cluster.nodes[0]!.isAlive, true)
    assert.equal((await cluster.send(WRITE, false)).body.toString(), 'only')
  } finally {
    cluster.close()
    only.close()
  }
})

test('a read whose node hangs up goes to another node, and a write is answered 502 and sent once', async () => {
  let received = 0
  const breaking = await rawNode((socket) => {
    socket.once('data', () => {
      received++
      socket.destroy()
    })
  })
  const alive = await healthy('alive')
  const forRead = clusterOf([breaking.url, alive.url])
  const forWrite = clusterOf([breaking.url, alive.url])
  try {
    assert.equal((await forRead.send(READ, true)).body.toString(), 'alive')
    await assert.rejects(forWrite.send(WRITE, false), (error: ApiError) => {
      assert.equal(error.status, 502)
      assert.match(error.message, /the write may have happened/)
      return true
    })
    assert.equal(received, 2)
    // The node that broke rests, so that the next write succeeds.
    assert.equal((await forWrite.send(WRITE, false)).body.toString(), 'alive')
  } finally {
    forRead.close()
    forWrite.close()
    breaking.close()
    alive.close()
  }
})

test('a read that one node answers with 503 goes to another one, and too many buckets do not', async () => {
  let body = '{"error":{"type":"cluster_block_exception"}}'
  const sick = await httpNode((_, response) => {
    response.statusCode = 503
    response.end(body)
  })
  const alive = await healthy('alive')
  const cluster = clusterOf([sick.url, alive.url])
  const other = clusterOf([sick.url, alive.url])
  try {
    assert.equal((await cluster.send(READ, true)).status, 200)
    body = '{"error":{"type":"too_many_buckets_exception"}}'
    assert.equal((await other.send(READ, true)).status, 503)
  } finally {
    cluster.close()
    other.close()
    sick.close()
    alive.close()
  }
})

test('a search that lost a shard with a node is sent again, at most three times, and not for a client that left', async () => {
  const failure = { shard: 0, index: 'i', reason: { type: 'node_disconnected_exception', reason: 'disconnected' } }
  const lost = JSON.stringify({ _shards: { total: 2, successful: 1, failed: 1, failures: [failure] } })
  let received = 0
  const losing = await httpNode((_, response) => {
    received++
    response.end(lost)
  })
  const alive = await healthy('{"_shards":{"total":2,"successful":2,"failed":0}}')
  const search = { ...READ, uri: '/i/_search' }
  const both = clusterOf([losing.url, alive.url])
  const only = clusterOf([losing.url])
  try {
    assert.match((await both.send(search, true)).body.toString(), /"failed":0/)
    assert.equal(received, 1)
    assert.match((await only.send(search, true)).body.toString(), /"failed":1/)
    assert.equal(received, 5)
    const client = new ClientPresence()
    const left = assert.rejects(only.send({ ...search, client }, true), ClientGone)
    client.leave()
    await left
    assert.match((await only.send(search, false)).body.toString(), /"failed":1/)
  } finally {
    both.close()
    only.close()
    losing.close()
    alive.close()
  }
})

test('without a living node requests fail at once with 503, and the node is used again when it is back', async () => {
  const first = await healthy('back')
  const { port } = first.url
  await new Promise<void>((resolve) => first.server.close(() => resolve()))
  const cluster = clusterOf([first.url])
  try {
    await assert.rejects(cluster.send(READ, true), (error: ApiError) => error.status === 503)
    assert.ok(cluster.goneSinceMs !== undefined)
    const again = createServer((_, response) => response.end('back'))
    await new Promise<void>((resolve) => again.listen(Number(port), '127.0.0.1', resolve))
    while (!cluster.nodes[0]!.isAlive) await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal((await cluster.send(READ, true)).body.toString(), 'back')
    assert.equal(cluster.goneSinceMs, undefined)
    again.close()
    again.closeAllConnections()
  } finally {
    cluster.close()
  }
})

test('a request of a client that disconnects is closed at the node', async () => {
  const client = new AbortController()
  let closed: () => void = () => {}
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  const slow = await rawNode((socket) => {
    socket.on('close', closed)
    socket.once('data', () => client.abort())
  })
  const cluster = clusterOf([slow.url])
  try {
    await assert.rejects(cluster.send({ ...READ, client: ClientPresence.of(client.signal) }, true), ClientGone)
    await isClosed
    assert.equal(cluster.nodes[0]!.isAlive, true, 'the node is not to blame')
  } finally {
    cluster.close()
    slow.close()
  }
})

test('a client that left before its request was sent leaves the connection to others', async () => {
  const alive = await healthy('alive')
  const cluster = clusterOf([alive.url])
  try {
    await assert.rejects(cluster.send({ ...READ, client: ClientPresence.of(AbortSignal.abort()) }, true), ClientGone)
    assert.equal((await cluster.send(READ, true)).body.toString(), 'alive')
  } finally {
    cluster.close()
    alive.close()
  }
})

test('more requests than the limits allow wait, and then are rejected with 429', async () => {
  const waiting: ServerResponse[] = []
  const slow = await httpNode((_, response) => void waiting.push(response))
  const cluster = clusterOf([slow.url], { perNode: 1, waiting: 1, bytes: 10 })
  try {
    const first = cluster.send(READ, true)
    const second = cluster.send(READ, true)
    await assert.rejects(cluster.send(READ, true), (error: ApiError) => error.status === 429)
    while (waiting.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
    waiting.pop()!.end('one')
    await first
    while (waiting.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
    waiting.pop()!.end('two')
    assert.equal((await second).body.toString(), 'two')
  } finally {
    cluster.close()
    slow.close()
  }
})

test('a waiting request whose client has left gives its place to the next one', async () => {
  const waiting: ServerResponse[] = []
  const slow = await httpNode((_, response) => void waiting.push(response))
  const cluster = clusterOf([slow.url], { perNode: 1 })
  try {
    const first = cluster.send(READ, true)
    const client = new ClientPresence()
    const left = assert.rejects(cluster.send({ ...READ, client }, true), ClientGone)
    const last = cluster.send(READ, true)
    client.leave()
    while (waiting.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
    waiting.pop()!.end('one')
    await Promise.all([first, left])
    while (waiting.length < 1) await new Promise((resolve) => setTimeout(resolve, 5))
    waiting.pop()!.end('two')
    assert.equal((await last).body.toString(), 'two')
  } finally {
    cluster.close()
    slow.close()
  }
})

test('sniffing uses the nodes that the cluster names and that answer', async () => {
  const other = await healthy('other')
  const gone = await deadUrl()
  const named = [other.url, gone].map((url, i) => [`n${i}`, { http: { publish_address: url.host } }] as const)
  const first = await httpNode((request, response) =>
    response.end(request.url === '/_nodes/http' ? JSON.stringify({ nodes: Object.fromEntries(named) }) : 'first'),
  )
  const cluster = clusterOf([first.url])
  try {
    await new Sniffer(cluster, [first.url], silentLog).sniff()
    assert.deepEqual(
      cluster.nodes.map(({ url }) => url),
      [other.url.origin],
    )
    assert.equal((await cluster.send(READ, true)).body.toString(), 'other')
    // One that cannot tell leaves the list as it is.
    await assert.rejects(new Sniffer(cluster, [first.url], silentLog).sniff(), SyntaxError)
    assert.equal(cluster.nodes.length, 1)
  } finally {
    cluster.close()
    first.close()
    other.close()
  }
})

test('a response in chunks, in any pieces, is read completely', () => {
  const text =
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nwarning: a\r\nwarning: b\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n'
  for (let size = 1; size <= text.length; size++) {
    const reader = new ResponseReader(false)
    let isComplete = false
    for (let at = 0; at < text.length; at += size) {
      const piece = Buffer.from(text.slice(at, at + size))
      isComplete = reader.add(piece)
      piece.fill(255)
    }
    assert.equal(isComplete, true, `pieces of ${size}`)
    assert.equal(reader.answer().body.toString(), 'hello world')
    assert.deepEqual(reader.answer().headers['warning'], ['a', 'b'])
  }
})

test('a response of known length, in any pieces of one buffer that is used again, is read completely', () => {
  const received = Buffer.alloc(400_000)
  for (const length of [0, 700, 90_000, 300_000]) {
    const body = Buffer.from(Array.from({ length }, (_, i) => i % 251))
    const bytes = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`), body])
    for (const size of [20, 5_000, 65_536, bytes.length]) {
      const reader = new ResponseReader(false)
      const ends: boolean[] = []
      for (let at = 0; at < bytes.length; at += size) {
        const piece = received.subarray(0, bytes.copy(received, 0, at, Math.min(bytes.length, at + size)))
        ends.push(reader.add(piece))
        piece.fill(255)
      }
      assert.equal(ends.indexOf(true), ends.length - 1, `${length} in pieces of ${size}`)
      assert.ok(reader.answer().body.equals(body), `${length} in pieces of ${size}`)
      assert.ok(reader.canKeepAlive)
    }
  }
  const more = new ResponseReader(false)
  assert.ok(more.add(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcHTTP')))
  assert.equal(more.answer().body.toString(), 'abc')
  assert.equal(more.canKeepAlive, false)
})

test('a response without a length ends with the connection, and one to HEAD has no body', () => {
  const open = new ResponseReader(false)
  assert.equal(open.add(Buffer.from('HTTP/1.1 200 OK\r\n\r\nabc')), false)
  assert.equal(open.end(), true)
  assert.equal(open.answer().body.toString(), 'abc')
  const head = new ResponseReader(true)
  assert.equal(head.add(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n')), true)
  const cut = new ResponseReader(false)
  cut.add(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'))
  assert.equal(cut.end(), false)
})

test('published addresses become URLs, without nodes that only manage the cluster', () => {
  const nodes = {
    a: { roles: ['data'], http: { publish_address: '10.0.0.1:9200' } },
    b: { http: { publish_address: 'node-b/10.0.0.2:9201' } },
    c: { roles: ['cluster_manager'], http: { publish_address: '10.0.0.3:9200' } },
    d: { http: { publish_address: '[::1]:9200' } },
  }
  const urls = publishedUrls({ nodes }, new URL('https://x:9200'))
  assert.deepEqual(urls.map(String), ['https://10.0.0.1:9200/', 'https://node-b:9201/', 'https://[::1]:9200/'])
})
