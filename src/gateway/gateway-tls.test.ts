/** Requests and answers through TLS on both sides of a gateway: bytes of every length and encoding arrive as they were sent. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { silentLog } from '../base/log.ts'
import { SearchServer, type SearchServerOptions } from '../server/search-server.ts'
import { connectCluster } from './open-gateway.ts'

const SERVICE = { threads: 0, maxContentBytes: 1 << 24, strictMediaTypes: false, errorHelp: false, log: silentLog }
/** Bodies up to this length are written as one text with their headers. */
const JOINED_BYTES = 14 * 1024
/** Around the limit of joined writes, of TLS records and of socket buffers. */
const LENGTHS = [1, 100, JOINED_BYTES - 400, JOINED_BYTES - 1, JOINED_BYTES, JOINED_BYTES + 1, 16_384, 70_000, 900_000]

let folder: string
let cluster: SearchServer
let gateway: SearchServer
let agent: Agent

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-gateway-tls-'))
  const open = (options: Partial<SearchServerOptions>) =>
    SearchServer.open({ ...SERVICE, listen: { host: '127.0.0.1', port: 0 }, tls: 'auto', ...options })
  cluster = await open({ dataFolder: join(folder, 'cluster') })
  const authority = (name: string) => readFileSync(join(folder, name, 'certs', 'http_ca.crt'), 'utf8')
  const connected = await connectCluster({
    urls: [new URL(cluster.url!)],
    passesCredentials: false,
    sniffs: false,
    partialPages: false,
    log: silentLog,
    ca: authority('cluster'),
  })
  gateway = await open({
    gateway: (shadow) => connected.gateway(shadow),
    sideFolder: join(folder, 'gateway'),
  })
  agent = new Agent({ ca: [authority('cluster'), authority('gateway')], keepAlive: true, maxSockets: 2 })
})

after(async () => {
  agent.destroy()
  await gateway.stop()
  await cluster.stop()
  rmSync(folder, { recursive: true })
})

interface Received {
  readonly status: number
  readonly body: Buffer
}

function send(
  server: SearchServer,
  method: string,
  path: string,
  body: Buffer | string = '',
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, { method, agent, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve({ status: answer.statusCode!, body: Buffer.concat(chunks) }))
      answer.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** A document with characters of one to four bytes, whose JSON has this many bytes. */
function documentOf(length: number): Buffer {
  const text = 'aé€😀"\\\n'
  const bytes = Buffer.from(JSON.stringify({ t: text.repeat(Math.ceil(length / 16)) }))
  const cut = bytes
    .subarray(0, Math.max(20, length))
    .toString('utf8')
    .replace(/\uFFFD?[\\"]*$/, '')
  return Buffer.from(`${cut.slice(0, cut.lastIndexOf('a') + 1)}"}`)
}

test('documents of every length are written and read through TLS byte for byte', async () => {
  assert.match(gateway.url!, /^https:/)
  for (const [i, length] of LENGTHS.entries()) {
    const document = documentOf(length)
    JSON.parse(document.toString())
    const written = await send(gateway, 'PUT', `/birds/_doc/${i}?refresh=true`, document)
    assert.equal(written.status, 201, written.body.toString())
    const source = await send(gateway, 'GET', `/birds/_source/${i}`)
    assert.ok(source.body.equals(document), `document of ${length} bytes`)
    for (const path of [`/birds/_doc/${i}`, `/birds/_search?q=_id:${i}&filter_path=hits`]) {
      const [through, direct] = [await send(gateway, 'GET', path), await send(cluster, 'GET', path)]
      assert.equal(through.status, 200)
      assert.ok(through.body.equals(direct.body), `${path} of ${length} bytes`)
    }
  }
})

test('compressed and binary answers pass TLS, and requests at the same time keep their answers', async () => {
  const search = '/birds/_search?filter_path=hits&size=20'
  const plain = await send(cluster, 'GET', search)
  const zipped = await send(gateway, 'GET', search, '', { 'accept-encoding': 'gzip' })
  assert.ok(gunzipSync(zipped.body).equals(plain.body))
  const small = '/birds/_search?filter_path=hits.hits._id'
  for (const accept of ['application/cbor', 'application/smile', 'application/yaml']) {
    const [through, direct] = [
      await send(gateway, 'GET', small, '', { accept }),
      await send(cluster, 'GET', small, '', { accept }),
    ]
    assert.ok(through.body.length > 0 && through.body.equals(direct.body), accept)
  }
  const answers = await Promise.all(LENGTHS.map((_, i) => send(gateway, 'GET', `/birds/_source/${i}`)))
  for (const [i, length] of LENGTHS.entries()) assert.ok(answers[i]!.body.equals(documentOf(length)))
})

test('bulk requests around the limit of joined writes are complete', async () => {
  for (const [i, length] of LENGTHS.entries()) {
    const line = documentOf(length)
    const body = Buffer.concat([Buffer.from('{"index":{}}\n'), line, Buffer.from('\n')])
    const written = await send(gateway, 'POST', `/bulk-${i}/_bulk?refresh=true`, body)
    const { errors, items } = JSON.parse(written.body.toString())
    assert.equal(errors, false)
    const { body: source } = await send(gateway, 'GET', `/bulk-${i}/_source/${items[0].index._id}`)
    assert.ok(source.equals(line), `${length} bytes`)
  }
})
