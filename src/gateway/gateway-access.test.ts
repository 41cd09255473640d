/** Who may use a gateway and its cluster: TLS to the cluster, credentials of the gateway and of clients, users of its own. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { silentLog } from '../base/log.ts'
import { type GatewayParts, SearchServer, type SearchServerOptions, type ShadowParts } from '../server/search-server.ts'
import { type ClusterSettings, connectCluster } from './open-gateway.ts'

const SERVICE = { threads: 0, maxContentBytes: 1 << 24, strictMediaTypes: false, errorHelp: false, log: silentLog }
const LISTEN = { listen: { host: '127.0.0.1', port: 0 } }
const PASSWORD = 'cluster-password'
const SECURED = { bootstrapPassword: PASSWORD, scryptCost: 2 ** 10 }
const basic = (password: string) => `Basic ${Buffer.from(`elastic:${password}`).toString('base64')}`

let folder: string
let servers: SearchServer[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-gateway-'))
  servers = []
})

afterEach(async () => {
  for (const server of servers.toReversed()) await server.stop()
  rmSync(folder, { recursive: true })
})

async function start(options: Partial<SearchServerOptions>): Promise<SearchServer> {
  const server = await SearchServer.open({ ...SERVICE, ...LISTEN, ...options })
  servers.push(server)
  return server
}

async function startGateway(
  cluster: SearchServer,
  settings: Partial<ClusterSettings>,
  options: Partial<SearchServerOptions> = {},
): Promise<SearchServer> {
  const connected = await connectCluster({
    urls: [new URL(cluster.url!)],
    passesCredentials: false,
    sniffs: false,
    partialPages: false,
    log: silentLog,
    ...settings,
  })
  return start({ gateway: (shadow: ShadowParts): GatewayParts => connected.gateway(shadow), ...options })
}

function send(server: SearchServer, path: string, authorization?: string): Promise<Response> {
  return fetch(`${server.url}${path}`, authorization === undefined ? {} : { headers: { authorization } })
}

test('a gateway with credentials of its own serves clients of this machine without any', async () => {
  const cluster = await start({ security: SECURED })
  await assert.rejects(startGateway(cluster, {}), /asks for credentials \(401\)/)
  const gateway = await startGateway(cluster, { authorization: basic(PASSWORD) })
  assert.equal((await send(gateway, '/_cluster/health')).status, 200)
})

test('a gateway that passes credentials leaves authentication to the cluster', async () => {
  const cluster = await start({ security: SECURED })
  const gateway = await startGateway(cluster, { authorization: basic(PASSWORD), passesCredentials: true })
  const refused = await send(gateway, '/_cluster/health')
  assert.equal(refused.status, 401)
  assert.match(refused.headers.get('www-authenticate') ?? '', /Basic/)
  assert.equal((await send(gateway, '/_cluster/health', basic('wrong'))).status, 401)
  assert.equal((await send(gateway, '/_cluster/health', basic(PASSWORD))).status, 200)
})

test('a gateway with users of its own checks them, and does not hand their credentials on', async () => {
  const cluster = await start({ security: SECURED })
  const own = { bootstrapPassword: 'gateway-password', scryptCost: 2 ** 10 }
  const gateway = await startGateway(cluster, { authorization: basic(PASSWORD) }, { security: own, sideFolder: folder })
  assert.equal((await send(gateway, '/_cluster/health')).status, 401)
  assert.equal((await send(gateway, '/_cluster/health', basic(PASSWORD))).status, 401)
  assert.equal((await send(gateway, '/_cluster/health', basic('gateway-password'))).status, 200)
})

test('a gateway verifies the certificate of the cluster', async () => {
  const cluster = await start({ dataFolder: folder, tls: 'auto' })
  await assert.rejects(startGateway(cluster, {}), /no cluster answers at .*self-signed certificate/)
  const ca = readFileSync(join(folder, 'certs', 'http_ca.crt'), 'utf8')
  const gateway = await startGateway(cluster, { ca })
  const answer = await send(gateway, '/_cluster/health')
  assert.equal(answer.status, 200)
})

test('the status of a gateway lists its nodes, its requests and the answers it compares', async () => {
  const [cluster, other] = [await start({}), await start({})]
  for (const server of [cluster, other])
    await fetch(`${server.url}/birds/_doc/1?refresh=true`, {
      method: 'PUT',
      body: JSON.stringify({ n: server === cluster ? 1 : 2 }),
      headers: { 'content-type': 'application/json' },
    })
  const gateway = await startGateway(cluster, { compareUrls: [new URL(other.url!)] })
  await (await send(gateway, '/birds/_search')).text()
  await (await send(gateway, '/birds/_count')).text()
  const read = async () => (await (await send(gateway, '/_sandpiper/gateway')).json()) as Record<string, never>
  let shown = await read()
  for (let i = 0; i < 100 && shown['compared']!['equal'] + shown['compared']!['different'] < 2; i++)
    shown = await read()
  assert.deepEqual(shown['compared'], { equal: 1, different: 1, failed: 0, skipped: 0 })
  assert.equal(shown['requests']!['pass']!['count'], 2)
  assert.deepEqual(
    (shown['nodes']! as { url: string; alive: boolean }[]).map(({ url, alive }) => [url, alive]),
    [[cluster.url, true]],
  )
  const metrics = await (await send(gateway, '/_sandpiper/metrics')).text()
  assert.match(metrics, /^sandpiper_gateway_requests_total\{way="pass"\} 2$/m)
  assert.match(metrics, /^sandpiper_gateway_compared_total\{outcome="different"\} 1$/m)
  assert.equal((await send(gateway, '/_sandpiper/ready')).status, 200)
  assert.equal((await send(cluster, '/_sandpiper/gateway')).status, 404)
})
