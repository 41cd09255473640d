/**
 * Goal: client certificates are asked for and verified as configured, and stand for users whose roles come from role mappings.
 * Method: authorities and certificates of the test, real TLS handshakes, and a node for each way of asking.
 */
import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createLog } from '../../src/base/log.ts'
import { openAccounts } from '../../src/cli/accounts/accounts.ts'
import { TransferClient } from '../../src/cli/transfer/transfer-client.ts'
import { Connection } from '../../src/gateway/upstream/connection.ts'
import {
  type CertificateWithKey,
  createAuthority,
  createClientCertificate,
  createServerCertificate,
} from '../../src/security/tls/certificate.ts'
import { SearchServer } from '../../src/server/search-server.ts'
import { TEST_SCRYPT_COST } from './secured-node.ts'

const CHECK_MS = 20
const DAY_MS = 86_400_000
const COMMON_NAME = '2.5.4.3'
const UNIT = '2.5.4.11'
const ORGANIZATION = '2.5.4.10'

function issuerOf(name: string) {
  const authority = createAuthority(name, Date.now())
  return { ...authority, privateKey: createPrivateKey(authority.key) }
}

const servers = issuerOf('Servers CA')
const people = issuerOf('People CA')
const strangers = issuerOf('Strangers CA')
const ann = createClientCertificate(
  people,
  [
    [ORGANIZATION, 'Example'],
    [UNIT, 'Search'],
    [COMMON_NAME, 'ann'],
  ],
  Date.now(),
)
const bob = createClientCertificate(people, 'bob', Date.now())

let folder: string
const opened: SearchServer[] = []
const lines: string[] = []
const log = createLog('info', { write: (line) => lines.push(line) })

const path = (name: string) => join(folder, name)
const write = (name: string, text: string) => writeFileSync(path(name), text)

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-client-certificates-'))
  const own = createServerCertificate(servers, ['localhost', '127.0.0.1'], Date.now())
  write('node.crt', own.certificate)
  write('node.key', own.key)
  write('ca.crt', servers.certificate)
  write('people.crt', people.certificate)
})

after(async () => {
  for (const server of opened) await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function open(mode: 'optional' | 'required' | undefined, change: object = {}): Promise<SearchServer> {
  const server = await SearchServer.open({
    threads: 0,
    maxContentBytes: 1_000_000,
    strictMediaTypes: false,
    log,
    listen: { host: '127.0.0.1', port: 0 },
    security: { bootstrapPassword: 'admin-password', scryptCost: TEST_SCRYPT_COST },
    tls: { cert: path('node.crt'), key: path('node.key'), ca: path('ca.crt') },
    clientAuthentication: mode && { mode, ca: path('people.crt') },
    certificateCheckMs: CHECK_MS,
    ...change,
  })
  opened.push(server)
  return server
}

const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
const ELASTIC = basic('elastic', 'admin-password')

interface Sent {
  readonly certificate?: CertificateWithKey | undefined
  readonly authorization?: string
  readonly method?: string
  readonly body?: unknown
  readonly runAs?: string
  readonly agent?: Agent
  /** The authority of the server. */
  readonly ca?: string
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests, whatever their shape
type Reply = { status: number; body: any; connection: string | undefined }

function send(server: SearchServer, target: string, sent: Sent = {}): Promise<Reply> {
  const { certificate, authorization, method = 'GET', body, runAs, agent, ca = servers.certificate } = sent
  const headers = {
    ...(authorization === undefined ? {} : { authorization }),
    ...(runAs === undefined ? {} : { 'es-security-runas-user': runAs }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const secrets = certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }
  const options = { method, headers, ca, agent: agent ?? false, ...secrets }
  return new Promise((resolve, reject) => {
    const sending = request(new URL(target, server.url), options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const { connection } = response.headers
        resolve({ status: response.statusCode!, body: text === '' ? {} : JSON.parse(text), connection })
      })
    })
    sending.on('error', reject)
    sending.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function admin(server: SearchServer, method: string, target: string, body?: unknown): Promise<Reply> {
  const reply = await send(server, target, { authorization: ELASTIC, certificate: bob, method, body })
  assert.ok(reply.status < 300, JSON.stringify(reply.body))
  return reply
}

const whoami = (server: SearchServer, sent: Sent) => send(server, '/_security/_authenticate', sent)

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS))
  }
  assert.fail('the condition did not become true')
}

const refusals = () => lines.filter((line) => line.includes('refused a connection by its client certificate'))

test('a node that requires certificates accepts those of its authority and refuses all other connections', async () => {
  const server = await open('required')
  assert.equal((await whoami(server, { certificate: ann, authorization: ELASTIC })).status, 200)
  await assert.rejects(whoami(server, { authorization: ELASTIC }))
  await until(() => refusals().some((line) => line.includes('no certificate')))
  const expired = createClientCertificate(people, 'ann', Date.now() - 3 * DAY_MS, 1)
  const ofServer = createServerCertificate(people, ['ann'], Date.now())
  for (const certificate of [createClientCertificate(strangers, 'ann', Date.now()), expired, ofServer]) {
    await assert.rejects(whoami(server, { certificate, authorization: ELASTIC }))
  }
  for (const line of refusals()) assert.doesNotMatch(line, /PRIVATE|CERTIFICATE-/)
})

test('a node that offers certificates serves clients without one, and refuses invalid ones', async () => {
  const server = await open('optional')
  assert.equal((await whoami(server, { authorization: ELASTIC })).body.username, 'elastic')
  const { status, body } = await whoami(server, {})
  assert.equal(status, 401)
  assert.equal(body.error.reason, 'missing authentication credentials for REST request [/_security/_authenticate]')
  const stranger = createClientCertificate(strangers, 'ann', Date.now())
  await assert.rejects(whoami(server, { certificate: stranger, authorization: ELASTIC }))
})

test('a node that does not ask for certificates ignores them', async () => {
  const server = await open(undefined)
  assert.equal((await whoami(server, { certificate: ann })).status, 401)
  assert.equal((await whoami(server, { certificate: ann, authorization: ELASTIC })).status, 200)
})

test('a certificate is a user of the realm pki, with the roles of the mappings that match', async () => {
  const server = await open('optional')
  const unmapped = await whoami(server, { certificate: ann })
  assert.deepEqual(unmapped.body, {
    username: 'ann',
    roles: [],
    full_name: null,
    email: null,
    metadata: { pki_dn: 'CN=ann, OU=Search, O=Example' },
    enabled: true,
    authentication_realm: { name: 'pki', type: 'pki' },
    lookup_realm: { name: 'pki', type: 'pki' },
    authentication_type: 'realm',
  })
  const refused = await send(server, '/', { certificate: ann })
  assert.equal(refused.status, 403)
  assert.match(
    refused.body.error.reason,
    /^action \[cluster:monitor\/main\] is unauthorized for user \[ann\] with effective roles \[\],/,
  )
  await admin(server, 'PUT', '/_security/role_mapping/search', {
    roles: ['monitoring'],
    rules: { all: [{ field: { dn: '*,ou=search,o=example' } }, { field: { 'realm.name': 'pki' } }] },
  })
  await admin(server, 'PUT', '/_security/role/monitoring', { cluster: ['monitor'] })
  await admin(server, 'PUT', '/_security/role_mapping/own', {
    role_templates: [{ template: { source: 'of-{{username}}' } }],
    rules: { field: { username: '*' } },
  })
  assert.deepEqual((await whoami(server, { certificate: ann })).body.roles, ['monitoring', 'of-ann'])
  assert.equal((await send(server, '/', { certificate: ann })).status, 200)
  assert.deepEqual((await whoami(server, { certificate: bob })).body.roles, ['of-bob'])
  assert.equal((await send(server, '/', { certificate: bob })).status, 403)
  const { body } = await admin(server, 'GET', '/_security/role_mapping/own')
  assert.deepEqual(body.own.role_templates, [{ template: '{"source":"of-{{username}}"}', format: 'string' }])
  await admin(server, 'DELETE', '/_security/role_mapping/search')
  assert.equal((await send(server, '/', { certificate: ann })).status, 403)
})

test('a certificate whose subject has no common name stands for nobody', async () => {
  const server = await open('optional')
  const nameless = createClientCertificate(people, [[ORGANIZATION, 'Example']], Date.now())
  assert.equal((await whoami(server, { certificate: nameless })).status, 401)
})

test('credentials of the header come before the certificate', async () => {
  const server = await open('optional')
  assert.equal((await whoami(server, { certificate: ann, authorization: ELASTIC })).body.username, 'elastic')
  const wrong = await whoami(server, { certificate: ann, authorization: basic('elastic', 'wrong-password') })
  assert.equal(wrong.status, 401)
  const key = (await admin(server, 'POST', '/_security/api_key', { name: 'key' })).body
  const withKey = await whoami(server, { certificate: ann, authorization: `ApiKey ${key.encoded}` })
  assert.equal(withKey.body.authentication_type, 'api_key')
  // As in Elasticsearch, an invalid API key or access token leaves the decision to the realms.
  for (const authorization of ['ApiKey bm9uZTpub25l', 'ApiKey ???', 'Bearer nothing', 'Negotiate x', '']) {
    assert.equal((await whoami(server, { certificate: ann, authorization })).body.username, 'ann', authorization)
  }
})

test('a user of a certificate that has the name of another user gets nothing of that user', async () => {
  const server = await open('optional')
  await admin(server, 'PUT', '/_security/user/ann', { password: 'first-password', roles: ['superuser'] })
  const { body } = await whoami(server, { certificate: ann })
  assert.deepEqual([body.roles, body.authentication_realm.type], [[], 'pki'])
  const change = { method: 'PUT', body: { password: 'second-password' } }
  for (const target of ['/_security/user/_password', '/_security/user/ann/_password']) {
    assert.equal((await send(server, target, { certificate: ann, ...change })).status, 403, target)
  }
  const elastic = createClientCertificate(people, 'elastic', Date.now())
  assert.equal((await send(server, '/_cluster/health', { certificate: elastic })).status, 403)
})

test('API keys of a user of a certificate work without the certificate and belong to the realm pki', async () => {
  const server = await open('optional')
  await admin(server, 'PUT', '/_security/role/keys', { cluster: ['manage_own_api_key', 'monitor'] })
  await admin(server, 'PUT', '/_security/role_mapping/keys', { roles: ['keys'], rules: { field: { username: 'ann' } } })
  const created = await send(server, '/_security/api_key', { certificate: ann, method: 'POST', body: { name: 'k' } })
  assert.equal(created.status, 200)
  // A native user of the same name has other keys, and being disabled or removed does not concern this one.
  await admin(server, 'PUT', '/_security/user/ann', { password: 'first-password', roles: ['keys'], enabled: false })
  const authorization = `ApiKey ${created.body.encoded}`
  assert.equal((await send(server, '/', { authorization })).status, 200)
  await admin(server, 'DELETE', '/_security/user/ann')
  assert.equal((await send(server, '/', { authorization })).status, 200)
  const own = await send(server, '/_security/api_key?owner=true', { certificate: ann })
  assert.deepEqual(
    [own.body.api_keys.length, own.body.api_keys[0].realm, own.body.api_keys[0].realm_type],
    [1, 'pki', 'pki'],
  )
})

test('a user of a certificate runs as another user if a role grants it', async () => {
  const server = await open('optional')
  await admin(server, 'PUT', '/_security/user/carl', { password: 'first-password', roles: ['monitoring_user'] })
  const denied = await whoami(server, { certificate: ann, runAs: 'carl' })
  assert.equal(denied.status, 403)
  assert.match(denied.body.error.reason, /because user \[ann\] is unauthorized to run as \[carl\]/)
  await admin(server, 'PUT', '/_security/role/acts', { run_as: ['carl'] })
  await admin(server, 'PUT', '/_security/role_mapping/acts', {
    roles: ['acts'],
    rules: { field: { dn: 'cn=ann,ou=search,o=example' } },
  })
  const { body } = await whoami(server, { certificate: ann, runAs: 'carl' })
  assert.deepEqual([body.username, body.authentication_realm.type, body.lookup_realm.type], ['carl', 'pki', 'native'])
})

test('changed authorities count for new connections, and a certificate of the former ones stands for nobody', async () => {
  write('changing.crt', people.certificate)
  const server = await open('optional', { clientAuthentication: { mode: 'optional', ca: path('changing.crt') } })
  const agent = new Agent({ keepAlive: true, maxCachedSessions: 10 })
  const reused = { certificate: ann, agent }
  assert.equal((await whoami(server, reused)).body.username, 'ann')
  write('changing.crt', 'not a certificate')
  await until(() => lines.some((line) => line.includes('changed certificates are invalid')))
  assert.equal((await whoami(server, reused)).status, 200)
  write('changing.crt', strangers.certificate)
  await until(async () => {
    try {
      return (await whoami(server, { certificate: ann })).status !== 200
    } catch {
      return true
    }
  })
  const last = await whoami(server, reused)
  assert.deepEqual([last.status, last.connection], [401, 'close'])
  // A session of before the change is not resumed.
  await assert.rejects(whoami(server, reused))
  const stranger = createClientCertificate(strangers, 'eve', Date.now())
  assert.equal((await whoami(server, { certificate: stranger })).body.username, 'eve')
  agent.destroy()
})

test('the audit log names the user and the realm of a certificate', async () => {
  const dataFolder = path('audited')
  const security = { bootstrapPassword: 'admin-password', scryptCost: TEST_SCRYPT_COST, audit: true }
  const server = await open('optional', { dataFolder, security })
  await whoami(server, { certificate: ann })
  await send(server, '/secret/_search', { certificate: ann })
  const entries = () =>
    readFileSync(join(dataFolder, 'audit', 'audit.ndjson'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  await until(() => entries().length >= 2)
  assert.deepEqual(
    entries().map((entry) => [
      entry['event.action'],
      entry['user.name'],
      entry['user.realm'],
      entry['authentication.type'],
    ]),
    [
      ['access_granted', 'ann', 'pki', 'REALM'],
      ['access_denied', 'ann', 'pki', 'REALM'],
    ],
  )
})

test('commands on the machine of a node that requires certificates reach it, and its own authority signs clients', async () => {
  const dataFolder = path('automatic')
  const clientAuthentication = { mode: 'required', ca: undefined }
  const server = await open('required', { dataFolder, tls: 'auto', clientAuthentication })
  const accounts = openAccounts(dataFolder)
  await accounts.addUser('dora', 'first-password', ['viewer'])
  assert.ok((await accounts.users()).some(({ username }) => username === 'dora'))
  await accounts.close()
  const [certificate, key] = ['http_ca.crt', 'http_ca.key'].map((name) =>
    readFileSync(join(dataFolder, 'certs', name), 'utf8'),
  ) as [string, string]
  const carl = createClientCertificate({ certificate, key, privateKey: createPrivateKey(key) }, 'carl', Date.now())
  assert.equal((await whoami(server, { certificate: carl, ca: certificate })).body.username, 'carl')
})

test('commands and the gateway present a client certificate to a service that requires one', async () => {
  const server = await open('required')
  write('ann.crt', ann.certificate)
  write('ann.key', ann.key)
  const access = { url: server.url!, user: 'elastic:admin-password', caFile: path('ca.crt') }
  const files = { certFile: path('ann.crt'), keyFile: path('ann.key') }
  const client = new TransferClient({ ...access, ...files }, () => {})
  assert.equal((await client.send('GET', '/')).status, 200)
  assert.throws(() => new TransferClient({ ...access, keyFile: path('ann.key') }, () => {}), /--cert and --key belong/)
  const settings = { connectMs: 5_000, ca: servers.certificate, cert: ann.certificate, key: ann.key }
  const connection = await Connection.open(new URL(server.url!), settings)
  const sent = { method: 'GET', uri: '/_sandpiper/live', headers: {}, body: Buffer.alloc(0) }
  assert.equal((await connection.exchange(sent)).status, 200)
  connection.close()
})

test('startup fails with a reason if the authorities of clients cannot be used', async () => {
  write('leaf.crt', bob.certificate)
  const withCa = (ca: string) => open('required', { clientAuthentication: { mode: 'required', ca: path(ca) } })
  await assert.rejects(withCa('missing.crt'), /cannot read .*missing\.crt/)
  await assert.rejects(withCa('node.key'), /there is no certificate in PEM in .*node\.key/)
  await assert.rejects(withCa('leaf.crt'), /leaf\.crt has a certificate that is not one of an authority/)
  await assert.rejects(open('required', { tls: undefined }), /client certificates need TLS/)
})
